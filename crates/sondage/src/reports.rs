//! The results and progress reports of methods, described as data.
//!
//! The Python classes, the interfaces for Node.js, and the records of Kotlin and Swift are generated from these
//! descriptions.

pub use crate::budget::{BudgetReport, Cost};
pub use crate::call::writes::{PendingWrite, WriteOutcome, WriteOutcomes};
pub use crate::doctor::{Diagnosis, HealthCheck};
pub use crate::jobs::{
    ArchiveProgress, ArchiveReport, ErasePlan, EraseReceipt, ErasureStep, FailedDocument, FieldReport,
    ImportFacts, LeftOut, LeftOutRow, PersonExport, PersonExportPlan, PersonMember, PersonSource, PlanFacts,
    Reconciled, SendPlanFacts, SendReport, SendRow, SkippedRow, UpdateReport,
};
pub use crate::trace::{Trace, TraceEntry};
#[cfg(feature = "webhook")]
pub use crate::webhook::{Confirmation, EnsuredWebHook, MissedEvents};

use crate::budget::BudgetMode;
use crate::doctor::{HealthState, HealthTopic};
use crate::error::Error;
use crate::jobs::{LeftOutReason, SendStatus, SkipReason, SourceOutcome, StepOutcome, Verdict};
use crate::model::{Json, Secret, Timestamp, ValidationIssue};
use crate::trace::TraceKind;
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;

/// A struct that describes itself.
pub trait Report {
    /// The description.
    const SCHEMA: &'static ReportSchema;

    /// The result as a JSON object: names in camel case, times in UTC, durations in seconds, sizes in bytes. An error is an object
    /// with `code`, `message` and its other parts. A secret is written as `***`.
    fn to_json(&self) -> Value;
}

/// A struct of results.
#[derive(Debug)]
pub struct ReportSchema {
    /// Its name.
    pub name: &'static str,
    /// Its documentation.
    pub docs: &'static str,
    /// Its fields, in order.
    pub fields: &'static [FieldOfReport],
}

/// A field of a struct of results.
#[derive(Debug)]
pub struct FieldOfReport {
    /// Its name in Rust.
    pub name: &'static str,
    /// Its documentation.
    pub docs: &'static str,
    /// Its type.
    pub ty: &'static ReportType,
}

/// The type of a result's field.
#[derive(Debug)]
pub enum ReportType {
    /// A boolean.
    Bool,
    /// An integer.
    Int,
    /// How many.
    Count,
    /// A number.
    Real,
    /// Text.
    Text,
    /// Text that is never shown.
    Secret,
    /// The path of a file or a folder.
    Path,
    /// A timestamp.
    Timestamp,
    /// How long.
    Duration,
    /// An error.
    Error,
    /// Any JSON.
    Json,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Optional.
    Optional(&'static ReportType),
    /// A list.
    List(&'static ReportType),
    /// Another struct of results.
    Report(fn() -> &'static ReportSchema),
    /// A type that each language has under this name.
    Named(&'static str),
}

/// A Rust type that may occur in a result.
pub trait ReportValue {
    /// The type of result that it is.
    const TYPE: &'static ReportType;

    /// The value as JSON.
    fn json(&self) -> Value;
}

/// Types, and how each is written as JSON.
macro_rules! told {
    ($($type:ty => $told:expr, $json:expr);* $(;)?) => {
        $(impl ReportValue for $type {
            const TYPE: &'static ReportType = &$told;

            fn json(&self) -> Value {
                let json: fn(&Self) -> Value = $json;
                json(self)
            }
        })*
    };
}

/// Types that are one of several words.
macro_rules! words {
    ($($type:ty => $words:expr),* $(,)?) => {
        told!($($type => ReportType::Word($words), |word| Value::from(word.as_str()));*);
    };
}
told! {
    bool => ReportType::Bool, |value| Value::from(*value);
    i64 => ReportType::Int, |value| Value::from(*value);
    usize => ReportType::Count, |value| Value::from(*value);
    u64 => ReportType::Count, |value| Value::from(*value);
    f64 => ReportType::Real, |value| Value::from(*value);
    String => ReportType::Text, |text| Value::from(text.as_str());
    Secret => ReportType::Secret, |secret| Value::from(secret.to_string());
    PathBuf => ReportType::Path, |path| Value::from(path.to_string_lossy());
    Timestamp => ReportType::Timestamp, |time| Value::from(time.to_string());
    Duration => ReportType::Duration, |time| Value::from(time.as_secs_f64());
    Error => ReportType::Error, Error::to_json;
    Json => ReportType::Json, |json| serde_json::from_str(json.as_str()).unwrap_or_default();
    // The error's message, which may be absent.
    ValidationIssue => ReportType::Optional(&ReportType::Text), |issue| Value::from(issue.error_message.as_deref());
}
words! {
    LeftOutReason => &[
        "sent", "unknown", "invalid", "same_key", "exists", "no_address", "opted_out", "bounced", "invited", "contacted", "no_text",
        "same_address", "beyond_cap",
    ],
    SendStatus => &["done", "refused", "unknown", "not_sent", "left_out"],
    SourceOutcome => &["read", "not_read"],
    StepOutcome => &["planned", "sent", "erased", "gone", "left"],
    BudgetMode => &["off", "warn", "stop", "hard_stop"],
    SkipReason => &["no_key", "unknown", "twice_in_rows", "twice_in_panel"],
    TraceKind => &["attempt", "wait", "call", "page", "token", "step"],
    HealthState => HealthState::WORDS,
    HealthTopic => HealthTopic::WORDS,
    Verdict => &["happened", "did_not_happen", "still_unknown"],
}
#[cfg(feature = "webhook")]
words! {
    crate::webhook::EnsureOutcome => &["created", "updated", "unchanged"],
}
#[cfg(feature = "webhook")]
told! {
    crate::webhook::Event => ReportType::Named("Event"), |event| serde_json::to_value(event).unwrap_or_default();
}

impl<T: ReportValue> ReportValue for Option<T> {
    const TYPE: &'static ReportType = &ReportType::Optional(T::TYPE);

    fn json(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::json)
    }
}

impl<T: ReportValue> ReportValue for Vec<T> {
    const TYPE: &'static ReportType = &ReportType::List(T::TYPE);

    fn json(&self) -> Value {
        self.iter().map(T::json).collect()
    }
}

/// Every struct of results.
pub const ALL: &[&ReportSchema] = &[
    ArchiveProgress::SCHEMA,
    ArchiveReport::SCHEMA,
    BudgetReport::SCHEMA,
    Cost::SCHEMA,
    FailedDocument::SCHEMA,
    FieldReport::SCHEMA,
    ImportFacts::SCHEMA,
    LeftOut::SCHEMA,
    LeftOutRow::SCHEMA,
    PersonMember::SCHEMA,
    PersonSource::SCHEMA,
    PersonExportPlan::SCHEMA,
    PersonExport::SCHEMA,
    ErasureStep::SCHEMA,
    ErasePlan::SCHEMA,
    EraseReceipt::SCHEMA,
    PlanFacts::SCHEMA,
    Reconciled::SCHEMA,
    SendPlanFacts::SCHEMA,
    SendReport::SCHEMA,
    SendRow::SCHEMA,
    SkippedRow::SCHEMA,
    UpdateReport::SCHEMA,
    Diagnosis::SCHEMA,
    HealthCheck::SCHEMA,
    Trace::SCHEMA,
    TraceEntry::SCHEMA,
    #[cfg(feature = "webhook")]
    Confirmation::SCHEMA,
    #[cfg(feature = "webhook")]
    MissedEvents::SCHEMA,
    #[cfg(feature = "webhook")]
    EnsuredWebHook::SCHEMA,
    PendingWrite::SCHEMA,
    WriteOutcome::SCHEMA,
    WriteOutcomes::SCHEMA,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_says_what_it_is() {
        for schema in ALL {
            assert!(!schema.docs.is_empty(), "{}", schema.name);
            assert!(schema.fields.iter().all(|field| field.docs.ends_with('.')), "{}", schema.name);
        }
    }

    #[test]
    fn the_words_of_a_reason_are_those_that_it_is_written_as() {
        let names = SkipReason::ALL.map(SkipReason::as_str);
        assert!(matches!(SkipReason::TYPE, ReportType::Word(listed) if **listed == names));
        let names = SendStatus::ALL.map(SendStatus::as_str);
        assert!(matches!(SendStatus::TYPE, ReportType::Word(listed) if **listed == names));
        let names = Verdict::ALL.map(Verdict::as_str);
        assert!(matches!(Verdict::TYPE, ReportType::Word(listed) if **listed == names));
        let names = BudgetMode::ALL.map(BudgetMode::as_str);
        assert!(matches!(BudgetMode::TYPE, ReportType::Word(listed) if **listed == names));
        let names = LeftOutReason::ALL.map(LeftOutReason::as_str);
        assert!(matches!(LeftOutReason::TYPE, ReportType::Word(listed) if **listed == names));
        let names = StepOutcome::ALL.map(StepOutcome::as_str);
        assert!(matches!(StepOutcome::TYPE, ReportType::Word(listed) if **listed == names));
        let names = TraceKind::ALL.map(TraceKind::as_str);
        assert!(matches!(TraceKind::TYPE, ReportType::Word(listed) if **listed == names));
        let names = SourceOutcome::ALL.map(SourceOutcome::as_str);
        assert!(matches!(SourceOutcome::TYPE, ReportType::Word(listed) if **listed == names));
        #[cfg(feature = "webhook")]
        {
            use crate::webhook::EnsureOutcome;
            let names = EnsureOutcome::ALL.map(EnsureOutcome::as_str);
            assert!(matches!(EnsureOutcome::TYPE, ReportType::Word(listed) if **listed == names));
        }
    }

    #[test]
    fn a_result_is_described_as_it_is_written() {
        let names: Vec<_> = ArchiveReport::SCHEMA.fields.iter().map(|field| field.name).collect();
        assert_eq!(names, ["manifest", "progress", "failed", "cost"]);
        assert!(
            matches!(ArchiveReport::SCHEMA.fields[2].ty, ReportType::List(ReportType::Report(of)) if of().name == "FailedDocument")
        );
    }
}
