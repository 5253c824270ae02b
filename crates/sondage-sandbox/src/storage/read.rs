//! Reads a stored world.

use super::FileContent;
use super::change::{ChangeLine, Fingerprints, Stored, checked, checksum, unreadable};
use super::head::StateHead;
use crate::clock::ClockState;
use crate::world::PlatformState;
use std::io::{self, BufRead};

/// A world that was read.
pub(crate) struct StoredWorld {
    pub(crate) head: StateHead,
    pub(crate) world: PlatformState,
    pub(crate) clock: ClockState,
    /// What the file has up to the end of the last complete change.
    pub(crate) complete: FileContent,
    /// The bytes after that: of a change that was being written when the process was killed.
    pub(crate) cut_bytes: u64,
}

/// Reads the lines of a file. A last line without a line break, and changes without their end, are left out: nobody got a response
/// for them. The error names the line and what is wrong with it.
pub(super) fn read(mut lines: impl BufRead) -> io::Result<StoredWorld> {
    let mut line = Vec::new();
    let mut bytes = lines.read_until(b'\n', &mut line)? as u64;
    let head = match json_of(&line, 1) {
        Err(_) if line.get(9..).is_some_and(|json| json.starts_with(UNNUMBERED)) => {
            Err("an earlier version of the sandbox wrote it, whose lines have no numbers".to_owned())
        }
        Err(_) => Err("it is not of a sandbox, or not complete".to_owned()),
        Ok(json) => StateHead::read(json),
    };
    let mut stored = StoredWorld {
        head: head.map_err(|why| damaged(1, &why, false))?,
        world: PlatformState::new(0),
        clock: ClockState::default(),
        complete: FileContent { bytes: 0, next_line: 1, fingerprints: Fingerprints::new() },
        cut_bytes: 0,
    };
    // Changes are applied when their end was read.
    let mut waiting: Vec<Vec<u8>> = Vec::new();
    for number in 2.. {
        line.clear();
        bytes += lines.read_until(b'\n', &mut line)? as u64;
        if !line.ends_with(b"\n") {
            break;
        }
        let has_more = stored.complete.bytes > 0;
        let json = json_of(&line, number).map_err(|why| damaged(number, &why, has_more))?;
        let change: ChangeLine<'_> =
            serde_json::from_slice(json).map_err(|_| damaged(number, &unreadable(), has_more))?;
        let Some(commit) = change.commit else {
            waiting.push(std::mem::take(&mut line));
            continue;
        };
        for (line, at) in waiting.iter().zip(number - waiting.len() as u64..) {
            apply(&mut stored, line, at).map_err(|why| damaged(at, &why, has_more))?;
        }
        waiting.clear();
        stored.world.ids = commit.ids;
        stored.clock = commit.clock();
        (stored.complete.bytes, stored.complete.next_line) = (bytes, number + 1);
    }
    if stored.complete.bytes == 0 {
        return Err(damaged(2, "the content is not complete", false));
    }
    stored.cut_bytes = bytes - stored.complete.bytes;
    Ok(stored)
}

/// How the JSON of the first line begins in files without line numbers.
const UNNUMBERED: &[u8] = b"{\"sandbox\":1,";

/// The JSON of the line with this number.
fn json_of(line: &[u8], number: u64) -> Result<&[u8], String> {
    match line.strip_suffix(b"\n").and_then(checked) {
        None => Err("its checksum is wrong".to_owned()),
        Some((written, _)) if written != number => Err(format!(
            "it was written as line {written}: lines before it were removed, repeated or exchanged"
        )),
        Some((_, json)) => Ok(json),
    }
}

/// The length of the path of an object that can have parts: account, collection, id.
const OBJECT_PATH: usize = 3;

fn apply(stored: &mut StoredWorld, line: &[u8], number: u64) -> Result<(), String> {
    let json = json_of(line, number)?;
    let change: ChangeLine<'_> = serde_json::from_slice(json).map_err(|_| unreadable())?;
    stored.world.read(&change.at, change.value)?;
    let fingerprints = &mut stored.complete.fingerprints;
    match change.value {
        Some(_) if change.at.len() <= OBJECT_PATH => drop(fingerprints.insert(change.at, checksum(&[json]))),
        Some(_) => {}
        None => drop(fingerprints.remove(&change.at)),
    }
    Ok(())
}

/// The error of a line. `has_more`: there is a complete world before it.
fn damaged(line: u64, why: &str, has_more: bool) -> io::Error {
    let shorter = if has_more {
        format!("remove line {line} and all after it, to go on with what was stored before them; or ")
    } else {
        String::new()
    };
    let what = format!(
        "line {line}: {why}. Nothing was changed: {shorter}use a copy of the folder, or name another one"
    );
    io::Error::new(io::ErrorKind::InvalidData, what)
}
