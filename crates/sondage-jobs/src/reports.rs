//! The results and progress reports of jobs, described as data: see [`sondage::reports`].

use crate::{
    ArchiveProgress, ArchiveReport, CompletedOnDay, Distribution, ErasePlan, EraseReceipt, ErasureStep,
    FailedDocument, FieldReport, FieldReportGroup, ImportFacts, LeftOut, LeftOutReason, LeftOutRow,
    PersonExport, PersonExportPlan, PersonMember, PersonSource, PlanFacts, Reconciled, SendPlanFacts,
    SendReport, SendRow, SendStatus, SkipReason, SkippedRow, SourceOutcome, StepOutcome, UpdateReport,
    Verdict,
};
use sondage::report_words;
use sondage::reports::{Report, ReportSchema};

report_words! {
    LeftOutReason => &[
        "sent", "unknown", "invalid", "same_key", "exists", "no_address", "opted_out", "bounced", "invited", "contacted", "no_text",
        "same_address", "beyond_cap",
    ],
    SendStatus => &["done", "refused", "unknown", "not_sent", "left_out"],
    SourceOutcome => &["read", "not_read"],
    StepOutcome => &["planned", "sent", "erased", "gone", "left"],
    SkipReason => &["no_key", "unknown", "similar", "twice_in_rows", "duplicate", "twice_in_panel"],
    Verdict => &["happened", "did_not_happen", "still_unknown"],
}

/// Every struct of results of this crate.
pub const ALL: &[&ReportSchema] = &[
    ArchiveProgress::SCHEMA,
    ArchiveReport::SCHEMA,
    FailedDocument::SCHEMA,
    FieldReport::SCHEMA,
    FieldReportGroup::SCHEMA,
    Distribution::SCHEMA,
    CompletedOnDay::SCHEMA,
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
];

#[cfg(test)]
mod tests {
    use super::*;
    use sondage::reports::{ReportType, ReportValue};

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
        let names = LeftOutReason::ALL.map(LeftOutReason::as_str);
        assert!(matches!(LeftOutReason::TYPE, ReportType::Word(listed) if **listed == names));
        let names = StepOutcome::ALL.map(StepOutcome::as_str);
        assert!(matches!(StepOutcome::TYPE, ReportType::Word(listed) if **listed == names));
        let names = SourceOutcome::ALL.map(SourceOutcome::as_str);
        assert!(matches!(SourceOutcome::TYPE, ReportType::Word(listed) if **listed == names));
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
