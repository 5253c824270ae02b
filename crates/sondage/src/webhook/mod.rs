//! Webhooks on the receiving side: what to register, how to verify what arrives, and how to lose nothing.
//!
//! A [`Hook`] is made once from a [`Strategy`] and serves both directions: [`Hook::registration`] is the call that
//! subscribes, [`Hook::verify`] judges each request that arrives.
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
//! The service has published neither the shape of a callback nor its method, its headers or its repeats, and it signs no
//! body and sends no id of an event. So a callback is a hint: verify it, handle it once ([`Guard`]), read the entity again
//! where it matters ([`Event::confirm`]), and ask from time to time for what was missed ([`Missed`]).
//!
//! Everything here is data: a hook is read from JSON and an event is written to it, so that every language gets the same
//! verdicts from [`Hook::judge`] without a rule of its own.

mod basic;
mod bearer;
mod body;
mod compare;
mod confirm;
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
mod shapes;
mod signed_url;
mod signing;
mod strategy;

pub use basic::Basic;
pub use bearer::Bearer;
pub use confirm::Confirmation;
pub use entity::{Bounce, Entity, Interview, Member, OptOut, Survey};
pub use event::{Event, Source};
pub use guard::{Claim, Guard, Ticket};
pub use hook::{Hook, Verdict};
pub use obscure::ObscureUrl;
pub use reconcile::{Missed, MissedEvents};
pub use refusal::{Reason, Refusal};
pub use signed_url::SignedUrl;
pub use signing::Profile;
pub use strategy::Strategy;
