//! A client of the public API of Survalyzer accounts: panels and samples, invitations, interviews, webhooks.
//!
//! sondage is an independent library. It is built on what the service has published, and its documentation names the
//! source of each operation, field and default.
//!
//! # A first call
//! [`Client`] is async and runs on any executor; [`blocking::Client`] has the same methods. Settings are read from the
//! environment (`SONDAGE_TENANT`, ...) and from a profile file; settings made on [`Client::builder`] take precedence. In
//! this example the service is the sandbox of the crate `sondage-sandbox`, which runs in the same process and provides its
//! own settings.
//!
//! ```
//! use sondage::model::{CreateMembersRequest, NewMember};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let sandbox = sondage_sandbox::Sandbox::demo_blocking()?;
//! let client = sandbox.client().build_blocking()?;
//!
//! let ada = NewMember::of([("Email", "ada@example.com"), ("FirstName", "Ada")]);
//! let created = client.create_members(CreateMembersRequest::new(sandbox.panel_id(), [ada]))?;
//! assert!(created.validation_issues.is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! A write is sent at most once, unless it is proven that the service never received it whole.
//!
//! # A list
//! A list is complete or ends with an error, no matter how many pages it has. Filters are written as expressions.
//!
//! ```
//! use sondage::condition::field;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sandbox = sondage_sandbox::Sandbox::demo_blocking()?;
//! # let client = sandbox.client().build_blocking()?;
//! let filter = field("Division").is_equal_to("Research") & field("FirstName").is_equal_to("Ada");
//! for member in client.members(sandbox.panel_id()).filter(filter) {
//!     println!("{}", member?.text("Email").unwrap_or("no address"));
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # An error
//! There is one type of error, [`Error`]. Its text says what happened, whether anything was changed and what to do next;
//! [`Error::kind`] says the same in a form that programs can match.
//!
//! ```
//! use sondage::ErrorKind;
//! use sondage::model::ReadPanelRequest;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sandbox = sondage_sandbox::Sandbox::demo_blocking()?;
//! # let client = sandbox.client().build_blocking()?;
//! let error = client.read_panel(ReadPanelRequest::new(123)).unwrap_err();
//! match error.kind() {
//!     // A write may have happened: find out as `reconcile` says, and do not call again before.
//!     ErrorKind::OutcomeUnknown => eprintln!("{}", error.reconcile().unwrap_or_default()),
//!     ErrorKind::RateLimited => eprintln!("again in {:?}", error.retry_after()),
//!     _ => eprintln!("{error}"),
//! }
//! assert_eq!((error.kind(), error.changed_nothing()), (ErrorKind::Api, true));
//! # Ok(())
//! # }
//! ```
//!
//! # A webhook
//! [`webhook::Hook`] makes the registration and verifies incoming requests.
//!
//! ```
//! use sondage::webhook::{Hook, Strategy};
//!
//! # fn main() -> sondage::Result<()> {
//! let hook = Hook::new(Strategy::basic("survalyzer", "a long password of your own")?)?;
//! let headers = [("Authorization", "Basic guess")];
//! // A request that is not from the service: answer with this status and an empty body.
//! let refusal = hook.verify("/hooks", headers, b"{}").unwrap_err();
//! assert_eq!(sondage::webhook::Refusal::STATUS, 401);
//! println!("refused: {}", refusal.reason);
//! # Ok(())
//! # }
//! ```
//!
//! # Where to look
//! [`Client`] lists every operation. Imports, plans that send and other jobs are in the crate `sondage-jobs`; interviews and
//! members as Arrow tables, exports and incremental loads in `sondage-data`; the sandbox for tests in `sondage-sandbox`.
//! Logging uses the crate `log`, with the target `sondage`.
//!
//! # Features
//! All features are enabled by default. A disabled feature is not compiled, and neither are its dependencies.
//!
//! | feature | what |
//! |---|---|
//! | `blocking` | [`blocking::Client`] and its lists |
//! | `login` | [`auth::Login`]: a person's login in a browser |
//! | `profile` | settings from a profile file; without it, asking for a profile is an error |
//! | `webhook` | [`webhook`]: registration, verification of incoming requests, missed events |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(missing_debug_implementations)]

// The code that attributes generate names this crate by its name, here as in the other crates.
extern crate self as sondage;

pub mod arguments;
mod as_json;
pub mod auth;
#[cfg(feature = "blocking")]
pub mod blocking;
pub mod budget;
#[allow(missing_debug_implementations)] // internal
mod call;
mod cassette;
pub mod client;
pub mod condition;
pub mod config;
mod csv_text;
mod debug;
pub mod doctor;
pub mod error;
pub mod facts;
pub mod files;
mod hex;
pub mod job;
mod mask;
mod methods;
pub mod model;
mod notes;
pub mod operation;
mod operation_path;
pub mod operations;
pub mod options;
pub mod paging;
mod per_process;
mod plain_text;
pub mod questionnaire;
mod readable;
#[doc(hidden)]
pub mod reports;
pub mod response;
#[allow(missing_debug_implementations)] // internal
mod runtime;
mod schedule;
mod schema;
mod selection;
mod shared;
mod spelling;
mod state_file;
mod title;
pub mod trace;
#[allow(missing_debug_implementations)] // internal
mod transport;
#[cfg(feature = "webhook")]
pub mod webhook;
pub mod words;

/// Internals for the other crates of this project. They change without notice and are not part of the public API.
#[doc(hidden)]
pub mod internals {
    pub mod auth {
        /// What keeps this system's keyring from being read.
        pub fn examine_keyring() -> std::io::Result<()> {
            crate::auth::KeyringStore::new(None).map_err(std::io::Error::other)?.examine()
        }
    }
    pub mod call {
        pub use crate::call::*;
        pub use crate::client::typeless;
    }
    pub mod clock {
        use crate::Client;
        use chrono::{DateTime, TimeDelta, Utc};
        use std::time::SystemTime;

        /// The time now, by the clock of this machine.
        pub fn wall(client: &Client) -> SystemTime {
            client.config().clock.wall()
        }

        /// A time of this machine by the service's clock, as the last response has shown it. Without one, they are the same.
        pub fn of_service(client: &Client, time: SystemTime) -> DateTime<Utc> {
            let time = DateTime::<Utc>::from(time);
            let ahead = client.service_ahead().unwrap_or(TimeDelta::zero());
            time.checked_add_signed(ahead).unwrap_or(time)
        }
    }
    pub mod config {
        /// The folder of the profile file and of other settings of this user.
        pub fn folder() -> Option<std::path::PathBuf> {
            Some(crate::config::Environment::process().profile_file()?.parent()?.to_owned())
        }
    }
    pub mod csv_text {
        pub use crate::csv_text::*;
    }
    pub mod hex {
        pub use crate::hex::*;
    }
    pub mod json {
        pub use crate::as_json::*;
    }
    pub use crate::plain_text::{has_media, plain_text};
    pub use crate::title::title;
    pub mod mask {
        pub use crate::mask::*;
    }
    pub mod notes {
        pub use crate::notes::*;
    }
    pub mod spelling {
        pub use crate::spelling::{did_you_mean, distance, similar};
    }
    pub mod readable {
        pub use crate::readable::*;
    }
    pub mod runtime {
        pub use crate::runtime::*;
    }
    pub mod selection {
        pub use crate::selection::Selection;
    }
    pub mod shared {
        pub use crate::shared::*;
    }
    pub mod schema {
        pub use crate::schema::*;
    }
    pub mod state_file {
        pub use crate::state_file::*;
    }
    pub mod trace {
        pub use crate::trace::call::trace_calls;
        pub use crate::trace::{CHECK_OF_END, CHECK_SUFFIX};

        /// The trace of a client.
        pub fn of(client: &crate::Client) -> crate::trace::Tracer {
            client.tracer().clone()
        }
    }
    pub mod transport {
        pub use crate::transport::*;
    }
}

pub use client::Client;
pub use error::{Delivery, Error, ErrorKind, Result};
pub use model::{FieldValue, Json, Secret, Timestamp};
pub use operation::{Effect, RawCall};
pub use options::CallOptions;
pub use response::Response;

/// The example programs of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

// Types of other crates that occur in signatures.
pub use {bytes, chrono, http, indexmap, url};
