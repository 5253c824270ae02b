//! Finds the end of a JSON value without parsing it; it can continue when more bytes arrive.

/// Deeper nesting is refused: nothing in the API nests more than a few levels.
pub(crate) const MAX_DEPTH: u32 = 128;

/// The state of a scan over one value.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    depth: u32,
    in_string: bool,
    escaped: bool,
    in_scalar: bool,
}

/// The result of a scan.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Scanned {
    /// The value ends before this index.
    End(usize),
    /// The value continues beyond the available bytes.
    More,
    /// Nested deeper than `MAX_DEPTH`; the index of the first bracket beyond the limit.
    TooDeep(usize),
}

impl Scan {
    /// Scans `bytes` from `at` to the end of the value. It only counts brackets and skips strings; the parser checks
    /// whether the value is well-formed.
    pub(crate) fn run(&mut self, bytes: &[u8], mut at: usize) -> Scanned {
        loop {
            if self.in_string {
                match self.string(bytes, at) {
                    Some(end) if self.depth == 0 => return Scanned::End(end),
                    Some(end) => at = end,
                    None => return Scanned::More,
                }
            }
            let Some(&byte) = bytes.get(at) else { return Scanned::More };
            if self.in_scalar {
                if matches!(byte, b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t') {
                    return Scanned::End(at);
                }
                at += 1;
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => {
                    self.depth += 1;
                    if self.depth > MAX_DEPTH {
                        return Scanned::TooDeep(at);
                    }
                }
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Scanned::End(at + 1);
                    }
                }
                _ if self.depth == 0 => self.in_scalar = true,
                _ => {}
            }
            at += 1;
        }
    }

    /// The index after the closing quote.
    fn string(&mut self, bytes: &[u8], mut at: usize) -> Option<usize> {
        if self.escaped {
            bytes.get(at)?;
            self.escaped = false;
            at += 1;
        }
        loop {
            at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
            if bytes[at] == b'"' {
                self.in_string = false;
                return Some(at + 1);
            }
            if at + 1 == bytes.len() {
                self.escaped = true;
                return None;
            }
            at += 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_ends_at_the_same_place_however_it_is_cut() {
        let values = [
            r#"{"a":[1,"}]",{"b":"\\\""}],"c":{}}"#,
            r#""x\"\\y""#,
            "-12.5e3",
            "null",
            "[]",
            r#"["\\"]"#,
            "{}",
        ];
        for value in values {
            for tail in [",1", "]", "}", " "] {
                let text = format!("{value}{tail}");
                for cut in 0..=value.len() {
                    let mut scan = Scan::default();
                    let expected = Scanned::End(value.len());
                    match scan.run(&text.as_bytes()[..cut], 0) {
                        Scanned::More => {
                            assert_eq!(scan.run(text.as_bytes(), cut), expected, "{text} cut at {cut}");
                        }
                        end => assert_eq!(end, expected, "{text} cut at {cut}"),
                    }
                }
            }
        }
    }

    #[test]
    fn depth_is_limited() {
        let deep = "[".repeat(1_000_000);
        assert_eq!(Scan::default().run(deep.as_bytes(), 0), Scanned::TooDeep(128));
    }
}
