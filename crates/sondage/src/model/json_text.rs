//! JSON text from a deserialiser: language bindings have objects instead of text.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::Serialize;
use std::fmt;

/// The text of a value. Integers of up to 128 bits keep every digit.
pub(super) struct JsonText(pub(super) String);

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut text = String::new();
        JsonWriter(&mut text).deserialize(deserializer)?;
        Ok(Self(text))
    }
}

/// Appends the next value to the text.
struct JsonWriter<'a>(&'a mut String);

impl JsonWriter<'_> {
    fn put<T: Serialize + ?Sized, E: Error>(self, value: &T) -> Result<(), E> {
        *self.0 += &serde_json::to_string(value).map_err(E::custom)?;
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for JsonWriter<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

macro_rules! put {
    ($($visit:ident: $Type:ty;)*) => { $(
        fn $visit<E: Error>(self, value: $Type) -> Result<(), E> {
            self.put(&value)
        }
    )* };
}

impl<'de> Visitor<'de> for JsonWriter<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that JSON can hold")
    }

    put! {
        visit_bool: bool; visit_i64: i64; visit_i128: i128; visit_u64: u64; visit_u128: u128; visit_f64: f64; visit_str: &str;
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.put(&())
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.put(&())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Self(text) = self;
        text.push('[');
        let start = text.len();
        loop {
            let end = text.len();
            if end > start {
                text.push(',');
            }
            if items.next_element_seed(JsonWriter(text))?.is_none() {
                text.truncate(end);
                break;
            }
        }
        text.push(']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let Self(text) = self;
        text.push('{');
        let start = text.len();
        while let Some(name) = entries.next_key::<String>()? {
            if text.len() > start {
                text.push(',');
            }
            JsonWriter(text).put::<_, A::Error>(&name)?;
            text.push(':');
            entries.next_value_seed(JsonWriter(text))?;
        }
        text.push('}');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::IntoDeserializer;
    use serde::de::value::I128Deserializer;

    #[test]
    fn every_value_as_it_is() {
        for text in
            [r#"{"":18446744073709551615,"a":[1,-2.5,true,null,"\u0000ü\"",{}],"z":[[],[[]]]}"#, "null", "[]"]
        {
            let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(JsonText::deserialize(value.into_deserializer()).expect("JSON").0, text);
        }
    }

    #[test]
    fn no_digit_is_lost() {
        let number: I128Deserializer<serde::de::value::Error> = i128::MIN.into_deserializer();
        assert_eq!(JsonText::deserialize(number).expect("JSON").0, i128::MIN.to_string());
    }
}
