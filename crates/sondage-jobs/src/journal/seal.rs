//! Tamper-evident lines: a record, and a digest over it and the previous line.

use super::record::Record;
use ring::digest::{Context, SHA256};
use sondage::error::{Error, Result};
use sondage::internals::hex::hex;

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
    hex(&context.finish().as_ref()[..DIGITS / 2])
}

/// Reads lines one after the other, and passes each valid record on: a journal may have more than fits into memory.
#[derive(Default)]
pub(super) struct JournalReader {
    seal: Seal,
    lines: usize,
    /// The first line whose seal is wrong.
    bad: Option<usize>,
}

/// The end of a journal whose lines are valid.
pub(super) struct JournalEnd {
    pub seal: Seal,
    /// The last line is incomplete, which a killed process leaves behind.
    pub torn: bool,
}

impl JournalReader {
    /// Reads a line. What it passes on counts only if [`Self::end`] finds no damage.
    pub fn take(&mut self, line: &str, record: impl FnOnce(Record)) {
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
            Some((valid, seal)) => {
                seal.clone_into(&mut self.seal.0);
                record(valid);
            }
            None => self.bad = Some(self.lines),
        }
    }

    /// After the last line. The error: the number of the damaged line, counted from 1.
    pub fn end(self) -> std::result::Result<JournalEnd, usize> {
        match self.bad {
            Some(line) if line < self.lines => Err(line),
            bad => Ok(JournalEnd { seal: self.seal, torn: bad.is_some() }),
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

    /// The number of records, and whether the last line is torn.
    fn read(lines: &[String]) -> std::result::Result<(usize, bool), usize> {
        let (mut reader, mut records) = (JournalReader::default(), 0);
        for line in lines {
            reader.take(line, |_| records += 1);
        }
        reader.end().map(|end| (records, end.torn))
    }

    #[test]
    fn a_torn_last_line_is_forgotten_and_another_damage_shows() {
        assert_eq!(read(&lines()), Ok((4, false)));
        let mut torn = lines();
        let half = torn[3].len() / 2;
        torn[3].truncate(half);
        assert_eq!(read(&torn), Ok((3, true)));
        let mut changed = lines();
        changed[1] = changed[1].replace('1', "7");
        assert_eq!(read(&changed), Err(2));
        let mut missing = lines();
        missing.remove(1);
        assert_eq!(read(&missing), Err(2), "a line that is not there");
    }
}
