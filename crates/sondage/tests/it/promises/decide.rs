//! What follows an exchange, for each effect and each outcome.

use super::backoff::policy;
use sondage::error::ErrorKind::{self, *};
use sondage::internals::call::envelope::Words;
use sondage::internals::call::retry::{ErrorResponse, ExchangeOutcome, RetryDecision, decide, retry_after};
use sondage::internals::transport::failure::{Failure, FailureCause};
use sondage::{Delivery, Effect};
use std::time::Duration;

const ALL: [Effect; 6] = [
    Effect::Read,
    Effect::IdempotentWrite,
    Effect::Create,
    Effect::SchemaChange,
    Effect::Send,
    Effect::Token,
];
const CAP: Duration = Duration::from_secs(1);
const A_DAY: Duration = Duration::from_secs(86_400);

#[derive(Debug, PartialEq)]
enum Then {
    Repeat(ErrorKind),
    Renew,
    Stop(ErrorKind),
}
use Then::*;

fn then(effect: Effect, outcome: ExchangeOutcome) -> Then {
    match decide(effect, outcome, &policy(CAP)) {
        RetryDecision::Repeat { otherwise, .. } => Repeat(otherwise.kind()),
        RetryDecision::Renew(_) => Renew,
        RetryDecision::Stop(error) => Stop(error.kind()),
    }
}

fn status(status: u16, not_received: bool, retry_after: Option<Duration>) -> ExchangeOutcome {
    ExchangeOutcome::Status(ErrorResponse { status, not_received, retry_after, words: None })
}

fn failed(delivery: Delivery, cause: FailureCause) -> ExchangeOutcome {
    ExchangeOutcome::Failed(Failure::new(delivery, "the connection ended", cause))
}

#[test]
fn what_follows_from_a_status() {
    for effect in ALL {
        let doubt = if effect.idempotent() { Repeat(Network) } else { Stop(OutcomeUnknown) };
        for code in [100, 199, 408, 500, 503, 600, 999] {
            assert_eq!(then(effect, status(code, false, None)), doubt, "{effect:?} {code}");
            assert_eq!(then(effect, status(code, true, None)), Repeat(Network), "{effect:?} {code}");
        }
        let slow = if effect == Effect::Send { Stop(RateLimited) } else { Repeat(RateLimited) };
        for (code, follows) in [
            (302, Stop(UnexpectedResponse)),
            (303, Stop(UnexpectedResponse)),
            (400, Stop(Api)),
            (401, Renew),
            (403, Stop(PermissionDenied)),
            (404, Stop(UnexpectedResponse)),
            (405, Stop(UnexpectedResponse)),
            (499, Stop(Api)),
            (429, slow),
        ] {
            assert_eq!(then(effect, status(code, false, None)), follows, "{effect:?} {code}");
        }
    }
}

/// A pause up to the setting is waited for; a longer one ends the call.
#[test]
fn a_wait_is_too_long_from_the_setting_on() {
    let beyond = CAP + Duration::from_millis(1);
    for code in [429, 503] {
        for wait in [Duration::ZERO, CAP] {
            let next = decide(Effect::Read, status(code, false, Some(wait)), &policy(CAP));
            assert!(
                matches!(next, RetryDecision::Repeat { wait: Some(found), .. } if found == wait),
                "{next:?}"
            );
        }
        let next = decide(Effect::Read, status(code, false, Some(beyond)), &policy(CAP));
        let RetryDecision::Stop(error) = next else { panic!("{next:?}") };
        assert!(error.safe_to_retry() && error.retry_after() == Some(beyond), "{error}");
    }
}

#[test]
fn what_follows_from_a_failure() {
    for effect in ALL {
        for cause in
            [FailureCause::Connect, FailureCause::Timeout, FailureCause::Cut, FailureCause::Unreadable]
        {
            assert_eq!(then(effect, failed(Delivery::No, cause)), Repeat(Network), "{effect:?} {cause:?}");
        }
        assert_eq!(then(effect, failed(Delivery::No, FailureCause::Tls)), Stop(Network), "{effect:?}");
        for cause in [FailureCause::Connect, FailureCause::Tls, FailureCause::Timeout, FailureCause::Cut] {
            let follows = match effect {
                Effect::Read => Repeat(Network),
                Effect::IdempotentWrite => Repeat(OutcomeUnknown),
                _ => Stop(OutcomeUnknown),
            };
            assert_eq!(then(effect, failed(Delivery::Unknown, cause)), follows, "{effect:?} {cause:?}");
        }
        // An answer over the size limit is not retried: the next one would be too large as well. The outcome of a write is
        // unknown.
        let follows = if effect.idempotent() { Stop(UnexpectedResponse) } else { Stop(OutcomeUnknown) };
        assert_eq!(then(effect, failed(Delivery::Answered, FailureCause::Unreadable)), follows, "{effect:?}");
        let follows = match effect {
            Effect::Read | Effect::IdempotentWrite | Effect::Token => Repeat(UnexpectedResponse),
            _ => Stop(OutcomeUnknown),
        };
        assert_eq!(then(effect, ExchangeOutcome::Unreadable("it is no JSON".into())), follows, "{effect:?}");
    }
}

#[test]
fn what_an_outcome_says_of_the_service() {
    let answers = [
        (status(400, false, None), false, Some(400)),
        (status(303, false, None), true, Some(303)),
        (status(503, false, None), true, Some(503)),
        (status(503, true, None), false, Some(503)),
        (ExchangeOutcome::Unreadable("it is no JSON".into()), true, None),
        (ExchangeOutcome::Refused(200, Words::default()), false, Some(200)),
    ];
    for (outcome, doubt, status) in answers {
        assert_eq!((outcome.leaves_doubt(), outcome.status()), (doubt, status), "{outcome:?}");
        assert_eq!(outcome.delivery(), Delivery::Answered, "{outcome:?}");
    }
    for (delivery, doubt) in [(Delivery::No, false), (Delivery::Unknown, true), (Delivery::Answered, true)] {
        let outcome = failed(delivery, FailureCause::Cut);
        assert_eq!((outcome.leaves_doubt(), outcome.status(), outcome.delivery()), (doubt, None, delivery));
        assert_eq!(outcome.retry_after(), None);
    }
    assert_eq!(status(503, false, Some(CAP)).retry_after(), Some(CAP));
}

#[test]
fn a_date_to_wait_for_is_read() {
    let read = |text: &str| {
        let mut headers = http::HeaderMap::new();
        headers.insert("retry-after", text.parse().unwrap());
        retry_after(&headers)
    };
    assert_eq!(read(" 7 "), Some(Duration::from_secs(7)));
    assert_eq!(read("soon"), None);
    assert_eq!(read("Wed, 21 Oct 2015 07:28:00 GMT"), Some(Duration::ZERO));
    let later = read("Fri, 31 Dec 2100 23:59:59 GMT").unwrap();
    assert_eq!(later, A_DAY);
    for year in ["31536000", "99999999999999999999999999"] {
        assert_eq!(read(year), Some(A_DAY), "a pause lasts a day at most");
    }
    for nonsense in ["-5", "", "1e3", "7.5"] {
        assert_eq!(read(nonsense), None, "{nonsense}");
    }
    // The clock of this computer does not matter if the response has a date.
    let mut headers = http::HeaderMap::new();
    headers.insert("date", "Wed, 21 Oct 2015 07:28:00 GMT".parse().unwrap());
    headers.insert("retry-after", "Wed, 21 Oct 2015 07:28:07 GMT".parse().unwrap());
    assert_eq!(retry_after(&headers), Some(Duration::from_secs(7)));
}
