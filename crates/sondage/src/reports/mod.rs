//! The results and progress reports of methods, described as data.
//!
//! The Python classes, the interfaces for Node.js, and the records of Kotlin and Swift are generated from these
//! descriptions.

mod comparison;
mod crosstab;
mod frequencies;
mod quality;
mod store_changes;
mod sync;

pub use crate::budget::{BudgetReport, Cost};
pub use crate::call::writes::{PendingWrite, WriteOutcome, WriteOutcomes};
pub use crate::doctor::{Diagnosis, HealthCheck};
pub use crate::facts::{FactReport, FactsReport};
pub use crate::trace::PendingCall;
pub use crate::trace::{Trace, TraceEntry};
#[cfg(feature = "webhook")]
pub use crate::webhook::{Confirmation, EnsuredWebHook, MissedEvents};
pub use comparison::{Comparison, WaveChange};
pub use crosstab::{
    CROSSTAB_MEASURES, Crosstab, CrosstabCategory, CrosstabCell, IndependenceMethod, IndependenceTest,
};
pub use frequencies::{ColumnCode, Frequencies, Frequency, FrequencyKind, HistogramClass, NumberSummary};
pub use quality::{DropOut, MarkedInterview, Quality, QualityCheck};
pub use store_changes::{ErasedRows, StoreChanges, StoreColumn, StoreErasure, StoreValue};
pub use sync::SyncReport;

use crate::error::{Error, Wording};
use crate::model::{DistributionChannel, EventType, Json, Secret, Timestamp, ValidationIssue};
use crate::schema::EnumSchema;
use crate::words::Words;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;

/// A struct that describes itself.
pub trait Report: ReportValue {
    /// The description.
    const SCHEMA: &'static ReportSchema;

    /// The result as a JSON object: names in camel case, times in UTC, durations in seconds, sizes in bytes. An error is an object
    /// with `code`, `message` and its other parts. A secret is written as `***`.
    fn to_json(&self) -> Value {
        serde_json::to_value(Styled(self, &ReportStyle::JSON)).unwrap_or_default()
    }
}

/// How a language writes results.
#[derive(Clone, Copy, Debug)]
pub struct ReportStyle {
    /// The words of errors.
    pub wording: Wording,
    /// A duration in the unit of the language.
    pub duration: fn(Duration) -> f64,
    /// Whether secrets are passed on, because the language has a type that does not show them.
    pub secrets: bool,
}

impl ReportStyle {
    /// JSON: durations in seconds, secrets masked.
    pub const JSON: Self =
        Self { wording: Wording::RUST, duration: |duration| duration.as_secs_f64(), secrets: false };
}

/// A result in the style of a language.
#[derive(Debug)]
pub struct Styled<'a, T: ?Sized>(pub &'a T, pub &'a ReportStyle);

impl<T: ReportValue + ?Sized> Serialize for Styled<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_styled(self.1, serializer)
    }
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
    /// The code of an answer: an integer, another number, or text.
    Code,
    /// One of these words.
    Word(&'static Words),
    /// A value of an enumeration of the API, which may get more values.
    Open(&'static EnumSchema),
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

    /// Writes the value in the style of a language.
    fn serialize_styled<S: Serializer>(&self, style: &ReportStyle, serializer: S) -> Result<S::Ok, S::Error>;
}

/// Types, and what is written of each.
macro_rules! report_values {
    ($($type:ty => $ty:expr, |$value:ident, $style:ident| $written:expr);* $(;)?) => {
        $(impl ReportValue for $type {
            const TYPE: &'static ReportType = &$ty;

            fn serialize_styled<S: Serializer>(&self, $style: &ReportStyle, serializer: S) -> Result<S::Ok, S::Error> {
                let $value = self;
                Serialize::serialize(&$written, serializer)
            }
        })*
    };
}

report_values! {
    bool => ReportType::Bool, |value, _style| value;
    i64 => ReportType::Int, |value, _style| value;
    usize => ReportType::Count, |value, _style| value;
    u64 => ReportType::Count, |value, _style| value;
    f64 => ReportType::Real, |value, _style| value;
    String => ReportType::Text, |text, _style| text;
    PathBuf => ReportType::Path, |path, _style| path.to_string_lossy();
    Timestamp => ReportType::Timestamp, |time, _style| time;
    Duration => ReportType::Duration, |time, style| (style.duration)(*time);
    Error => ReportType::Error, |error, style| error.facts(&style.wording, style.duration);
    Json => ReportType::Json, |json, _style| json;
    DistributionChannel => ReportType::Open(DistributionChannel::SCHEMA), |channel, _style| channel;
    EventType => ReportType::Open(EventType::SCHEMA), |event_type, _style| event_type;
    // The error's message, which may be absent.
    ValidationIssue => ReportType::Optional(&ReportType::Text), |issue, _style| issue.error_message;
}

impl ReportValue for Secret {
    const TYPE: &'static ReportType = &ReportType::Secret;

    fn serialize_styled<S: Serializer>(&self, style: &ReportStyle, serializer: S) -> Result<S::Ok, S::Error> {
        if style.secrets { self.serialize(serializer) } else { serializer.collect_str(self) }
    }
}

#[cfg(feature = "webhook")]
report_values! {
    crate::webhook::Event => ReportType::Named("Event"), |event, _style| event;
}

impl<T: ReportValue> ReportValue for Option<T> {
    const TYPE: &'static ReportType = &ReportType::Optional(T::TYPE);

    fn serialize_styled<S: Serializer>(&self, style: &ReportStyle, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().map(|value| Styled(value, style)).serialize(serializer)
    }
}

impl<T: ReportValue> ReportValue for Vec<T> {
    const TYPE: &'static ReportType = &ReportType::List(T::TYPE);

    fn serialize_styled<S: Serializer>(&self, style: &ReportStyle, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(|value| Styled(value, style)))
    }
}

/// Every struct of results.
pub const ALL: &[&ReportSchema] = &[
    BudgetReport::SCHEMA,
    FactsReport::SCHEMA,
    FactReport::SCHEMA,
    Cost::SCHEMA,
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
    PendingCall::SCHEMA,
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
}
