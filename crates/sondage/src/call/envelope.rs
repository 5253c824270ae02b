//! The envelope of a response (`isSuccess`, error code, error message). It is read only here.
// API 1.4

use crate::error::{Redacted, Redactor, Untrusted};
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt;

/// The envelope of an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResponseEnvelope {
    /// Whether the call succeeded.
    pub is_success: bool,
    /// The error code.
    pub error_code: Option<Untrusted>,
    /// The error message. The deprecated token call returns "" on success.
    // API 14.1
    pub error_message: Option<Untrusted>,
}

/// What the service says about a refusal, in the form in which an error may carry it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words {
    /// The error code.
    pub code: Option<Redacted>,
    /// The error message.
    pub message: Option<Redacted>,
}

impl ResponseEnvelope {
    /// Redacts the service's code and message.
    pub fn words(&self, redactor: &Redactor) -> Words {
        Words {
            code: self.error_code.as_ref().and_then(|heard| heard.word(redactor)),
            message: self.error_message.as_ref().and_then(|heard| heard.sentence(redactor)),
        }
    }
}

impl<'de> Deserialize<'de> for ResponseEnvelope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EnvelopeVisitor)
    }
}

struct EnvelopeVisitor;

impl<'de> Visitor<'de> for EnvelopeVisitor {
    type Value = ResponseEnvelope;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `isSuccess`")
    }

    /// The deprecated token call has been seen to return the bare token.
    fn visit_str<E: Error>(self, _: &str) -> Result<ResponseEnvelope, E> {
        Ok(ResponseEnvelope { is_success: true, ..ResponseEnvelope::default() })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ResponseEnvelope, A::Error> {
        let (mut success, mut code, mut message) = (None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "isSuccess" => success = Some(map.next_value()?),
                "errorCode" => code = map.next_value()?,
                "errorMessage" => message = map.next_value()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        let is_success = success.ok_or_else(|| A::Error::missing_field("isSuccess"))?;
        Ok(ResponseEnvelope { is_success, error_code: code, error_message: message })
    }
}
