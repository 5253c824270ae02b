//! The envelope of a response, compared with a plain JSON reader.

use serde_json::Value;
use sondage::internals::call::envelope::ResponseEnvelope;
use sondage::internals::call::reader::{Raw, Reader as _, Verdict};
use sondage::internals::readable::Readable;

pub fn run(data: &[u8]) {
    let readable = Readable::of(data);
    let plain: Option<Value> = serde_json::from_slice(&readable.text).ok();
    let envelope: Option<ResponseEnvelope> = serde_json::from_slice(&readable.text).ok();
    if let (Some(Value::Object(plain)), Some(envelope)) = (&plain, &envelope) {
        // With duplicate keys a plain reader takes the last; which one counts here is not promised, so the input has
        // none.
        let once = |key: &str| data.windows(key.len()).filter(|part| *part == key.as_bytes()).count() == 1;
        if once("isSuccess") && !data.contains(&b'\\') && plain.contains_key("isSuccess") {
            assert_eq!(plain.get("isSuccess").and_then(Value::as_bool), Some(envelope.is_success));
        }
    }
    let mut reader = Raw::default();
    for piece in data.chunks(7) {
        reader.feed(piece).expect("it only gathers");
    }
    match reader.finish() {
        Ok(Verdict::Success(_)) => assert!(envelope.is_some_and(|envelope| envelope.is_success)),
        Ok(Verdict::Refused(refusal)) => assert_eq!(Some(refusal), envelope),
        Err(why) => assert!(!why.0.as_str().is_empty()),
    }
}
