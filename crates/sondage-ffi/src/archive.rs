//! The documents of a survey in a folder.

use crate::bytes::Place;
use crate::failure::Failure;
use crate::language::Language;
use crate::methods::kinds;
use crate::watch::{DocumentProgress, Observer};
use serde::{Deserialize, Serialize};
use sondage::Client;
use sondage::condition::Expression;
use sondage::jobs::{self, ArchiveProgress};

/// Which documents are stored where.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ArchiveOptions {
    survey_id: i64,
    folder: Place,
    partial: Option<bool>,
    locale: Option<String>,
    time_zone: Option<String>,
    r#where: Option<Expression>,
    at_once: Option<usize>,
}

/// What a run did.
#[derive(Serialize)]
pub struct ArchiveReport {
    manifest: String,
    progress: DocumentProgress,
    failed: Vec<Failed>,
}

#[derive(Serialize)]
struct Failed {
    interview: String,
    error: Failure,
}

/// Stores what is missing.
pub fn archive<L: Language>(
    client: &Client,
    options: ArchiveOptions,
    progress: Observer<ArchiveProgress>,
) -> kinds::Call<ArchiveReport> {
    let mut archive = client.archive_answers(options.survey_id, options.folder.0);
    if options.partial == Some(true) {
        archive = archive.partial();
    }
    if let Some(locale) = options.locale {
        archive = archive.locale(locale);
    }
    if let Some(zone) = options.time_zone {
        archive = archive.time_zone(zone);
    }
    if let Some(filter) = options.r#where {
        archive = archive.filter(filter);
    }
    if let Some(documents) = options.at_once {
        archive = archive.at_once(documents);
    }
    if let Some(note) = progress.note() {
        archive = archive.progress(note);
    }
    Box::pin(async move { archive.run().await.map(|report| ArchiveReport::of::<L>(&report)) })
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
        }
    }
}
