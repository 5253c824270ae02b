//! Creates members from tables of any Arrow producer.

mod bodies;
mod csv_file;
mod ipc;
mod objects;
pub(crate) mod source;

use arrow_array::RecordBatchReader;
use sondage::arguments::CreateOptions;
use sondage::model::{CreateMembersResponse, ValidationIssue};
use sondage::operations::CreateMembers;
use sondage::{Client, Error, Result};

use bodies::Bodies;
pub use csv_file::csv_rows;
pub use ipc::ipc_rows;
pub use objects::object_rows;

/// Creates members from the rows of an Arrow table, a column for each field.
///
/// The rows go in chunks. One chunk is in memory at a time, as the text that is sent. **Each chunk is sent at most once**: when
/// the outcome of one is unknown, or one is refused, nothing more is sent, and the report says which rows were created,
/// which were not, and of which it is not known.
#[must_use = "nothing is sent before `run`"]
pub struct CreateFrom {
    client: Client,
    panel_id: i64,
    chunk_size: usize,
}

/// The outcome of each row.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CreateReport {
    /// The chunks that were sent, in order.
    pub chunks: Vec<CreatedChunk>,
    /// Why the rows after the last chunk were not sent; `None` when all were.
    pub stopped: Option<Error>,
}

/// Some rows that were sent together.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CreatedChunk {
    /// The first of them, counted from 0.
    pub first_row: usize,
    /// How many there are.
    pub rows: usize,
    /// The ids in the order of the rows. With as many ids as rows, one that is missing marks a row that was not created; with
    /// fewer, it is not known which rows they belong to (not published).
    pub ids: Vec<Option<i64>>,
    /// Why members were not created.
    pub issues: Vec<ValidationIssue>,
    /// Why the chunk failed as a whole. With the kind `OutcomeUnknown` its members may be there or not.
    pub error: Option<Error>,
}

impl CreateReport {
    /// Members that are known to have been created.
    pub fn created(&self) -> usize {
        self.chunks.iter().flat_map(|chunk| &chunk.ids).flatten().filter(|id| **id != 0).count()
    }

    /// Rows of which it is not known whether they were created.
    pub fn unknown(&self) -> impl Iterator<Item = usize> {
        let unknown =
            |chunk: &&CreatedChunk| chunk.error.as_ref().is_some_and(|error| !error.changed_nothing());
        self.chunks.iter().filter(unknown).flat_map(|chunk| chunk.first_row..chunk.first_row + chunk.rows)
    }
}

impl CreateFrom {
    pub(crate) fn new(client: &Client, panel_id: i64) -> Self {
        CreateFrom { client: client.clone(), panel_id, chunk_size: CreateOptions::DEFAULT_CHUNK_SIZE }
    }

    /// Members in a request. Default: [`CreateOptions::DEFAULT_CHUNK_SIZE`].
    pub fn chunk_size(mut self, members: usize) -> Self {
        self.chunk_size = members.max(1);
        self
    }

    /// Sends the rows. An error means that nothing was sent; what happened once something was is in the report.
    pub async fn run(&self, rows: impl RecordBatchReader + Send) -> Result<CreateReport> {
        let head = self.head()?;
        let schema = rows.schema();
        let mut bodies = Bodies::new(&schema, rows).map_err(Error::invalid_argument)?;
        let (mut report, mut first_row) = (CreateReport::default(), 0);
        loop {
            let body = match bodies.next(&head, self.chunk_size) {
                Ok(Some(body)) => body,
                Ok(None) => return Ok(report),
                Err(what) => {
                    let error = Error::invalid_argument(what);
                    if report.chunks.is_empty() {
                        return Err(error);
                    }
                    report.stopped = Some(error);
                    return Ok(report);
                }
            };
            let rows = body.rows;
            let answer = self.client.with_response_written::<CreateMembers>(body.json).await;
            let (chunk, stopped) = chunk(first_row, rows, answer.map(|answer| answer.value));
            report.chunks.push(chunk);
            if stopped.is_some() {
                report.stopped = stopped;
                return Ok(report);
            }
            first_row += rows;
        }
    }

    /// The bodies of the requests as they would be sent, one after the other, without sending anything.
    pub fn bodies<R: RecordBatchReader + Send>(
        &self,
        rows: R,
    ) -> Result<impl Iterator<Item = Result<Vec<u8>>> + use<R>> {
        let head = self.head()?;
        let schema = rows.schema();
        let mut bodies = Bodies::new(&schema, rows).map_err(Error::invalid_argument)?;
        let most = self.chunk_size;
        Ok(std::iter::from_fn(move || {
            let body = bodies.next(&head, most).map_err(Error::invalid_argument).transpose()?;
            Some(body.map(|body| body.json))
        }))
    }

    /// The beginning of every body.
    fn head(&self) -> Result<Vec<u8>> {
        let tenant = serde_json::to_string(&self.client.config().tenant)
            .map_err(|error| Error::internal(error.to_string()))?;
        Ok(format!("{{\"tenant\":{tenant},\"panelId\":{},\"members\":[", self.panel_id).into_bytes())
    }
}

fn chunk(
    first_row: usize,
    rows: usize,
    answer: Result<CreateMembersResponse>,
) -> (CreatedChunk, Option<Error>) {
    match answer {
        Ok(answer) => {
            let (ids, issues) = (answer.members_ids, answer.validation_issues);
            (CreatedChunk { first_row, rows, ids, issues, error: None }, None)
        }
        Err(error) => {
            let chunk = CreatedChunk {
                first_row,
                rows,
                ids: Vec::new(),
                issues: Vec::new(),
                error: Some(error.clone()),
            };
            (chunk, Some(error))
        }
    }
}
