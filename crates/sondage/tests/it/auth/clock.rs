//! The expiry of tokens, with clocks that a test can move.

use super::{shown, tokens};
use crate::support::{DEADLINE, sandbox::builder};
use sondage::auth::clock::Clock;
use sondage_sandbox::Sandbox;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// Two clocks that only move when set, independently.
#[derive(Default)]
pub struct FakeClock {
    monotonic: AtomicU64,
    wall: AtomicU64,
}

impl FakeClock {
    pub fn new() -> Arc<Self> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
        Arc::new(Self { monotonic: AtomicU64::new(1000), wall: AtomicU64::new(now) })
    }

    pub fn advance(&self, seconds: u64) {
        self.advance_monotonic(seconds);
        self.advance_wall(seconds);
    }

    pub fn advance_monotonic(&self, seconds: u64) {
        self.monotonic.fetch_add(seconds, Ordering::SeqCst);
    }

    pub fn set_back(&self, seconds: u64) {
        self.wall.fetch_sub(seconds, Ordering::SeqCst);
    }

    pub fn advance_wall(&self, seconds: u64) {
        self.wall.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for FakeClock {
    fn monotonic(&self) -> Duration {
        Duration::from_secs(self.monotonic.load(Ordering::SeqCst))
    }

    fn wall(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(self.wall.load(Ordering::SeqCst))
    }
}

#[tokio::test]
async fn a_token_has_ended_when_either_clock_says_so() {
    for advance in [FakeClock::advance_monotonic, FakeClock::advance_wall] {
        let (sandbox, clock) = (Sandbox::demo().await.unwrap(), FakeClock::new());
        let tokens = tokens(&builder(&sandbox).client_secret(sandbox.client_secret()).clock(clock.clone()));
        let first = tokens.token(None).await.unwrap();
        advance(&clock, 1200);
        assert_eq!(tokens.token(None).await.unwrap(), first, "20 of its 30 minutes are over");
        advance(&clock, 595);
        assert_ne!(tokens.token(None).await.unwrap(), first, "in its last 5 seconds it is not used any more");
        assert_eq!(shown(&sandbox), ["client_credentials", "refresh_token"]);
    }
}

#[tokio::test]
async fn the_next_token_is_got_early_and_nobody_waits_for_it() {
    let (sandbox, clock) = (Sandbox::demo().await.unwrap(), FakeClock::new());
    let tokens = tokens(&builder(&sandbox).client_secret(sandbox.client_secret()).clock(clock.clone()));
    let first = tokens.token(None).await.unwrap();
    // 80 % of 1800 s is 1440 s; the random part makes it up to 90 s earlier.
    clock.advance(1440);
    let slow = sondage_sandbox::Fault::on("token").delay(Duration::from_millis(300));
    sandbox.fault(slow);
    for _ in 0..50 {
        assert_eq!(
            tokens.token(None).await.unwrap(),
            first,
            "the old token is used while the new one is requested"
        );
    }
    let renewed = async {
        while tokens.token(None).await.unwrap() == first {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(DEADLINE, renewed).await.expect("a new token is requested in the background");
    assert_eq!(shown(&sandbox).len(), 2, "one early renewal, whatever the number of calls");
}

#[tokio::test]
async fn a_failed_early_renewal_harms_nobody_while_the_token_lives() {
    let (sandbox, clock) = (Sandbox::demo().await.unwrap(), FakeClock::new());
    let tokens = tokens(&builder(&sandbox).client_secret(sandbox.client_secret()).clock(clock.clone()));
    let first = tokens.token(None).await.unwrap();
    sandbox.fault(sondage_sandbox::Fault::on("token").every().status(503));
    clock.advance(1500);
    let begin = std::time::Instant::now();
    while super::arrived(&sandbox) < 2 {
        assert!(begin.elapsed() < DEADLINE, "no early renewal");
        assert_eq!(tokens.token(None).await.unwrap(), first);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    for _ in 0..20 {
        assert_eq!(tokens.token(None).await.unwrap(), first);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(super::arrived(&sandbox), 2, "one try, then a pause");
    sandbox.clear_faults();
    clock.advance(299);
    let second = tokens.token(None).await.unwrap();
    assert_ne!(second, first);
}
