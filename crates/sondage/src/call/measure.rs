//! Counts the nesting depth and the number of values of a JSON response while it arrives: the decoders behind it may
//! recurse, and create an object per value.

/// Responses of any kind that are nested deeper than this are refused: nothing in the API nests more than a
/// few levels.
pub const MAX_DEPTH: u32 = 128;

/// The count so far.
#[derive(Debug, Default)]
pub struct Measure {
    level: u32,
    deepest: u32,
    values: u64,
    in_text: bool,
    escaped: bool,
}

impl Measure {
    /// Processes the next bytes. It uses constant stack, so no input can exhaust the stack here.
    pub fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.in_text {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_text = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_text = true,
                b',' => self.values += 1,
                b'{' | b'[' => {
                    self.values += 1;
                    self.level += 1;
                    self.deepest = self.deepest.max(self.level);
                }
                b'}' | b']' => self.level = self.level.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// The nesting depth of the deepest value.
    pub fn depth(&self) -> u32 {
        self.deepest
    }

    /// The number of values so far: comma-separated ones, and every object and list.
    pub fn values(&self) -> u64 {
        self.values
    }

    /// The nesting depth of a complete text.
    pub fn depth_of(text: &str) -> u32 {
        let mut measure = Self::default();
        measure.feed(text.as_bytes());
        measure.depth()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_texts_do_not_count_however_the_bytes_are_cut() {
        let text = r#"{"a":["[[[\"[[\\",{"b":[1,2]}],"c":"\\"}"#;
        for cut in 0..=text.len() {
            let mut measure = Measure::default();
            measure.feed(&text.as_bytes()[..cut]);
            measure.feed(&text.as_bytes()[cut..]);
            assert_eq!((measure.depth(), measure.values()), (4, 7), "cut at {cut}");
        }
        assert_eq!(Measure::depth_of(&"[".repeat(1_000_000)), 1_000_000);
        assert_eq!(Measure::depth_of("]]]}"), 0);
    }
}
