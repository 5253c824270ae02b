//! Decodes a response body while it arrives.

use super::envelope::ResponseEnvelope;
use super::place;
use crate::error::Text;
use crate::model::Json;
use crate::readable::Readable;
use crate::text;
use bytes::{Bytes, BytesMut};
use serde::de::DeserializeOwned;
use std::marker::PhantomData;

/// Reads one response. When a call is retried, the next response gets a new reader.
pub trait Reader: Send + 'static {
    /// The decoded response.
    type Output: Send + 'static;

    /// Whether the whole response is buffered and turned into objects. That takes many times its size, so lower limits
    /// apply (`object_bytes`, `object_values`).
    const HELD: bool = false;

    /// Takes the next chunk of the body.
    fn feed(&mut self, piece: &[u8]) -> Result<(), Unreadable>;

    /// Finishes: the body is complete.
    fn finish(self) -> Result<Verdict<Self::Output>, Unreadable>;
}

/// The result of a response that can be decoded.
#[derive(Debug)]
pub enum Verdict<T> {
    /// Success: the service did what was asked.
    Success(T),
    /// A refusal (`isSuccess: false`).
    Refused(ResponseEnvelope),
}

/// Why a response cannot be decoded: the beginning of a sentence, without personal data.
#[derive(Debug)]
pub struct Unreadable(pub Text);

/// Reads a typed response. It buffers the whole body: objects are meant for few rows.
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
        let body = readable(&self.buffer.freeze());
        if let Some(envelope) = refused(&body)? {
            return Ok(Verdict::Refused(envelope));
        }
        match serde_json::from_slice(&body) {
            Ok(value) => Ok(Verdict::Success((value, body))),
            Err(error) => Err(misshapen(&body, &error)),
        }
    }
}

/// A body that can be read. An object has no place for a warning, so the log says what was replaced.
#[inline(never)]
fn readable(body: &Bytes) -> Bytes {
    let (body, replaced) = Readable::body(body);
    if let Some(first) = replaced.first() {
        let place = place::of(&body[..*first]);
        log::warn!(
            "{} halves of characters (surrogates without their pair) in a response were replaced by U+FFFD, the first at `{place}`",
            replaced.len()
        );
    }
    body
}

/// The envelope of a refusal. It is not part of [`TypedReader`], which is compiled once for each response type.
#[inline(never)]
fn refused(body: &[u8]) -> Result<Option<ResponseEnvelope>, Unreadable> {
    if let Err(error) = std::str::from_utf8(body)
        && !body.trim_ascii_start().starts_with(b"<")
    {
        let what = text!("the response is not UTF-8 (at byte {} of {})", error.valid_up_to(), body.len());
        return Err(Unreadable(what));
    }
    let envelope: ResponseEnvelope =
        serde_json::from_slice(body).map_err(|error| not_an_envelope(body, &error))?;
    Ok(Some(envelope).filter(|envelope| !envelope.is_success))
}

/// Reads any response as plain JSON.
pub type Raw = TypedReader<Json>;

/// Describes a response that is not one of the API.
pub fn not_an_envelope(body: &[u8], error: &serde_json::Error) -> Unreadable {
    let start = body.trim_ascii_start();
    let what = if start.is_empty() {
        "the response is empty".into()
    } else if start[0] == b'<' {
        "the response is an HTML page, not JSON".into()
    } else if error.is_eof() {
        "the response is cut off".into()
    } else if error.is_data() {
        "the response is JSON without the service's envelope (`isSuccess` is missing or not a boolean)".into()
    } else {
        text!("the response is not JSON (at byte {} of {})", position(body, error), body.len())
    };
    Unreadable(what)
}

/// serde quotes the offending value, which may be personal data: only its place is shown.
#[inline(never)]
fn misshapen(body: &[u8], error: &serde_json::Error) -> Unreadable {
    let position = position(body, error);
    let place = place::of(&body[..position.min(body.len())]);
    Unreadable(text!("the response has an unexpected shape at `{place}` (byte {position})"))
}

/// The byte at which a reader stopped.
pub fn position(body: &[u8], error: &serde_json::Error) -> usize {
    let before = body
        .split(|b| *b == b'\n')
        .take(error.line().saturating_sub(1))
        .map(|line| line.len() + 1)
        .sum::<usize>();
    before + error.column()
}
