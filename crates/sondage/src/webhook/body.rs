//! Checks of the body: that it is the one that was sent, and that it is JSON.

use super::received::Received;
use super::refusal::Reason;
use crate::call::measure::Measure;
use crate::model::Json;
use crate::readable::Readable;
use serde_json::value::RawValue;

/// The service has no use for deeper nesting, and the parsers behind this one may recurse.
const MAX_DEPTH: u32 = 64;

/// The maximum length of a number, in characters. Python refuses integers of more than 4,300 digits, or fewer if
/// configured so.
const MAX_NUMBER: usize = 512;

/// The JSON text of a body. Nothing signs a body, so a body that was parsed and serialised again can be detected only by
/// its length and by typical results of doing so; frameworks invite these mistakes.
pub(super) fn read(received: &Received<'_>) -> Result<Json, Reason> {
    let body = received.body;
    let announced = received.content_length.filter(|_| !received.encoded);
    if body.is_empty() {
        let consumed = announced.is_some_and(|bytes| bytes > 0);
        return Err(if consumed { Reason::BodyConsumed } else { Reason::BodyEmpty });
    }
    if is_print_of_object(body) {
        return Err(Reason::BodyParsed);
    }
    if announced.is_some_and(|bytes| bytes != body.len() as u64) {
        return Err(Reason::BodyReencoded);
    }
    let Readable { text, replaced } = Readable::of(body);
    let text = std::str::from_utf8(&text).map_err(|_| Reason::BodyNotUtf8)?.trim_ascii();
    if Measure::depth_of(text) > MAX_DEPTH {
        return Err(Reason::BodyTooDeep);
    }
    let json = Json::parse(text).map_err(|_| Reason::BodyNotJson)?;
    if longest_number(json.as_str()) > MAX_NUMBER {
        return Err(Reason::BodyNumberTooLong);
    }
    if is_json_in_a_text(&json) {
        return Err(Reason::BodyReencoded);
    }
    if !replaced.is_empty() {
        log::warn!(
            "{} halves of characters (surrogates without their pair) in the body of a webhook were replaced by U+FFFD",
            replaced.len()
        );
    }
    Ok(json)
}

/// The text that JavaScript, Python, Java and a form parser produce for an object.
fn is_print_of_object(body: &[u8]) -> bool {
    let begins =
        |with: &str| body.len() >= with.len() && body[..with.len()].eq_ignore_ascii_case(with.as_bytes());
    ["[object ", "{'", "ImmutableMultiDict(", "<QueryDict", "%7B%22", "java.", "System."]
        .into_iter()
        .any(begins)
}

/// The length of the longest number in a JSON text, in which `\\` occurs only within strings.
fn longest_number(json: &str) -> usize {
    let (mut longest, mut length, mut in_text, mut escaped) = (0, 0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_text = !in_text,
            b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E' if !in_text => {
                length += 1;
                longest = longest.max(length);
                continue;
            }
            _ => {}
        }
        length = 0;
    }
    longest
}

/// `"{\"eventType\": ..}"`: JSON that was encoded as JSON once more.
fn is_json_in_a_text(json: &Json) -> bool {
    json.as_str().starts_with('"')
        && json.read::<String>().is_ok_and(|text| {
            text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<&RawValue>(&text).is_ok()
        })
}
