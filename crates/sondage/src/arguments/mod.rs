//! The arguments of the methods: structs of options that describe themselves.
//!
//! A default is stated once, at its field. The Python methods, the types for Node.js and the test that compares callers with
//! the table are derived from these descriptions.

mod bytes;
mod codes;
mod doctor;
mod label_text;
mod member;
mod not_available;
mod spreadsheet;
mod state;
mod tables;
mod time;
mod trace;
#[cfg(feature = "webhook")]
mod webhooks;

pub use bytes::{Bytes, FilePath};
pub use codes::{AnswerCode, AnswerCodes};
pub use doctor::DoctorOptions;
pub use label_text::LabelText;
pub use member::CreateMemberOptions;
pub use not_available::NotAvailable;
pub use spreadsheet::Spreadsheet;
pub use state::InterviewState;
pub use tables::{
    ChangeSetOptions, CodebookOptions, CrosstabOptions, DeltaOptions, EraseFromStoreOptions,
    ErasedRowsOptions, ExportOptions, FrequenciesOptions, InterviewsOptions, MembersOptions, MissingOptions,
    PageOptions, PictureOptions, QualityOptions, RowsOptions, SaveOptions, SyncOptions,
};
#[doc(hidden)] // for `#[options]`
pub use time::OptionalDuration;
pub use time::{TimeUnit, in_unit};
pub use trace::TraceOptions;

#[cfg(feature = "webhook")]
pub use webhooks::{EnsureWebHookOptions, MissedOptions};

use crate::condition::Expression;
use crate::model::{DistributionChannel, EventType, NewMember, Timestamp, WorkflowType};
use crate::schema::EnumSchema;
use crate::words::Words;
use indexmap::IndexMap;
use std::time::Duration;

/// A struct of options, as its description.
pub trait Options {
    /// The description.
    const SCHEMA: &'static OptionsSchema;
}

/// A struct of options that can describe itself.
#[derive(Debug)]
pub struct OptionsSchema {
    /// Its name.
    pub name: &'static str,
    /// Its documentation.
    pub docs: &'static str,
    /// Its fields, in order.
    pub fields: &'static [ArgumentSchema],
}

/// An option.
#[derive(Debug)]
pub struct ArgumentSchema {
    /// Its name in Python, and in Rust unless Rust reserves it: `where` is `filter` there.
    pub name: &'static str,
    /// Its name in Node.js.
    pub wire: &'static str,
    /// Its documentation.
    pub docs: &'static str,
    /// Its type.
    pub ty: ArgumentType,
    /// Whether it is required.
    pub required: bool,
    /// The default, as a Rust expression; `None` when there is none.
    pub default: Option<&'static str>,
    /// Whether it selects what a job that sends, changes or deletes reaches. It is refused when it is empty, and when it is
    /// present without a value.
    pub selects: bool,
    /// For an optional one that selects: what it means to leave it out.
    pub absent: Option<&'static str>,
}

impl OptionsSchema {
    /// Whether a field, named as in Node.js, selects what the job reaches.
    pub fn selects(&self, wire: &str) -> bool {
        self.fields.iter().any(|field| field.selects && field.wire == wire)
    }
}

impl ArgumentSchema {
    /// The default of an option whose type is one of several words.
    pub fn default_word(&self) -> Option<String> {
        let name = self.default?.rsplit(':').next()?;
        Some(name.trim().to_lowercase())
    }
}

/// The type of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentType {
    /// A boolean.
    Bool,
    /// An integer.
    Int,
    /// How many.
    Count,
    /// Text.
    Text,
    /// Several texts.
    Texts,
    /// Several integers.
    Ints,
    /// A timestamp.
    Timestamp,
    /// A duration: for a language, a number in its own unit.
    Time,
    /// The path of a file or a folder.
    Path,
    /// The path of a journal, or a store that the caller provides.
    Journal,
    /// A filter.
    Filter,
    /// Rows from the caller.
    Rows,
    /// A member to create.
    Member,
    /// Texts by name and language.
    Blocks,
    /// Codes of answers, by column.
    Codes,
    /// An integer, or nothing, which differs from leaving it out.
    NotAvailable,
    /// A boolean or the tag of a language.
    Spreadsheet,
    /// One of these words.
    Word(&'static Words),
    /// A value of an enumeration of the API, which may get more values.
    Open(&'static EnumSchema),
}

/// A Rust type that an option may have.
pub trait Argument {
    /// The type of option that it is.
    const TYPE: ArgumentType;
}

macro_rules! arguments {
    ($($type:ty => $variant:ident),* $(,)?) => {
        $(impl Argument for $type {
            const TYPE: ArgumentType = ArgumentType::$variant;
        })*
    };
}
arguments!(
    bool => Bool, i64 => Int, usize => Count, Duration => Time, String => Text, Vec<String> => Texts, Vec<i64> => Ints,
    Timestamp => Timestamp, FilePath => Path,
    Expression => Filter, IndexMap<String, IndexMap<String, String>> => Blocks,
    AnswerCodes => Codes, NewMember => Member,
);

macro_rules! open {
    ($($type:ty),*) => {
        $(impl Argument for $type {
            const TYPE: ArgumentType = ArgumentType::Open(Self::SCHEMA);
        })*
    };
}
open!(DistributionChannel, EventType, WorkflowType);

impl<T: Argument> Argument for Option<T> {
    const TYPE: ArgumentType = T::TYPE;
}

/// Every struct of options that a caller fills in directly.
pub const ALL: &[&OptionsSchema] = &[
    MembersOptions::SCHEMA,
    InterviewsOptions::SCHEMA,
    #[cfg(feature = "webhook")]
    MissedOptions::SCHEMA,
    TraceOptions::SCHEMA,
    DoctorOptions::SCHEMA,
    CreateMemberOptions::SCHEMA,
    ExportOptions::SCHEMA,
    DeltaOptions::SCHEMA,
    SyncOptions::SCHEMA,
    #[cfg(feature = "webhook")]
    EnsureWebHookOptions::SCHEMA,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_says_what_it_is() {
        for schema in ALL {
            assert!(!schema.docs.is_empty() && schema.fields.iter().all(|field| field.docs.ends_with('.')));
        }
    }
}
