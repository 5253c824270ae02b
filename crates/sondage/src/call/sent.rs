//! The parts of a request that no error may echo: secrets and personal data. They are extracted from the sent request, and
//! only after a failure.

use crate::error::Redactor;
use crate::model::Secret;
use crate::operations;
use crate::schema::{ModelSchema, Type};
use bytes::Bytes;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sensitivity {
    Secret,
    Personal,
}

/// By wire name, because raw JSON bodies without a model must be covered too.
static NAMES: LazyLock<HashMap<&'static str, Sensitivity>> = LazyLock::new(|| {
    let (mut names, mut seen) = (HashMap::new(), Vec::new());
    let mut open: Vec<&ModelSchema> = operations::ALL.iter().map(|row| row.request).collect();
    while let Some(model) = open.pop() {
        if seen.contains(&model.name) {
            continue;
        }
        seen.push(model.name);
        for field in model.fields {
            let mut ty = field.ty;
            while let Type::Optional(inner) | Type::List(inner) | Type::Map(inner) = ty {
                ty = inner;
            }
            match ty {
                Type::Secret => drop(names.insert(field.wire, Sensitivity::Secret)),
                Type::FieldValue => drop(names.entry(field.wire).or_insert(Sensitivity::Personal)),
                _ if field.personal => drop(names.entry(field.wire).or_insert(Sensitivity::Personal)),
                Type::Model(schema) => open.push(schema()),
                _ => {}
            }
        }
    }
    names
});

/// The redactor of a call that sent this request: it knows the secrets, and searches for personal data only
/// when there is text to redact.
pub fn redactor<'a>(body: &Bytes, query: Option<&str>, secrets: impl Iterator<Item = &'a str>) -> Redactor {
    let (secrets, mut own) = (secrets.collect::<Vec<&str>>(), Vec::<Secret>::new());
    each(body, query, &mut |kind, text| {
        if kind == Sensitivity::Secret {
            own.push(text.into());
        }
    });
    let (body, query) = (body.clone(), query.map(str::to_owned));
    Redactor::new(secrets.iter().copied().chain(own.iter().map(Secret::reveal))).sparing(move |see| {
        each(&body, query.as_deref(), &mut |kind, text| {
            if kind == Sensitivity::Personal {
                see(text);
            }
        });
    })
}

/// Calls back with every string and number of a body and a query that is nested below one of the names.
fn each(body: &[u8], query: Option<&str>, see: &mut dyn FnMut(Sensitivity, &str)) {
    for (name, value) in url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        if let Some(kind) = NAMES.get(name.as_ref()) {
            see(*kind, &value);
        }
    }
    // Anything that is not JSON was not sent, or not by this library.
    let _ = SensitiveSeed { below: None, see }.deserialize(&mut serde_json::Deserializer::from_slice(body));
}

struct SensitiveSeed<'a> {
    below: Option<Sensitivity>,
    see: &'a mut dyn FnMut(Sensitivity, &str),
}

impl SensitiveSeed<'_> {
    fn leaf(self, text: &str) {
        if let Some(kind) = self.below {
            (self.see)(kind, text);
        }
    }
}

impl<'de> DeserializeSeed<'de> for SensitiveSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for SensitiveSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.leaf(text);
        Ok(())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.leaf(&number.to_string());
        Ok(())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.leaf(&number.to_string());
        Ok(())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        self.leaf(&number.to_string());
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(SensitiveSeed { below: self.below, see: &mut *self.see })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<Cow<'_, str>>()? {
            // A secret is redacted as a secret even inside personal data.
            let below = match NAMES.get(name.as_ref()) {
                Some(Sensitivity::Secret) => Some(Sensitivity::Secret),
                known => self.below.or(known.copied()),
            };
            map.next_value_seed(SensitiveSeed { below, see: &mut *self.see })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(body: &str, query: Option<&str>, words: &str) -> String {
        redactor(&Bytes::copy_from_slice(body.as_bytes()), query, std::iter::empty()).clean(words)
    }

    /// Privacy: personal data of the request is removed from the service's message; field names and ids stay.
    #[test]
    fn what_a_request_says_of_people_is_not_repeated() {
        let body = r#"{"panelId": 1001, "members": [{"fields": {"Email": {"name": "Email", "value": "ada@example.com"},
            "FirstName": {"name": "FirstName", "value": "Ada"}, "Phone": {"name": "Phone", "value": 41791234567},
            "Income": {"name": "Income", "value": 81250.75}}}],
            "conditions": [{"identifier": "City", "value": ["Zürich"]}], "password": "hunter22"}"#;
        for (words, left) in [
            ("`ada@example.com` is no Email of panel 1001", "`***` is no Email of panel 1001"),
            ("Ada, 41791234567 in Z%C3%BCrich", "***, *** in ***"),
            ("81250.75 is no Income", "*** is no Income"),
            ("Adaptation failed for YWRhQGV4YW1wbGUuY29t", "Adaptation failed for ***"),
            ("hunter22 Email FirstName", "*** Email FirstName"),
        ] {
            assert_eq!(clean(body, None, words), left);
        }
        let within = r#"{"value": {"password": "hunter22"}}"#;
        assert_eq!(clean(within, None, "68756e7465723232"), "***", "in hexadecimal, as for secrets");
        assert_eq!(clean("{}", Some("to=a%40b.example&language=en"), "to a@b.example in en"), "to *** in en");
        assert_eq!(clean("no JSON", None, "as it is"), "as it is");
    }
}
