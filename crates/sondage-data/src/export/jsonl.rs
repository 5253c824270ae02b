//! One JSON object per line, with all columns; a missing answer is `null`.

use std::io::{self, Write};

use arrow_array::RecordBatch;
use arrow_schema::Schema;

use super::cells::{WrittenCell, value};
use super::sink::RowWriter;
use crate::Warning;

pub(super) struct JsonLines<W> {
    to: W,
    /// `"name":`, by column.
    keys: Vec<Vec<u8>>,
    /// Columns whose texts are already JSON.
    json: Vec<bool>,
    scratch: Vec<u8>,
}

impl<W: Write> JsonLines<W> {
    pub(super) fn new(to: W, schema: &Schema, json: Vec<bool>) -> io::Result<Self> {
        let key = |name: &String| -> io::Result<Vec<u8>> {
            let mut key = serde_json::to_vec(name)?;
            key.push(b':');
            Ok(key)
        };
        let keys = schema.fields().iter().map(|field| key(field.name())).collect::<io::Result<_>>()?;
        Ok(JsonLines { to, keys, json, scratch: Vec::new() })
    }
}

impl<W: Write + Send> RowWriter for JsonLines<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        let mut line = Vec::new();
        for row in 0..batch.num_rows() {
            line.clear();
            line.push(b'{');
            for (place, (array, key)) in batch.columns().iter().zip(&self.keys).enumerate() {
                if place > 0 {
                    line.push(b',');
                }
                line.extend_from_slice(key);
                let json = self.json.get(place).copied().unwrap_or(false);
                match value(array, row, &mut self.scratch) {
                    WrittenCell::Null => line.extend_from_slice(b"null"),
                    WrittenCell::Text(text) if json => line.extend_from_slice(text.as_bytes()),
                    WrittenCell::Text(text) => serde_json::to_writer(&mut line, text)?,
                    WrittenCell::Json | WrittenCell::Plain { quoted: false } => {
                        line.extend_from_slice(&self.scratch);
                    }
                    WrittenCell::Plain { quoted: true } => {
                        line.push(b'"');
                        line.extend_from_slice(&self.scratch);
                        line.push(b'"');
                    }
                }
            }
            line.extend_from_slice(b"}\n");
            self.to.write_all(&line)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<Vec<Warning>> {
        self.to.flush().map(|()| Vec::new())
    }
}
