//! The daily budget: the calls and bytes of a day, used and left, and cost estimates.
//!
//! The service allows a tenant 500 calls and 500 MB a day. A client counts each request to the API, including retries and each page
//! of a list. The count is shared by all clients of the process, and with the setting `budget_folder` by all processes of a machine,
//! in every language. [`Client::budget`](crate::Client::budget) returns it; the setting `budget` defines what happens at the limit.
//!
//! Requests for tokens and calls to this machine itself are not counted. Of a document behind a link only the bytes
//! count.
// API 15.1, published

mod book;
mod cost;
mod day;
mod file;
mod ledger;
mod record;
mod report;
mod settings;

pub use cost::Cost;
pub use day::DayStart;
pub(crate) use ledger::{Ledger, WallClock, account};
pub use record::DayRecord;
pub use report::BudgetReport;
pub use settings::{BudgetMode, BudgetSettings, BudgetStore, CountedBytes};
