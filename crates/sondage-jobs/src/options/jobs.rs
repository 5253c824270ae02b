//! Options of jobs: methods that make many calls.

use super::JournalPlace;
use crate::row_lines::RowLines;
use indexmap::IndexMap;
use serde::Deserialize;
use sondage::arguments::{Bytes, FilePath};
use sondage::condition::Expression;
use sondage::model::{DistributionChannel, FieldValue, Timestamp, WorkflowType};
use sondage_macros::{options, words};
use std::time::Duration;

/// Options of an archive.
#[options]
pub struct ArchiveOptions {
    /// The survey.
    pub survey_id: i64,
    /// The folder. It is created if it does not exist.
    pub folder: FilePath,
    /// Whether to include interviews that are not completed, with the answers so far.
    #[wire(default = false)]
    pub partial: bool,
    /// The language of the documents, for example `"de"`.
    pub locale: Option<String>,
    /// The time zone of the times in the documents, for example `Europe/Zurich`.
    pub time_zone: Option<String>,
    /// Only interviews that match this filter. Default: all interviews of the survey.
    #[wire(name = "where", selects)]
    pub filter: Option<Expression>,
    /// How many documents are downloaded concurrently.
    #[wire(default = 4)]
    pub max_concurrency: usize,
    /// Whether to store nothing: interviews and folder are read, and the report says which documents are there, and what the
    /// archive costs.
    #[wire(default = false)]
    pub dry_run: bool,
}

/// Options for creating members from rows.
#[options]
pub struct CreateOptions {
    /// The panel or sample.
    pub panel_id: i64,
    /// Members per request. The service's maximum is not published.
    #[wire(default = 1000)]
    pub chunk_size: usize,
    /// The rows, unless they are passed as an Arrow stream.
    pub rows: Option<RowSource>,
}

/// Options of an import of members.
#[options]
pub struct ImportOptions {
    /// The panel or sample.
    pub panel_id: i64,
    /// The field that identifies a person, for example `Email`. Each row needs a different value in it.
    pub key: String,
    /// What to do when a row's key belongs to an existing member: keep the member unchanged (`"skip"`), update it with the
    /// row's values (`"update"`), or send nothing at all (`"error"`).
    #[wire(default = Existing::Skip)]
    pub existing: Existing,
    /// What to do with rows that have the same key: refuse all of them (`"error"`), or import the first (`"first"`) or the last
    /// (`"last"`) of them and leave the others out. Keys that only look the same are refused in any case.
    #[wire(default = Duplicates::Error)]
    pub duplicates: Duplicates,
    /// Whether blanks around the values of rows are removed. A value of blanks alone counts as an empty cell.
    #[wire(default = false)]
    pub strip: bool,
    /// The journal, in which the import records what it has sent. Default: a file in the user's state folder, emptied
    /// when the import is complete.
    pub journal: Option<JournalPlace>,
    /// Members per request. The service's maximum is not published.
    #[wire(default = 1000)]
    pub chunk_size: usize,
    /// Whether to send nothing: rows and members are read and compared, and the report says what would be created and updated,
    /// and what the import costs.
    #[wire(default = false)]
    pub dry_run: bool,
    /// How long the service may still be processing a call that got no response. Default: three minutes.
    pub quiet: Option<Duration>,
    /// The rows, unless they are passed as an Arrow stream.
    pub rows: Option<RowSource>,
}

/// What an import does with members that already exist.
#[words]
#[derive(Default)]
#[non_exhaustive]
pub enum Existing {
    /// Existing members are left unchanged.
    #[default]
    Skip,
    /// Existing members are updated with the values of their rows. An empty cell changes nothing.
    Update,
    /// The import fails before it sends anything.
    Error,
}

/// What is done with rows that have the same key.
#[words]
#[derive(Default)]
#[non_exhaustive]
pub enum Duplicates {
    /// None of them counts: which one is right is unknown.
    #[default]
    Error,
    /// The first of them counts.
    First,
    /// The last of them counts.
    Last,
}

/// Options for finding members by a key and updating them.
#[options]
pub struct UpdateOptions {
    /// The panel or sample.
    pub panel_id: i64,
    /// The field by which members are found, or `Id` for their ids.
    pub key: String,
    /// Only these columns, and the key. Without them each column must be a field of the panel. Default: all columns.
    #[wire(selects)]
    pub fields: Option<Vec<String>>,
    /// Whether an empty cell clears the member's value. Otherwise the member keeps its value.
    #[wire(default = false)]
    pub clear_nulls: bool,
    /// Whether keys are compared without regard to case.
    #[wire(default = false)]
    pub ignore_case: bool,
    /// What to do with rows that have the same key: skip all of them (`"error"`), or use the first (`"first"`) or the last
    /// (`"last"`) of them and skip the others.
    #[wire(default = Duplicates::Error)]
    pub duplicates: Duplicates,
    /// Whether blanks around the values of rows are removed. A value of blanks alone counts as an empty cell.
    #[wire(default = false)]
    pub strip: bool,
    /// Members per request. The service's maximum is not published.
    #[wire(default = 1000)]
    pub chunk_size: usize,
    /// Whether the members are read again before anything is sent, so that a value that somebody has changed since is not overwritten.
    /// It costs the calls of the list once more.
    #[wire(default = true)]
    pub recheck: bool,
    /// The maximum age of the plan when it is applied. Default: 15 minutes.
    pub max_age: Option<Duration>,
    /// The rows, unless they are passed as an Arrow stream.
    pub rows: Option<RowSource>,
}

/// Options of a plan that sends a message: their own fields, the fields that all of them have, and those that come last.
macro_rules! message_options {
    ($(#[$attribute:meta])* pub struct $Name:ident { $($own:tt)* } { $($last:tt)* }) => {
        $(#[$attribute])*
        #[options]
        pub struct $Name {
            $($own)*
            /// The sender's name.
            pub sender_name: Option<String>,
            /// The reply-to address.
            pub reply_to: Option<String>,
            /// The reply-to name.
            pub reply_to_name: Option<String>,
            /// Texts that replace blocks of the message: by the GUID of the block in its layout, then by language, for example `"de"`.
            pub text_blocks: Option<IndexMap<String, IndexMap<String, String>>>,
            /// The maximum age of the plan when it is run. Default: 15 minutes.
            pub max_age: Option<Duration>,
            /// The journal, which records what was sent: after an interruption, running the same plan resumes from it.
            /// Default: none.
            pub journal: Option<JournalPlace>,
            $($last)*
        }
    };
}

message_options! {
    /// Options for planning an invitation.
    pub struct InviteOptions {
        /// The survey to which members are invited.
        pub survey_id: i64,
        /// The panel or sample.
        pub panel_id: i64,
        /// The message.
        pub message_template_id: i64,
        /// Only members who match this filter. Default: all members of the panel.
        #[wire(name = "where", selects)]
        pub filter: Option<Expression>,
        /// Only these members. Each must be in the panel and match the filter. Default: all members who match the filter.
        #[wire(selects)]
        pub member_ids: Option<Vec<i64>>,
        /// The channel of the message: `Email`, `Sms` or `WhatsApp`. Default: `Email`.
        pub channel: Option<DistributionChannel>,
        /// The maximum number of recipients: those with the lowest ids are chosen. Default: every member who can
        /// be reached.
        #[wire(selects)]
        pub cap: Option<usize>,
        /// Excludes members to whom an invitation from this panel was sent within this many days before the message, or is
        /// scheduled after it. Default: no such pause.
        #[wire(selects)]
        pub pause_days: Option<usize>,
        /// Whether to invite members again who were already invited to this survey.
        #[wire(default = false)]
        pub again: bool,
        /// Whether members for whose language the message has no text get it in the message's fallback language.
        #[wire(default = false)]
        pub other_languages: bool,
        /// The workspace of the survey, whose opt-out list applies. Default: it is looked up, which costs calls.
        pub workspace_id: Option<i64>,
        /// When to send. Default: immediately. A time in the past is an error.
        pub schedule_date_time: Option<Timestamp>,
        /// Adds the invitation to this sampling project instead of creating one.
        pub sampling_project_id: Option<i64>,
        /// When the interviews expire.
        pub interview_expiry_date: Option<String>,
        /// The sender's address.
        pub sender: Option<String>,
    }
    {
        /// How long the service may still be processing a call of an earlier run that got no response: with an unfinished `journal`,
        /// planning waits for that. Default: three minutes.
        pub quiet: Option<Duration>,
    }
}

message_options! {
    /// Options for creating members from rows and inviting them by the same call.
    pub struct CreateAndInviteOptions {
        /// The survey to which the new members are invited.
        pub survey_id: i64,
        /// The panel or sample in which they are created.
        pub panel_id: i64,
        /// The message.
        pub message_template_id: i64,
        /// The field that identifies a person, for example `Email`. Each row needs a different value in it.
        pub key: String,
        /// The rows, unless they are passed as an Arrow stream: a column for each field of the panel.
        pub rows: Option<RowSource>,
        /// What to do with rows that have the same key: leave all of them out (`"error"`), or use the first (`"first"`) or the last
        /// (`"last"`) of them and leave the others out. Keys that only look the same are left out in any case.
        #[wire(default = Duplicates::Error)]
        pub duplicates: Duplicates,
        /// Whether blanks around the values of rows are removed. A value of blanks alone counts as an empty cell.
        #[wire(default = false)]
        pub strip: bool,
        /// The channel of the message: `Email`, `Sms` or `WhatsApp`. Default: `Email`.
        pub channel: Option<DistributionChannel>,
        /// The maximum number of new members: the first rows that can be invited are chosen. Default: all that can be invited.
        #[wire(selects)]
        pub cap: Option<usize>,
        /// Whether people for whose language the message has no text get it in the message's fallback language.
        #[wire(default = false)]
        pub other_languages: bool,
        /// The workspace of the survey, whose opt-out list applies. Default: it is looked up, which costs calls.
        pub workspace_id: Option<i64>,
        /// When to send. Default: immediately. A time in the past is an error.
        pub schedule_date_time: Option<Timestamp>,
        /// Adds the invitation to this sampling project instead of creating one.
        pub sampling_project_id: Option<i64>,
        /// When the interviews expire.
        pub interview_expiry_date: Option<String>,
        /// The sender's address.
        pub sender: Option<String>,
    }
    {
        /// How long the service may still be processing a call of an earlier run that got no response: with an unfinished `journal`,
        /// planning waits for that. Default: three minutes.
        pub quiet: Option<Duration>,
    }
}

message_options! {
    /// Options for planning a reminder.
    pub struct RemindOptions {
        /// The distributor by which the invitation was sent, by `Email`.
        pub distributor_id: i64,
        /// The message.
        pub message_template_id: i64,
        /// Only members who match this filter. Default: everyone the distributor invited who has not answered yet.
        #[wire(name = "where", selects)]
        pub filter: Option<Expression>,
        /// The maximum number of recipients. A reminder that would reach more is refused. Default: no maximum.
        #[wire(selects)]
        pub cap: Option<usize>,
        /// Whether members for whose language the message has no text get it in the message's fallback language. Otherwise
        /// a reminder that would reach one of them is refused.
        #[wire(default = false)]
        pub other_languages: bool,
        /// The workspace of the survey, whose opt-out list applies. Default: it is looked up, which costs calls.
        pub workspace_id: Option<i64>,
        /// When to send. Default: immediately. A time in the past is an error.
        pub schedule_date_time: Option<Timestamp>,
        /// The sender's address.
        pub sender: Option<String>,
    }
    {}
}

message_options! {
    /// Options for planning single mails, one to each member.
    pub struct SendMailOptions {
        /// The panel or sample.
        pub panel_id: i64,
        /// The sender's address.
        pub sender: String,
        /// The message. Default: `subject` and `body` are sent.
        pub message_template_id: Option<i64>,
        /// The subject line, instead of a message template.
        pub subject: Option<String>,
        /// The text, instead of a message template.
        pub body: Option<String>,
        /// The language of every mail: two letters, for example `"de"`. `subject` and `body` require it. Default: each
        /// member's own.
        pub language: Option<String>,
        /// Only members who match this filter. Default: all members of the panel.
        #[wire(name = "where", selects)]
        pub filter: Option<Expression>,
        /// Only these members. Each must be in the panel and match the filter. Default: all members who match the filter.
        #[wire(selects)]
        pub member_ids: Option<Vec<i64>>,
        /// The maximum number of recipients: those with the lowest ids are chosen. Default: every member who can
        /// be reached.
        #[wire(selects)]
        pub cap: Option<usize>,
        /// Excludes members to whom an invitation from this panel was sent within this many days, or is scheduled. Single mails do not
        /// count: nothing in the API lists them. Default: no such pause.
        #[wire(selects)]
        pub pause_days: Option<usize>,
        /// Whether members for whose language the message has no text get it in the message's fallback language.
        #[wire(default = false)]
        pub other_languages: bool,
        /// A workspace whose opt-out list applies in addition to that of the panel. Default: that of the panel alone.
        pub workspace_id: Option<i64>,
    }
    {}
}

/// Options for planning the purchase of vouchers.
#[options]
pub struct RedeemOptions {
    /// The incentive.
    pub incentive_id: i64,
    /// The number of vouchers.
    pub count: Option<usize>,
    /// Instead of `count`: one voucher for each of these members. They are not sent to the service; the report has them.
    /// Default: `count` vouchers, which belong to no member.
    #[wire(selects)]
    pub member_ids: Option<Vec<i64>>,
    /// The maximum price in credits. Default: the balance.
    #[wire(selects)]
    pub max_credits: Option<i64>,
    /// The maximum age of the plan when it is run. Default: 15 minutes.
    pub max_age: Option<Duration>,
    /// The journal, which records what was bought, with the codes of the vouchers: after an interruption, running the same
    /// plan resumes from it. Default: none.
    pub journal: Option<JournalPlace>,
    /// How long the service may still be processing a call of an earlier run that got no response: with an unfinished `journal`,
    /// planning waits for that. Default: three minutes.
    pub quiet: Option<Duration>,
}

/// Options for planning a workflow transition.
#[options]
pub struct TransitionOptions {
    /// The workflow: `SurveyDesign` or `Distribution`. The state of anything else cannot be read.
    pub workflow: WorkflowType,
    /// The state to go to.
    pub target_state: String,
    /// The survey, for `SurveyDesign`.
    pub survey_id: Option<i64>,
    /// The distributor, for `Distribution`.
    pub distributor_id: Option<i64>,
    /// The maximum age of the plan when it is run. Default: 15 minutes.
    pub max_age: Option<Duration>,
    /// The journal, which records what was sent: after an interruption, running the same plan resumes from it.
    /// Default: none.
    pub journal: Option<JournalPlace>,
    /// How long the service may still be processing a call of an earlier run that got no response: with an unfinished `journal`,
    /// planning waits for that. Default: three minutes.
    pub quiet: Option<Duration>,
}

/// Options of a field report.
#[options]
pub struct FieldReportOptions {
    /// The survey.
    pub survey_id: i64,
    /// Whether interviews that were started but not completed count as partial interviews. Otherwise they
    /// count as break-offs.
    #[wire(default = false)]
    pub partial: bool,
    /// A column by whose values the cases are broken down, such as `Language`: one of the service, or a closed question.
    pub by: Option<String>,
}

/// Options for what has become of an invitation.
#[options]
pub struct DistributionOptions {
    /// The distributor.
    pub distributor_id: i64,
    /// Its survey, if it is known: the distributor is then found in a shorter list, and its interviews also if it was deleted.
    pub survey_id: Option<i64>,
}

/// Rows passed as a value, in one of these forms. Languages that can pass Arrow tables pass them separately. How a file is read is
/// recognised, unless it is named.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(expecting = "rows: an object with `path`, `ipc` or `objects`")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RowSource {
    /// A CSV file, or a workbook.
    pub path: Option<FilePath>,
    /// What separates the columns of the CSV file: a sign, or `tab`. Default: it is recognised.
    pub separator: Option<String>,
    /// The encoding of the CSV file. Default: it is recognised.
    pub encoding: Option<String>,
    /// What separates the decimals of numbers in the CSV file, or in the texts of the workbook: `.` or `,`. Default: it is recognised.
    pub decimal: Option<String>,
    /// Whether texts of the CSV file have the sign `'` before them that a file for spreadsheets has. Default: a file with such texts is refused.
    pub guarded: Option<bool>,
    /// The sheet of the workbook. Default: the first that is shown.
    pub sheet: Option<String>,
    /// The bytes of an Arrow stream or file.
    pub ipc: Option<Bytes>,
    /// Objects.
    pub objects: Option<Vec<IndexMap<String, FieldValue>>>,
    /// The lines of the file from which the objects are.
    #[doc(hidden)]
    #[serde(skip)]
    pub lines: RowLines,
}
