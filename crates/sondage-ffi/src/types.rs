//! What the rows of the tables name: arguments, results, and what callers are told meanwhile.

pub use crate::archive::{ArchiveOptions, ArchiveReport};
pub use crate::cells::{Rows, RowsOptions};
pub use crate::choices::{InterviewsOptions, MembersOptions};
pub use crate::client::{Client, ClientOptions, PendingWrite, RawOptions};
pub use crate::create::{CreateOptions, CreateReport};
pub use crate::load::{Load, Removed};
pub use crate::login::Login;
pub use crate::pages::Pages;
pub use crate::query::{DeltaOptions, Estimate, ExportOptions, ExportReport, Page, PageOptions, Query};
pub use crate::sandbox::{LedgerPart, Sandbox};
pub use crate::settings::{Explanation, SettingsByName};
pub use crate::table::SaveOptions;
pub use crate::update::{Plan, PlanFacts, UpdateOptions, UpdateReport};
pub use crate::watch::{Progress, RowProgress, Watch};
pub use crate::webhook::{ArrivedRequest, Claim, EventToConfirm, MissedOptions};
pub use indexmap::IndexMap;
pub use serde_json::Value as Json;
pub use sondage::Timestamp;
pub use sondage::condition::Expression;
pub use sondage::jobs::ArchiveProgress;
pub use sondage::model::Condition;
pub use sondage::paging::Progress as DownloadProgress;
pub use sondage::webhook::{Caught, Confirmation, Guard, Hook, Verdict};
pub use sondage_data::{Codebook, Table};
pub use sondage_sandbox::{Builder, Cause, DeliveryFault, Fault, FaultHandle as PlacedFault, Profile};
