//! The results and progress reports of jobs, described as data: see [`sondage::reports`].

use crate::{
    ArchiveProgress, ArchiveReport, CompletedOnDay, Distribution, ErasePlan, EraseReceipt, ErasureStep,
    FailedDocument, FieldReport, FieldReportGroup, ImportFacts, LeftOut, LeftOutRow, PersonExport,
    PersonExportPlan, PersonMember, PersonSource, PlanFacts, Reconciled, SendPlanFacts, SendReport, SendRow,
    SkippedRow, UpdateReport,
};
use sondage::reports::{Report, ReportSchema};

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
    use sondage::reports::ReportType;

    #[test]
    fn every_result_says_what_it_is() {
        for schema in ALL {
            assert!(!schema.docs.is_empty(), "{}", schema.name);
            assert!(schema.fields.iter().all(|field| field.docs.ends_with('.')), "{}", schema.name);
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
