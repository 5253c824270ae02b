//! The types that rows of the tables name: arguments, results, and progress reports.
#![allow(unused_imports)] // options and reports that are part of others, too

pub use crate::objects::cells::Rows;
pub use crate::objects::change_set::ChangeSet;
pub use crate::objects::client::{Client, ClientOptions, RawOptions};
pub use crate::objects::import::ImportReport;
pub use crate::objects::load::{DeltaLoad, Removed};
pub use crate::objects::login::Login;
pub use crate::objects::message::SendPlan;
pub use crate::objects::pages::Pages;
pub use crate::objects::query::{Estimate, ExportReport, Page};
pub use crate::objects::sandbox::{LedgerPart, Sandbox};
pub use crate::objects::settings::{Explanation, SettingsByName};
pub use crate::objects::stack::StackOptions;
pub use crate::objects::table::{SavedFile, TableBytes};
pub use crate::objects::update::Plan as UpdatePlan;
pub use crate::objects::watch::{Progress, RowProgress, Watch};
pub use crate::objects::webhook::{ArrivedRequest, Claim, EventToConfirm, GuardOptions, RegistrationOptions};
pub use indexmap::IndexMap;
pub use serde_json::Value as Json;
pub use sondage::Timestamp;
pub use sondage::arguments::*;
pub use sondage::condition::Expression;
pub use sondage::model::Condition;
pub use sondage::paging::Progress as DownloadProgress;
pub use sondage::reports::*;
pub use sondage::webhook::{Guard, Hook, Verdict};
pub use sondage_data::{Codebook, ColumnMeanings, Query, Table, ValueLabels};
pub use sondage_jobs::options::*;
pub use sondage_jobs::*;
pub use sondage_sandbox::{
    Builder, Cause, DeliveryFault, Fault, FaultHandle as PlacedFault, Fill, GivenRows, Profile,
};
