//! Records the calls of a client in a file, and replays their responses from such a file without a network.
//!
//! A recording is a file of JSON lines: a header, then a line for each attempt that got a response. It contains no secrets
//! and no personal data: [`anonymize`] describes their replacements. Token requests are not recorded; a replay makes up tokens.

mod anonymize;
mod order;
mod record;
mod replay;

pub(crate) use record::{RecordedAnswer, Recorder};
pub(crate) use replay::Player;

use crate::error::{Delivery, Result, Text};
use crate::operation::OperationInfo;
use crate::transport::failure::{Failure, FailureCause};
use crate::{mask, operations};
use anonymize::{InRequest, anonymize_texts};
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use url::Url;

/// The header of a file.
const KIND: &str = "recording";
const VERSION: u32 = 1;

/// The recording that a client writes, or the one that answers it.
#[derive(Clone)]
pub(crate) enum Cassette {
    Record(Arc<Recorder>),
    Replay(Arc<Player>),
}

impl Cassette {
    /// Reads a recording that is to be replayed, so that errors in it are found before the first call.
    pub fn check(&self) -> Result<()> {
        match self {
            Self::Record(_) => Ok(()),
            Self::Replay(player) => player.tape().map(drop),
        }
    }
}

#[derive(Deserialize, Serialize)]
struct Head {
    sondage: String,
    version: u32,
}

/// A line of a recording.
#[derive(Deserialize, Serialize)]
struct Line {
    request: Asked,
    answer: Answer,
}

/// A request, masked. Two requests that differ only in what is masked are equal.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Asked {
    /// The API's name of the operation, if it is in the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<String>,
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    query: Option<Value>,
    body: Value,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
struct Answer {
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// A JSON response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<Box<RawValue>>,
    /// The placeholder for any other response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl Asked {
    /// The masked form of a request; `None` for a token request.
    fn of(url: &Url, headers: &HeaderMap, body: &[u8]) -> Option<Self> {
        let form =
            headers.get(CONTENT_TYPE).is_some_and(|it| it.as_bytes().starts_with(b"application/x-www-form"));
        if form {
            return None;
        }
        let row = row(url.path());
        let mut body = serde_json::from_slice(body).unwrap_or(Value::from(mask::HIDDEN));
        covered(&mut body, row);
        let query = url.query().map(|_| {
            let pairs = url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned().into()));
            let mut query = Value::Object(pairs.collect::<Map<_, _>>());
            covered(&mut query, row);
            query
        });
        let mut path: Vec<Value> = url.path().split('/').map(Value::from).collect();
        if row.is_none() {
            for part in &mut path {
                anonymize_texts(part, &mut InRequest);
            }
        }
        let path = path.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("/");
        Some(Self { operation: row.map(|row| row.name.to_owned()), path, query, body })
    }

    fn name(&self) -> &str {
        self.operation.as_deref().unwrap_or(&self.path)
    }
}

fn covered(value: &mut Value, row: Option<&OperationInfo>) {
    match row {
        Some(row) => mask::mask(value, row.request, &mut InRequest),
        None => mask::hide(value, &mut InRequest),
    };
    mask::secrets(value, &mut InRequest);
    anonymize_texts(value, &mut InRequest);
    // A replay has no account, so the tenant must not matter.
    if let Some(tenant) = value.get_mut("tenant") {
        *tenant = "[hidden: tenant]".into();
    }
}

/// The operation with this path.
fn row(path: &str) -> Option<&'static OperationInfo> {
    operations::ALL.iter().copied().find(|row| row.path == path || row.fallback_paths.contains(&path))
}

/// Nothing is sent.
pub(crate) fn failure(what: Text) -> Failure {
    Failure::new(Delivery::No, what, FailureCause::Recording)
}
