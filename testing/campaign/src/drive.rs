//! Makes the call of a cell with the Rust client, and reports its result.

use crate::cells::CampaignCell;
use crate::report::CallReport;
use crate::service::certificates;
use crate::stage::CampaignStage;
use serde::Deserialize;
use serde_json::{Value, json};
use sondage::config::{ClientBuilder, Environment};
use sondage::model::{
    CreateMembersRequest, DeleteSurveyRequest, DeleteWebHookRequest, MemberChange, NewMember,
    ReadPanelRequest, RemindMembersRequest, ResetInterviewRequest, UpdateMembersRequest,
};
use sondage::operation::Operation;
use sondage::{CallOptions, Client, Json, RawCall, Result, internals::runtime, operations};
use std::time::Duration;

/// The id of a cell's call, at the end of its path.
pub fn call_id(cell: &CampaignCell) -> String {
    cell.setting.operation.clone().unwrap_or_else(|| format!("C{}", cell.id))
}

/// The ids of the calls that follow it.
pub fn other_ids(cell: &CampaignCell) -> Vec<String> {
    (0..cell.setting.others).map(|number| format!("O{number}")).collect()
}

/// A tenant of its own where calls are paused: a pause may last a day, and a later cell may get the same address.
fn tenant(cell: &CampaignCell) -> String {
    if cell.setting.others > 0 || cell.scripts.iter().any(|script| script.contains("retry-after")) {
        format!("acme{}", cell.id)
    } else {
        "acme".to_owned()
    }
}

/// A JSON body of this size.
pub fn body(size: usize) -> String {
    let frame = r#"{"text":""}"#.len();
    format!(r#"{{"text":"{}"}}"#, "x".repeat(size.saturating_sub(frame)))
}

/// The settings of all clients in the campaign. Timeouts are short where a long wait would test nothing.
pub fn builder(url: &str, auth: Option<&str>) -> ClientBuilder {
    let builder = ClientBuilder::new()
        .environment(Environment::empty())
        .tenant("acme")
        .base_url(url)
        .auth_url(auth.unwrap_or(url))
        .answer_bytes(1_u64 << 20)
        .retry_base(Duration::from_millis(2))
        .retry_cap(Duration::from_millis(5))
        .deadline(Duration::from_secs(30));
    match auth {
        Some(_) => builder.client_secret("a-secret"),
        None => builder.token("a-token"),
    }
}

fn client(cell: &CampaignCell, stage: &CampaignStage) -> Result<Client> {
    let setting = &cell.setting;
    let auth = stage.endpoint.as_ref().map(crate::service::Service::url);
    let mut builder = builder(&stage.service.url(), auth.as_deref())
        .retry_attempts(setting.attempts)
        .tenant(tenant(cell))
        .retry_after_cap(Duration::from_secs(setting.timeout))
        .deadline(Duration::from_millis(setting.deadline));
    if stage.service.url().starts_with("https") {
        builder = builder.ca_file(certificates::authority());
    }
    if let Some(proxy) = stage.service.proxy() {
        builder = builder.proxy(proxy);
    }
    builder.build()
}

/// Makes the call.
pub fn call(cell: &CampaignCell, stage: &CampaignStage) -> CallReport {
    let client = match client(cell, stage) {
        Ok(client) => client,
        Err(error) => return CallReport::from(&error),
    };
    // Every second one is made by a separate client.
    let another =
        |at: usize| if at.is_multiple_of(2) { Ok(client.clone()) } else { self::client(cell, stage) };
    let others = other_ids(cell).into_iter().enumerate().map(|(at, id)| Ok((another(at)?, id)));
    let others = match others.collect::<Result<Vec<_>>>() {
        Ok(others) => others,
        Err(error) => return CallReport::from(&error),
    };
    let (cell, shared) = (cell.clone(), stage.service.shared.clone());
    let result = runtime::block_on(async move {
        let client = client.with(CallOptions::new());
        let Some(leaves) = cell.setting.leaves else {
            let report = make(&client, &cell).await;
            return Ok(CallReport { others: all(others, &cell).await, ..report });
        };
        // This long after the first response was sent, so that a slow machine does not change the order.
        let answered = tokio::task::spawn_blocking(move || {
            shared.ledger.wait(Duration::from_secs(20), |pages| {
                pages.exchanges.iter().any(|exchange| exchange.said.is_some())
            });
            std::thread::sleep(Duration::from_millis(leaves));
        });
        Ok(tokio::select! {
            report = make(&client, &cell) => report,
            _ = answered => CallReport { left: true, ..CallReport::default() },
        })
    });
    result.unwrap_or_else(|error| CallReport::from(&error))
}

async fn make(client: &Client, cell: &CampaignCell) -> CallReport {
    let result = match cell.setting.operation.as_deref() {
        None => raw(client, cell, &call_id(cell)).await,
        Some(operation) => typed(client, operation).await,
    };
    result.unwrap_or_else(|error| CallReport::from(&error))
}

/// Makes these calls at once.
async fn all(calls: Vec<(Client, String)>, cell: &CampaignCell) -> Vec<CallReport> {
    let calls = calls.into_iter().map(|(client, id)| {
        let cell = cell.clone();
        tokio::spawn(async move {
            raw(&client, &cell, &id).await.unwrap_or_else(|error| CallReport::from(&error))
        })
    });
    let mut reports = Vec::new();
    for call in calls.collect::<Vec<_>>() {
        reports.extend(call.await);
    }
    reports
}

#[derive(Deserialize)]
struct Echo {
    echo: Option<String>,
}

async fn raw(client: &Client, cell: &CampaignCell, id: &str) -> Result<CallReport> {
    let path = format!("/publicapi/Campaign/v3/{id}");
    let body = Json::parse(body(cell.size)).map_err(internal)?;
    let answer = client.raw(RawCall::new(path, body, cell.effect())).await?;
    let echo = serde_json::from_str::<Echo>(answer.value.as_str()).ok().and_then(|said| said.echo);
    Ok(CallReport { attempts: Some(answer.attempts), echo, ..CallReport::default() })
}

async fn typed(client: &Client, operation: &str) -> Result<CallReport> {
    use operations as o;
    match operation {
        "ReadPanel" => done::<o::ReadPanel>(client, ReadPanelRequest::new(7)).await,
        "UpdateMembers" => {
            let members = [MemberChange::of(5, [("Email", "a@example.com")])];
            done::<o::UpdateMembers>(client, UpdateMembersRequest::new(7, members)).await
        }
        "CreateMembers" => {
            let members = [NewMember::of([("Email", "a@example.com")])];
            done::<o::CreateMembers>(client, CreateMembersRequest::new(7, members)).await
        }
        "ResetInterview" => {
            done::<o::ResetInterview>(
                client,
                ResetInterviewRequest::new(7, "0b8a1e0c-0000-4000-8000-000000000001"),
            )
            .await
        }
        "RemindMembers" => done::<o::RemindMembers>(client, RemindMembersRequest::new(7, 8)).await,
        "DeleteSurvey" => done::<o::DeleteSurvey>(client, DeleteSurveyRequest::new(7)).await,
        "DeletePanel" => {
            done::<o::DeletePanel>(client, request(json!({"panelId": 7, "keepInterviews": false}))?).await
        }
        "DeleteMembers" => done::<o::DeleteMembers>(client, request(deletion(&[5]))?).await,
        "DeleteMembers, three" => done::<o::DeleteMembers>(client, request(deletion(&[5, 6, 7]))?).await,
        "DeleteWebHook" => done::<o::DeleteWebHook>(client, DeleteWebHookRequest::new("7")).await,
        other => Err(sondage::Error::internal(format!("the campaign cannot call {other}"))),
    }
}

/// A request by its wire names: earlier clients have other constructors.
pub fn request<R: serde::de::DeserializeOwned>(fields: Value) -> Result<R> {
    serde_json::from_value(fields).map_err(internal)
}

/// The request that deletes these members.
pub fn deletion(members: &[i64]) -> Value {
    json!({"panelId": 7, "panelMembersIds": members, "keepInterviews": false})
}

async fn done<O: Operation>(client: &Client, request: O::Request) -> Result<CallReport> {
    let answer = client.with_response::<O>(request).await?;
    Ok(CallReport { attempts: Some(answer.attempts), ..CallReport::default() })
}

fn internal(error: impl std::fmt::Display) -> sondage::Error {
    sondage::Error::internal(error.to_string())
}
