//! Reads and exports all data held about a person.

use super::export_folder::ExportFolder;
use super::files::{self, Identity};
use super::found::{Answered, Found, PersonMember};
use super::look::{WantedPerson, look};
use super::refused;
use super::source::{PersonSource, denied};
use crate::archive::fetch;
use crate::options::{ExportPersonOptions, PlanExportPersonOptions};
use indexmap::IndexMap;
use serde_json::json;
use sondage::Client;
use sondage::budget::Cost;
use sondage::error::{Error, ErrorKind, Result};
use sondage::internals::runtime;
use sondage::model::{DownloadAnswersRequest, FieldValue, ReadInterviewRequest};
use sondage_macros::report;
use std::fmt::{self, Write as _};

/// A plan: what would be read about a person.
#[report]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PersonExportPlan {
    /// The members who are this person.
    pub members: Vec<PersonMember>,
    /// Members whose key differs only in case or spaces. They count as other people.
    pub similar: Vec<PersonMember>,
    /// Each source: whether it has data, or why it cannot be read.
    pub sources: Vec<PersonSource>,
    /// The number of calls that the export makes. It is exact as long as the lists do not change.
    pub calls: u64,
    /// The cost of it: these calls, the bytes of the lists, and the minutes if each call takes as long as those of the plan did. The
    /// sizes of answers and documents are not known before they are read.
    pub cost: Cost,
    /// The plan in sentences without personal data.
    pub text: String,
}

/// What was read about a person.
#[report]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PersonExport {
    /// The members who are this person.
    pub members: Vec<PersonMember>,
    /// Members whose key differs only in case or spaces. They counted as other people.
    pub similar: Vec<PersonMember>,
    /// Each source: what was read, or why it could not be read.
    pub sources: Vec<PersonSource>,
    /// The files in the folder.
    pub files: Vec<String>,
    /// All data as JSON, if no folder was given.
    pub json: Option<String>,
    /// A summary in sentences without personal data.
    pub text: String,
}

pub(super) async fn plan(client: Client, options: PlanExportPersonOptions) -> Result<PersonExportPlan> {
    let PlanExportPersonOptions { panel_ids, key, value, documents, files } = options;
    let mut findings = look(&client, &WantedPerson { panels: &panel_ids, key: &key, value: &value }).await?;
    examine(&client, &mut findings, &key, &value, files).await?;
    let interviews = findings.interviews();
    let calls = findings.calls + detail(&interviews, documents);
    let cost = findings.cost(calls);
    let text = format!("{}\n  reading it makes {calls} calls", describe(&findings));
    Ok(PersonExportPlan {
        members: findings.people(),
        similar: findings.similar,
        sources: findings.sources,
        calls,
        cost,
        text,
    })
}

pub(super) async fn export(client: Client, options: ExportPersonOptions) -> Result<PersonExport> {
    let ExportPersonOptions { panel_ids, key, value, folder, documents, files } = options;
    if documents && folder.is_none() {
        return Err(refused("`documents` need a `folder`", "Name one, or leave them out."));
    }
    let export_folder = match folder {
        Some(folder) => {
            let (client, key, value) = (client.clone(), key.clone(), value.clone());
            Some(runtime::blocking(move || ExportFolder::open(&client, folder.0, &key, &value)).await?)
        }
        None => None,
    };
    let mut findings = look(&client, &WantedPerson { panels: &panel_ids, key: &key, value: &value }).await?;
    examine(&client, &mut findings, &key, &value, files).await?;
    let interviews = findings.interviews();
    let (answers, pdfs) = details(&client, &interviews, documents, &mut findings.sources).await?;
    let all = written(&findings, &answers)?;
    let (mut text, sources) = (describe(&findings), findings.sources.clone());
    let (files, json) = match export_folder {
        Some(mut export_folder) => {
            let folder_name = export_folder.name();
            let files = runtime::blocking(move || {
                export_folder.put("person.json", &all)?;
                for (name, bytes) in &pdfs {
                    export_folder.put(name, bytes)?;
                }
                export_folder.end(sources)
            })
            .await?;
            text = format!("{text}\n  written to {folder_name}: {} files", files.len());
            (files, None)
        }
        None => (Vec::new(), String::from_utf8(all).ok()),
    };
    let (members, similar) = (findings.people(), findings.similar);
    Ok(PersonExport { members, similar, sources: findings.sources, files, json, text })
}

/// The data in files of this library.
async fn examine(
    client: &Client,
    found: &mut Found,
    key: &str,
    value: &str,
    named: Option<Vec<String>>,
) -> Result<()> {
    let identity = Identity::of(client, found, key, value);
    let findings = runtime::blocking(move || files::examine(&identity, named.unwrap_or_default())).await?;
    found.sources.extend(findings.into_iter().map(|finding| finding.source()));
    Ok(())
}

/// The number of calls for the answers and their documents.
fn detail(interviews: &[Answered], documents: bool) -> u64 {
    let readable = interviews.iter().filter(|it| it.survey.is_some());
    readable.map(|it| 1 + u64::from(documents && it.begun)).sum()
}

type Answers = Vec<(Answered, IndexMap<String, FieldValue>)>;

/// Reads the answers, and the documents by their names.
async fn details(
    client: &Client,
    interviews: &[Answered],
    documents: bool,
    sources: &mut Vec<PersonSource>,
) -> Result<(Answers, Vec<(String, Vec<u8>)>)> {
    let (mut answers, mut pdfs, mut missing) = (Vec::new(), Vec::new(), Vec::new());
    for interview in interviews {
        let Some(survey) = interview.survey else {
            missing.push(format!("{}: the service does not say to which survey it belongs", interview.id));
            continue;
        };
        match client.read_interview(ReadInterviewRequest::new(&interview.id, survey)).await {
            Ok(read) => answers.push((interview.clone(), without_links(&interview.id, read.response_data))),
            Err(error) => missing.push(skipped(&interview.id, error)?),
        }
        if documents && interview.begun {
            let mut request = DownloadAnswersRequest::new(survey, &interview.id);
            request.show_partial_completed = (!interview.completed).then_some(true);
            match fetch::document(client, request).await {
                Ok(bytes) => {
                    pdfs.push((format!("{}.pdf", interview.id.to_ascii_lowercase()), bytes.to_vec()));
                }
                Err(error) => missing.push(skipped(&interview.id, error)?),
            }
        }
    }
    if documents {
        sources.push(PersonSource::read("documents", pdfs.len(), "the answers as PDFs"));
    }
    if !missing.is_empty() {
        sources.push(PersonSource::not_read("some_interviews", missing.join("; ")));
    }
    Ok((answers, pdfs))
}

/// Answers without the link to the interview itself.
fn without_links(interview: &str, answers: IndexMap<String, FieldValue>) -> IndexMap<String, FieldValue> {
    let leads_there = |value: &FieldValue| {
        value.as_str().is_some_and(|text| text.starts_with("http") && text.contains(interview))
    };
    answers.into_iter().filter(|(_, value)| !leads_there(value)).collect()
}

/// Why one interview could not be read. An error that every other interview would get as well ends the job.
fn skipped(interview: &str, error: Error) -> Result<String> {
    match error.kind() {
        ErrorKind::PermissionDenied => Ok(format!("{interview}: {}", denied(&error))),
        ErrorKind::Api | ErrorKind::UnexpectedResponse => Ok(format!("{interview}: {}", error.what())),
        _ => Err(error),
    }
}

/// Links are not written: anyone who has one can read or answer, and the documents are in the same folder.
fn written(found: &Found, answers: &Answers) -> Result<Vec<u8>> {
    let members: Vec<_> = found
        .members
        .iter()
        .map(|(panel, member)| {
            let mut member = member.clone();
            for interview in &mut member.interviews {
                (interview.answers_link, interview.interview_link) = (None, None);
            }
            json!({ "panelId": panel, "member": member })
        })
        .collect();
    let mut transactions = found.transactions.clone();
    for transaction in &mut transactions {
        transaction.interview_link = None;
    }
    let interview = |(it, answers): &(Answered, IndexMap<String, FieldValue>)| json!({ "surveyId": it.survey, "id": it.id, "answers": answers });
    let all = json!({
        "members": members,
        "interviews": answers.iter().map(interview).collect::<Vec<_>>(),
        "optOuts": found.opted_out,
        "bounces": found.bounces,
        "distributors": found.distributors,
        "samplingProjects": found.projects,
        "incentives": transactions,
        "sources": found.sources,
    });
    serde_json::to_vec_pretty(&all).map_err(|_| Error::internal("what was read cannot be written"))
}

/// Sources with data, and sources that could not be read.
pub(super) fn describe(found: &Found) -> String {
    let members: Vec<String> =
        found.people().iter().map(|it| format!("{} of panel {}", it.member_id, it.panel_id)).collect();
    let mut text = format!("member {}", members.join(", "));
    for PersonSource { name, outcome, items, reason } in &found.sources {
        let _ = match outcome {
            super::SourceOutcome::Read => write!(text, "\n  {name}: {items} ({reason})"),
            super::SourceOutcome::NotRead => write!(text, "\n  {name}: not read: {reason}"),
        };
    }
    if !found.similar.is_empty() {
        let near: Vec<String> =
            found.similar.iter().map(|it| format!("{} of panel {}", it.member_id, it.panel_id)).collect();
        let _ = write!(
            text,
            "\n  treated as other people, because their key differs by case or spaces: {}",
            near.join(", ")
        );
    }
    text
}

impl fmt::Display for PersonExportPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for PersonExport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
