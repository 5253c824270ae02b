//! Creates members from tables of any Arrow producer.

use crate::call::args::Attachment;
use crate::failure::Failure;
use crate::language::{ArgResult, Language};
use crate::methods::kinds;
use crate::objects::rows::rows;
use serde::Serialize;
use sondage::Client;
use sondage::arguments::CreateOptions;
use sondage_data::{CreatedChunk, Tables};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Chunk {
    first_row: usize,
    rows: usize,
    ids: Vec<Option<i64>>,
    issues: Vec<Option<String>>,
    error: Option<Failure>,
}

/// The chunks, and why the rest was not sent.
#[derive(Serialize)]
pub struct CreateReport {
    chunks: Vec<Chunk>,
    /// Rows of which it is not known whether they were created.
    unknown: Vec<usize>,
    stopped: Option<Failure>,
}

/// Creates members from rows.
pub fn create<L: Language>(
    client: &Client,
    options: CreateOptions,
    rows: Attachment<'_, L>,
) -> ArgResult<kinds::Call<CreateReport>, L> {
    let creation = client.create_members_from(options.panel_id).chunk_size(options.chunk_size);
    let rows = self::rows(rows, options.rows)?;
    Ok(Box::pin(async move { creation.run(rows).await.map(told::<L>) }))
}

fn told<L: Language>(report: sondage_data::CreateReport) -> CreateReport {
    let chunk = |chunk: CreatedChunk| Chunk {
        first_row: chunk.first_row,
        rows: chunk.rows,
        ids: chunk.ids,
        issues: chunk.issues.into_iter().map(|issue| issue.error_message).collect(),
        error: chunk.error.as_ref().map(Failure::of::<L>),
    };
    CreateReport {
        unknown: report.unknown().collect(),
        chunks: report.chunks.into_iter().map(chunk).collect(),
        stopped: report.stopped.as_ref().map(Failure::of::<L>),
    }
}
