//! Rows in the form in which they will be sent: one line of text each, in an unnamed temporary file if there are many.

use sondage::files::{self, Readers};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Seek, SeekFrom, Write as _};
use std::ops::Range;

/// Rows per block, which is read as a whole.
const BLOCK: usize = 64;
/// How many bytes are kept in memory.
const MEMORY: usize = 4 << 20;

/// Rows that can be read again, in any order.
pub(super) struct Spool {
    memory: Vec<u8>,
    file: Option<BufWriter<File>>,
    /// The offset of each block.
    blocks: Vec<u64>,
    rows: usize,
    size: u64,
    /// The block that was read last.
    held: Option<HeldBlock>,
}

/// A block, and where its rows end.
struct HeldBlock {
    number: usize,
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Spool {
    pub fn new() -> Self {
        Self { memory: Vec::new(), file: None, blocks: Vec::new(), rows: 0, size: 0, held: None }
    }

    /// Adds a row: one line of JSON, or an empty one for a row that is not sent.
    pub fn push(&mut self, line: &[u8]) -> io::Result<()> {
        if self.rows.is_multiple_of(BLOCK) {
            self.blocks.push(self.size);
        }
        self.rows += 1;
        self.size += line.len() as u64 + 1;
        self.memory.extend_from_slice(line);
        self.memory.push(b'\n');
        if self.memory.len() >= MEMORY {
            self.spill()?;
        }
        Ok(())
    }

    fn spill(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(BufWriter::new(nameless()?)),
        };
        file.write_all(&self.memory)?;
        self.memory.clear();
        Ok(())
    }

    /// Finishes after the last row.
    pub fn finish(&mut self) -> io::Result<()> {
        if self.file.is_some() {
            self.spill()?;
            self.memory = Vec::new();
        }
        self.file.as_mut().map_or(Ok(()), io::Write::flush)
    }

    /// A row as it was added.
    pub fn row(&mut self, row: usize) -> io::Result<&[u8]> {
        let number = row / BLOCK;
        let block = match self.held.take() {
            Some(held) if held.number == number => held,
            _ => {
                let bytes = self.block(number)?;
                HeldBlock { number, ends: memchr::memchr_iter(b'\n', &bytes).collect(), bytes }
            }
        };
        let HeldBlock { bytes, ends, .. } = self.held.insert(block);
        let begin = (row % BLOCK).checked_sub(1).map_or(Some(0), |before| Some(ends.get(before)? + 1));
        let range = begin.zip(ends.get(row % BLOCK));
        let line = range.and_then(|(begin, end)| bytes.get(begin..*end));
        line.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    fn block(&mut self, block: usize) -> io::Result<Vec<u8>> {
        let start = *self.blocks.get(block).ok_or(io::ErrorKind::UnexpectedEof)?;
        let end = self.blocks.get(block + 1).copied().unwrap_or(self.size);
        let Some(file) = &mut self.file else {
            let offset = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
            let range: Range<usize> = offset(start)..offset(end);
            return Ok(self.memory.get(range).unwrap_or_default().to_vec());
        };
        let mut bytes = vec![0; usize::try_from(end - start).map_err(io::Error::other)?];
        let file = file.get_mut();
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

/// A temporary file that nobody else can open, and that is removed with this process.
fn nameless() -> io::Result<File> {
    let path = files::beside(&std::env::temp_dir().join("sondage-rows"))?;
    let file = files::create_new(&path, Readers::Owner)?;
    // If an open file cannot be removed, the system's cleaning of this folder removes it later.
    let _ = fs::remove_file(&path);
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_from_memory_and_from_the_file() {
        for (rows, width) in [(0_usize, 3_usize), (1, 3), (200, 10), (20_000, 500)] {
            let mut spool = Spool::new();
            let line = |row: usize| if row % 7 == 3 { String::new() } else { format!("{row:0width$}") };
            for row in 0..rows {
                spool.push(line(row).as_bytes()).expect("room");
            }
            spool.finish().expect("room");
            assert_eq!(spool.file.is_some(), rows * width > MEMORY);
            for row in (0..rows).rev().step_by(37).chain(0..rows.min(300)) {
                assert_eq!(spool.row(row).expect("a row"), line(row).as_bytes());
            }
            assert!(spool.row(rows + BLOCK).is_err());
        }
    }
}
