//! The survey platform of sondage inside a process: every operation of the table, OAuth, a clock, faults and a ledger.
//!
//! Start one with [`Sandbox::demo`], pass its addresses and credentials to a client, and check what happened in
//! [`Sandbox::ledger`]. It is strict about requests: anything that is not in the service's contract is refused.
//!
//! It implements the service's side of the API, and shares nothing with the client but the operation table and the
//! models, so that a mistake cannot hide on both sides. Unpublished behaviour is a setting: [`Profile`].
//!
//! It describes itself, without a token: `/openapi.json` is an `OpenAPI` 3.1 document of its API, with ids of the first
//! account as examples, and `/docs` shows it as a page.
//!
//! [`Sandbox::console`] is the address of pages that show the state of the sandbox in a browser.
//!
//! # From other languages
//!
//! Every address has control endpoints below `/_sandbox/`, which need the header `Authorization: Sandbox <key>` with the
//! [`Sandbox::control_key`]. Bodies and responses are JSON.
//!
//! | path | `GET` | `POST` | `DELETE` |
//! |---|---|---|---|
//! | `/_sandbox/clock` | the time | `{"advance": seconds}` or `{"set": "2030-01-01T00:00:00Z"}` | back to real time |
//! | `/_sandbox/faults` | | a [`Fault`]: `{"on": "CreateMembers", "action": {"kind": "cut", "at": "afterEffect"}}` |
//! removes all |
//! | `/_sandbox/ledger` | arrivals, effects, token requests | | clears it |
//! | `/_sandbox/profile` | the [`Profile`] | the settings to change: `{"firstPage": 0}` | |
//! | `/_sandbox/tokens` | | | revokes every token |
//! | `/_sandbox/causes` | | a [`Cause`]: `{"kind": "bounce", "memberId": 500001}` | |
//! | `/_sandbox/deliveries` | every [`Attempt`], and how many events are pending | a [`DeliveryFault`] | clears faults and log |
//! | `/_sandbox/pending` | how many events are pending, whether one is due now, when the next is | | |
//!
//! It listens on the loopback interface only, and contains invented people and a survey in the public domain.
#![forbid(unsafe_code)]
#![warn(missing_debug_implementations)]

mod account;
mod api;
mod builder;
mod clock;
mod console;
mod delivery;
mod demo;
mod fault;
mod filter;
#[cfg(fuzzing)]
pub mod fuzzing;
mod generate;
mod ledger;
mod methods;
mod mistakes;
mod oauth;
mod own_survey;
mod pdf;
mod profile;
mod published;
mod random;
mod refusal;
mod sandbox;
mod select;
mod server;
mod state;
mod storage;
mod text;
mod tokens;
mod uploads;
mod validate;
mod world;

pub use account::{Account, DataCenter, Facts, KeptState};
pub use builder::{Builder, Content};
pub use clock::Clock;
pub use delivery::{Attempt, Cause, Deliveries, DeliveryAction, DeliveryFault, Fill, GivenRows, Outcome};
pub use fault::{CutPoint, Fault, FaultAction, FaultHandle};
pub use ledger::{Arrival, Effect, EffectKind, Ledger, TokenRequest};
pub use own_survey::{Frame, FrameColumn};
pub use profile::{
    AcceptedAnswers, AnswersLink, CodeDelivery, CreateWebHookRoute, GetApiTokenAnswer, MembersIds, Profile,
    TotalCount, WebHookBody,
};
pub use sandbox::Sandbox;

/// The example programs of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
