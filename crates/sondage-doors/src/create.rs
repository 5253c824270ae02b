//! Members from tables of anybody's.

use crate::bytes::Place;
use crate::failure::Failure;
use crate::given::{Call, With};
use crate::language::Language;
use crate::outcome::{Done, Outcome};
use serde::{Deserialize, Serialize};
use sondage::Client;
use sondage_data::{CreatedChunk, Creation, Tables, csv_rows};

/// Which rows are created where.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Choices {
    panel_id: i64,
    chunk: usize,
    /// A CSV file, when no rows were handed over.
    path: Option<Place>,
}

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
struct Report {
    chunks: Vec<Chunk>,
    stopped: Option<Failure>,
}

/// Creates members from rows.
pub fn create<L: Language>(client: &Client, call: Call<'_, L>) -> Done<L> {
    let choices: Choices = call.read_of("create_members_from", "")?;
    let creation = client.create_members_from(choices.panel_id).chunk(choices.chunk);
    let rows = match (call.with, choices.path) {
        (With::Rows(rows), _) => rows,
        (_, path) => Box::new(csv_rows(&path.map(|place| place.0).unwrap_or_default())?),
    };
    Outcome::later(async move { creation.run(rows).await.map(told::<L>) })
}

fn told<L: Language>(report: Creation) -> Report {
    let chunk = |chunk: CreatedChunk| Chunk {
        first_row: chunk.first_row,
        rows: chunk.rows,
        ids: chunk.ids,
        issues: chunk.issues.into_iter().map(|issue| issue.error_message).collect(),
        error: chunk.error.as_ref().map(Failure::of::<L>),
    };
    Report {
        chunks: report.chunks.into_iter().map(chunk).collect(),
        stopped: report.stopped.as_ref().map(Failure::of::<L>),
    }
}
