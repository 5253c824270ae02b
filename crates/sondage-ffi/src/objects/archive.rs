//! Archives of documents.

use crate::failure::Failure;
use crate::language::Language;
use crate::methods::kinds;
use crate::objects::cost::Cost;
use crate::objects::watch::{DocumentProgress, Observer};
use serde::Serialize;
use sondage::Client;
use sondage::arguments::ArchiveOptions;
use sondage::jobs::{self, ArchiveProgress, Job};

/// The report of a run.
#[derive(Serialize)]
pub struct ArchiveReport {
    manifest: String,
    progress: DocumentProgress,
    failed: Vec<Failed>,
    cost: Option<Cost>,
}

#[derive(Serialize)]
struct Failed {
    interview: String,
    error: Failure,
}

/// Stores the missing documents.
pub fn archive<L: Language>(
    client: &Client,
    options: ArchiveOptions,
    progress: Observer<ArchiveProgress>,
) -> kinds::Call<ArchiveReport> {
    let run = options.run(client, (), progress.note());
    Box::pin(async move { run.await.map(|report| ArchiveReport::of::<L>(&report)) })
}

impl ArchiveReport {
    fn of<L: Language>(report: &jobs::ArchiveReport) -> Self {
        let failed = report.failed.iter().map(|failed| Failed {
            interview: failed.interview.clone(),
            error: Failure::of::<L>(&failed.error),
        });
        Self {
            manifest: report.manifest.display().to_string(),
            progress: report.progress.into(),
            failed: failed.collect(),
            cost: report.cost.map(Into::into),
        }
    }
}
