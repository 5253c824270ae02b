//! The protocol: JSON-RPC 2.0, a line for each message. The official Python client tests it.
//!
//! The crate `rmcp` would do the same, and add 0.45 MB to each wheel and package of npm, where the command is: one of them would then be
//! larger than the 7 MB that it may have.

use crate::McpServer;
use serde_json::{Map, Value, json};
use sondage::internals::runtime;
use std::io::{self, BufRead, Write};
use std::sync::mpsc;
use std::thread;

/// The versions of the protocol that are understood, the newest last.
const VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The codes of JSON-RPC.
const NO_JSON: i32 = -32_700;
const NO_REQUEST: i32 = -32_600;
const NO_METHOD: i32 = -32_601;
const WRONG_PARAMETERS: i32 = -32_602;

/// Serves one client until its messages end. Calls run concurrently; all are answered before this returns.
pub fn serve(server: &McpServer, input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let (answers, ready) = mpsc::channel::<Value>();
    thread::scope(|scope| {
        let writer = scope.spawn(move || write(&ready, output));
        for line in input.split(b'\n') {
            let line = line?;
            if !line.trim_ascii().is_empty() {
                take(server, &line, &answers);
            }
        }
        // The writer ends when the last call has its answer.
        drop(answers);
        writer.join().unwrap_or_else(|_| Err(io::Error::other("the answers cannot be written")))
    })
}

fn write(ready: &mpsc::Receiver<Value>, mut output: impl Write) -> io::Result<()> {
    for answer in ready {
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

/// Answers a message, or starts the call that will.
fn take(server: &McpServer, line: &[u8], answers: &mpsc::Sender<Value>) {
    // A client that has gone needs no answer.
    let send = |answer: Value| drop(answers.send(answer));
    let Ok(message) = serde_json::from_slice::<Value>(line) else {
        return send(error(&Value::Null, NO_JSON, "The line is no JSON."));
    };
    let Some(method) = message["method"].as_str() else {
        return send(error(&message["id"], NO_REQUEST, "The message has no method."));
    };
    // Notifications have no id, and no answer.
    let Some(id) = message.get("id").cloned() else { return };
    let parameters = &message["params"];
    match method {
        "initialize" => send(result(&id, &server.about(version(parameters)))),
        "ping" => send(result(&id, &json!({}))),
        "tools/list" => send(result(&id, &json!({ "tools": server.tools() }))),
        "tools/call" => {
            let Some(name) = parameters["name"].as_str().map(str::to_owned) else {
                return send(error(&id, WRONG_PARAMETERS, "`name` is missing: the name of a tool."));
            };
            let arguments = match parameters.get("arguments") {
                Some(Value::Object(arguments)) => arguments.clone(),
                None | Some(Value::Null) => Map::new(),
                Some(_) => return send(error(&id, WRONG_PARAMETERS, "`arguments` is no object.")),
            };
            let (server, answers) = (server.clone(), answers.clone());
            runtime::handle().spawn(async move {
                let called = server.call(&name, &arguments).await;
                drop(answers.send(result(&id, &called)));
            });
        }
        _ => send(error(&id, NO_METHOD, "There is no such method.")),
    }
}

/// The version that the client asks for, or else the newest.
fn version(parameters: &Value) -> &'static str {
    let asked = parameters["protocolVersion"].as_str().unwrap_or_default();
    VERSIONS.into_iter().find(|version| *version == asked).unwrap_or(VERSIONS[VERSIONS.len() - 1])
}

fn result(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

fn error(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}
