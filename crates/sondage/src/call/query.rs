//! Requests that are sent in the query string.

use crate::error::{Error, Result};
use crate::operation::RequestLocation;
use bytes::Bytes;
use indexmap::IndexMap;
use serde_json::Value;
use url::form_urlencoded::Serializer;

/// The query and the body of a request.
pub fn place(place: RequestLocation, request: Bytes) -> Result<(Option<String>, Bytes)> {
    match place {
        RequestLocation::Body => Ok((None, request)),
        // The body is never empty: gateways require a `Content-Length`, and the last byte of the body shows whether the
        // whole request was sent.
        RequestLocation::Query => Ok((Some(query(&request)?), Bytes::from_static(b"{}"))),
    }
}

fn query(request: &[u8]) -> Result<String> {
    let unreadable =
        |why| Error::invalid_argument(format!("the request cannot be sent in a query string ({why})"));
    let fields: IndexMap<String, Value> = serde_json::from_slice(request).map_err(unreadable)?;
    let mut query = Serializer::new(String::new());
    for (name, value) in &fields {
        match value {
            Value::Null => continue,
            Value::String(text) => query.append_pair(name, text),
            Value::Bool(_) | Value::Number(_) => query.append_pair(name, &value.to_string()),
            Value::Array(_) | Value::Object(_) => {
                let what =
                    format!("`{name}` is sent in the query string, which cannot contain lists and objects");
                return Err(Error::invalid_argument(what));
            }
        };
    }
    Ok(query.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_numbers_and_truth_values_stand_in_a_query() {
        let request = br#"{"tenant":"a&b \u00e4","surveyId":9007199254740993,"all":true,"none":null}"#;
        let (query, body) = place(RequestLocation::Query, Bytes::from_static(request)).unwrap();
        assert_eq!(query.as_deref(), Some("tenant=a%26b+%C3%A4&surveyId=9007199254740993&all=true"));
        assert_eq!(&body[..], b"{}");
        assert!(place(RequestLocation::Query, Bytes::from_static(br#"{"a":[1]}"#)).is_err());
    }
}
