//! Processes that share a file of facts and are killed at any moment: the file is whole whenever it is read, and no list is short.

use super::facts::file_of;
use super::world::RequestedPage;
use crate::cells::CampaignLength;
use crate::drive::builder;
use crate::service::answering::{AnsweringService, RawReply, ReceivedRequest};
use crate::temporary::Folder;
use crate::worker::{self, Worker};
use serde::Deserialize;
use serde_json::json;
use sondage::model::ReadSurveyListRequest;
use sondage::operations::ReadSurveyList;
use sondage::{Client, internals::runtime};
use std::ffi::OsStr;
use std::path::Path;
use std::time::{Duration, Instant};

const PROCESSES: usize = 8;
/// How long each form kills processes.
const SHORT: Duration = Duration::from_secs(3);
const LONG: Duration = Duration::from_secs(60);
/// The longest list. All fit on one page of the client, and longer ones show the service's processes something new.
const MOST_ROWS: i64 = 900;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListRequest {
    workspace_id: i64,
    paging: RequestedPage,
}

/// A service whose workspace `n` has `n` surveys.
fn serve() -> std::io::Result<AnsweringService> {
    AnsweringService::start(|arrived: &ReceivedRequest| {
        let Ok(ListRequest { workspace_id: count, paging }) = serde_json::from_str(&arrived.body) else {
            return RawReply(400, String::new(), Vec::new());
        };
        let from = (paging.page - 1).max(0) * paging.page_size;
        let surveys: Vec<_> =
            (from..count.min(from + paging.page_size)).map(|id| json!({"id": id + 1, "name": "s"})).collect();
        RawReply::ok(json!({"isSuccess": true, "surveys": surveys, "totalCount": count}).to_string())
    })
}

fn client(url: &str, folder: &Path) -> Result<Client, String> {
    let settings = builder(url, None).page_size(1000).budget_loopback(true).facts_folder(folder);
    settings.build().map_err(|error| error.to_string())
}

/// The length of a workspace's list.
fn length(client: &Client, workspace: i64) -> Result<usize, String> {
    let list = client.pages::<ReadSurveyList>(ReadSurveyListRequest::new(workspace));
    let rows = runtime::block_on(async move { list.collect_all().await });
    rows.map(|rows| rows.len()).map_err(|error| error.to_string())
}

/// `facts-worker NAME URL FOLDER`: reads lists until it is killed, or until one is wrong.
pub fn work(words: &[String]) -> Result<(), String> {
    let [name, url, folder] = words else { return Err("facts-worker NAME URL FOLDER".to_owned()) };
    let client = client(url, Path::new(folder))?;
    worker::end_with_parent();
    loop {
        let rows = fastrand::i64(1..=MOST_ROWS);
        let read = length(&client, rows)?;
        if read != usize::try_from(rows).unwrap_or(0) {
            return Err(format!("{name}: {read} of {rows} rows, and no error"));
        }
    }
}

pub fn run(form: CampaignLength) -> Result<Option<String>, String> {
    let time = if form == CampaignLength::Short { SHORT } else { LONG };
    let (folder, service) = (Folder::new()?, serve().map_err(|error| error.to_string())?);
    let (shared, url) = (folder.path().join("shared"), service.url());
    let start = |number: usize| {
        Worker::start("facts-worker", format!("reader-{number}"), &[OsStr::new(&url), shared.as_os_str()])
    };
    let mut workers = (0..PROCESSES).map(start).collect::<Result<Vec<_>, _>>()?;
    let (begin, mut kills, mut looks) = (Instant::now(), 0, 0);
    while begin.elapsed() < time {
        std::thread::sleep(Duration::from_millis(kills as u64 * 7 % 20));
        if workers[kills % PROCESSES].kill() {
            return Ok(Some("a process ended by itself: see its message above".to_owned()));
        }
        workers[kills % PROCESSES] = start(PROCESSES + kills)?;
        kills += 1;
        // A process that begins now. The facts of this one belong to a folder, so it looks at copies.
        if let Some(copy) = copy(&shared, &folder.path().join(format!("copy-{kills}")))? {
            looks += 1;
            if client(&url, &copy)?.service_facts().facts.is_empty() {
                return Ok(Some(format!("the file held no facts after {kills} kills")));
            }
        }
    }
    drop(workers);
    let files = std::fs::read_dir(&shared).map_err(|error| error.to_string())?.count();
    println!(
        "facts: {kills} processes killed, {} requests, {looks} times read whole, {files} files",
        service.book.entries().len()
    );
    // What the killed ones have learned is known to the next one.
    let before = service.book.entries().len();
    let read = length(&client(&url, &shared)?, 1)?;
    let requests = service.book.entries().len() - before;
    Ok((read != 1 || requests > 2 || looks < kills / 2 || files > 4)
        .then(|| format!("{read} row in {requests} requests, {looks} looks at {kills} kills, {files} files")))
}

/// A copy of the folder with the facts, if they are there already.
fn copy(from: &Path, to: &Path) -> Result<Option<std::path::PathBuf>, String> {
    let text = |error: std::io::Error| error.to_string();
    let Some(facts) = file_of(from) else { return Ok(None) };
    std::fs::create_dir_all(to).map_err(text)?;
    std::fs::copy(&facts, to.join(facts.file_name().unwrap_or_default())).map_err(text)?;
    Ok(Some(to.to_owned()))
}
