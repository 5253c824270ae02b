//! The calls and bytes of a day: what is used of them, what is left, and what work will take.
//!
//! The service allows a tenant 500 calls and 500 MB a day. A client counts each request that leaves for the API, with repeats and
//! pages. What it has counted is shared by all clients of the process, and with the setting `budget_folder` by all processes of a
//! machine, in every language. [`Client::budget`](crate::Client::budget) tells; the setting `budget` says what happens at the limit.
//!
//! Requests for tokens are not counted, nor is what goes to this machine itself. What is fetched from a link counts in bytes only.
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
pub(crate) use ledger::Ledger;
pub use record::DayRecord;
pub use report::BudgetReport;
pub use settings::{BudgetMode, BudgetSettings, BudgetStore};
