//! Reads one response in a process of its own, and reports its peak memory.
//!
//! The campaign starts it for each case, and serves the response. It is a package of its own so that the campaign against
//! a changed client need not rebuild the tables.

use serde_json::json;
use sondage::config::{ClientBuilder, Environment};
use sondage::model::{ReadInterviewListRequest, ReadInterviewRequest, ReadMemberListRequest};
use sondage::operation::Operation;
use sondage::{Client, Effect, Json, RawCall, Result, internals::runtime, operations as o};
use sondage_data::{Table, Tables};
use std::hint::black_box;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [way, url] = &words[..] else {
        println!("usage: sondage-campaign-memory WAY URL");
        return;
    };
    let client = ClientBuilder::new().environment(Environment::empty()).tenant("acme").token("a-token");
    // The memory limits and all other settings are the defaults.
    let client =
        client.base_url(url.as_str()).auth_url(url.as_str()).retry_attempts(1_u32).page_size(100_000_000_i64);
    let way = way.clone();
    let read = client.build().and_then(|client| runtime::block_on(async move { read(&client, &way).await }));
    let error =
        read.as_ref().err().map(|error| json!({"kind": error.kind().as_str(), "message": error.to_string()}));
    println!("{}", json!({"peak": peak(), "rows": read.ok(), "error": error}));
}

/// Reads it. Returns the number of rows, if there are any.
async fn read(client: &Client, way: &str) -> Result<usize> {
    Ok(match way {
        "raw" => {
            let body = Json::parse("{}").map_err(internal)?;
            let call = RawCall::new("/publicapi/Campaign/v3/Something", body, Effect::Read);
            held(client.raw(call).await?, |_| 1)
        }
        "ReadMemberList" => {
            typed::<o::ReadMemberList>(client, ReadMemberListRequest::new(1), |said| said.members.len())
                .await?
        }
        "ReadInterviewList" => {
            let request = ReadInterviewListRequest::new(1);
            typed::<o::ReadInterviewList>(client, request, |said| said.interviews.len()).await?
        }
        "ReadInterviewListCompact" => {
            let request = ReadInterviewListRequest::new(1);
            typed::<o::ReadInterviewListCompact>(client, request, |said| said.interviews.len()).await?
        }
        "ReadInterview" => {
            let request = ReadInterviewRequest::new("0b8a1e0c-0000-4000-8000-000000000001", 1);
            typed::<o::ReadInterview>(client, request, |said| said.response_data.len()).await?
        }
        "interviews" => held(client.interviews(1).without_code_plan().table().await?, Table::num_rows),
        "structured interviews" => {
            let table = client.interviews(1).structured().without_code_plan().table().await?;
            held(table, Table::num_rows)
        }
        "members" => held(client.member_table(client.members(1)).table().await?, Table::num_rows),
        other => return Err(sondage::Error::internal(format!("there is no way `{other}`"))),
    })
}

/// With the response's text in addition to the objects, as for callers of `with_response`.
async fn typed<O: Operation>(
    client: &Client,
    request: O::Request,
    rows: impl FnOnce(&O::Response) -> usize,
) -> Result<usize> {
    Ok(held(client.with_response::<O>(request).await?, |answer| rows(&answer.value)))
}

/// The data are kept until the memory has been measured.
fn held<T>(value: T, rows: impl FnOnce(&T) -> usize) -> usize {
    let rows = rows(&value);
    black_box(value);
    rows
}

fn internal(error: impl std::fmt::Display) -> sondage::Error {
    sondage::Error::internal(error.to_string())
}

/// The peak memory of this process, in bytes. Only available on Linux.
fn peak() -> Option<u64> {
    let said = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = said.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}
