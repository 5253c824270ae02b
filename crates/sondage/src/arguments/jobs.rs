//! Options of work of many calls.

use super::{Bytes, FilePath};
use crate::condition::Expression;
use crate::model::{FieldValue, Timestamp};
use indexmap::IndexMap;
use serde::Deserialize;
use sondage_macros::options;

/// Options of an archive.
#[options]
pub struct ArchiveOptions {
    /// The survey.
    pub survey_id: i64,
    /// The folder. It is made when it is not there.
    pub folder: FilePath,
    /// Whether to include interviews that are not completed, with the answers so far.
    #[wire(default = false)]
    pub partial: bool,
    /// The language of the documents, for example `de`.
    pub locale: Option<String>,
    /// The time zone of the times in them, for example `Europe/Zurich`.
    pub time_zone: Option<String>,
    /// Only interviews that pass this test.
    pub r#where: Option<Expression>,
    /// Documents that are fetched at once.
    #[wire(default = 4)]
    pub max_concurrency: usize,
}

/// Options for creating members from rows.
#[options]
pub struct CreateOptions {
    /// The panel or sample.
    pub panel_id: i64,
    /// Members in a request. How many the service takes is not published.
    #[wire(default = 1000)]
    pub chunk_size: usize,
    /// The rows, where they are no Arrow stream.
    pub rows: Option<RowSource>,
}

/// Options of an import of members.
#[options]
pub struct ImportOptions {
    /// The panel or sample.
    pub panel_id: i64,
    /// The field that identifies a person, for example `Email`. Every row needs a value of its own there.
    pub key: String,
    /// What to do with members whose key is in a row: keep them (`skip`), give them the values of the row (`update`), or
    /// send nothing at all (`error`).
    #[wire(default = Existing::Skip)]
    pub existing: Existing,
    /// The file in which the import keeps what it has sent. Left out: a file in the user's folder for such things, which is
    /// emptied when the import is complete.
    pub journal: Option<FilePath>,
    /// Members in a request. How many the service takes is not published.
    #[wire(default = 1000)]
    pub chunk_size: usize,
    /// How long after a call without an answer the service may still be at work. Left out: three minutes.
    pub quiet: Option<f64>,
    /// The rows, where they are no Arrow stream.
    pub rows: Option<RowSource>,
}

/// What an import does with members who exist already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Existing {
    /// They are left as they are.
    #[default]
    Skip,
    /// They get the values of their rows. A cell without a value changes nothing.
    Update,
    /// Nothing is sent.
    Error,
}

/// How members are found and changed.
#[options]
pub struct UpdateOptions {
    /// The panel or sample.
    pub panel_id: i64,
    /// The field by which members are found, or `Id` for their numbers.
    pub key: String,
    /// Only these columns, and the key. Left out: all, each of which must then be a field of the panel.
    pub fields: Option<Vec<String>>,
    /// Whether an empty cell clears the member's value. Otherwise the member keeps it.
    #[wire(default = false)]
    pub clear_nulls: bool,
    /// Whether keys are the same that differ only in case.
    #[wire(default = false)]
    pub ignore_case: bool,
    /// Members in a request. How many the service takes is not published.
    #[wire(default = 1000)]
    pub chunk_size: usize,
    /// The rows, where they are no Arrow stream.
    pub rows: Option<RowSource>,
}

/// Options of an invitation that is planned.
#[options]
pub struct InviteOptions {
    /// The survey to answer.
    pub survey_id: i64,
    /// The panel or sample.
    pub panel_id: i64,
    /// The message.
    pub message_template_id: i64,
    /// Only members who pass this test. Left out: everybody in the panel.
    pub r#where: Option<Expression>,
    /// How the message travels: by `Email`, `Sms` or `WhatsApp`. Left out: by `Email`.
    pub channel: Option<String>,
    /// How many members get the message at most: those with the lowest numbers. Left out: all who can be reached.
    pub cap: Option<usize>,
    /// Leaves out members to whom an invitation of this panel went in so many days before the message is sent, or will go after
    /// it. Left out: nobody is, for that reason.
    pub pause_days: Option<usize>,
    /// Whether members who were invited to this survey before are invited again.
    #[wire(default = false)]
    pub again: bool,
    /// Whether members in whose language the message has no text get it in the language that the message falls back to.
    #[wire(default = false)]
    pub other_languages: bool,
    /// The workspace of the survey, whose list of opt-outs counts. Left out: it is looked for, which costs calls.
    pub workspace_id: Option<i64>,
    /// When to send; at once when left out. A time in the past is an error.
    pub schedule_date_time: Option<Timestamp>,
    /// Invites inside this sampling project instead of a new one.
    pub sampling_project_id: Option<i64>,
    /// When the interviews stop being open.
    pub interview_expiry_date: Option<String>,
    /// The sender's address.
    pub sender: Option<String>,
    /// The sender's name.
    pub sender_name: Option<String>,
    /// The address for answers.
    pub reply_to: Option<String>,
    /// The name for answers.
    pub reply_to_name: Option<String>,
    /// How old the plan may be when it is run. Left out: 15 minutes.
    pub max_age: Option<f64>,
}

/// Options of a reminder that is planned.
#[options]
pub struct RemindOptions {
    /// The distributor that carried the invitation, by `Email`.
    pub distributor_id: i64,
    /// The message.
    pub message_template_id: i64,
    /// Only members who pass this test. Left out: everybody whom the distributor invited and who has not answered.
    pub r#where: Option<Expression>,
    /// How many members may get the message. A reminder that reaches more is refused.
    pub cap: Option<usize>,
    /// Whether members in whose language the message has no text get it in the language that the message falls back to.
    /// Otherwise a reminder that reaches one of them is refused.
    #[wire(default = false)]
    pub other_languages: bool,
    /// The workspace of the survey, whose list of opt-outs counts. Left out: it is looked for, which costs calls.
    pub workspace_id: Option<i64>,
    /// When to send; at once when left out. A time in the past is an error.
    pub schedule_date_time: Option<Timestamp>,
    /// The sender's address.
    pub sender: Option<String>,
    /// The sender's name.
    pub sender_name: Option<String>,
    /// The address for answers.
    pub reply_to: Option<String>,
    /// The name for answers.
    pub reply_to_name: Option<String>,
    /// How old the plan may be when it is run. Left out: 15 minutes.
    pub max_age: Option<f64>,
}

/// Whose field work is counted.
#[options]
pub struct FieldReportOptions {
    /// The survey.
    pub survey_id: i64,
    /// Whether interviews that were begun and not completed are partial interviews. Otherwise they are break-offs.
    #[wire(default = false)]
    pub partial: bool,
}

/// Which events to look for.
#[options]
pub struct MissedOptions {
    /// The survey.
    pub survey_id: i64,
    /// Interviews that changed at this time or later.
    pub since: Timestamp,
    /// Questions and columns to read besides `Id`, `State` and `UpdatedAt`.
    pub columns: Option<Vec<String>>,
}

/// Rows that come as a value, in one of these forms. Those of a language that hands tables over come beside it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RowSource {
    /// A CSV file.
    pub path: Option<FilePath>,
    /// The bytes of an Arrow stream or file.
    pub ipc: Option<Bytes>,
    /// Objects.
    pub objects: Option<Vec<IndexMap<String, FieldValue>>>,
}
