//! What to do after an exchange. Whether a call is retried is decided here and nowhere else.
//!
//! The rule behind the table: a write is sent at most once unless it is proven that the service never received it whole.

use super::envelope::Words;
use crate::config::RetryPolicy;
use crate::error::{Delivery, Error, Text};
use crate::operation::Effect;
use crate::text;
use crate::transport::failure::{Failure, FailureCause};
use chrono::{DateTime, Utc};
use http::HeaderMap;
use http::header::{DATE, RETRY_AFTER};
use std::time::Duration;

/// The result of one exchange.
#[derive(Debug)]
pub enum ExchangeOutcome {
    /// No complete response arrived.
    Failed(Failure),
    /// A response with an error status.
    Status(ErrorResponse),
    /// A response with `isSuccess: false`, and its HTTP status.
    Refused(u16, Words),
    /// A response with a success status that cannot be decoded.
    Unreadable(Text),
}

impl ExchangeOutcome {
    /// Whether the service received the request.
    pub fn delivery(&self) -> Delivery {
        match self {
            Self::Failed(failure) => failure.delivery,
            Self::Status(_) | Self::Refused(..) | Self::Unreadable(_) => Delivery::Answered,
        }
    }

    /// Whether the service may have carried out the request without saying so.
    pub fn leaves_doubt(&self) -> bool {
        match self {
            Self::Failed(failure) => failure.delivery != Delivery::No,
            Self::Status(refusal) => says_nothing(refusal.status) && !refusal.not_received,
            Self::Unreadable(_) => true,
            Self::Refused(..) => false,
        }
    }

    /// The HTTP status, if there was a response with an error status.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Status(refusal) => Some(refusal.status),
            Self::Refused(status, _) => Some(*status),
            Self::Failed(_) | Self::Unreadable(_) => None,
        }
    }

    /// How long the service asked to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status(refusal) => refusal.retry_after,
            _ => None,
        }
    }
}

/// A status that does not show whether the request was carried out. Unknown status codes count as 5xx (RFC 9110,
/// 15); a 303 means "done, the result is elsewhere".
fn says_nothing(status: u16) -> bool {
    matches!(status, 0..=199 | 303 | 408 | 500..)
}

/// A response with an error status.
#[derive(Debug)]
pub struct ErrorResponse {
    /// HTTP status.
    pub status: u16,
    /// Whether the service refused before it can have had the whole request.
    pub not_received: bool,
    /// How long the service asks to wait.
    pub retry_after: Option<Duration>,
    /// The content of the body, if it is an envelope.
    pub words: Option<Words>,
}

/// What to do after an exchange.
#[derive(Debug)]
pub enum RetryDecision {
    /// Retry the call after a delay.
    Repeat {
        /// How long the service asked to wait; without it, the delay grows with each attempt.
        wait: Option<Duration>,
        /// The error to return when no attempt is left.
        otherwise: Error,
    },
    /// Get a new token and retry the call, once.
    Renew(Error),
    /// Fail with this error.
    Stop(Error),
}

impl RetryDecision {
    /// The error of the attempt.
    pub fn error(&self) -> &Error {
        match self {
            Self::Repeat { otherwise: error, .. } | Self::Renew(error) | Self::Stop(error) => error,
        }
    }
}

/// Decides.
pub fn decide(effect: Effect, outcome: ExchangeOutcome, policy: &RetryPolicy) -> RetryDecision {
    match outcome {
        ExchangeOutcome::Failed(failure) => after_failure(effect, failure),
        ExchangeOutcome::Status(refusal) => after_status(effect, &refusal, policy),
        ExchangeOutcome::Refused(status, words) => RetryDecision::Stop(refused(words).with_status(status)),
        ExchangeOutcome::Unreadable(what) if effect.idempotent() || effect == Effect::Token => {
            RetryDecision::Repeat {
                wait: None,
                otherwise: Error::unexpected_response(what)
                    .with_delivery(Delivery::Answered)
                    .with_safe_to_retry(true),
            }
        }
        ExchangeOutcome::Unreadable(what) => RetryDecision::Stop(
            Error::outcome_unknown(text!("the service accepted the request, but {what}"))
                .with_delivery(Delivery::Answered),
        ),
    }
}

fn after_failure(effect: Effect, failure: Failure) -> RetryDecision {
    let Failure { delivery, what, cause, source } = failure;
    let timed_out = cause == FailureCause::Timeout;
    let next = match (delivery, cause) {
        // Retried only before anything was sent: a TLS record that breaks later proves nothing about the
        // request.
        (Delivery::No, FailureCause::Tls) => RetryDecision::Stop(
            Error::network(what)
                .with_safe_to_retry(true)
                .with_hint("Check the address, the clock of this computer, and whether a proxy needs its own certificate (`ca_file`)."),
        ),
        (_, FailureCause::Recording) => RetryDecision::Stop(
            Error::configuration(what)
                .with_hint("A recording has the calls that were made with the setting `record`; `replay` answers these and no others."),
        ),
        (Delivery::No, _) => repeat(Error::network(what).with_safe_to_retry(true)),
        (_, FailureCause::Unreadable) if effect.idempotent() => RetryDecision::Stop(
            Error::unexpected_response(what)
                .with_delivery(Delivery::Answered)
                .with_safe_to_retry(true)
                .with_too_large(true)
                .with_hint("Ask for smaller pages or fewer fields, read the list as a table, or raise the setting."),
        ),
        _ if effect == Effect::Read => repeat(Error::network(what).with_delivery(Delivery::Unknown).with_safe_to_retry(true)),
        _ if effect == Effect::IdempotentWrite => repeat(Error::outcome_unknown(what).with_safe_to_retry(true)),
        _ => RetryDecision::Stop(Error::outcome_unknown(what).with_delivery(delivery)),
    };
    match next {
        RetryDecision::Stop(error) => {
            RetryDecision::Stop(error.with_source(source).with_timed_out(timed_out))
        }
        RetryDecision::Repeat { wait, otherwise } => {
            RetryDecision::Repeat { wait, otherwise: otherwise.with_source(source).with_timed_out(timed_out) }
        }
        RetryDecision::Renew(error) => RetryDecision::Renew(error),
    }
}

fn after_status(effect: Effect, refusal: &ErrorResponse, policy: &RetryPolicy) -> RetryDecision {
    let ErrorResponse { status, not_received, retry_after, .. } = *refusal;
    let error = describe(refusal).with_retry_after(retry_after);
    let too_long = retry_after.is_some_and(|wait| wait > policy.retry_after_cap);
    match status {
        401 => RetryDecision::Renew(error),
        // A message to people is never sent automatically at a later time than the caller asked for.
        429 if effect == Effect::Send || too_long => RetryDecision::Stop(error.with_safe_to_retry(true)),
        429 => RetryDecision::Repeat { wait: retry_after, otherwise: error.with_safe_to_retry(true) },
        303 => RetryDecision::Stop(error),
        _ if !says_nothing(status) => RetryDecision::Stop(error),
        _ if !effect.idempotent() && !not_received => RetryDecision::Stop(
            Error::outcome_unknown(text!(
                "the service failed after it had the request (HTTP {status}){}",
                message_of(refusal)
            ))
            .with_status(status)
            .with_retry_after(retry_after)
            .with_delivery(Delivery::Answered)
            .with_error_code(refusal.words.as_ref().and_then(|words| words.code.clone()))
            .with_error_message(refusal.words.as_ref().and_then(|words| words.message.clone())),
        ),
        _ if too_long => RetryDecision::Stop(error.with_safe_to_retry(true)),
        _ => RetryDecision::Repeat { wait: retry_after, otherwise: error.with_safe_to_retry(true) },
    }
}

fn repeat(otherwise: Error) -> RetryDecision {
    RetryDecision::Repeat { wait: None, otherwise }
}

/// What the service says, to end a sentence.
fn message_of(refusal: &ErrorResponse) -> Text {
    let message = refusal.words.as_ref().and_then(|words| words.message.as_ref());
    message.map(|words| text!(": {words}")).unwrap_or_default()
}

/// Makes an error of an HTTP error status.
fn describe(refusal: &ErrorResponse) -> Error {
    let status = refusal.status;
    let refusal_words = refusal.words.clone().unwrap_or_default();
    let message = message_of(refusal);
    let error = match status {
        300..=399 => Error::unexpected_response(text!(
            "the service redirects the call (HTTP {status}), which is not followed"
        ))
        .with_hint("Check the base address: the API answers directly."),
        401 => Error::authentication(text!("the service did not accept the token{message}")),
        403 => Error::permission_denied(text!("the service does not allow this{message}")),
        404 | 405 if refusal.words.is_none() => Error::unexpected_response(text!(
            "there is no such operation at the base address (HTTP {status})"
        )),
        429 => Error::rate_limited(text!("too many calls{message}")),
        _ if says_nothing(status) => {
            Error::network(text!("the service is not able to answer (HTTP {status}){message}"))
        }
        _ => Error::api(text!("the service refuses the call (HTTP {status}){message}")),
    };
    error
        .with_status(status)
        .with_delivery(Delivery::Answered)
        .with_error_code(refusal_words.code)
        .with_error_message(refusal_words.message)
}

/// Makes an error of `isSuccess: false`.
fn refused(said: Words) -> Error {
    let reason = said.message.as_ref().or(said.code.as_ref());
    let reason = reason.map_or_else(|| "it gives no reason".into(), |reason| text!("{reason}"));
    Error::api(text!("the service refuses: {reason}"))
        .with_error_code(said.code)
        .with_error_message(said.message)
}

/// The delay before an attempt when the service did not name one: exponential backoff with full jitter.
pub fn backoff(policy: &RetryPolicy, attempt: u32) -> Duration {
    let exponent = i32::try_from(attempt.saturating_sub(1)).unwrap_or(i32::MAX);
    let most = (policy.base.as_secs_f64() * policy.factor.powi(exponent)).min(policy.cap.as_secs_f64());
    // Half of the delay on a system without random numbers.
    let share = f64::from(getrandom::u32().unwrap_or(0x8000_0000)) / f64::from(u32::MAX);
    Duration::from_secs_f64(most * share)
}

/// The longest pause: the service counts its calls by the day.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(24 * 60 * 60);

/// `Retry-After`, in seconds or as a date: a day at most. A date is compared with that of the response, so that the clock of
/// this computer does not matter.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let date = |text: &str| DateTime::parse_from_rfc2822(text).ok().map(|date| date.to_utc());
    let wait = if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().map_or(LONGEST_PAUSE, Duration::from_secs)
    } else {
        let now = headers.get(DATE).and_then(|now| date(now.to_str().ok()?));
        (date(text)? - now.unwrap_or_else(Utc::now)).to_std().unwrap_or_default()
    };
    Some(wait.min(LONGEST_PAUSE))
}
