//! The types that rows of the tables name: arguments, results, and progress reports.

pub use crate::objects::archive::ArchiveReport;
pub use crate::objects::budget::BudgetReport;
pub use crate::objects::cells::Rows;
pub use crate::objects::client::{Client, ClientOptions, PendingWrite, RawOptions, WriteOutcomes};
pub use crate::objects::field::FieldReport;
pub use crate::objects::import::{ImportFacts, ImportReport};
pub use crate::objects::load::{DeltaLoad, Removed};
pub use crate::objects::login::Login;
pub use crate::objects::message::{SendPlan, SendPlanFacts, SendReport};
pub use crate::objects::pages::Pages;
pub use crate::objects::query::{Estimate, ExportReport, Page};
pub use crate::objects::reconcile::Reconciled;
pub use crate::objects::sandbox::{LedgerPart, Sandbox};
pub use crate::objects::settings::{Explanation, SettingsByName};
pub use crate::objects::table::TableBytes;
pub use crate::objects::update::{Plan as UpdatePlan, PlanFacts, UpdateReport};
pub use crate::objects::watch::{Progress, RowProgress, Watch};
pub use crate::objects::webhook::{ArrivedRequest, Claim, EventToConfirm};
pub use indexmap::IndexMap;
pub use serde_json::Value as Json;
pub use sondage::Timestamp;
pub use sondage::arguments::{
    ArchiveOptions, Bytes, CreateAndInviteOptions, CreateOptions, DeltaOptions, DoctorOptions,
    EnsureWebHookOptions, ErasePersonOptions, ExportOptions, ExportPersonOptions, FieldReportOptions,
    FilePath, ImportOptions, InterviewsOptions, InviteOptions, MembersOptions, MissedOptions, MissingOptions,
    PageOptions, PlanErasePersonOptions, PlanExportPersonOptions, ReconcileOptions, RedeemOptions,
    RemindOptions, RowsOptions, SaveOptions, SendMailOptions, SendOnceOptions, TraceOptions,
    TransitionOptions, UpdateOptions,
};
pub use sondage::condition::Expression;
pub use sondage::doctor::Diagnosis;
pub use sondage::jobs::{ArchiveProgress, ErasePlan, EraseReceipt, PersonExport, PersonExportPlan};
pub use sondage::model::Condition;
pub use sondage::paging::Progress as DownloadProgress;
pub use sondage::trace::Trace;
pub use sondage::webhook::{Confirmation, EnsuredWebHook, Guard, Hook, MissedEvents, Verdict};
pub use sondage_data::{Codebook, Query, Table, ValueLabels};
pub use sondage_sandbox::{Builder, Cause, DeliveryFault, Fault, FaultHandle as PlacedFault, Profile};
