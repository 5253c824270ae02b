//! The ways in which a service fails, given the words that it echoes.

use super::echo::Act;
use serde_json::{Map, Value, json};
use std::time::Duration;

pub type CanaryFault = (&'static str, fn(&str) -> Act);

fn envelope(words: &str) -> String {
    json!({ "isSuccess": false, "errorCode": words, "errorMessage": words, "error": words, "error_description": words })
        .to_string()
}

/// Headers allow only some characters unescaped, and addresses fewer.
fn headers(words: &str) -> String {
    let encoded = |plain: fn(u8) -> bool| {
        words.bytes().fold(String::new(), |out, byte| {
            if plain(byte) { out + &char::from(byte).to_string() } else { format!("{out}%{byte:02X}") }
        })
    };
    let (words, at) =
        (encoded(|byte| (b' '..0x7f).contains(&byte)), encoded(|byte| byte.is_ascii_alphanumeric()));
    format!(
        "x-request-id: {words}\r\nlocation: http://127.0.0.1:1/{at}?at={at}\r\nwww-authenticate: Bearer error=\"{words}\"\r\n"
    )
}

fn refused(status: u16, words: &str) -> Act {
    Act::answer(status, &headers(words), &envelope(words))
}

fn raw(text: String) -> Act {
    Act(text.into_bytes(), Duration::ZERO)
}

/// Every field name that a response may have, each with the words where another type is expected.
fn misshapen(words: &str, wrap: fn(Value) -> Value) -> Act {
    let mut fields = Map::from_iter([("isSuccess".to_owned(), json!(true))]);
    for row in sondage::operations::ALL {
        fields.extend(row.response.fields.iter().map(|field| (field.wire.to_owned(), wrap(json!(words)))));
    }
    fields.insert(words.to_owned(), json!(words));
    Act::answer(200, &headers(words), &Value::Object(fields).to_string())
}

pub const ALL: &[CanaryFault] = &[
    ("302", |words| refused(302, words)),
    ("307", |words| refused(307, words)),
    ("400", |words| refused(400, words)),
    ("401", |words| refused(401, words)),
    ("403", |words| refused(403, words)),
    ("404", |words| refused(404, words)),
    ("409", |words| refused(409, words)),
    ("429", |words| refused(429, words)),
    ("500", |words| refused(500, words)),
    ("503 with a page", |words| {
        Act::answer(503, &headers(words), &format!("<html><title>{words}</title><body>{words}"))
    }),
    ("400 with plain words", |words| Act::answer(400, "", words)),
    ("400 with broken JSON", |words| Act::answer(400, "", &format!("{{\"errorMessage\": \"{words}"))),
    ("not a success", |words| Act::answer(200, &headers(words), &envelope(words))),
    ("not a success, deep", |words| {
        let deep = json!({ "isSuccess": false, "errorCode": { words: [words] }, "errorMessage": [{ "text": words }] });
        Act::answer(200, "", &deep.to_string())
    }),
    ("plain words", |words| Act::answer(200, "", words)),
    ("broken JSON", |words| Act::answer(200, "", &format!("{{\"isSuccess\": true, {words}: \"{words}\"}}"))),
    ("wrong types", |words| misshapen(words, |words| words)),
    ("wrong types in a list", |words| {
        misshapen(words, |words| json!([words, { "id": words, "value": words }]))
    }),
    ("a wrong envelope", |words| {
        Act::answer(200, "", &json!({ "isSuccess": words, "access_token": [words] }).to_string())
    }),
    ("cut", |words| {
        let body = json!({ "isSuccess": true, "items": [words], "access_token": words }).to_string();
        let length = body.len() + 10;
        raw(format!("HTTP/1.1 200 Said\r\ncontent-length: {length}\r\n\r\n{body}"))
    }),
    ("a broken chunk", |words| {
        raw(format!("HTTP/1.1 200 Said\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{words}\r\n{words}"))
    }),
    ("no gzip", |words| Act::answer(200, "content-encoding: gzip\r\n", words)),
    ("no HTTP", |words| raw(format!("{words}\r\n\r\n{words}"))),
    ("a broken header", |words| raw(format!("HTTP/1.1 200 Said\r\n{words} \u{1}: {words}\r\n\r\n"))),
    ("a broken status", |words| raw(format!("HTTP/1.1 9{words}\r\n\r\n"))),
    ("reset", |_| raw(String::new())),
    ("silence", |_| Act(Vec::new(), Duration::from_secs(5))),
    ("half, then silence", |words| {
        let text = format!(
            "HTTP/1.1 200 Said\r\ncontent-length: 100000\r\n\r\n{{\"isSuccess\": true, \"a\": \"{words}"
        );
        Act(text.into_bytes(), Duration::from_secs(5))
    }),
];
