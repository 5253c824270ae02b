//! Creates members from any Arrow table.

mod bodies;
mod csv_file;
mod ipc;
mod objects;
pub(crate) mod source;
#[cfg(feature = "xlsx")]
mod workbook;

use arrow_array::RecordBatchReader;
use sondage::operations::CreateMembers;
use sondage::{Client, Error, Result};
use sondage_jobs::ImportReport;
use sondage_jobs::import::{Tally, chunk_size, head};
use sondage_jobs::options::CreateOptions;

use bodies::Bodies;
pub(crate) use csv_file::UnreadFile;
pub use csv_file::{Csv, csv_rows, csv_rows_as};
pub(crate) use csv_file::{add_lines, lines_of, rows_format};
pub use ipc::ipc_rows;
pub use objects::object_rows;
#[cfg(feature = "xlsx")]
pub use workbook::{file_rows, workbook_rows, workbook_rows_as};

/// Creates members from the rows of an Arrow table, a column for each field.
///
/// The rows are sent in chunks. One chunk is in memory at a time, as the text that is sent. **Each chunk is sent at most once**: if
/// the outcome of one is unknown, or one is refused, nothing more is sent, and the report says which rows were created, which were
/// not, and for which it is unknown. Rows have no identity: sending a row twice creates two members. To resume after an error, use
/// [`Jobs::import_members`](sondage_jobs::Jobs::import_members).
#[must_use = "nothing is sent before `run`"]
pub struct CreateFrom {
    client: Client,
    panel_id: i64,
    chunk_size: usize,
}

impl CreateFrom {
    pub(crate) fn new(client: &Client, panel_id: i64) -> Self {
        CreateFrom { client: client.clone(), panel_id, chunk_size: CreateOptions::DEFAULT_CHUNK_SIZE }
    }

    /// Members per request, at least 1. Default: [`CreateOptions::DEFAULT_CHUNK_SIZE`].
    pub fn chunk_size(mut self, members: usize) -> Self {
        self.chunk_size = members;
        self
    }

    /// Sends the rows. An error means that nothing was sent; anything that happened after sending is in the report.
    pub async fn run(&self, rows: impl RecordBatchReader + Send) -> Result<ImportReport> {
        let size = chunk_size(self.chunk_size)?;
        let head = head(&self.client, self.panel_id)?;
        let schema = rows.schema();
        let mut bodies = Bodies::new(&schema, rows).map_err(Error::invalid_argument)?;
        if bodies.format.as_ref().is_some_and(|format| format.decimal.is_some()) {
            let what = "`decimal` is for methods that read the fields of the panel: this one sends the texts of a file as they are";
            return Err(Error::invalid_argument(what)
                .with_hint("Nothing was sent. Use `import_members`, or leave `decimal` out."));
        }
        let mut tally = Tally::new(self.panel_id);
        let stopped = loop {
            match bodies.next(&head, size) {
                Ok(Some(body)) => {
                    let rows = body.rows;
                    let answer = self.client.with_response_written::<CreateMembers>(body.json).await;
                    if !tally.add(rows, answer.map(|answer| answer.value)) {
                        break None;
                    }
                }
                Ok(None) => return Ok(tally.in_format(bodies.format).end(0, None)),
                Err(what) if tally.is_empty() => return Err(Error::invalid_argument(what)),
                Err(what) => break Some(Error::invalid_argument(what)),
            }
        };
        let remaining = bodies.count_rows() - tally.len();
        Ok(tally.in_format(bodies.format).end(remaining, stopped))
    }

    /// The request bodies that would be sent, one after the other, without sending anything.
    pub fn bodies<R: RecordBatchReader + Send>(
        &self,
        rows: R,
    ) -> Result<impl Iterator<Item = Result<Vec<u8>>> + use<R>> {
        let head = head(&self.client, self.panel_id)?;
        let most = chunk_size(self.chunk_size)?;
        let schema = rows.schema();
        let mut bodies = Bodies::new(&schema, rows).map_err(Error::invalid_argument)?;
        Ok(std::iter::from_fn(move || {
            let body = bodies.next(&head, most).map_err(Error::invalid_argument).transpose()?;
            Some(body.map(|body| body.json))
        }))
    }
}
