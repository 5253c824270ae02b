//! The times that jobs have in common.

use sondage::error::{Error, Result};
use sondage::text;
use std::time::{Duration, Instant, SystemTime};

/// The service processes a call for three minutes at most.
// API 15.1, published
pub(crate) const QUIET: Duration = Duration::from_secs(180);

/// The maximum age of a plan when it is run.
pub(crate) const MAX_AGE: Duration = Duration::from_secs(15 * 60);

/// Refuses a plan that is too old to be run.
pub(crate) fn check_age(made: Instant, most: Duration) -> Result<()> {
    let age = made.elapsed();
    if age <= most {
        return Ok(());
    }
    let (age, most) = (age.as_secs_f64(), most.as_secs_f64());
    let what = text!("the plan is {age:.1} seconds old, and may be at most {most}");
    Err(Error::invalid_argument(what)
        .with_hint("Nothing was sent. Plan again, and look at the new plan. `max_age` allows older ones."))
}

/// The current time in milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
