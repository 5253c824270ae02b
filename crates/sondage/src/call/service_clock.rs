//! The offset of the service's clock, measured from the `Date` header of each response.
//!
//! Objects of the service have times by its own clock. To tell whether something was created before a call or by it, the
//! time of the call has to be converted to that clock.

use chrono::{DateTime, TimeDelta, Utc};
use http::HeaderMap;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::time::SystemTime;

/// Not measured yet.
const UNKNOWN: i64 = i64::MIN;
/// The header has whole seconds: on average it is half a second behind.
const HALF_A_SECOND: i64 = 500;

/// By how many milliseconds the service's clock is ahead of the computer's.
#[derive(Debug)]
pub struct ServiceClock(AtomicI64);

impl Default for ServiceClock {
    fn default() -> Self {
        Self(AtomicI64::new(UNKNOWN))
    }
}

impl ServiceClock {
    /// Measures the offset from the date of a response that arrived at this time.
    pub fn observe(&self, headers: &HeaderMap, now: SystemTime) {
        let text = headers.get(http::header::DATE).and_then(|value| value.to_str().ok());
        if let Some(date) = text.and_then(|text| DateTime::parse_from_rfc2822(text).ok()) {
            let ahead = date.to_utc() - DateTime::<Utc>::from(now);
            self.0.store(ahead.num_milliseconds().saturating_add(HALF_A_SECOND), Relaxed);
        }
    }

    /// How far it is ahead, to about a second; `None` before the first response with a date.
    pub fn ahead(&self) -> Option<TimeDelta> {
        match self.0.load(Relaxed) {
            UNKNOWN => None,
            ahead => TimeDelta::try_milliseconds(ahead),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_last_date_that_was_heard_counts() {
        let (clock, mut headers) = (ServiceClock::default(), HeaderMap::new());
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        clock.observe(&headers, now);
        assert_eq!(clock.ahead(), None);
        for (date, ahead) in [
            ("Tue, 14 Nov 2023 22:13:20 GMT", 500),
            ("Tue, 14 Nov 2023 22:12:20 GMT", -59_500),
            ("soon", -59_500),
        ] {
            headers.insert(http::header::DATE, date.parse().expect("a header"));
            clock.observe(&headers, now);
            assert_eq!(clock.ahead(), TimeDelta::try_milliseconds(ahead), "{date}");
        }
    }
}
