//! What travels: requests, answers and their parts, by area of the API.
//!
//! On the wire names are `camelCase`, here `snake_case`. Enumerations are open, unknown fields of answers are kept in
//! `extra`, a request sends no absent field.

pub mod artifact;
pub mod authentication;
pub mod common;
pub mod contact;
pub mod distribute;
pub mod element;
pub mod incentive;
pub mod interview;
pub mod panel;
pub mod panel_change;
pub mod questionnaire;
pub mod sampling;
pub mod survey;
pub mod web_hook;
pub mod workflow;

mod extra;
mod identity;
mod json;
mod json_text;
mod open_enum;
mod secret;
mod time;
mod value;
pub(crate) mod weight;

pub use artifact::*;
pub use authentication::*;
pub use common::*;
pub use contact::*;
pub use distribute::*;
pub use element::*;
pub use extra::{EXTRA, Extra};
pub use identity::{Identified, Identity};
pub use incentive::*;
pub use interview::*;
pub use json::Json;
pub use panel::*;
pub use panel_change::*;
pub use questionnaire::*;
pub use sampling::*;
pub use secret::Secret;
pub use survey::*;
pub use time::{DAY, TIMESTAMP, Timestamp};
pub use value::FieldValue;
pub use web_hook::*;
pub use workflow::*;
