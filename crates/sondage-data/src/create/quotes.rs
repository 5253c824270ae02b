//! Whether a CSV file ends inside a quoted value. It is found out while the file is read, because a pipe can be read only once.

use std::io::{self, Read};

/// The bytes of a CSV file, and the state of its quotes after them.
pub struct Quotes<R> {
    file: R,
    after: After,
}

/// What was read last.
#[derive(Clone, Copy, PartialEq)]
enum After {
    /// The end of a value, or nothing.
    Value,
    /// A part of a value without quotes.
    Plain,
    /// A part of a quoted value.
    Quoted,
    /// A quote in a quoted value: its end, or the first of two.
    Quote,
}

impl<R> Quotes<R> {
    pub fn of(file: R) -> Self {
        Self { file, after: After::Value }
    }

    /// Whether a quoted value has not ended.
    pub fn are_open(&self) -> bool {
        self.after == After::Quoted
    }

    fn see(&mut self, bytes: &[u8]) {
        let is_between = !matches!(self.after, After::Quoted | After::Quote);
        // Most files have no quotes, and their last byte says everything.
        let bytes = match bytes {
            [.., last] if is_between && memchr::memchr(b'"', bytes).is_none() => std::slice::from_ref(last),
            _ => bytes,
        };
        for byte in bytes {
            self.after = match (self.after, *byte) {
                (After::Quoted, b'"') => After::Quote,
                (After::Value | After::Quote, b'"') | (After::Quoted, _) => After::Quoted,
                (_, b',' | b'\n' | b'\r') => After::Value,
                _ => After::Plain,
            };
        }
    }
}

impl<R: Read> Read for Quotes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.see(&buffer[..read]);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_quote_that_is_never_closed_is_open_wherever_a_read_ends() {
        for (text, open) in [
            ("", false),
            ("a,b\n1,2\n", false),
            ("a,b\n1,\"2", true),
            ("a,b\n1,\"2\n3,4\n", true),
            ("a,b\n1,\"2\n3\"\n", false),
            ("a,b\n1,\"2\"\"\n3,4\n", true),
            ("a,b\n1,\"2\"\"\"", false),
            ("a,b\n1,5\" pipe\n", false),
            ("\"a", true),
            ("\"\"", false),
        ] {
            for size in 1..=text.len().max(1) {
                let mut quotes = Quotes::of(text.as_bytes());
                let mut buffer = vec![0; size];
                while quotes.read(&mut buffer).expect("bytes") > 0 {}
                assert_eq!(quotes.are_open(), open, "{text:?} in parts of {size}");
            }
        }
    }
}
