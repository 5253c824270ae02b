//! Memory: each response is read in a process of its own, whose peak is compared with the promise.

mod answers;

use crate::cells::CampaignLength;
use crate::service::answering::{AnsweringService, RawReply};
use crate::tally::Tally;
use answers::{CASES, ExpectedEnd, MemoryCase, PeakLimit};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Deserialize;
use std::io::Write;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// The limit for all responses that become objects, whatever they contain.
const OBJECTS: u64 = 512 << 20;
/// The limit for tables: a multiple of the response, and a fixed part.
const TABLE: (u64, u64) = (4, 64 << 20);
/// The program that reads the responses, in the same folder as this one.
const PROGRAM: &str = "sondage-campaign-memory";

/// The process's final report.
#[derive(Deserialize)]
struct ProcessResult {
    peak: Option<u64>,
    error: Option<ProcessError>,
}

#[derive(Deserialize)]
struct ProcessError {
    kind: String,
    message: String,
}

pub fn run(form: CampaignLength) -> Tally {
    let mut tally = Tally::default();
    if !cfg!(target_os = "linux") {
        println!("memory: not measured, because peak memory is available on Linux only");
        return tally;
    }
    // One after the other, because each may take half a gigabyte.
    for case in CASES.iter().filter(|case| form == CampaignLength::Long || case.short) {
        let wrong = one(case).unwrap_or_else(Some);
        tally.add_named(
            "memory",
            case.name,
            None,
            "reading a response stays within the promised memory",
            wrong,
        );
    }
    tally
}

fn one(case: &MemoryCase) -> Result<Option<String>, String> {
    let begin = std::time::Instant::now();
    let (said, bytes) = measure(case)?;
    let peak = said.peak.ok_or("the process reported no peak memory")?;
    let most = match case.most {
        PeakLimit::Objects => OBJECTS,
        PeakLimit::Table => bytes * TABLE.0 + TABLE.1,
    };
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    println!(
        "memory: {}: {} MiB decompressed, peak {} MiB of {} MiB; {}; {:.0} s",
        case.name,
        mib(bytes),
        mib(peak),
        mib(most),
        said.error.as_ref().map_or("read", |error| error.message.as_str()),
        begin.elapsed().as_secs_f64(),
    );
    let ended = match (&case.end, &said.error) {
        (ExpectedEnd::Read | ExpectedEnd::Either, None) => None,
        (ExpectedEnd::Read, Some(error)) => Some(format!("{}: {}", error.kind, error.message)),
        (ExpectedEnd::Refused(_), None) => Some("it was read".to_owned()),
        (ExpectedEnd::Refused(ceiling), Some(error)) => {
            (!error.message.contains(ceiling)).then(|| error.message.clone())
        }
        (ExpectedEnd::Either, Some(error)) => (error.kind == "Internal").then(|| error.message.clone()),
    };
    Ok(ended.or_else(|| (peak > most).then(|| format!("{} MiB, and {} are promised", mib(peak), mib(most)))))
}

/// Starts a process that reads the response of a case. Returns its report, and the decompressed size of the response.
fn measure(case: &MemoryCase) -> Result<(ProcessResult, u64), String> {
    let text = |error: std::io::Error| error.to_string();
    let body = (case.body)();
    let bytes = body.len() as u64;
    let (headers, body) =
        if case.gzip { ("content-encoding: gzip\r\n", packed(&body).map_err(text)?) } else { ("", body) };
    // A list is read once: later pages are empty.
    let first = AtomicBool::new(true);
    let service = AnsweringService::start(move |_| {
        if first.swap(false, Ordering::SeqCst) {
            return RawReply(200, headers.to_owned(), body.clone());
        }
        RawReply::ok(r#"{"isSuccess":true,"interviews":[],"members":[]}"#)
    });
    let service = service.map_err(text)?;
    let program = std::env::current_exe().map_err(text)?.with_file_name(PROGRAM);
    let output = Command::new(&program).args([case.way, &service.url()]).output().map_err(text)?;
    let said = String::from_utf8_lossy(&output.stdout);
    let said = serde_json::from_str(&said).map_err(|_| format!("it ended with {}: {said}", output.status))?;
    Ok((said, bytes))
}

fn packed(body: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(body)?;
    gzip.finish()
}
