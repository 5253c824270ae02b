//! JSON in which no object has a key twice: readers keep the last one, and what the first one said would be lost without a word.

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::cell::RefCell;
use std::fmt;

/// The value, and the places of the keys that an object has twice.
pub(super) fn parse(text: &str) -> Result<(Value, Vec<String>), serde_json::Error> {
    let doubled = RefCell::default();
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Part { place: None, doubled: &doubled }.deserialize(&mut reader)?;
    reader.end()?;
    Ok((value, doubled.into_inner()))
}

/// Where a part of the text is: the way up to the whole.
struct Place<'p> {
    around: Option<&'p Self>,
    name: Step<'p>,
}

enum Step<'p> {
    Key(&'p str),
    Index(usize),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(around) = self.around {
            around.fmt(f)?;
        }
        match (&self.name, self.around) {
            (Step::Index(index), _) => write!(f, "[{index}]"),
            (Step::Key(key), None) => f.write_str(key),
            (Step::Key(key), Some(_)) => write!(f, ".{key}"),
        }
    }
}

struct Part<'p> {
    place: Option<&'p Place<'p>>,
    doubled: &'p RefCell<Vec<String>>,
}

impl<'de> DeserializeSeed<'de> for Part<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(flag.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Value, E> {
        Number::from_f64(number).map(Value::Number).ok_or_else(|| E::custom("a number that is not finite"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        loop {
            let place = Place { around: self.place, name: Step::Index(list.len()) };
            match items.next_element_seed(Part { place: Some(&place), doubled: self.doubled })? {
                Some(item) => list.push(item),
                None => return Ok(list.into()),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            let place = Place { around: self.place, name: Step::Key(&key) };
            let value = fields.next_value_seed(Part { place: Some(&place), doubled: self.doubled })?;
            if object.contains_key(&key) {
                self.doubled.borrow_mut().push(place.to_string());
            }
            object.insert(key, value);
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_doubled_key_has_its_place_and_nothing_else_is_read_otherwise() {
        let text = r#"{"a": [{"b": 1, "b": -2.5}, {"c": {"d": "x", "e": null, "d": 18446744073709551615}}], "a": [true]}"#;
        let (value, doubled) = parse(text).unwrap();
        assert_eq!(value, json!({ "a": [true] }));
        assert_eq!(doubled, ["a[0].b", "a[1].c.d", "a"]);
        for text in [r#"{"a":[1,-1,2.5,1e300,"\u00e4",null,{"b":{}}]}"#, "7", "[]", "null"] {
            assert_eq!(parse(text).unwrap(), (serde_json::from_str(text).unwrap(), Vec::new()), "{text}");
        }
        for text in ["", "{", "[1,]", "{} {}", "1e999", &"[".repeat(200)] {
            let (ours, theirs) = (parse(text).unwrap_err(), serde_json::from_str::<Value>(text).unwrap_err());
            assert_eq!(ours.to_string(), theirs.to_string(), "{text}");
        }
    }
}
