//! The documents of a survey in a folder.

use crate::bytes::Place;
use crate::failure::Failure;
use crate::given::{Call, With};
use crate::language::Language;
use crate::outcome::{Done, Outcome};
use crate::thing::Thing;
use serde::{Deserialize, Serialize};
use sondage::Client;
use sondage::condition::Expression;
use sondage::jobs::{ArchiveProgress, ArchiveReport};

/// Which documents are stored where.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Choices {
    survey_id: i64,
    folder: Place,
    partial: Option<bool>,
    locale: Option<String>,
    time_zone: Option<String>,
    r#where: Option<Expression>,
    at_once: Option<usize>,
}

/// How far it is, as a value.
#[derive(Clone, Copy, Serialize)]
pub struct Progress {
    interviews: usize,
    kept: usize,
    stored: usize,
    failed: usize,
    bytes: u64,
}

#[derive(Serialize)]
struct Report {
    manifest: String,
    progress: Progress,
    failed: Vec<Failed>,
}

#[derive(Serialize)]
struct Failed {
    interview: String,
    error: Failure,
}

impl From<&ArchiveProgress> for Progress {
    fn from(at: &ArchiveProgress) -> Self {
        let ArchiveProgress { interviews, kept, stored, failed, bytes } = *at;
        Self { interviews, kept, stored, failed, bytes }
    }
}

/// Stores what is missing.
pub fn archive<L: Language>(client: &Client, call: &Call<'_, L>) -> Done<L> {
    let chosen: Choices = call.read_of("archive_answers", "")?;
    let mut archive = client.archive_answers(chosen.survey_id, chosen.folder.0);
    if chosen.partial == Some(true) {
        archive = archive.partial();
    }
    if let Some(locale) = chosen.locale {
        archive = archive.locale(locale);
    }
    if let Some(zone) = chosen.time_zone {
        archive = archive.time_zone(zone);
    }
    if let Some(filter) = chosen.r#where {
        archive = archive.filter(filter);
    }
    if let Some(documents) = chosen.at_once {
        archive = archive.at_once(documents);
    }
    if let With::Thing(Thing::Watch(watch)) = call.with {
        let note = watch.clone();
        archive = archive.progress(move |now| note.see(Progress::from(now)));
    }
    Outcome::later(async move { archive.run().await.map(|report| told::<L>(&report)) })
}

fn told<L: Language>(report: &ArchiveReport) -> Report {
    let failed = report
        .failed
        .iter()
        .map(|failed| Failed { interview: failed.interview.clone(), error: Failure::of::<L>(&failed.error) });
    Report {
        manifest: report.manifest.display().to_string(),
        progress: Progress::from(&report.progress),
        failed: failed.collect(),
    }
}
