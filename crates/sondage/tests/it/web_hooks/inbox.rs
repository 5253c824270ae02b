//! Events that are remembered in a folder: over restarts, and between workers.

use super::*;
use crate::auth::sharing::Folder;
use sondage::webhook::{Claim, Guard};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const LEASE: Duration = Duration::from_secs(60);

fn event(number: usize) -> Event {
    let hook = Hook::new(Strategy::basic("a", "b").unwrap()).unwrap();
    let body = format!(r#"{{"eventType":"X","entity":{{"id":{number}}}}}"#);
    hook.verify("/", [("authorization", hook.security_token().reveal())], body.as_bytes()).unwrap()
}

fn guard(folder: &Path) -> Guard {
    Guard::in_folder(folder, LEASE).unwrap()
}

fn state(guard: &Guard, event: &Event) -> &'static str {
    match guard.claim(event).unwrap() {
        Claim::New(_) => "new",
        Claim::Done => "done",
        Claim::Busy => "busy",
    }
}

#[test]
fn a_folder_remembers_over_restarts() {
    let folder = Folder::new("events-restarts");
    let path = folder.0.join("made/events");
    let (first, second) = (event(1), event(2));
    let Claim::New(ticket) = guard(&path).claim(&first).unwrap() else { panic!("it is new") };
    assert_eq!(state(&guard(&path), &first), "busy", "another worker has it");
    ticket.done().unwrap();
    let restarted = guard(&path);
    assert_eq!(state(&restarted, &first), "done");
    assert_eq!(state(&restarted, &second), "new");
    assert_eq!(state(&restarted, &second), "new", "the ticket was dropped");
    assert!(restarted.knows(&first).unwrap() && !restarted.knows(&second).unwrap());
    restarted.remember(["an older one".to_owned()]).unwrap();
    assert_eq!(guard(&path).keys().unwrap(), [first.key.as_str(), "an older one"]);
    assert_eq!(restarted.prune(Duration::from_secs(3600)).unwrap(), 0);
    std::thread::sleep(Duration::from_millis(5));
    assert_eq!(restarted.prune(Duration::ZERO).unwrap(), 2);
    assert_eq!(state(&restarted, &first), "new", "it was forgotten");
}

#[test]
fn the_event_of_a_killed_worker_is_new_after_its_lease() {
    let folder = Folder::new("events-lease");
    let short = Guard::in_folder(folder.0.as_path(), Duration::from_secs(1)).unwrap();
    let Claim::New(killed) = short.claim(&event(1)).unwrap() else { panic!("it is new") };
    assert_eq!(state(&short, &event(1)), "busy");
    std::thread::sleep(Duration::from_millis(1100));
    let Claim::New(ticket) = short.claim(&event(1)).unwrap() else { panic!("the lease has ended") };
    drop(killed);
    assert_eq!(state(&short, &event(1)), "busy", "the first one gives back only what is its own");
    ticket.done().unwrap();
    assert_eq!(state(&short, &event(1)), "done");
}

#[test]
fn workers_that_share_a_folder_handle_each_event_once() {
    let folder = Folder::new("events-workers");
    let handled = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let guard = guard(folder.0.as_path());
                for number in 0..50 {
                    if let Claim::New(ticket) = guard.claim(&event(number)).unwrap() {
                        handled.fetch_add(1, Ordering::SeqCst);
                        ticket.done().unwrap();
                    }
                }
            });
        }
    });
    assert_eq!(handled.load(Ordering::SeqCst), 50);
}

#[test]
fn a_folder_that_cannot_be_used_refuses_the_delivery() {
    let folder = Folder::new("events-refused");
    let refused = Guard::in_folder(folder.0.as_path(), Duration::ZERO).unwrap_err().to_string();
    assert!(refused.contains("`lease` must be at least one second"), "{refused}");
    let file = folder.0.join("file");
    std::fs::write(&file, "").unwrap();
    let error = Guard::in_folder(&file, LEASE).unwrap_err().to_string();
    assert!(error.contains("the folder of events") && error.contains("sends it again"), "{error}");

    let path = folder.0.join("events");
    let guard = guard(&path);
    assert_eq!(state(&guard, &event(1)), "new");
    let Claim::New(ticket) = guard.claim(&event(1)).unwrap() else { panic!("it is new") };
    ticket.done().unwrap();
    let entry = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
    let entry = entry.into_iter().find(|path| path.extension().is_some()).unwrap();
    std::fs::write(&entry, r#"{"key":"#).unwrap();
    let error = guard.claim(&event(1)).unwrap_err().to_string();
    let name = entry.file_name().unwrap().to_string_lossy();
    assert!(error.contains(&*name) && error.contains("not what this library writes"), "{error}");
}
