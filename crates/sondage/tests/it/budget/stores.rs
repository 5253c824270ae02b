//! The count in a store of the application, and the day by another clock.

use super::*;
use sondage::ErrorKind;
use sondage::auth::clock::Clock;
use sondage::budget::{BudgetStore, DayRecord};
use sondage_sandbox::Fault;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

/// A store such as a database.
#[derive(Clone, Debug, Default)]
struct Table {
    rows: Arc<Mutex<HashMap<String, DayRecord>>>,
    fails: Arc<AtomicBool>,
}

impl BudgetStore for Table {
    fn update(&self, key: &str, change: &mut dyn FnMut(&mut DayRecord)) -> Result<(), Error> {
        if self.fails.load(Ordering::SeqCst) {
            return Err(Error::network("the database is not there"));
        }
        let mut rows = self.rows.lock().unwrap();
        change(rows.entry(key.to_owned()).or_default());
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn machines_that_share_a_database_share_the_day() {
    let (scene, table) = (Scene::new().await, Table::default());
    let client =
        |mode| scene.builder().budget(mode).budget_calls(5_u32).budget_store(table.clone()).build().unwrap();
    let (one, other) = (client(BudgetMode::Stop), client(BudgetMode::HardStop));
    for _ in 0..2 {
        scene.read(&one).await.unwrap();
        scene.read(&other).await.unwrap();
    }
    scene.assert_counted(&other.budget());
    assert_eq!(one.budget().calls, 4);
    assert!(one.budget().file.is_none());

    table.fails.store(true, Ordering::SeqCst);
    let error = scene.read(&other).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration, "{error}");
    scene.read(&one).await.unwrap();
    assert!(one.budget().trouble.is_some());
    table.fails.store(false, Ordering::SeqCst);
    for client in [&one, &other] {
        let error = scene.read(client).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BudgetSpent, "{error}");
    }
    scene.assert_counted(&one.budget());
}

/// A clock that the test moves, in seconds since 1970.
#[derive(Default)]
struct Moved(AtomicU64);

impl Clock for Moved {
    fn monotonic(&self) -> Duration {
        Duration::from_secs(self.0.load(Ordering::SeqCst))
    }

    fn wall(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + self.monotonic()
    }
}

const HOUR: u64 = 3_600;
/// 2026-11-23T00:00:00Z
const MIDNIGHT: u64 = 1_795_392_000;

#[tokio::test(flavor = "multi_thread")]
async fn the_day_begins_where_the_setting_says() {
    let (scene, folder, clock) = (Scene::new().await, Folder::new(), Arc::new(Moved::default()));
    clock.0.store(MIDNIGHT - HOUR, Ordering::SeqCst);
    let builder = scene.builder().clock(clock.clone()).budget(BudgetMode::Stop).budget_calls(1_u32);
    let client = builder.budget_folder(&folder.0).set("budget_day", "00:00+01:00").unwrap().build().unwrap();
    scene.read(&client).await.unwrap();
    let report = client.budget();
    assert_eq!(
        [report.begins, report.ends].map(|time| time.to_string()),
        ["2026-11-22T23:00:00Z", "2026-11-23T23:00:00Z"]
    );
    assert_eq!(scene.read(&client).await.unwrap_err().kind(), ErrorKind::BudgetSpent);
    clock.0.store(MIDNIGHT + 23 * HOUR - 1, Ordering::SeqCst);
    let error = scene.read(&client).await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(1)), "{error}");
    clock.0.store(MIDNIGHT + 23 * HOUR, Ordering::SeqCst);
    scene.read(&client).await.unwrap();
    assert_eq!(client.budget().calls, 1);
    // A clock that is set back does not start a second day.
    clock.0.store(MIDNIGHT + 22 * HOUR, Ordering::SeqCst);
    assert_eq!(scene.read(&client).await.unwrap_err().kind(), ErrorKind::BudgetSpent);
}

/// Another process was refused with 429: the pause that it stored also stops this one.
#[tokio::test(flavor = "multi_thread")]
async fn a_pause_that_another_process_was_told_holds_calls_back() {
    let (scene, table) = (Scene::new().await, Table::default());
    let client = scene.builder().budget_store(table.clone()).build().unwrap();
    scene.read(&client).await.unwrap();
    let until = SystemTime::now() + Duration::from_millis(700);
    let millis = until.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
    for record in table.rows.lock().unwrap().values_mut() {
        record.paused_until = u64::try_from(millis).unwrap();
    }
    assert!(client.budget().paused_until.is_some());
    scene.read(&client).await.unwrap();
    assert!(SystemTime::now() >= until);
    assert_eq!(client.budget().calls, 2, "a call that waits counts once");
    // A pause that this process was told to keep is stored for the others.
    scene.sandbox.fault(Fault::on("ReadPanel").times(1).status(429).header("retry-after", "1"));
    scene.read(&client).await.unwrap();
    let kept = table.rows.lock().unwrap().values().map(|record| record.paused_until).max();
    assert!(kept.is_some_and(|kept| u128::from(kept) > millis), "{kept:?}");
    scene.assert_counted(&client.budget());
}
