//! What the pager needs to know about the rows of a page.

use crate::error::{Error, Result};
use crate::model::{Identified, Identity};
use serde::Serialize;
use std::any::Any;
use std::hash::{DefaultHasher, Hasher};
use std::io;

/// The rows of one page: a list of objects, or a chunk of a table.
pub trait Rows: Send + 'static {
    /// The number of rows.
    fn len(&self) -> usize;

    /// Whether there are no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The id of a row; `None` if it has none.
    fn identity(&self, row: usize) -> Option<Identity<'_>>;

    /// Keeps the rows that are marked `true`, in their order.
    fn keep(&mut self, marks: &[bool]);

    /// A hash that is equal for equal rows. Used only for rows without ids.
    fn fingerprint(&self) -> u64;

    /// The hash of one row, which is equal for equal rows of different pages.
    fn fingerprint_of(&self, row: usize) -> u64;
}

impl<T: Identified + Serialize + Send + 'static> Rows for Vec<T> {
    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn identity(&self, row: usize) -> Option<Identity<'_>> {
        self.get(row)?.identity()
    }

    fn keep(&mut self, marks: &[bool]) {
        let mut marks = marks.iter().copied();
        self.retain(|_| marks.next().unwrap_or(false));
    }

    fn fingerprint(&self) -> u64 {
        hash(self)
    }

    fn fingerprint_of(&self, row: usize) -> u64 {
        hash(&self.get(row))
    }
}

/// The hash of a value's JSON.
fn hash(value: &impl Serialize) -> u64 {
    let mut hash = Hash(DefaultHasher::new());
    // Writing to a hasher does not fail; a model that cannot be serialised is treated as different from everything else.
    match serde_json::to_writer(&mut hash, value) {
        Ok(()) => hash.0.finish(),
        Err(_) => u64::from(getrandom::u32().unwrap_or_default()),
    }
}

/// The rows of one page, without their type.
pub(super) struct AnyRows(Box<dyn HeldRows>);

/// Rows that know their type.
trait HeldRows: Rows {
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

impl<R: Rows> HeldRows for R {
    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

impl AnyRows {
    pub fn of(rows: impl Rows) -> Self {
        Self(Box::new(rows))
    }

    pub fn into_rows<R: Rows>(self) -> Result<R> {
        let rows = self.0.into_any().downcast().map(|rows| *rows);
        rows.map_err(|_| Error::internal("a page was read as something else"))
    }
}

impl Rows for AnyRows {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn identity(&self, row: usize) -> Option<Identity<'_>> {
        self.0.identity(row)
    }

    fn keep(&mut self, marks: &[bool]) {
        self.0.keep(marks);
    }

    fn fingerprint(&self) -> u64 {
        self.0.fingerprint()
    }

    fn fingerprint_of(&self, row: usize) -> u64 {
        self.0.fingerprint_of(row)
    }
}

struct Hash(DefaultHasher);

impl io::Write for Hash {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.0.write(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The comparison of a page with earlier pages.
pub(super) struct PageComparison {
    /// For a page of rows without ids.
    pub fingerprint: Option<u64>,
    /// No row of the page is new to this reading.
    pub repeated: bool,
    /// The rows that were returned before, in any reading.
    pub already_seen: Vec<bool>,
}
