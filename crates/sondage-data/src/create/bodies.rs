//! Builds request bodies directly from columns, without creating an object per member.

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema};

use sondage_jobs::RowsFormat;
use sondage_jobs::import::END;

use super::{add_lines, rows_format, source};

/// The members of a range of rows as JSON.
pub(super) struct Bodies<R> {
    rows: R,
    batch: Option<(RecordBatch, usize)>,
    /// `"Email":{"name":"Email","fieldType":"String","value":`, by column.
    keys: Vec<Vec<u8>>,
    /// The size of the last body, as an estimate for the next.
    size: usize,
    /// The number of rows of the batches read so far.
    read: usize,
    /// How the file was read from which the rows are.
    pub(super) format: Option<RowsFormat>,
}

/// A body, and the number of members in it.
pub(super) struct MembersBody {
    pub(super) rows: usize,
    pub(super) json: Vec<u8>,
}

impl<R: Iterator<Item = Result<RecordBatch, ArrowError>>> Bodies<R> {
    /// Columns of a type that members cannot have are an error.
    pub(super) fn new(schema: &Schema, rows: R) -> Result<Self, String> {
        let mut keys = Vec::new();
        for field in schema.fields() {
            if !source::is_known(field.data_type()) {
                let (name, kind) = (field.name(), field.data_type());
                return Err(format!("the column {name:?} has the type {kind}, which members cannot have"));
            }
            let name = serde_json::to_string(field.name()).unwrap_or_default();
            let kind = if source::is_number(field.data_type()) { "Number" } else { "String" };
            keys.push(format!("{name}:{{\"name\":{name},\"fieldType\":\"{kind}\",\"value\":").into_bytes());
        }
        Ok(Bodies { rows, batch: None, keys, size: 0, read: 0, format: rows_format(schema) })
    }

    /// The next body, of at most `most` members, between `head` and its closing brackets. `None` after the last row.
    pub(super) fn next(&mut self, head: &[u8], most: usize) -> Result<Option<MembersBody>, String> {
        let mut json = Vec::with_capacity(self.size + head.len() + 64);
        json.extend_from_slice(head);
        let mut rows = 0;
        while rows < most && self.refill()? {
            let Some((batch, next)) = &mut self.batch else { break };
            let until = batch.num_rows().min(*next + (most - rows));
            for row in *next..until {
                if rows > 0 {
                    json.push(b',');
                }
                member(&self.keys, batch, row, &mut json)?;
                rows += 1;
            }
            *next = until;
        }
        json.extend_from_slice(END);
        self.size = json.len();
        Ok((rows > 0).then_some(MembersBody { rows, json }))
    }

    /// Counts the rows, up to the first batch that cannot be read. This reads all of them.
    pub(super) fn count_rows(&mut self) -> usize {
        while let Some(Ok(batch)) = self.rows.next().map(source::checked) {
            self.read += batch.num_rows();
            add_lines(&mut self.format, &batch);
        }
        self.read
    }

    /// Whether there is another row.
    fn refill(&mut self) -> Result<bool, String> {
        while self.batch.as_ref().is_none_or(|(batch, next)| *next >= batch.num_rows()) {
            match self.rows.next() {
                Some(batch) => {
                    let batch = source::checked(batch)?;
                    let empty =
                        |row: &usize| batch.columns().iter().all(|array| source::is_null(array, *row));
                    if let Some(row) = (0..batch.num_rows()).find(empty) {
                        let row = self.read + row;
                        return Err(format!(
                            "row {row} has no value, and would be a member without one: leave it out"
                        ));
                    }
                    self.read += batch.num_rows();
                    add_lines(&mut self.format, &batch);
                    self.batch = Some((batch, 0));
                }
                None => return Ok(false),
            }
        }
        Ok(true)
    }
}

/// An empty field is omitted.
fn member(keys: &[Vec<u8>], batch: &RecordBatch, row: usize, json: &mut Vec<u8>) -> Result<(), String> {
    json.extend_from_slice(b"{\"fields\":{");
    let mut first = true;
    for (array, key) in batch.columns().iter().zip(keys) {
        if source::is_null(array, row) {
            continue;
        }
        if !std::mem::take(&mut first) {
            json.push(b',');
        }
        json.extend_from_slice(key);
        if !source::write(array, row, json) {
            return Err("a number that is not finite, or a time out of range, cannot be sent".to_owned());
        }
        json.push(b'}');
    }
    json.extend_from_slice(b"}}");
    Ok(())
}
