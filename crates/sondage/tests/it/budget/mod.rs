//! The daily budget: what is counted, what happens at the limit, and what happens to a call if the count cannot be
//! stored.

#[allow(dead_code)]
mod counted;
mod files;
mod stops;
mod stores;
mod warned;

use crate::support::sandbox;
use sondage::budget::{BudgetMode, BudgetReport};
use sondage::config::{ClientBuilder, Environment};
use sondage::model::ReadPanelRequest;
use sondage::{Client, Error};
use sondage_sandbox::Sandbox;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A sandbox, and clients that count what they send to it.
struct Scene {
    sandbox: Sandbox,
}

impl Scene {
    /// A sandbox at an address that none had before in this process: clients of the same address and tenant count together, and the
    /// system gives the port of a sandbox that has ended to another.
    async fn new() -> Self {
        static USED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
        let mut taken = Vec::new();
        loop {
            let sandbox = Sandbox::demo().await.expect("a sandbox");
            if USED.lock().expect("no panic").insert(sandbox.base_url().to_owned()) {
                return Self { sandbox };
            }
            // The sandbox keeps its port until another is found.
            taken.push(sandbox);
        }
    }

    fn builder(&self) -> ClientBuilder {
        sandbox::builder(&self.sandbox).client_secret(self.sandbox.client_secret()).budget_loopback(true)
    }

    fn client(&self) -> Client {
        self.builder().build().expect("a client")
    }

    /// A client that stops at the limit.
    fn stopping(&self, mode: BudgetMode, calls: u32) -> Client {
        self.builder().budget(mode).budget_calls(calls).build().expect("a client")
    }

    async fn read(&self, client: &Client) -> Result<(), Error> {
        client.read_panel(ReadPanelRequest::new(self.sandbox.panel_id())).await.map(drop)
    }

    /// The calls that arrived, and the bytes of their bodies. Requests for tokens and of links are not calls.
    fn arrived(&self) -> (u64, u64) {
        let others = ["token", "authorize", "jwks", "link"];
        let calls = self.sandbox.ledger().requests("*");
        let calls = calls.iter().filter(|it| !others.contains(&it.operation.as_str()));
        calls.fold((0, 0), |(calls, bytes), arrival| (calls + 1, bytes + arrival.bytes))
    }

    /// Keeps the sandbox, and so its port, until the process ends: the client remembers a pause by the address.
    fn keep(self) {
        std::mem::forget(self);
    }

    /// Checks that the count equals what arrived.
    fn assert_counted(&self, report: &BudgetReport) {
        assert_eq!((report.calls, report.sent), self.arrived());
        assert_eq!(report.bytes, report.received);
        assert_eq!(report.calls_left, report.calls_limit.saturating_sub(report.calls));
    }
}

/// A temporary folder, removed at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("sondage-budget-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
