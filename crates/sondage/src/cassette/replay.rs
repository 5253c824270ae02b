//! Answers calls from a recording.

use super::{Answer, Asked, Head, KIND, Line, VERSION, failure};
use crate::error::{Error, Result, Text};
use crate::files;
use crate::readable::Readable;
use crate::text;
use crate::transport::failure::Failure;
use bytes::Bytes;
use http::HeaderMap;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use url::Url;

/// How many differences from the nearest request an error lists.
const TOLD: usize = 3;

/// Replays a recording, which is read once.
pub(crate) struct Player {
    path: PathBuf,
    tape: OnceLock<Tape>,
    tokens: AtomicU64,
}

/// The content of a recording.
pub(crate) struct Tape {
    /// The request and the answer of each line; the first is line 2 of the file.
    lines: Vec<Line>,
    /// How often each request was answered, by the position of its first answer.
    played: Mutex<HashMap<usize, usize>>,
}

impl Player {
    pub fn new(path: PathBuf) -> Self {
        Self { path, tape: OnceLock::new(), tokens: AtomicU64::new(0) }
    }

    pub fn tape(&self) -> Result<&Tape> {
        if let Some(tape) = self.tape.get() {
            return Ok(tape);
        }
        let tape = read(&self.path)?;
        Ok(self.tape.get_or_init(|| tape))
    }

    /// The recorded response. If a request was recorded several times, each call gets the next response, and finally
    /// always the last.
    pub fn answer(
        &self,
        url: &Url,
        headers: &HeaderMap,
        body: &[u8],
    ) -> std::result::Result<http::Response<Bytes>, Failure> {
        let Some(asked) = Asked::of(url, headers, body) else { return response(&self.token()) };
        let tape = self.tape().map_err(|error| failure(error.happened().clone()))?;
        let candidates: Vec<usize> =
            (0..tape.lines.len()).filter(|at| tape.lines[*at].request == asked).collect();
        let Some(first) = candidates.first() else {
            return Err(failure(text!(
                "{} was not recorded in {}: {}",
                Text::from(said(&asked)),
                self.path.display(),
                tape.nearest(&asked)
            )));
        };
        let mut played = tape.played.lock().unwrap_or_else(PoisonError::into_inner);
        let played = played.entry(*first).or_default();
        let at = candidates[(*played).min(candidates.len() - 1)];
        *played += 1;
        response(&tape.lines[at].answer)
    }

    /// A replay issues tokens itself. Each is new, so that a recorded 401 leads to the next response.
    fn token(&self) -> Answer {
        let number = self.tokens.fetch_add(1, Ordering::Relaxed);
        let token = format!("replayed-{number}");
        let body = serde_json::json!({ "access_token": token, "token_type": "Bearer", "expires_in": 86_400 });
        Answer { status: 200, headers: [].into(), body: None, text: Some(body.to_string()) }
    }
}

impl Tape {
    /// What was recorded instead.
    fn nearest(&self, asked: &Asked) -> Text {
        let same = self.lines.iter().enumerate().filter(|(_, line)| line.request.path == asked.path);
        let near =
            same.map(|(at, line)| (differences(&line.request, asked), at)).min_by_key(|(it, _)| it.len());
        if let Some((differences, at)) = near {
            let summary = differences[..differences.len().min(TOLD)].join(", ");
            return text!("the nearest request is in line {}, where {summary}", at + 2);
        }
        let names: BTreeSet<&str> = self.lines.iter().map(|line| line.request.name()).collect();
        if names.is_empty() {
            return "the recording is empty".into();
        }
        text!("it has responses to {}", names.into_iter().collect::<Vec<_>>().join(", "))
    }
}

fn said(asked: &Asked) -> String {
    format!("{} with {}", asked.name(), asked.query.as_ref().unwrap_or(&asked.body))
}

/// The differences from a recorded request: for each place, what was recorded and what was requested.
fn differences(recorded: &Asked, asked: &Asked) -> Vec<String> {
    let mut differences = Vec::new();
    let none = Value::Null;
    let query = |it: &Asked| it.query.clone().unwrap_or_default();
    differ("", &query(recorded), &query(asked), &none, &mut differences);
    differ("", &recorded.body, &asked.body, &none, &mut differences);
    differences
}

fn differ(place: &str, recorded: &Value, asked: &Value, none: &Value, found: &mut Vec<String>) {
    let below = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
    match (recorded, asked) {
        (Value::Object(one), Value::Object(other)) => {
            for name in one.keys().chain(other.keys().filter(|name| !one.contains_key(*name))) {
                let (one, other) = (one.get(name).unwrap_or(none), other.get(name).unwrap_or(none));
                differ(&below(name), one, other, none, found);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (at, (one, other)) in one.iter().zip(other).enumerate() {
                differ(&below(&at.to_string()), one, other, none, found);
            }
        }
        _ if recorded == asked => {}
        _ => found.push(format!("{place} is {recorded} and not {asked}")),
    }
}

fn response(answer: &Answer) -> std::result::Result<http::Response<Bytes>, Failure> {
    let body = match (&answer.body, &answer.text) {
        (Some(body), _) => body.get().to_owned(),
        (None, text) => text.clone().unwrap_or_default(),
    };
    let mut builder = http::Response::builder().status(answer.status);
    for (name, value) in &answer.headers {
        builder = builder.header(name, value);
    }
    builder
        .body(body.into())
        .map_err(|_| failure("the recorded answer has an invalid status or header".into()))
}

fn read(path: &Path) -> Result<Tape> {
    let wrong = |what: Text| {
        Error::configuration(text!("the recording {} {what}", path.display()))
            .with_hint("Nothing was sent. Record the calls again, with the setting `record`.")
    };
    let unreadable = |error: std::io::Error| wrong(text!("cannot be read ({error})")).caused_by(&error);
    let mut content = Vec::new();
    files::open_to_read(path, true)
        .and_then(|mut file| file.read_to_end(&mut content))
        .map_err(unreadable)?;
    let content = Readable::of(&content).text;
    let mut lines = content.split_inclusive(|byte| *byte == b'\n').enumerate();
    match lines.next().map(|(_, line)| serde_json::from_slice::<Head>(line)) {
        Some(Ok(head)) if head.sondage == KIND && head.version == VERSION => {}
        Some(Ok(head)) if head.sondage == KIND => {
            return Err(wrong(text!(
                "is of version {}, and this library reads version {VERSION}",
                head.version
            )));
        }
        _ => return Err(wrong("is not a recording, or is damaged".into())),
    }
    let line = |(at, line): (usize, &[u8])| match serde_json::from_slice(line) {
        _ if !line.ends_with(b"\n") => {
            Err(wrong(text!("ends in the middle of line {}: writing it was interrupted", at + 1)))
        }
        Ok(line) => Ok(line),
        Err(error) => Err(wrong(text!("is damaged in line {} ({error})", at + 1))),
    };
    let lines = lines.map(line).collect::<Result<_>>()?;
    Ok(Tape { lines, played: Mutex::default() })
}
