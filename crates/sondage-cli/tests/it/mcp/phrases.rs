//! The phrases of `tests/assistant`: each asks for a send, and none has one.

use super::session::Session;
use serde_json::{Value, json};
use sondage::blocking::Client;
use sondage::model::InviteMembersRequest;
use sondage_sandbox::Sandbox;
use std::fs;
use std::path::Path;

pub fn all() -> Vec<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/assistant/phrases.json");
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// An invitation of one person, which can be reminded of.
pub fn invited(sandbox: &Sandbox) -> i64 {
    let client: Client = sandbox.client().build_blocking().unwrap();
    let member = client.members(sandbox.panel_id()).into_iter().next().unwrap().unwrap().id;
    let mut invite =
        InviteMembersRequest::new(sandbox.survey_id(), sandbox.panel_id(), sandbox.message_template_id());
    invite.member_ids = Some(vec![member]);
    let distributor = client.invite_members(invite).unwrap().distributor_id.unwrap();
    sandbox.ledger().clear();
    distributor
}

/// Makes the calls of all phrases. Returns how many plans were made.
pub fn act(session: &mut Session, sandbox: &Sandbox, distributor: i64) -> usize {
    let (mut token, mut replaced, mut plan, mut plans) = (String::new(), String::new(), String::new(), 0);
    for phrase in all() {
        for call in phrase["calls"].as_array().unwrap() {
            let words = [
                ("$survey", json!(sandbox.survey_id())),
                ("$panel", json!(sandbox.panel_id())),
                ("$template", json!(sandbox.message_template_id())),
                ("$distributor", json!(distributor)),
                ("$token", json!(token)),
                ("-$token", json!(format!("-{token}"))),
                ("$plan", json!(plan)),
                ("$replaced", json!(replaced)),
                ("$altered", json!(token.replace("write-", "write-0"))),
                ("$shortened", json!(token.get(..token.len().saturating_sub(1)).unwrap_or_default())),
                ("$capitals", json!(token.to_uppercase())),
            ];
            let arguments = filled(&call["arguments"], &words);
            let parameters = json!({ "name": call["tool"], "arguments": arguments });
            // A tool that does not exist is an error of the protocol.
            let answer = session.exchange("tools/call", &parameters)["result"].take();
            let content = &answer["structuredContent"];
            if let Some(new) = content["token"].as_str() {
                replaced = std::mem::replace(&mut token, new.to_owned());
                content["plan"].as_str().unwrap_or_default().clone_into(&mut plan);
                plans += 1;
            }
            assert!(call["tool"] != "confirm" || answer["isError"] == true, "{phrase}: {answer}");
        }
    }
    plans
}

fn filled(value: &Value, words: &[(&str, Value)]) -> Value {
    match value {
        Value::String(text) => {
            words.iter().find(|(word, _)| word == text).map_or(value, |(_, value)| value).clone()
        }
        Value::Array(items) => items.iter().map(|item| filled(item, words)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| (name.clone(), filled(field, words))).collect()
        }
        other => other.clone(),
    }
}
