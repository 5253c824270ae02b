//! A sandbox that is kept in a folder: its time, and what it says when it cannot be had.

use sondage_sandbox::{Frame, Sandbox};
use std::time::Duration;

/// It was stored with the next change only, and forgotten by a process that was killed before.
#[test]
fn a_time_that_a_program_sets_is_stored_at_once() {
    let folder = std::env::temp_dir().join(format!("sondage-clock-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let sandbox = Sandbox::builder().state(&folder).start_blocking().unwrap();
    let clock = sandbox.clock();
    let stored = || std::fs::read_to_string(folder.join("world.jsonl")).unwrap();
    let mut before = stored();
    let mut is_stored = |what: &str| {
        let now = stored();
        assert!(now.len() > before.len(), "{what}");
        before = now;
    };
    clock.freeze("2026-03-02T09:00:00Z".parse().unwrap());
    is_stored("freeze");
    clock.advance(Duration::from_secs(60));
    is_stored("advance");
    clock.rewind(Duration::from_secs(60));
    is_stored("rewind");
    clock.advance_seconds(1);
    is_stored("advance_seconds");
    clock.set("2026-03-03T09:00:00Z".parse().unwrap());
    is_stored("set");
    clock.reset();
    is_stored("reset");
    drop(sandbox);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Each says what, where, that nothing was changed, and what to do.
#[test]
fn a_state_that_cannot_be_used_says_why_and_what_to_do() {
    let folder = std::env::temp_dir().join(format!("sondage-kept-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let builder = || Sandbox::builder().state(&folder);
    let first = builder().frame(Frame::new("first").column("a", [1])).start_blocking().unwrap();
    let refused = |builder: sondage_sandbox::Builder| builder.start_blocking().unwrap_err().to_string();
    let locked = refused(builder());
    drop(first);
    let another = refused(builder().frame(Frame::new("second").column("b", [1])));
    let seed = refused(builder().seed(5));
    let path = folder.join("world.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let json = first[9..].split_once(' ').unwrap().1.replacen("\"sandbox\":2", "\"sandbox\":9", 1);
    let mut crc = flate2::Crc::new();
    crc.update(format!("1 {json}").as_bytes());
    std::fs::write(&path, format!("{:08x} 1 {json}\n{rest}", crc.sum())).unwrap();
    let version = refused(builder());
    for (said, cure) in [
        (&locked, "another sandbox uses it: stop that one, or name another folder"),
        (
            &another,
            "holds another survey than the one of `frames[0]`, and keeps it: name a new folder for this survey, or leave it out",
        ),
        (
            &seed,
            "was made with another `seed` (it was not set), which cannot be changed: leave it out, or name a new folder",
        ),
    ] {
        assert!(said.contains(&folder.display().to_string()) && said.contains(cure), "{said}");
        assert!(said.ends_with(". Nothing was changed"), "{said}");
    }
    let cure = "start it with that version, or with a newer one. Nothing was changed: use a copy of the folder, or name another one";
    assert!(version.contains(&folder.display().to_string()) && version.ends_with(cure), "{version}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_file_is_no_folder() {
    let path = std::env::temp_dir().join(format!("sondage-state-{}-a-file", std::process::id()));
    std::fs::write(&path, "mine").unwrap();
    let said = Sandbox::builder().state(&path).start_blocking().expect_err("a refusal").to_string();
    assert!(said.contains("it is a file and no folder. Nothing was written: name a folder"), "{said}");
    assert!(!said.contains("os error"), "{said}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    std::fs::remove_file(&path).unwrap();
}
