//! Changes of the world as lines of a file: a checksum, the number of the line, and a JSON object, with a blank between them. The checksum
//! is that of the number and the object, so that a line in another place is noticed.
//!
//! A change is the new value at a path such as `["demo","surveys","1004","interviews",GUID]`, or its removal. A line with
//! `commit` ends the changes that belong together.

use crate::clock::ClockState;
use crate::world::{Entities, GrowingList, IdCounters, Tracked};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::fmt::Display;
use std::hash::Hash;
use std::io::{self, Write};
use std::str::FromStr;

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// Everything, without taking marks.
    Whole,
    /// What was marked since the last time.
    Changes,
}

/// A part of the world that can be stored.
pub(super) trait Stored {
    fn write(&mut self, out: &mut ChangeWriter<'_>, extent: Extent) -> io::Result<()>;

    /// Reads a change. The path is relative to this part.
    fn read(&mut self, path: &[String], value: Option<&RawValue>) -> Result<(), String>;

    /// Begins new marks: everything is stored as it is.
    fn begin_marks(&mut self);
}

/// An object of a collection.
pub(super) trait Entity: Serialize + DeserializeOwned {
    /// A collection inside it that is stored object by object, and its name.
    fn part(&mut self) -> Option<(&'static str, &mut dyn Stored)> {
        None
    }

    /// Completes an object that was read. `replaced` is the one that it replaces.
    fn complete(&mut self, _replaced: Option<Self>) {}
}

/// A line of changes or the end of some.
#[derive(Serialize, Deserialize)]
pub(super) struct ChangeLine<'a> {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) at: Vec<String>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<&'a RawValue>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) commit: Option<Commit>,
}

/// The end of changes that belong together.
#[derive(Clone, Copy, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub(super) struct Commit {
    pub(super) ids: IdCounters,
    /// The offset of the sandbox's clock to the computer's, in microseconds.
    clock_offset: i64,
    /// Where the sandbox's clock stands still, in microseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock_frozen_at: Option<i64>,
}

impl Commit {
    pub(super) fn new(ids: IdCounters, clock: ClockState) -> Self {
        let (clock_offset, clock_frozen_at) = match clock {
            ClockState::Running { offset } => (offset, None),
            ClockState::Frozen { at } => (0, Some(at)),
        };
        Self { ids, clock_offset, clock_frozen_at }
    }

    pub(super) fn clock(self) -> ClockState {
        match self.clock_frozen_at {
            Some(at) => ClockState::Frozen { at },
            None => ClockState::Running { offset: self.clock_offset },
        }
    }
}

/// Fingerprints of objects that have parts: a changed part marks the whole object, which is written only if it changed itself.
pub(crate) type Fingerprints = HashMap<Vec<String>, u32>;

pub(super) struct ChangeWriter<'a> {
    out: &'a mut dyn Write,
    path: Vec<String>,
    fingerprints: &'a mut Fingerprints,
    /// The number of the next line, from 1.
    pub(super) number: u64,
}

#[derive(Serialize)]
struct SetLine<'a, T> {
    at: &'a [String],
    value: &'a T,
}

impl<'a> ChangeWriter<'a> {
    pub(super) fn new(out: &'a mut dyn Write, fingerprints: &'a mut Fingerprints, number: u64) -> Self {
        Self { out, path: Vec::new(), fingerprints, number }
    }

    /// Writes changes below a name.
    pub(super) fn at(
        &mut self,
        name: impl Display,
        write: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.path.push(name.to_string());
        let written = write(self);
        self.path.pop();
        written
    }

    pub(super) fn set(&mut self, value: &impl Serialize) -> io::Result<()> {
        let line = serde_json::to_vec(&SetLine { at: &self.path, value })?;
        self.line(&line)
    }

    /// The same for an object that has parts: only if it is not what was written last.
    pub(super) fn set_if_new(&mut self, value: &impl Serialize) -> io::Result<()> {
        let line = serde_json::to_vec(&SetLine { at: &self.path, value })?;
        let fingerprint = checksum(&[&line]);
        if self.fingerprints.insert(self.path.clone(), fingerprint) == Some(fingerprint) {
            return Ok(());
        }
        self.line(&line)
    }

    pub(super) fn remove(&mut self) -> io::Result<()> {
        self.fingerprints.remove(&self.path);
        let line = ChangeLine { at: self.path.clone(), value: None, commit: None };
        self.line(&serde_json::to_vec(&line)?)
    }

    pub(super) fn commit(&mut self, commit: Commit) -> io::Result<()> {
        let line = ChangeLine { at: Vec::new(), value: None, commit: Some(commit) };
        self.line(&serde_json::to_vec(&line)?)
    }

    pub(super) fn line(&mut self, json: &[u8]) -> io::Result<()> {
        let number = format!("{} ", self.number);
        write!(self.out, "{:08x} {number}", checksum(&[number.as_bytes(), json]))?;
        self.out.write_all(json)?;
        self.number += 1;
        self.out.write_all(b"\n")
    }
}

/// The number and the JSON of a line without its line break, if its checksum is right.
pub(super) fn checked(line: &[u8]) -> Option<(u64, &[u8])> {
    let (sum, numbered) = line.split_at_checked(9)?;
    let sum = u32::from_str_radix(str::from_utf8(sum).ok()?.strip_suffix(' ')?, 16).ok()?;
    let (number, json) = numbered.split_at(numbered.iter().position(|byte| *byte == b' ')?);
    let number = str::from_utf8(number).ok()?.parse().ok()?;
    (sum == checksum(&[numbered])).then_some((number, &json[1..]))
}

/// CRC-32.
pub(super) fn checksum(parts: &[&[u8]]) -> u32 {
    let mut crc = flate2::Crc::new();
    for part in parts {
        crc.update(part);
    }
    crc.sum()
}

pub(super) fn read_value<T: DeserializeOwned>(value: &RawValue) -> Result<T, String> {
    serde_json::from_slice(value.get().as_bytes()).map_err(|_| unreadable())
}

/// The error of an object with other fields. What is in it are answers and credentials: they are not quoted.
pub(super) fn unreadable() -> String {
    "this version cannot read it".to_owned()
}

/// The error of a path or a value that no version of this format has.
pub(super) fn unknown_place() -> String {
    "it changes something that a sandbox does not have".to_owned()
}

impl<K, V> Stored for Entities<K, V>
where
    K: Hash + Eq + Clone + Display + FromStr,
    V: Entity,
{
    fn write(&mut self, out: &mut ChangeWriter<'_>, extent: Extent) -> io::Result<()> {
        let marks = if extent == Extent::Whole { None } else { self.take_marks() };
        let Some(marks) = marks else {
            if extent == Extent::Changes {
                // A new collection in the place of another one.
                out.remove()?;
            }
            return self.unmarked().iter_mut().try_for_each(|(key, value)| {
                out.at(key, |out| {
                    write_entity(value, out)?;
                    write_part(value, out, extent)
                })
            });
        };
        for key in marks.removed {
            out.at(key, ChangeWriter::remove)?;
        }
        for key in marks.changed {
            let Some(value) = self.unmarked().get_mut(&key) else { continue };
            out.at(&key, |out| write_entity(value, out))?;
        }
        let has_parts = self.unmarked().first_mut().is_some_and(|(_, value)| value.part().is_some());
        if has_parts {
            for (key, value) in self.unmarked() {
                out.at(key, |out| write_part(value, out, extent))?;
            }
        }
        Ok(())
    }

    fn read(&mut self, path: &[String], value: Option<&RawValue>) -> Result<(), String> {
        let map = self.unmarked();
        let [key, path @ ..] = path else {
            map.clear();
            return Ok(());
        };
        let key: K = key.parse().map_err(|_| unknown_place())?;
        match (path, value) {
            ([], None) => {
                map.shift_remove(&key);
            }
            ([], Some(value)) => {
                let new: V = read_value(value)?;
                match map.get_mut(&key) {
                    Some(known) => {
                        let replaced = std::mem::replace(known, new);
                        known.complete(Some(replaced));
                    }
                    None => map.entry(key).or_insert(new).complete(None),
                }
            }
            ([name, path @ ..], value) => {
                let entity = map.get_mut(&key).ok_or_else(unknown_place)?;
                let (known, part) = entity.part().ok_or_else(unknown_place)?;
                if known != name {
                    return Err(unknown_place());
                }
                part.read(path, value)?;
            }
        }
        Ok(())
    }

    fn begin_marks(&mut self) {
        drop(self.take_marks());
        for value in self.unmarked().values_mut() {
            let Some((_, part)) = value.part() else { break };
            part.begin_marks();
        }
    }
}

fn write_entity<V: Entity>(value: &mut V, out: &mut ChangeWriter<'_>) -> io::Result<()> {
    if value.part().is_some() { out.set_if_new(value) } else { out.set(value) }
}

fn write_part<V: Entity>(value: &mut V, out: &mut ChangeWriter<'_>, extent: Extent) -> io::Result<()> {
    match value.part() {
        Some((name, part)) => out.at(name, |out| part.write(out, extent)),
        None => Ok(()),
    }
}

/// The items of a list from one on.
#[derive(Serialize)]
struct ListEnd<'a, T> {
    from: usize,
    items: &'a [T],
}

#[derive(Deserialize)]
struct ReadListEnd<T> {
    from: usize,
    items: Vec<T>,
}

impl<T: Serialize + DeserializeOwned> Stored for GrowingList<T> {
    fn write(&mut self, out: &mut ChangeWriter<'_>, extent: Extent) -> io::Result<()> {
        let first = if extent == Extent::Whole { Some(0) } else { self.take_first_change() };
        let Some(from) = first else { return Ok(()) };
        out.set(&ListEnd { from, items: &self[from..] })
    }

    fn read(&mut self, path: &[String], value: Option<&RawValue>) -> Result<(), String> {
        let value = value.filter(|_| path.is_empty()).ok_or_else(unknown_place)?;
        let ReadListEnd { from, items } = read_value(value)?;
        if from > self.len() {
            return Err(unknown_place());
        }
        self.replace_from(from, items);
        Ok(())
    }

    fn begin_marks(&mut self) {
        self.take_first_change();
    }
}

impl<T: Serialize + DeserializeOwned> Stored for Tracked<T> {
    fn write(&mut self, out: &mut ChangeWriter<'_>, extent: Extent) -> io::Result<()> {
        if extent == Extent::Whole || self.take_mark() { out.set(&**self) } else { Ok(()) }
    }

    fn read(&mut self, path: &[String], value: Option<&RawValue>) -> Result<(), String> {
        let value = value.filter(|_| path.is_empty()).ok_or_else(unknown_place)?;
        **self = read_value(value)?;
        Ok(())
    }

    fn begin_marks(&mut self) {
        self.take_mark();
    }
}
