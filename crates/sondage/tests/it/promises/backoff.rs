//! The backoff between attempts, when the service names none: it grows, it is random, and it is limited.

use sondage::config::{ClientBuilder, Environment, RetryPolicy};
use sondage::internals::call::retry::backoff;
use std::time::Duration;

pub fn policy(cap: Duration) -> RetryPolicy {
    let account =
        ClientBuilder::new().environment(Environment::empty()).account("https://acme.survalyzer-eu.app");
    let mut policy = account.client_secret("of nobody").resolve().unwrap().retry;
    (policy.attempts, policy.budget) = (9, 1.0);
    (policy.base, policy.factor, policy.cap) = (Duration::from_millis(100), 3.0, cap);
    policy.retry_after_cap = Duration::from_secs(1);
    policy
}

/// The shortest and the longest of many waits.
fn waits(policy: &RetryPolicy, attempt: u32) -> (Duration, Duration) {
    let waits: Vec<_> = (0..300).map(|_| backoff(policy, attempt)).collect();
    (*waits.iter().min().unwrap(), *waits.iter().max().unwrap())
}

#[test]
fn the_wait_grows_with_each_attempt_and_is_random_from_zero_on() {
    let policy = policy(Duration::from_secs(60));
    // It is practically impossible that 300 random delays all fall into the same tenth or two thirds of the range.
    for (attempt, most) in [(1, 100), (2, 300), (3, 900)].map(|(n, ms)| (n, Duration::from_millis(ms))) {
        let (shortest, longest) = waits(&policy, attempt);
        assert!(longest <= most && longest > most / 2, "{attempt}: {longest:?}");
        assert!(shortest < most / 10, "{attempt}: {shortest:?}");
    }
}

#[test]
fn the_wait_has_an_end() {
    let policy = policy(Duration::from_millis(250));
    for attempt in [2, 3, 40, u32::MAX] {
        let (_, longest) = waits(&policy, attempt);
        assert!(longest <= Duration::from_millis(250) && longest > Duration::from_millis(125), "{longest:?}");
    }
}
