//! The options of jobs: structs that describe themselves, as [`sondage::arguments`] does.

mod jobs;
mod journal;
mod once;
mod persons;
mod reconcile;

pub use jobs::{
    ArchiveOptions, CreateAndInviteOptions, CreateOptions, DistributionOptions, Duplicates, Existing,
    FieldReportOptions, ImportOptions, InviteOptions, RedeemOptions, RemindOptions, RowSource,
    SendMailOptions, TransitionOptions, UpdateOptions,
};
pub(crate) use journal::MakeStore;
pub use journal::{JournalPlace, offer};
pub use once::SendOnceOptions;
pub use persons::{ErasePersonOptions, ExportPersonOptions, PlanErasePersonOptions, PlanExportPersonOptions};
pub use reconcile::ReconcileOptions;

use sondage::arguments::{Argument, ArgumentType};

macro_rules! arguments {
    ($($Type:ty => $ty:expr),* $(,)?) => {
        $(impl Argument for $Type {
            const TYPE: ArgumentType = $ty;
        })*
    };
}
arguments! {
    JournalPlace => ArgumentType::Journal,
    RowSource => ArgumentType::Rows,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use sondage::arguments::Options;

    #[test]
    fn a_default_is_the_same_however_options_are_made() {
        let options = ArchiveOptions::new(7, "folder");
        let read: ArchiveOptions =
            serde_json::from_value(json!({ "surveyId": 7, "folder": "folder" })).unwrap();
        let null: ArchiveOptions =
            serde_json::from_value(json!({ "surveyId": 7, "folder": "folder", "maxConcurrency": null }))
                .unwrap();
        assert_eq!((&options, &options), (&read, &null));
        assert_eq!(options.max_concurrency, ArchiveOptions::DEFAULT_MAX_CONCURRENCY);
        let field =
            ArchiveOptions::SCHEMA.fields.iter().find(|field| field.name == "max_concurrency").unwrap();
        assert_eq!(field.default, Some(ArchiveOptions::DEFAULT_MAX_CONCURRENCY.to_string().as_str()));
    }

    #[test]
    fn options_that_nobody_knows_or_that_are_missing_are_refused() {
        let read = |value| serde_json::from_value::<ArchiveOptions>(value).unwrap_err().to_string();
        assert!(
            read(json!({ "surveyId": 7, "folder": "f", "max_concurrency": 3 })).contains("maxConcurrency")
        );
        assert!(read(json!({ "surveyId": 7 })).contains("folder"));
    }
}
