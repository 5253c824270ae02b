//! Webhooks on the receiving side: what to register, how to verify requests, and how to miss no event.
//!
//! A [`Hook`] is made once from a [`Strategy`] and serves both directions: [`Hook::registration`] is the subscribing
//! call, [`Hook::verify`] verifies each incoming request.
//!
//! ```
//! use sondage::model::EventType;
//! use sondage::webhook::{Hook, Strategy};
//!
//! let hook = Hook::new(Strategy::basic("survalyzer", "a long password of your own")?)?;
//! let subscribe = hook.registration("https://acme.example/hooks", EventType::InterviewComplete, "7")?;
//! assert_eq!(subscribe.web_hook_url.reveal(), "https://acme.example/hooks");
//!
//! // The body as it arrived, before any parser: the bytes are what counts.
//! let headers = [("Authorization", hook.security_token().reveal().to_owned())];
//! let body = br#"{"eventType": "InterviewComplete", "entity": {"id": "5f0c", "surveyId": 7}}"#;
//! let event = hook.verify("/hooks", headers, body).expect("it is ours");
//! assert_eq!(event.event_type, Some(EventType::InterviewComplete));
//! assert!(hook.verify("/hooks", [("Authorization", "Basic guess")], body).is_err());
//! # Ok::<(), sondage::Error>(())
//! ```
//!
//! The service has published neither the format of a callback nor its method, headers or retries; it does not sign bodies
//! and sends no event id. So verify a callback, handle it once ([`Guard`]), read the entity from the API where it matters
//! ([`Event::confirm`]), and poll from time to time for missed events ([`Missed`]).
//!
//! Everything here is data: a hook is read from JSON and an event is written to it, so that every language gets the same
//! verdicts from [`Hook::judge`] without rules of its own.

mod basic;
mod bearer;
mod body;
mod confirm;
mod crypto;
mod ensure;
mod entity;
mod event;
mod guard;
mod hook;
mod jwt;
mod object;
mod obscure;
mod received;
mod reconcile;
mod refusal;
mod registration;
mod shapes;
mod signed_url;
mod signing;
mod source;
mod strategy;

pub use basic::Basic;
pub use bearer::Bearer;
pub use confirm::Confirmation;
pub(crate) use ensure::registered;
pub use ensure::{EnsureOutcome, EnsuredWebHook};
pub use entity::{Bounce, Entity, Interview, Member, OptOut, Survey};
pub use event::Event;
pub use guard::{Claim, ClaimState, EventStore, Guard, Ticket, store_failed};
pub use hook::{Hook, Verdict};
pub use obscure::ObscureUrl;
pub use reconcile::{Missed, MissedEvents};
pub use refusal::{Reason, Refusal};
pub use signed_url::SignedUrl;
pub use signing::Profile;
pub use source::Source;
pub use strategy::Strategy;
