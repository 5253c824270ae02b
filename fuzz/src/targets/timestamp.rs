//! Any text as a timestamp: anything that can be read can be written and read again as the same.

use sondage::Timestamp;

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(time) = text.parse::<Timestamp>() else { return };
    let written = time.to_string();
    assert_eq!(written.parse(), Ok(time), "{text:?} is written as {written}");
}
