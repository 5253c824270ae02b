//! Models: requests, responses and their parts, by area of the API.
//!
//! Names are `camelCase` on the wire and `snake_case` here. Enumerations are open, unknown fields of responses are kept
//! in `extra`, and absent fields of requests are not sent.

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
pub(crate) use identity::nones_for_zeros;
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
