//! The memory of an import of many rows: bounded by the state per row, not by the content of the rows.
//!
//! The short form imports 50,000 rows, the long one (`SONDAGE_LONG=1`, run by `cargo xtask jobs`) a million, which may take 64
//! MiB more than the base process. The same applies to a run that resumes after half of the rows.
#![cfg(target_os = "linux")]

use sondage_testserver::{Reply, Server};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

const MIB: u64 = 1 << 20;
/// The allowance for an import regardless of its rows: buffers, requests and a connection.
const FIXED: u64 = 20 * MIB;
/// The allowance for each row: its outcome, two digests and its index entry.
const PER_ROW: u64 = 46;

const TOKEN: &str = r#"{"access_token":"t","token_type":"bearer","expires_in":86400}"#;
const PANEL: &str = r#"{"panel":{"groups":[{"id":1,"name":"Data","displayName":"Data","fields":[
{"id":1,"name":"Email","isSystem":true,"panelFieldType":"String","metadata":{}},
{"id":2,"name":"FirstName","isSystem":true,"panelFieldType":"String","metadata":{}},
{"id":3,"name":"City","isSystem":false,"panelFieldType":"String","metadata":{}},
{"id":4,"name":"Age","isSystem":false,"panelFieldType":"Number","metadata":{}}]}]},
"isSuccess":true,"errorMessage":null,"errorCode":null}"#;
const NOBODY: &str = r#"{"members":[],"totalCount":0,"isSuccess":true,"errorMessage":null,"errorCode":null}"#;

/// A service with an empty panel that accepts every member.
struct Service {
    server: Server,
    created: Arc<AtomicI64>,
    /// The service refuses to create more members than this.
    most: Arc<AtomicI64>,
}

impl Service {
    fn start() -> Self {
        let (created, most) = (Arc::new(AtomicI64::new(0)), Arc::new(AtomicI64::new(i64::MAX)));
        let (last, limit) = (Arc::clone(&created), Arc::clone(&most));
        let server = Server::http(move |request| {
            let is_full = last.load(Ordering::SeqCst) >= limit.load(Ordering::SeqCst);
            let answer = match request.path.rsplit('/').next().unwrap_or_default() {
                "token" => TOKEN.to_owned(),
                "ReadPanel" => PANEL.to_owned(),
                "ReadMemberList" => NOBODY.to_owned(),
                _ if is_full => return Reply::new(403, ""),
                _ => self::created(&request.body, &last),
            };
            Reply::new(200, answer).header("content-type", "application/json")
        });
        Self { server, created, most }
    }
}

/// An id for each member of a request.
fn created(body: &[u8], last: &AtomicI64) -> String {
    const BEGIN: &[u8] = b"{\"fields\":{";
    let members = body.windows(BEGIN.len()).filter(|bytes| *bytes == BEGIN).count();
    let members = i64::try_from(members).unwrap();
    let first = last.fetch_add(members, Ordering::SeqCst) + 1;
    let ids: Vec<String> = (first..first + members).map(|id| id.to_string()).collect();
    format!(
        r#"{{"membersIds":[{}],"validationIssues":[],"isSuccess":true,"errorMessage":null,"errorCode":null}}"#,
        ids.join(",")
    )
}

struct Scene(PathBuf);

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Scene {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("sondage-import-memory-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn people(&self, rows: u64) -> PathBuf {
        let path = self.0.join(format!("{rows}.csv"));
        let mut file = io::BufWriter::new(std::fs::File::create(&path).unwrap());
        let mut line = "Email,FirstName,City,Age\n".to_owned();
        for row in 0..rows {
            file.write_all(line.as_bytes()).unwrap();
            line.clear();
            writeln!(line, "person{row}@memory.example,Zoë{row},Zürich,{}", row % 90).unwrap();
        }
        file.write_all(line.as_bytes()).unwrap();
        file.into_inner().unwrap();
        path
    }

    /// Imports the rows, and returns the peak memory of the command and its output. A journal is named, so that it is not emptied
    /// at the end.
    fn peak(&self, service: &Service, file: &Path) -> (u64, String) {
        let (peak, output) = self.run(service, file);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        (peak, String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn run(&self, service: &Service, file: &Path) -> (u64, Output) {
        let address = service.server.url();
        let mut child = Command::new(env!("CARGO_BIN_EXE_sondage"))
            .args(["import", "1"])
            .arg(file)
            .args(["--key", "Email", "--journal"])
            .arg(file.with_extension("journal"))
            .env("SONDAGE_BASE_URL", &address)
            .env("SONDAGE_AUTH_URL", &address)
            .env("SONDAGE_TENANT", "memory")
            .env("SONDAGE_CLIENT_ID", "memory")
            .env("SONDAGE_CLIENT_SECRET", "memory")
            .env("TMPDIR", &self.0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (status, mut peak) = (format!("/proc/{}/status", child.id()), 0);
        while child.try_wait().unwrap().is_none() {
            let said = std::fs::read_to_string(&status).unwrap_or_default();
            let line = said.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let size = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
            peak = peak.max(size.unwrap_or_default() * 1024);
            std::thread::sleep(Duration::from_millis(5));
        }
        (peak, child.wait_with_output().unwrap())
    }
}

#[test]
fn many_rows_take_little_memory() {
    let long = std::env::var("SONDAGE_LONG").is_ok_and(|long| long == "1");
    let (rows, begin) = (if long { 1_000_000 } else { 50_000 }, Instant::now());
    let (scene, service) = (Scene::new(), Service::start());
    let (base, _) = scene.peak(&service, &scene.people(1));
    let people = scene.people(rows);
    // The service refuses the second half; the same command then resumes.
    let (all, half) = (i64::try_from(rows).unwrap() + 1, i64::try_from(rows / 2).unwrap() + 1);
    service.most.store(half, Ordering::SeqCst);
    let (first, stopped) = scene.run(&service, &people);
    assert!(!stopped.status.success() && service.created.load(Ordering::SeqCst) == half);
    service.most.store(i64::MAX, Ordering::SeqCst);
    let (resumed, said) = scene.peak(&service, &people);
    assert!(said.contains(&format!("{rows} created")), "{said}");
    assert_eq!(service.created.load(Ordering::SeqCst), all);
    let (taken, most) = (first.saturating_sub(base), FIXED + PER_ROW * rows);
    let again = resumed.saturating_sub(base);
    assert!(
        base > 0 && taken.max(again) <= most,
        "{rows} rows take {taken} and {again} bytes, and may take {most}"
    );
    println!(
        "{rows} rows imported in {} MiB until it was stopped at their middle, and resumed to their end in {} MiB beyond the base process \
         of {} MiB, {} s",
        taken.div_ceil(MIB),
        again.div_ceil(MIB),
        base.div_ceil(MIB),
        begin.elapsed().as_secs()
    );
}
