//! The values that replace personal data, secrets and links in a recording. They have the same types, so a program can decode
//! them.
//!
//! A GUID is replaced by another one: always the same one, from which the original cannot be derived. Numbers become 0, and
//! times become one fixed day. Hidden texts in responses are numbered, equal texts with the same number, so that rows stay
//! distinct. In requests all hidden texts are equal, so that a replay finds a request whatever its hidden values are.

use crate::mask::{Cover, HIDDEN, SECRET, is_guid, is_number, is_of_the_service, is_time};
use crate::operations;
use crate::schema::{ModelSchema, Type};
use ring::digest::{SHA256, digest};
use serde_json::Value;
use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use std::sync::LazyLock;

/// The replacement for a link.
const LINK: &str = "https://hidden.invalid/";

/// The first digits of replacement GUIDs.
const GUID: &str = "00000000-0000-4000-8000-";

/// How values in requests are replaced.
pub(super) struct InRequest;

impl Cover for InRequest {
    fn hidden(&mut self, value: &mut Value) {
        hide(value, |_| HIDDEN.to_owned());
    }

    fn secret(&mut self, name: &str) -> Value {
        secret(name)
    }

    fn name(&mut self, name: &str) -> Option<String> {
        (!is_known(name)).then(|| HIDDEN.to_owned())
    }

    fn fits(&self, ty: &Type, value: &Value) -> bool {
        fits(ty, value)
    }
}

/// How values in responses are replaced. Texts are stored only as hashes, with a key of this process.
#[derive(Default)]
pub(super) struct InAnswer {
    key: RandomState,
    numbers: HashMap<u64, u64>,
    /// The number of the first text.
    pub first: u64,
}

impl Cover for InAnswer {
    fn hidden(&mut self, value: &mut Value) {
        hide(value, |text| {
            let next = self.first + self.numbers.len() as u64;
            let number = *self.numbers.entry(self.key.hash_one(text)).or_insert(next);
            format!("{} {number}]", HIDDEN.trim_end_matches(']'))
        });
    }

    fn secret(&mut self, name: &str) -> Value {
        secret(name)
    }

    fn name(&mut self, name: &str) -> Option<String> {
        let mut covered = Value::from(name);
        (!is_known(name)).then(|| self.hidden(&mut covered))?;
        Some(covered.as_str().unwrap_or(HIDDEN).to_owned())
    }

    fn keeps(&self, column: &str, value: &Value) -> bool {
        is_of_the_service(column, value)
    }

    fn fits(&self, ty: &Type, value: &Value) -> bool {
        fits(ty, value)
    }
}

/// Replaces whatever looks like a person, a link or a GUID in visible texts and in names.
pub(super) fn anonymize_texts(value: &mut Value, cover: &mut dyn Cover) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| anonymize_texts(item, cover)),
        Value::Object(fields) => {
            let revealing: Vec<String> = fields.keys().filter(|name| is_revealing(name)).cloned().collect();
            for name in revealing {
                let content = fields.remove(&name).unwrap_or_default();
                let mut name = Value::from(name);
                cover.hidden(&mut name);
                fields.insert(name.as_str().unwrap_or(HIDDEN).to_owned(), content);
            }
            fields.values_mut().for_each(|item| anonymize_texts(item, cover));
        }
        Value::String(text) if text == LINK => {}
        Value::String(text) if is_guid(text) || is_revealing(text) => cover.hidden(value),
        _ => {}
    }
}

/// Whether a name occurs in a model of the API, or in the envelope. Any other may be a person's.
fn is_known(name: &str) -> bool {
    static NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let mut names = HashSet::from(["isSuccess", "errorCode", "errorMessage"]);
        let mut models = HashSet::new();
        for row in operations::ALL {
            gather(row.request, &mut names, &mut models);
            gather(row.response, &mut names, &mut models);
        }
        names
    });
    NAMES.contains(name)
}

type Names = HashSet<&'static str>;

fn gather(model: &'static ModelSchema, names: &mut Names, models: &mut Names) {
    fn of(ty: &'static Type, names: &mut Names, models: &mut Names) {
        match ty {
            Type::Optional(inner) | Type::List(inner) | Type::Map(inner) => of(inner, names, models),
            Type::Model(schema) => gather(schema(), names, models),
            _ => {}
        }
    }
    if models.insert(model.name) {
        names.extend(model.fields.iter().map(|field| field.wire));
        model.fields.iter().for_each(|field| of(field.ty, names, models));
    }
}

fn hide(value: &mut Value, text: impl FnOnce(&str) -> String) {
    *value = match &*value {
        Value::Bool(_) => false.into(),
        Value::Number(_) => 0.into(),
        Value::String(hidden) if hidden.starts_with(HIDDEN.trim_end_matches(']')) => text("").into(),
        Value::String(guid) if guid.starts_with(GUID) => return,
        Value::String(guid) if is_guid(guid) => {
            let hash = digest(&SHA256, guid.to_ascii_lowercase().as_bytes());
            let number = hash.as_ref()[..6].iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
            format!("{GUID}{number:012x}").into()
        }
        Value::String(number) if is_number(number) => "0".into(),
        Value::String(time) if is_time(time) => {
            if time.len() == 10 {
                "2000-01-01".into()
            } else {
                "2000-01-01T00:00:00Z".into()
            }
        }
        Value::String(hidden) => text(hidden).into(),
        _ => return,
    };
}

fn secret(name: &str) -> Value {
    let is_link = ["link", "url"].iter().any(|word| name.contains(word));
    if is_link { LINK.into() } else { SECRET.into() }
}

/// Whether a value has the published type. If not, nothing is known about it, and it is hidden.
fn fits(ty: &Type, value: &Value) -> bool {
    match (ty, value) {
        (_, Value::Array(_) | Value::Object(_)) => false,
        (Type::Enum(of), Value::String(text)) => of.values.contains(&text.as_str()),
        (_, Value::String(text)) => {
            is_number(text) || is_time(text) || matches!(text.as_str(), "true" | "false")
        }
        _ => true,
    }
}

/// Whether a text seems to contain an e-mail address, a link or a phone number.
fn is_revealing(text: &str) -> bool {
    let word = |c: char| c.is_alphanumeric();
    let mail = text.split('@').collect::<Vec<_>>();
    let mail = mail.windows(2).any(|it| it[0].ends_with(word) && it[1].starts_with(word));
    mail || text.contains("://") || text.contains("www.") || phone(text)
}

/// A number with a leading + or 0 and 7 to 15 digits, possibly in groups.
fn phone(text: &str) -> bool {
    let part = |c: char| c.is_ascii_digit() || " -/().".contains(c);
    text.char_indices().filter(|(_, c)| matches!(c, '+' | '0')).any(|(at, _)| {
        let (before, from) = text.split_at(at);
        let end = from[1..].find(|c| !part(c)).map_or(from.len(), |end| end + 1);
        let digits = from[..end].bytes().filter(u8::is_ascii_digit).count();
        let alone = !before.ends_with(|c: char| c.is_alphanumeric() || ".-:/".contains(c));
        alone
            && (7..=15).contains(&digits)
            && !from[end..].starts_with(|c: char| c.is_alphanumeric() || c == ':')
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn addresses_links_and_telephone_numbers_are_seen() {
        for text in [
            "ask ada@example.com",
            "see http://a.example",
            "www.a.example",
            "+41 79 123 45 67",
            "call 0791234567.",
        ] {
            assert!(is_revealing(text), "{text}");
        }
        for text in [
            "Q1",
            "two @ one",
            "2026-01-05T10:00:00Z",
            "10000000",
            "0a1b2c3d",
            "1.05",
            "0.5",
            "Field_0012345678x",
        ] {
            assert!(!is_revealing(text), "{text}");
        }
    }

    #[test]
    fn covers_have_the_type_of_what_they_cover() {
        let mut answer = InAnswer::default();
        let mut cover = |value: Value| {
            let mut value = value;
            answer.hidden(&mut value);
            value
        };
        assert_eq!(cover(json!(41)), json!(0));
        assert_eq!(cover(json!(true)), json!(false));
        assert_eq!(cover(json!("1990-05-01")), json!("2000-01-01"));
        assert_eq!(cover(json!("1990-05-01T10:00:00+02:00")), json!("2000-01-01T00:00:00Z"));
        let (ada, bob) = (cover(json!("ada")), cover(json!("bob")));
        assert!(ada != bob && ada == cover(json!("ada")), "{ada} {bob}");
        let guid = json!("3F2504E0-4F89-11D3-9A0C-0305E82C3301");
        let other = cover(guid.clone());
        assert!(other != guid && is_guid(other.as_str().unwrap()));
        assert_eq!(cover(other.clone()), other, "a replayed id asks for the same");
    }

    #[test]
    fn a_request_made_of_replayed_values_is_the_recorded_one() {
        for value in
            [json!("ada"), json!(7), json!("3f2504e0-4f89-11d3-9a0c-0305e82c3301"), json!("1990-05-01")]
        {
            let (mut asked, mut answered) = (value.clone(), value);
            InRequest.hidden(&mut asked);
            InAnswer::default().hidden(&mut answered);
            InRequest.hidden(&mut answered);
            assert_eq!(asked, answered);
        }
    }

    #[test]
    fn names_that_reveal_somebody_are_covered_as_well() {
        let mut value = json!({ "ada@example.com": [{ "note": "mail ada@example.com" }], "Q1": "fine" });
        anonymize_texts(&mut value, &mut InRequest);
        assert!(!value.to_string().contains("ada") && value["Q1"] == "fine", "{value}");
    }
}
