//! What a folder of a state and a copy have besides the content: a clock that stands still, and the settings of the start.

use chrono::{DateTime, TimeDelta, Utc};
use sondage_sandbox::{Builder, Sandbox};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("copies-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn day() -> DateTime<Utc> {
    DateTime::from_timestamp(1_700_000_000, 0).expect("a time")
}

#[test]
fn a_clock_that_stands_still_does_so_in_the_next_sandbox_and_in_a_copy() {
    let (state, copy) = (folder("frozen-state"), folder("frozen-copy"));
    let start = || Sandbox::builder().state(&state).start_blocking().expect("a sandbox");
    let sandbox = start();
    sandbox.clock().freeze(day());
    drop(sandbox);
    let sandbox = start();
    assert_eq!(sandbox.clock().now(), day(), "frozen at the same instant");
    sandbox.clock().advance(Duration::from_secs(60));
    let moved = day() + TimeDelta::seconds(60);
    sandbox.snapshot(&copy).expect("a copy");
    sandbox.clock().reset();
    assert!((Utc::now() - sandbox.clock().now()).num_seconds().abs() < 60);
    sandbox.restore(&copy).expect("restored");
    assert_eq!(sandbox.clock().now(), moved);
    drop(sandbox);
    assert_eq!(start().clock().now(), moved);
    let of_copy = Sandbox::builder().state(&copy).start_blocking().expect("a sandbox");
    assert_eq!(of_copy.clock().now(), moved);
    of_copy.clock().reset();
    drop(of_copy);
    let of_copy = Sandbox::builder().state(&copy).start_blocking().expect("a sandbox");
    assert!((Utc::now() - of_copy.clock().now()).num_seconds().abs() < 60, "it runs again");
}

#[test]
fn a_copy_of_a_sandbox_with_another_setting_is_refused() {
    let copy = folder("settings");
    let start = |builder: Builder| builder.start_blocking().expect("a sandbox");
    let members = |members| start(Sandbox::builder().extra_members(members));
    members(5).snapshot(&copy).expect("a copy");
    for other in [members(3), members(0)] {
        let said = other.restore(&copy).expect_err("another number").to_string();
        assert!(
            said.contains("another `extra_members`: start one") && said.ends_with("Nothing was changed"),
            "{said}"
        );
    }
    members(5).restore(&copy).expect("the same settings");
}
