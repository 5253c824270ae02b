//! The facts of a client as a report.

use super::file::FactsFile;
use super::record::{Fact, Record};
use super::settings::FactsMode;
use crate::model::Timestamp;
use chrono::DateTime;
use sondage_macros::report;
use std::fmt::{self, Display};
use std::path::PathBuf;

/// What this client knows about the service, and where it is kept.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FactsReport {
    /// Whether facts are kept and used: the setting `facts`.
    pub mode: FactsMode,
    /// The file in which they are kept. `None`: in memory, for this process.
    pub file: Option<PathBuf>,
    /// Why the file cannot be used. Until it can, they are kept in memory.
    pub trouble: Option<String>,
    /// The facts.
    pub facts: Vec<FactReport>,
}

/// One fact about the service.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FactReport {
    /// The operation, or the survey.
    pub about: String,
    /// Which fact: `"first_page"`, `"counts_list"` (whether the count is that of the whole list), `"longest"` (the most rows of a list
    /// that were on one page), `"cap"` (the service's largest page), `"path"` or `"workspace"`.
    pub name: String,
    /// Its value.
    pub value: String,
    /// What has shown it: `"tail probe"`, `"pages"`, `"refusal"`, `"empty page"` or `"answer"`.
    pub evidence: Option<String>,
    /// When it was shown.
    pub at: Option<Timestamp>,
}

impl FactsReport {
    pub(super) fn of(mode: FactsMode, file: Option<&FactsFile>, record: &Record) -> Self {
        let mut facts = Vec::new();
        for (operation, list) in &record.lists {
            facts.extend(row(operation, "first_page", &list.first_page));
            facts.extend(row(operation, "counts_list", &list.counts_list));
            facts.extend(row(operation, "cap", &list.cap));
            if list.longest > 0 {
                let (about, name, value) =
                    (operation.clone(), "longest".to_owned(), list.longest.to_string());
                facts.push(FactReport { about, name, value, evidence: None, at: None });
            }
        }
        facts.extend(record.paths.iter().filter_map(|(operation, path)| row(operation, "path", path)));
        let of_survey =
            |(survey, workspace): (&i64, &_)| row(&format!("survey {survey}"), "workspace", workspace);
        facts.extend(record.workspaces.iter().filter_map(of_survey));
        Self {
            mode,
            file: file.map(|file| file.path.clone()),
            trouble: file.and_then(FactsFile::trouble).map(|trouble| trouble.to_string()),
            facts,
        }
    }
}

fn row<T: Display>(about: &str, name: &str, fact: &Fact<T>) -> Option<FactReport> {
    let value = fact.value.as_ref()?.to_string();
    let at = i64::try_from(fact.at).ok().and_then(DateTime::from_timestamp_millis).and_then(Timestamp::of);
    let evidence = Some(fact.evidence.as_str().to_owned());
    Some(FactReport { about: about.to_owned(), name: name.to_owned(), value, evidence, at })
}

impl Display for FactsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.mode) {
            (_, FactsMode::Off) => f.write_str("facts are off")?,
            (Some(file), _) => write!(f, "facts in {}", file.display())?,
            (None, _) => f.write_str("facts in the memory of this process")?,
        }
        for FactReport { about, name, value, evidence, at } in &self.facts {
            write!(f, "\n  {about}: {name} {value}")?;
            if let (Some(evidence), Some(at)) = (evidence, at) {
                write!(f, " ({evidence}, {at})")?;
            }
        }
        self.trouble.as_ref().map_or(Ok(()), |trouble| write!(f, "\n  {trouble}"))
    }
}
