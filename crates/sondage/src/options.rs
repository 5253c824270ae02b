//! Options of a single call.

use crate::call::once::KeptOnce;
use crate::error::{Error, Result, Text};
use crate::model::{Json, Secret};
use crate::text;
use http::header::{HeaderMap, HeaderName, HeaderValue};
use indexmap::IndexMap;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

/// Options of a single call.
///
/// [`crate::Client::with`] makes calls with them.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CallOptions {
    /// How long a call may take in total, including waiting, retries and the token request; for a list, each page.
    /// Default: the client's `deadline`.
    pub deadline: Option<Duration>,
    /// The maximum number of attempts, from 1 to 20. Only a call that may be retried has more than one, so a larger number
    /// never makes a write happen twice. An expired token is renewed in any case. Default: the client's `retry_attempts`.
    pub attempts: Option<u32>,
    /// How long one attempt may take, from sending to the last byte of the response; the next attempt then follows. For a call
    /// that writes at least 200 s, because the service may compute for 180 s. Default: no limit but the deadline.
    pub timeout: Option<Duration>,
    /// Additional headers of each request, by name. Those that the library sets itself, and `Authorization`, are refused when
    /// the call is made. Token requests and downloads from links do not have them. Values are never shown.
    pub headers: IndexMap<String, Secret>,
    /// Additional fields for the body that this version of the library does not know. A field that it knows is refused
    /// here.
    pub extra: IndexMap<String, Json>,
    /// The span of the caller, as a W3C `traceparent`. Entries of the trace name it; it is not sent.
    pub parent: Option<Arc<str>>,
    /// Records the writes that are sent under a key.
    pub(crate) once: Option<KeptOnce>,
    /// The number under which a write that must never be retried is recorded, if it was recorded before it is sent.
    pub(crate) write_id: Option<String>,
}

impl CallOptions {
    /// No options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how long a call may take in total.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Sets the maximum number of attempts, from 1 to 20.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = Some(attempts);
        self
    }

    /// Sets how long one attempt may take.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Adds a header to each request.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<Secret>) -> Self {
        self.headers.insert(name.into(), value.into());
        self
    }

    /// Names the span of the caller, as a W3C `traceparent`, in the trace.
    #[must_use]
    pub fn parent(mut self, parent: impl Into<Arc<str>>) -> Self {
        self.parent = Some(parent.into());
        self
    }

    /// Adds a field to the body.
    #[must_use]
    pub fn extra(mut self, name: impl Into<String>, value: Json) -> Self {
        self.extra.insert(name.into(), value);
        self
    }
}

#[doc(hidden)] // for sondage-jobs
impl CallOptions {
    /// These options for a call that is not recorded under a key.
    #[must_use]
    pub fn unrecorded(&self) -> Self {
        Self { once: None, ..self.clone() }
    }

    /// Records the writes under a key.
    #[must_use]
    pub fn recorded(self, keeper: KeptOnce) -> Self {
        Self { once: Some(keeper), ..self }
    }

    /// These options for a call of the library's own: without the caller's fields and records.
    #[must_use]
    pub fn for_reading(&self) -> Self {
        Self { once: None, write_id: None, extra: IndexMap::default(), ..self.clone() }
    }
}

/// How many attempts a call may have.
const ATTEMPTS: RangeInclusive<u32> = 1..=20;

/// Headers that the library sets itself or that decide how a request is sent, and what to use instead.
const REFUSED: [(&str, &str); 18] = [
    ("authorization", "The client adds its token: the credentials are settings of the client."),
    ("proxy-authorization", "Put the login of the proxy into the setting `proxy`."),
    ("user-agent", "Set `user_agent` of the client."),
    ("x-correlation-id", "The library sets it; the setting `correlation_id` turns it off."),
    ("cookie", "The service keeps no session."),
    ("accept", SET_HERE),
    ("accept-encoding", SET_HERE),
    ("content-type", SET_HERE),
    ("content-encoding", SET_HERE),
    ("content-length", SET_HERE),
    ("connection", SET_HERE),
    ("expect", SET_HERE),
    ("host", SET_HERE),
    ("keep-alive", SET_HERE),
    ("te", SET_HERE),
    ("trailer", SET_HERE),
    ("transfer-encoding", SET_HERE),
    ("upgrade", SET_HERE),
];

const SET_HERE: &str = "It describes how the request is sent, which the library decides.";

impl CallOptions {
    /// These options, combined with others that take precedence. The result is validated.
    #[doc(hidden)] // for the bindings
    pub fn and(&self, chosen: Self) -> Result<Self> {
        let mut all = self.clone();
        all.deadline = chosen.deadline.or(all.deadline);
        all.attempts = chosen.attempts.or(all.attempts);
        all.timeout = chosen.timeout.or(all.timeout);
        all.headers.extend(chosen.headers);
        all.extra.extend(chosen.extra);
        all.check()?;
        Ok(all)
    }

    /// Checks attempts, times and headers.
    pub(crate) fn check(&self) -> Result<()> {
        if let Some(attempts) = self.attempts.filter(|attempts| !ATTEMPTS.contains(attempts)) {
            let what = text!("`attempts` must be from 1 to 20, and is {attempts}");
            return Err(Error::invalid_argument(what).with_hint("Nothing was sent."));
        }
        for (name, time) in [("deadline", self.deadline), ("timeout", self.timeout)] {
            if time.is_some_and(|time| time.is_zero()) {
                let what = text!("`{}` must be above 0", Text::from(name));
                return Err(Error::invalid_argument(what).with_hint("Nothing was sent."));
            }
        }
        self.header_map().map(drop)
    }

    /// The additional headers of a request.
    pub(crate) fn header_map(&self) -> Result<HeaderMap> {
        let mut map = HeaderMap::with_capacity(self.headers.len());
        for (name, value) in &self.headers {
            let wrong = |what, hint: &'static str| Err(Error::invalid_argument(what).with_hint(hint));
            let Ok(header) = name.parse::<HeaderName>() else {
                // The value may have been put into the wrong place, so it is not shown.
                let what = text!(
                    "`headers` has a name of {} characters that is not a header name",
                    name.chars().count()
                );
                return wrong(what, "Nothing was sent. A name has letters, digits and hyphens.");
            };
            if let Some((_, instead)) = REFUSED.iter().find(|(refused, _)| *refused == header.as_str()) {
                return wrong(
                    text!("the header `{}` cannot be set by `headers`", header.as_str().to_owned()),
                    instead,
                );
            }
            if map.contains_key(&header) {
                let what = text!("`headers` has the header `{}` twice", header.as_str().to_owned());
                return wrong(what, "Nothing was sent. Upper and lower case make no difference.");
            }
            let Ok(mut value) = HeaderValue::from_str(value.reveal()) else {
                let what = text!(
                    "the value of the header `{}` is not plain ASCII text on one line",
                    header.as_str().to_owned()
                );
                return wrong(what, "Nothing was sent. Its value is not shown.");
            };
            value.set_sensitive(true);
            map.insert(header, value);
        }
        Ok(map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(options: &CallOptions) -> String {
        options.check().unwrap_err().to_string()
    }

    #[test]
    fn what_the_library_decides_is_refused_in_any_spelling() {
        for (name, _) in REFUSED {
            let error = refused(&CallOptions::new().header(name.to_uppercase(), "a-value-of-its-own"));
            assert!(error.contains(&format!("`{name}`")), "{error}");
            assert!(!error.contains("a-value-of-its-own"), "{error}");
        }
        assert!(CallOptions::new().header("X-Team", "panel").check().is_ok());
    }

    #[test]
    fn a_wrong_option_is_named_and_no_value_is_shown() {
        for (options, named) in [
            (CallOptions::new().attempts(0), "`attempts` must be from 1 to 20, and is 0"),
            (CallOptions::new().attempts(21), "and is 21"),
            (CallOptions::new().timeout(Duration::ZERO), "`timeout`"),
            (CallOptions::new().header("two words", "hunter22"), "a name of 9 characters"),
            (CallOptions::new().header("X-A", "hunter22\r\nX-B: 1"), "`x-a` is not plain ASCII"),
            (CallOptions::new().header("X-A", "1").header("x-a", "hunter22"), "`x-a` twice"),
        ] {
            let error = refused(&options);
            assert!(error.contains(named) && !error.contains("hunter22"), "{error}");
            assert!(!format!("{options:?}").contains("hunter22"));
        }
    }
}
