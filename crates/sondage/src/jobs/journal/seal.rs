//! Tamper-evident lines: a record, and a digest over it and the previous line.

use super::record::Record;
use crate::error::{Error, Result};
use ring::digest::{Context, SHA256};
use std::fmt::Write as _;

/// The length of a seal in hex digits.
const DIGITS: usize = 16;

/// The seal of the last line.
#[derive(Clone, Default)]
pub(super) struct Seal(String);

impl Seal {
    /// Whether there is a line.
    pub fn is_begun(&self) -> bool {
        !self.0.is_empty()
    }

    /// Formats a record as the next line.
    pub fn line(&mut self, record: &Record) -> Result<String> {
        let json = serde_json::to_string(record).map_err(|error| Error::internal(error.to_string()))?;
        self.0 = after(&self.0, &json);
        Ok(format!("{json} {}", self.0))
    }
}

fn after(seal: &str, json: &str) -> String {
    let mut context = Context::new(&SHA256);
    context.update(seal.as_bytes());
    context.update(json.as_bytes());
    context.finish().as_ref()[..DIGITS / 2].iter().fold(String::with_capacity(DIGITS), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Reads lines one after the other.
#[derive(Default)]
pub(super) struct JournalReader {
    records: Vec<Record>,
    seal: Seal,
    lines: usize,
    /// The first line whose seal is wrong.
    bad: Option<usize>,
}

/// The valid records.
pub(super) struct JournalContent {
    pub records: Vec<Record>,
    pub seal: Seal,
    /// The last line is incomplete, which a killed process leaves behind.
    pub torn: bool,
}

impl JournalReader {
    pub fn take(&mut self, line: &str) {
        self.lines += 1;
        if self.bad.is_some() {
            return;
        }
        let read = line.rsplit_once(' ').and_then(|(json, seal)| {
            (after(&self.seal.0, json) == seal)
                .then(|| serde_json::from_str(json).ok())
                .flatten()
                .zip(Some(seal))
        });
        match read {
            Some((record, seal)) => {
                seal.clone_into(&mut self.seal.0);
                self.records.push(record);
            }
            None => self.bad = Some(self.lines),
        }
    }

    /// Reads all lines. The error: the number of the damaged line, counted from 1.
    pub fn end(self) -> std::result::Result<JournalContent, usize> {
        match self.bad {
            Some(line) if line < self.lines => Err(line),
            bad => Ok(JournalContent { records: self.records, seal: self.seal, torn: bad.is_some() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> Vec<String> {
        let mut seal = Seal::default();
        (0..4).map(|chunk| seal.line(&Record::No { chunk }).expect("a line")).collect()
    }

    fn read(lines: &[String]) -> std::result::Result<JournalContent, usize> {
        let mut reader = JournalReader::default();
        for line in lines {
            reader.take(line);
        }
        reader.end()
    }

    #[test]
    fn a_torn_last_line_is_forgotten_and_another_damage_shows() {
        let whole = read(&lines()).expect("whole");
        assert!(!whole.torn && whole.records.len() == 4);
        let mut torn = lines();
        let half = torn[3].len() / 2;
        torn[3].truncate(half);
        let torn = read(&torn).expect("torn");
        assert!(torn.torn && torn.records.len() == 3);
        let mut changed = lines();
        changed[1] = changed[1].replace('1', "7");
        assert_eq!(read(&changed).err(), Some(2));
        let mut missing = lines();
        missing.remove(1);
        assert_eq!(read(&missing).err(), Some(2), "a line that is not there");
    }
}
