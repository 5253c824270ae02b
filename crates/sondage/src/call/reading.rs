//! Passes a response from the connection to its reader: within the size limits and the deadline, and without blocking other
//! calls.

use super::any_reader::{AnyReader, AnyValue};
use super::measure::{MAX_DEPTH, Measure};
use super::reader::{Unreadable, Verdict};
use super::retry::ExchangeOutcome;
use crate::config::Limits;
use crate::error::{Delivery, Text};
use crate::model::weight;
use crate::text;
use crate::transport::failure::{Failure, FailureCause};
use crate::transport::http::Incoming;

/// After this many bytes, the task yields to others. Small responses never yield.
const TURN: usize = 256 << 10;

/// A larger response is turned into objects on a separate thread, because this takes a while and cannot be
/// interrupted.
const LARGE: u64 = 1 << 20;

/// The maximum compression ratio of a response that is turned into objects, beyond the first [`LARGE`] bytes.
const RATIO: u64 = 200;

/// The memory per value that the limit `object_values` assumes: together with the text, a response stays
/// within 512 MiB.
const VALUE: u64 = 128;

/// Reads a response and returns its result.
pub(super) async fn read(
    incoming: &mut Incoming,
    mut reader: AnyReader,
    limits: &Limits,
) -> Result<Verdict<AnyValue>, ExchangeOutcome> {
    let is_held = reader.is_held();
    let most = Most::of(is_held, limits);
    let (mut bytes, mut since, mut measure) = (0, 0, Measure::default());
    while let Some(piece) = incoming.chunk().await.map_err(undecodable)? {
        bytes += piece.len() as u64;
        since += piece.len();
        most.bytes(bytes)?;
        if is_held {
            measure.feed(piece);
            most.values(&measure)?;
        }
        reader.feed(piece).map_err(unreadable)?;
        if is_held {
            Most::ratio(bytes, incoming.compressed())?;
        }
        if since >= TURN {
            since = 0;
            incoming.in_time().map_err(ExchangeOutcome::Failed)?;
            tokio::task::yield_now().await;
        }
    }
    let memory = u64::from(limits.object_values) * VALUE;
    let finish = move || {
        let too_much = || {
            too_large(text!(
                "the objects of the response take more memory than {} values, the ceiling `object_values`, of {VALUE} \
                 bytes each",
                memory / VALUE
            ))
        };
        if is_held {
            weight::within(memory, || reader.finish()).ok_or_else(too_much)
        } else {
            Ok(reader.finish())
        }
    };
    let verdict = if is_held && bytes > LARGE {
        let finished = tokio::task::spawn_blocking(finish);
        match tokio::time::timeout_at(incoming.deadline().into(), finished).await {
            Ok(Ok(verdict)) => verdict?,
            Ok(Err(error)) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Ok(Err(_)) => Err(Unreadable("reading it ended unexpectedly".into())),
            Err(_) => return Err(ExchangeOutcome::Failed(crate::transport::http::out_of_time_reading())),
        }
    } else {
        finish()?
    };
    verdict.map_err(unreadable)
}

/// The size limits of one response.
struct Most {
    bytes: u64,
    /// The setting that defines it.
    named: &'static str,
    values: u64,
}

impl Most {
    fn of(is_held: bool, limits: &Limits) -> Self {
        let values = limits.object_values.into();
        if is_held && limits.object_bytes < limits.answer_bytes {
            return Self { bytes: limits.object_bytes, named: "object_bytes", values };
        }
        Self { bytes: limits.answer_bytes, named: "answer_bytes", values }
    }

    fn bytes(&self, bytes: u64) -> Result<(), ExchangeOutcome> {
        if bytes <= self.bytes {
            return Ok(());
        }
        Err(too_large(text!(
            "the response is larger than the ceiling `{}` of {} bytes",
            Text::from(self.named),
            self.bytes
        )))
    }

    fn values(&self, measure: &Measure) -> Result<(), ExchangeOutcome> {
        if measure.depth() > MAX_DEPTH {
            return Err(ExchangeOutcome::Unreadable(text!(
                "the response is nested deeper than {MAX_DEPTH} levels"
            )));
        }
        if measure.values() <= self.values {
            return Ok(());
        }
        Err(too_large(text!(
            "the response has more values than the ceiling `object_values` of {}",
            self.values
        )))
    }

    fn ratio(bytes: u64, compressed: Option<u64>) -> Result<(), ExchangeOutcome> {
        let Some(compressed) = compressed else { return Ok(()) };
        if bytes <= LARGE + compressed * RATIO {
            return Ok(());
        }
        Err(too_large(text!("the response is larger than the ceiling of {RATIO} times its compressed size")))
    }
}

fn too_large(what: Text) -> ExchangeOutcome {
    ExchangeOutcome::Failed(Failure::new(Delivery::Answered, what, FailureCause::Unreadable))
}

fn unreadable(Unreadable(what): Unreadable) -> ExchangeOutcome {
    ExchangeOutcome::Unreadable(what)
}

/// A body that does not match its content encoding is an undecodable response, not a broken connection.
fn undecodable(failure: Failure) -> ExchangeOutcome {
    if failure.cause == FailureCause::Unreadable {
        ExchangeOutcome::Unreadable(failure.what)
    } else {
        ExchangeOutcome::Failed(failure)
    }
}
