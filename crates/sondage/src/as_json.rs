//! Models as JSON in the API's names, for caches and for responses of a server.

use crate::call::{place, reader};
use crate::schema::Model;
use crate::{Error, Result, text};
use serde::{Serialize, de::DeserializeOwned};

/// What is written instead of a secret.
pub const MASK: &str = "***";

/// A model that can be written and read.
pub trait JsonModel: Model + Serialize + DeserializeOwned {}

impl<M: Model + Serialize + DeserializeOwned> JsonModel for M {}

/// The JSON of a model, with the fields that this version does not know.
pub fn to_json(model: &impl JsonModel) -> Result<String> {
    serde_json::to_string(model).map_err(|error| {
        Error::invalid_argument(text!("this cannot be written as JSON: {}", error.to_string()))
    })
}

/// Reads what [`to_json`] has written, or what the service sends.
pub fn from_json<M: JsonModel>(json: &str) -> Result<M> {
    // By the function that reads responses: it is compiled for each of them already.
    serde_json::from_slice(json.as_bytes())
        .map_err(|error| unreadable(M::SCHEMA.name, json.as_bytes(), &error))
}

/// The text may hold personal data: only the place of what is wrong is shown.
#[inline(never)]
fn unreadable(model: &'static str, json: &[u8], error: &serde_json::Error) -> Error {
    let at = reader::position(json, error).min(json.len());
    let place = place::of(&json[..at]);
    let said = error.to_string();
    let missing = said.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
    Error::invalid_argument(match missing {
        Some(field) => text!(
            "`text` is not the JSON of a `{model}`: `{}` is missing at `{place}` (byte {at})",
            field.to_owned()
        ),
        None if error.is_data() => {
            text!(
                "`text` is not the JSON of a `{model}`: it has an unexpected shape at `{place}` (byte {at})"
            )
        }
        None if error.is_eof() => text!("`text` is not the JSON of a `{model}`: it is cut off"),
        None => text!("`text` is not JSON (at byte {at} of {})", json.len()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Member, MemberInterview, ReadMemberListResponse};

    #[test]
    fn what_this_version_does_not_know_is_kept() {
        let json = r#"{"id":7,"fields":{"Email":{"name":"Email","fieldType":"Hologram","value":1.50,"later":[1.0]}},"createdAt":"2024-05-01T12:30:00.123Z","createdBy":null,"updatedAt":null,"updatedBy":null,"interviews":[],"new":{"b":1,"a":2}}"#;
        let member: Member = from_json(json).unwrap();
        assert_eq!(to_json(&member).unwrap(), json.replace("1.50", "1.5"));
        assert_eq!(from_json::<Member>(&to_json(&member).unwrap()).unwrap(), member);
    }

    #[test]
    fn an_error_says_where_and_shows_no_value() {
        let fails = |json: &str| from_json::<ReadMemberListResponse>(json).unwrap_err().to_string();
        for (json, words) in [
            (r#"{"members":[{"id":"anna"}]}"#, "unexpected shape at `members[0].id` (byte 24)"),
            (r#"{"members":[{}]}"#, "`id` is missing at `members[0]`"),
            (r#"{"members":["#, "cut off"),
            ("anna", "is not JSON (at byte 1 of 4)"),
        ] {
            let error = fails(json);
            assert!(error.contains(words) && !error.contains("anna"), "{error}");
        }
        assert!(from_json::<MemberInterview>("{}").unwrap_err().to_string().contains("`MemberInterview`"));
    }
}
