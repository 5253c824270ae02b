//! Prefetching: which calls the sandbox's ledger saw, and when.

use crate::support::everything;
use crate::support::service::{client, wait};
use sondage::config::{ClientBuilder, Environment};
use sondage::{Client, ErrorKind, Result};
use sondage_data::{Interviews, Tables};
use sondage_sandbox::{Fault, FaultAction, Sandbox};
use std::time::{Duration, Instant};

const READ: &str = "ReadInterviewListCompact";
/// 944 interviews: nine full pages and a partial one.
const CALLS: usize = 10;

fn sandbox() -> (Sandbox, Client) {
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let client = client(&sandbox, 100);
    (sandbox, client)
}

/// A client that retries a call for several seconds.
fn patient(sandbox: &Sandbox) -> Client {
    ClientBuilder::new()
        .environment(Environment::empty())
        .tenant(sandbox.tenant())
        .base_url(sandbox.base_url())
        .auth_url(sandbox.auth_url())
        .client_secret(sandbox.client_secret())
        .page_size(100)
        .retry_attempts(20_u32)
        .retry_base(Duration::from_millis(100))
        .retry_cap(Duration::from_millis(300))
        .build()
        .expect("a client")
}

fn query(sandbox: &Sandbox, client: &Client) -> Interviews {
    client.interviews(sandbox.survey_id())
}

fn calls(sandbox: &Sandbox) -> usize {
    sandbox.ledger().requests(READ).len()
}

/// Waits until this many calls have arrived although no rows are requested. More must not arrive, however long one waits.
async fn arrived(sandbox: &Sandbox, wanted: usize) {
    let timeout = Instant::now() + Duration::from_secs(20);
    while calls(sandbox) < wanted && Instant::now() < timeout {
        pause(5).await;
    }
    pause(50).await;
    assert_eq!(calls(sandbox), wanted);
}

async fn pause(milliseconds: u64) {
    let forever = std::future::pending::<()>();
    let end = Instant::now() + Duration::from_millis(milliseconds);
    sondage::internals::runtime::timeout_at(end, forever).await;
}

/// Runs with the sandbox and a client of it.
fn with<T: Send + 'static, F: Future<Output = Result<T>> + Send + 'static>(
    test: impl FnOnce(Sandbox, Client) -> F,
) -> T {
    let (sandbox, client) = sandbox();
    wait(test(sandbox, client)).expect("no error")
}

#[test]
fn one_page_comes_while_the_last_one_is_worked_on_and_no_call_is_made_for_nothing() {
    with(|sandbox, client| async move {
        let mut reading = query(&sandbox, &client).read()?;
        assert_eq!(calls(&sandbox), 0);
        for page in 1..CALLS {
            assert!(reading.step().await?);
            // The caller holds this page, and the next one has been fetched in advance.
            assert_eq!(reading.progress().calls, page as u64);
            arrived(&sandbox, page + 1).await;
        }
        while reading.step().await? {}
        assert_eq!((reading.progress().rows, calls(&sandbox)), (944, CALLS));
        assert_eq!(reading.progress().calls, CALLS as u64);
        Ok(())
    });
}

#[test]
fn the_table_is_the_same_as_from_single_pages() {
    with(|sandbox, client| async move {
        let whole = query(&sandbox, &client).page_size(944).table().await?;
        let paged = query(&sandbox, &client).table().await?;
        assert!(everything(&whole) == everything(&paged));
        Ok(())
    });
}

#[test]
fn who_takes_one_batch_pays_for_one_call() {
    with(|sandbox, client| async move {
        let mut batches = query(&sandbox, &client).batches()?;
        batches.next().await?;
        arrived(&sandbox, 1).await;
        batches.next().await?;
        arrived(&sandbox, 3).await;
        Ok(())
    });
}

#[test]
fn an_export_to_a_file_makes_the_same_calls() {
    with(|sandbox, client| async move {
        let path = std::env::temp_dir().join(format!("sondage-ahead-{}.csv", std::process::id()));
        let exported = query(&sandbox, &client).export(&path).run().await?;
        std::fs::remove_file(&path).expect("the file is there");
        assert_eq!((exported.rows, exported.progress.calls), (944, CALLS as u64));
        assert_eq!(calls(&sandbox), CALLS);
        Ok(())
    });
}

#[test]
fn an_error_comes_when_its_page_is_asked_for_and_can_be_overcome() {
    with(|sandbox, client| async move {
        let bad = FaultAction::Body { text: r#"{"interviews":[{"Id":"#.to_owned() };
        let fault = sandbox.fault(Fault::on(READ).skip(1).every().action(bad));
        let mut reading = query(&sandbox, &client).read()?;
        assert!(reading.step().await?, "the first page is valid, and is returned");
        while fault.hits() == 0 {
            pause(5).await;
        }
        assert_eq!(reading.progress().rows, 100, "nobody is told before");
        let error = reading.step().await.expect_err("the second page");
        assert_eq!(error.kind(), ErrorKind::UnexpectedResponse);
        assert!(error.to_string().contains("page 2"), "{error}");
        fault.remove();
        while reading.step().await? {}
        assert_eq!(reading.finish()?.num_rows(), 944);
        Ok(())
    });
}

#[test]
fn a_page_that_is_cut_while_it_is_fetched_ahead_is_halved() {
    with(|sandbox, client| async move {
        let mut reading = query(&sandbox, &client).read()?;
        let cut = sandbox.fault(Fault::on(READ).skip(1).times(3).cut_mid_answer());
        while reading.step().await? {}
        assert!(cut.hits() > 0);
        assert_eq!(reading.finish()?.num_rows(), 944);
        Ok(())
    });
}

#[test]
fn a_download_that_is_dropped_sends_nothing_more() {
    with(|sandbox, _| async move {
        let client = patient(&sandbox);
        let busy = sandbox.fault(Fault::on(READ).skip(1).every().status(503));
        let mut reading = query(&sandbox, &client).read()?;
        assert!(reading.step().await?);
        // The second page is being fetched, and retried, although nobody waits for it.
        while busy.hits() == 0 {
            pause(2).await;
        }
        drop(reading);
        pause(50).await;
        let sent = calls(&sandbox);
        pause(500).await;
        assert_eq!(calls(&sandbox), sent);
        Ok(())
    });
}

#[test]
fn who_gives_up_waiting_for_a_page_ends_its_call_also_when_it_began_before() {
    with(|sandbox, client| async move {
        let busy = sandbox.fault(Fault::on(READ).skip(1).every().delay(Duration::from_secs(600)));
        let mut reading = query(&sandbox, &client).read()?;
        assert!(reading.step().await?);
        arrived(&sandbox, 2).await;
        let soon = Instant::now() + Duration::from_millis(30);
        assert!(sondage::internals::runtime::timeout_at(soon, reading.step()).await.is_none());
        arrived(&sandbox, 2).await;
        busy.remove();
        while reading.step().await? {}
        assert_eq!(reading.finish()?.num_rows(), 944);
        Ok(())
    });
}
