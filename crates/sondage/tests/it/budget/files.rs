//! The file with the count, valid or damaged.

use super::*;
use chrono::{TimeDelta, Utc};
use sondage::{Delivery, Effect, ErrorKind, Json, RawCall};
use sondage_sandbox::Fault;
use std::fs;
use std::path::Path;
use std::process::Command;

fn in_folder(scene: &Scene, mode: BudgetMode, folder: &Path) -> Client {
    scene.builder().budget(mode).budget_folder(folder).build().unwrap()
}

fn file_of(client: &Client) -> PathBuf {
    client.budget().file.expect("a file")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_count_is_in_a_small_file_that_its_owner_can_read() {
    let (scene, folder) = (Scene::new().await, Folder::new());
    let client = in_folder(&scene, BudgetMode::Warn, &folder.0.join("made/for it"));
    scene.read(&client).await.unwrap();
    let file = file_of(&client);
    let name = file.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("demo@127.0.0.1_") && name.ends_with(".budget"), "{name}");
    let content = fs::metadata(&file).unwrap();
    assert_eq!(content.len(), 88);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(content.permissions().mode() & 0o777, 0o600);
        let folder = fs::metadata(file.parent().unwrap()).unwrap();
        assert_eq!(folder.permissions().mode() & 0o777, 0o700);
    }
    scene.assert_counted(&client.budget());
    // Another process would read the same count. (This test opens the file by another path.)
    let other = in_folder(&scene, BudgetMode::Warn, &folder.0.join("made/../made/for it"));
    scene.read(&other).await.unwrap();
    scene.assert_counted(&other.budget());
    scene.assert_counted(&client.budget());
    assert_eq!(client.budget().calls, 2);
}

/// Nothing but the count is left out for a client whose calls are not counted: its report says how long a pause lasts.
#[tokio::test(flavor = "multi_thread")]
async fn the_report_of_a_client_that_is_not_counted_has_its_pause() {
    let scene = Scene::new().await;
    let client = scene.sandbox.client().build().unwrap();
    scene.sandbox.fault(Fault::on("ReadPanel").status(429).header("retry-after", "3600"));
    let error = scene.read(&client).await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_hours(1)));
    let report = client.budget();
    assert!(!report.counted && report.calls == 0, "{report}");
    assert!(report.paused_until.unwrap().0 > Utc::now() + TimeDelta::minutes(59), "{report}");
    scene.keep();
}

/// The pause used to be cut to what one call is willing to wait, and another process waited for the rest of it in silence.
#[tokio::test(flavor = "multi_thread")]
async fn another_process_keeps_a_pause_whole() {
    let (scene, folder) = (Scene::new().await, Folder::new());
    let client = in_folder(&scene, BudgetMode::Warn, &folder.0);
    scene.sandbox.fault(Fault::on("ReadPanel").status(429).header("retry-after", "31536000"));
    let begun = Utc::now();
    let error = scene.read(&client).await.unwrap_err();
    let day = TimeDelta::days(1);
    assert_eq!(error.retry_after(), Some(day.to_std().unwrap()), "a day at most: {error}");
    let until = client.budget().paused_until.unwrap().0;
    assert!(until >= begun + day - TimeDelta::seconds(1) && until <= Utc::now() + day, "{until}");
    let settings = [
        ("tenant", scene.sandbox.tenant()),
        ("base_url", scene.sandbox.base_url()),
        ("auth_url", scene.sandbox.auth_url()),
        ("client_secret", scene.sandbox.client_secret()),
        ("budget_folder", folder.0.to_str().unwrap()),
        ("budget_loopback", "true"),
    ];
    let settings = settings.map(|(name, value)| format!("{name}={value}")).join("\n");
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "budget::files::a_process_during_a_pause", "--nocapture"])
        .env("SONDAGE_TEST_PAUSE", settings)
        .output()
        .unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let rests: Vec<i64> =
        output.lines().filter_map(|line| line.strip_prefix("REST ")?.parse().ok()).collect();
    assert!(rests.len() == 3 && rests.iter().all(|rest| (80_000..=86_400).contains(rest)), "{output}");
    assert_eq!(scene.arrived().0, 1, "nothing more was sent");
    scene.keep();
}

/// Another process, if a test starts it: a read, a write, and a client of its own.
#[tokio::test(flavor = "multi_thread")]
async fn a_process_during_a_pause() {
    let Ok(settings) = std::env::var("SONDAGE_TEST_PAUSE") else { return };
    let mut builder = ClientBuilder::new().environment(Environment::empty());
    for (name, value) in settings.lines().filter_map(|line| line.split_once('=')) {
        builder = builder.set(name, value).unwrap();
    }
    let (one, other) = (builder.clone().build().unwrap(), builder.build().unwrap());
    let body = || Json::parse("{}").unwrap();
    for (client, effect) in [(&one, Effect::Read), (&one, Effect::Create), (&other, Effect::Read)] {
        let call = RawCall::new("/publicapi/Panel/v3/Something", body(), effect);
        let error = client.raw(call).await.unwrap_err();
        assert_eq!((error.kind(), error.delivery()), (ErrorKind::RateLimited, Delivery::No), "{error}");
        println!("REST {}", error.retry_after().unwrap().as_secs());
    }
}

/// If the file is deleted, the count starts again: processes that have it open switch to the new file.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_taken_away_is_made_anew() {
    let (scene, folder) = (Scene::new().await, Folder::new());
    let client = in_folder(&scene, BudgetMode::Warn, &folder.0);
    scene.read(&client).await.unwrap();
    fs::remove_file(file_of(&client)).unwrap();
    scene.read(&client).await.unwrap();
    assert_eq!(client.budget().calls, 1);
    assert!(file_of(&client).exists());
    // By a backup, or a folder that is synchronised: both processes count in the file that is there.
    let (file, moved) = (file_of(&client), folder.0.join("moved"));
    fs::rename(&file, &moved).unwrap();
    fs::copy(&moved, &file).unwrap();
    scene.read(&client).await.unwrap();
    let other =
        in_folder(&scene, BudgetMode::Warn, &folder.0.join("../").join(folder.0.file_name().unwrap()));
    scene.read(&other).await.unwrap();
    assert_eq!((client.budget().calls, other.budget().calls), (3, 3));
}

/// The outcome of a call if the file cannot be used: it is sent, unless the budget is a hard stop.
async fn cannot_be_used(scene: &Scene, folder: &Path, why: &str) {
    for mode in [BudgetMode::Warn, BudgetMode::Stop] {
        let client = scene.builder().budget(mode).budget_calls(2_u32).budget_folder(folder).build().unwrap();
        let before = (scene.arrived().0, client.budget().calls);
        scene.read(&client).await.unwrap();
        let report = client.budget();
        assert!(report.trouble.as_ref().is_some_and(|trouble| trouble.contains(why)), "{why}: {report}");
        assert_eq!((scene.arrived().0, report.calls), (before.0 + 1, before.1 + 1), "counted in memory");
    }
    let client =
        scene.builder().budget(BudgetMode::Stop).budget_calls(2_u32).budget_folder(folder).build().unwrap();
    assert_eq!(scene.read(&client).await.unwrap_err().kind(), ErrorKind::BudgetSpent, "what is known stops");
    let arrived = scene.arrived().0;
    let hard = in_folder(scene, BudgetMode::HardStop, folder);
    let error = scene.read(&hard).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration, "{error}");
    for words in ["not sent", why, "Nothing was changed", "`stop`"] {
        assert!(error.to_string().contains(words), "{words}: {error}");
    }
    assert_eq!(scene.arrived().0, arrived);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_cannot_be_used_blocks_no_call() {
    let (scene, folder) = (Scene::new().await, Folder::new());
    let nowhere = folder.0.join("a file");
    fs::write(&nowhere, "").unwrap();
    cannot_be_used(&scene, &nowhere.join("below"), "cannot be used").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_file_and_one_of_a_later_version_are_left_as_they_are() {
    let (scene, folder) = (Scene::new().await, Folder::new());
    let client = in_folder(&scene, BudgetMode::Warn, &folder.0.join("good"));
    scene.read(&client).await.unwrap();
    let good = file_of(&client);
    let whole = fs::read(&good).unwrap();
    let (mut flipped, mut newer, mut longer) = (whole.clone(), whole.clone(), whole.clone());
    flipped[40] ^= 1;
    newer[16] = 2;
    longer.push(0);
    let other = b"somebody else's notes, which are as long as a record of this library, or longer".to_vec();
    for (name, content, why) in [
        ("flipped", flipped, "damaged"),
        ("short", whole[..50].to_vec(), "damaged"),
        ("longer", longer, "damaged"),
        ("other", other, "damaged"),
        ("newer", newer, "a later version"),
    ] {
        let folder = folder.0.join(name);
        fs::create_dir(&folder).unwrap();
        let file = folder.join(good.file_name().unwrap());
        fs::write(&file, &content).unwrap();
        cannot_be_used(&scene, &folder, why).await;
        assert_eq!(fs::read(&file).unwrap(), content, "{name}");
    }
}

/// Calls that were counted in memory are not lost when the file can be used again.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_mended_learns_what_was_counted_meanwhile() {
    let (scene, folder) = (Scene::new().await, Folder::new());
    let client = in_folder(&scene, BudgetMode::Warn, &folder.0);
    scene.read(&client).await.unwrap();
    let file = file_of(&client);
    let whole = fs::read(&file).unwrap();
    fs::write(&file, "not a budget").unwrap();
    scene.read(&client).await.unwrap();
    assert_eq!(client.budget().calls, 2);
    fs::write(&file, whole).unwrap();
    scene.read(&client).await.unwrap();
    let report = client.budget();
    assert!(report.trouble.is_none());
    scene.assert_counted(&report);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_link_in_the_place_of_the_file_is_not_followed() {
    let (scene, folder) = (Scene::new().await, Folder::new());
    let client = in_folder(&scene, BudgetMode::Warn, &folder.0);
    let file = file_of(&client);
    fs::remove_file(&file).unwrap();
    let theirs = folder.0.join("theirs");
    std::os::unix::fs::symlink(&theirs, &file).unwrap();
    tokio::time::sleep(Duration::from_millis(150)).await;
    scene.read(&client).await.unwrap();
    assert!(!theirs.exists() && client.budget().trouble.is_some());
}

/// A process that keeps the lock delays others only briefly.
#[tokio::test(flavor = "multi_thread")]
async fn a_lock_that_is_not_given_back_is_not_waited_for_for_ever() {
    let (scene, folder) = (Scene::new().await, Folder::new());
    let client = in_folder(&scene, BudgetMode::Warn, &folder.0);
    scene.read(&client).await.unwrap();
    let lock = fs::File::open(file_of(&client)).unwrap();
    lock.lock().unwrap();
    for _ in 0..20 {
        scene.read(&client).await.unwrap();
    }
    assert!(client.budget().trouble.is_some_and(|trouble| trouble.contains("lock")));
    lock.unlock().unwrap();
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    scene.read(&client).await.unwrap();
    scene.assert_counted(&client.budget());
}
