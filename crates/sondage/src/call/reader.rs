//! Decodes the bytes of an answer while they arrive.

use super::envelope::ResponseEnvelope;
use crate::error::Text;
use crate::model::Json;
use crate::text;
use bytes::{Bytes, BytesMut};
use serde::de::DeserializeOwned;
use std::marker::PhantomData;

/// Reads one answer. When a call is repeated, the next answer gets a reader of its own.
pub trait Reader: Send + 'static {
    /// What the answer amounts to.
    type Output: Send + 'static;

    /// Whether all of the answer is held, and made into objects. That takes many times its size, so that less of it is read
    /// (`object_bytes`, `object_values`).
    const HELD: bool = false;

    /// Takes the next piece of the body.
    fn feed(&mut self, piece: &[u8]) -> Result<(), Unreadable>;

    /// The body is complete.
    fn finish(self) -> Result<Verdict<Self::Output>, Unreadable>;
}

/// What the service says in an answer that can be read.
#[derive(Debug)]
pub enum Verdict<T> {
    /// It did what was asked.
    Success(T),
    /// It refuses (`isSuccess: false`).
    Refused(ResponseEnvelope),
}

/// Why an answer cannot be understood: the beginning of a sentence, without personal data.
#[derive(Debug)]
pub struct Unreadable(pub Text);

/// Reads a typed answer. It holds the body until the end, for the few rows that objects are for.
pub struct TypedReader<T> {
    buffer: BytesMut,
    output: PhantomData<fn() -> T>,
}

impl<T> Default for TypedReader<T> {
    fn default() -> Self {
        Self { buffer: BytesMut::new(), output: PhantomData }
    }
}

impl<T: DeserializeOwned + Send + 'static> Reader for TypedReader<T> {
    type Output = (T, Bytes);

    const HELD: bool = true;

    fn feed(&mut self, piece: &[u8]) -> Result<(), Unreadable> {
        self.buffer.extend_from_slice(piece);
        Ok(())
    }

    fn finish(self) -> Result<Verdict<Self::Output>, Unreadable> {
        let body = self.buffer.freeze();
        let envelope: ResponseEnvelope =
            serde_json::from_slice(&body).map_err(|error| not_an_envelope(&body, &error))?;
        if !envelope.is_success {
            return Ok(Verdict::Refused(envelope));
        }
        match serde_json::from_slice(&body) {
            Ok(value) => Ok(Verdict::Success((value, body))),
            Err(error) => Err(misshapen::<T>(&body, &error)),
        }
    }
}

/// Reads any answer, as the JSON that it is.
pub type Raw = TypedReader<Json>;

/// An answer that is no answer of the API: says what it is instead.
pub fn not_an_envelope(body: &[u8], error: &serde_json::Error) -> Unreadable {
    let start = body.trim_ascii_start();
    let what = if start.is_empty() {
        "the answer is empty".into()
    } else if start[0] == b'<' {
        "the answer is an HTML page, not JSON".into()
    } else if error.is_eof() {
        "the answer ends in the middle".into()
    } else if error.is_data() {
        "the answer is JSON without the service's envelope (`isSuccess` is missing or not a boolean)".into()
    } else {
        text!("the answer is not JSON (at byte {} of {})", position(body, error), body.len())
    };
    Unreadable(what)
}

/// The second reading costs time, but only when there is an error to explain: it names the place.
fn misshapen<T: DeserializeOwned>(body: &[u8], error: &serde_json::Error) -> Unreadable {
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let place = match serde_path_to_error::deserialize::<_, T>(&mut deserializer) {
        Err(error) => error.path().to_string(),
        Ok(_) => "?".to_owned(),
    };
    // serde quotes the value that it stumbles over, which may be personal data: only the place is told.
    Unreadable(text!("the answer has an unexpected shape at `{place}` (byte {})", position(body, error)))
}

fn position(body: &[u8], error: &serde_json::Error) -> usize {
    let before = body
        .split(|b| *b == b'\n')
        .take(error.line().saturating_sub(1))
        .map(|line| line.len() + 1)
        .sum::<usize>();
    before + error.column()
}
