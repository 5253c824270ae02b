//! The protocol: JSON-RPC 2.0, a line for each message. The official Python client tests it.
//!
//! The crate `rmcp` is not used: it would bring 75 crates, and ignores lines that are not JSON.

use crate::McpServer;
use crate::era::{self, Era, SUBSCRIPTION};
use crate::tools::CONFIRM;
use crate::underway::Underway;
use serde_json::{Map, Value, json};
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Sender};
use std::thread;

/// The codes of JSON-RPC.
const NO_JSON: i32 = -32_700;
const NO_REQUEST: i32 = -32_600;
const NO_METHOD: i32 = -32_601;
pub const WRONG_PARAMETERS: i32 = -32_602;

/// Why a request has no result.
#[derive(Debug)]
pub struct Refusal {
    pub code: i32,
    pub text: String,
    pub data: Option<Value>,
}

impl Refusal {
    pub fn new(code: i32, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), data: None }
    }
}

/// The state that the requests of a session share.
struct Wire<'a> {
    server: &'a McpServer,
    answers: Sender<Value>,
    underway: Underway,
}

/// Serves one client until its messages end. Calls run concurrently; all are answered before this returns.
pub fn serve(server: &McpServer, input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let (answers, ready) = mpsc::channel::<Value>();
    thread::scope(|scope| {
        let writer = scope.spawn(move || write(&ready, output));
        let wire = Wire { server, answers, underway: Underway::default() };
        for line in input.split(b'\n') {
            let line = line?;
            if !line.trim_ascii().is_empty() {
                wire.line(&line);
            }
        }
        for id in wire.underway.end_subscriptions() {
            wire.send(result(&id, Era::PerRequest.result(json!({ "_meta": { SUBSCRIPTION: id } }))));
        }
        // The writer ends when the last call has its answer.
        drop(wire);
        writer.join().unwrap_or_else(|_| Err(io::Error::other("the responses cannot be written")))
    })
}

fn write(ready: &mpsc::Receiver<Value>, mut output: impl Write) -> io::Result<()> {
    for answer in ready {
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

impl Wire<'_> {
    fn send(&self, answer: Value) {
        // If the client is gone, nobody needs the response.
        drop(self.answers.send(answer));
    }

    fn line(&self, line: &[u8]) {
        match serde_json::from_slice::<Value>(line) {
            // Clients of 2025-03-26 may send several messages in one line.
            Ok(Value::Array(messages)) if !messages.is_empty() => {
                for message in &messages {
                    self.message(message);
                }
            }
            Ok(message) => self.message(&message),
            Err(_) => self.send(error(&Value::Null, &Refusal::new(NO_JSON, "The line is not JSON."))),
        }
    }

    /// Responds to a message, or starts the call that will.
    fn message(&self, message: &Value) {
        // The server sends no requests, so a response is ignored.
        if message.get("result").is_some() || message.get("error").is_some() {
            return;
        }
        let id = message.get("id").filter(|id| id.is_string() || id.is_i64() || id.is_u64());
        let Some(method) = message["method"].as_str() else {
            let refusal = Refusal::new(NO_REQUEST, "The message has no method.");
            return self.send(error(id.unwrap_or(&Value::Null), &refusal));
        };
        let parameters = &message["params"];
        match id {
            Some(id) => match self.request(id, method, parameters) {
                Ok(Some(found)) => self.send(result(id, found)),
                Ok(None) => {}
                Err(refusal) => self.send(error(id, &refusal)),
            },
            None if message.get("id").is_some() => {
                let refusal = Refusal::new(NO_REQUEST, "The id of a request is a text or an integer.");
                self.send(error(&Value::Null, &refusal));
            }
            // Notifications have no id, and get no response.
            None if method == "notifications/cancelled" => self.underway.cancel(&parameters["requestId"]),
            None => {}
        }
    }

    /// The result of a request, or none if it comes later.
    fn request(&self, id: &Value, method: &str, parameters: &Value) -> Result<Option<Value>, Refusal> {
        let era = Era::of(method, parameters)?;
        Ok(Some(match (era, method) {
            (Era::Handshake, "initialize") => {
                let mut about = self.server.about();
                about["protocolVersion"] = era::version(parameters).into();
                about["serverInfo"] = era::server();
                about
            }
            (Era::Handshake, "ping") => json!({}),
            (Era::PerRequest, "server/discover") => {
                let mut about = self.server.about();
                about["supportedVersions"] = json!([era::PER_REQUEST]);
                era.kept(about)
            }
            (Era::PerRequest, "subscriptions/listen") => {
                new(self.underway.subscribe(id))?;
                // Nothing changes while the server runs, so it promises no notifications.
                let parameters = json!({ "_meta": { SUBSCRIPTION: id }, "notifications": {} });
                self.send(json!({ "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
                                  "params": parameters }));
                return Ok(None);
            }
            (_, "tools/list") => {
                if parameters.get("cursor").is_some_and(|cursor| !cursor.is_null()) {
                    let text = "There is no such page: the first one has all tools.";
                    return Err(Refusal::new(WRONG_PARAMETERS, text));
                }
                era.kept(json!({ "tools": self.server.tools() }))
            }
            (_, "tools/call") => {
                self.call(id, era, parameters)?;
                return Ok(None);
            }
            _ => return Err(Refusal::new(NO_METHOD, "There is no such method.")),
        }))
    }

    /// Starts the call of a tool.
    fn call(&self, id: &Value, era: Era, parameters: &Value) -> Result<(), Refusal> {
        let wrong = |text: &str| Refusal::new(WRONG_PARAMETERS, text);
        let name = parameters["name"].as_str();
        let name = name.ok_or_else(|| wrong("`name` is missing: the name of a tool."))?.to_owned();
        if !McpServer::knows(&name) {
            return Err(wrong("There is no such tool. Nothing was sent. List the tools."));
        }
        let arguments = match parameters.get("arguments") {
            Some(Value::Object(arguments)) => arguments.clone(),
            None | Some(Value::Null) => Map::new(),
            Some(_) => return Err(wrong("`arguments` is not an object.")),
        };
        // A confirmed write is completed even if the client no longer waits; a second confirmation then finds its result.
        let stops = name != CONFIRM;
        let server = self.server.clone();
        let call = async move { server.call(&name, &arguments).await };
        let (answers, own) = (self.answers.clone(), id.clone());
        let answer = move |called| drop(answers.send(result(&own, era.result(called))));
        new(self.underway.start(id, stops, call, answer))
    }
}

/// Refuses an id that another open request has: their responses could not be told apart.
fn new(is_new: bool) -> Result<(), Refusal> {
    let why = "An earlier request has this id, and no response yet.";
    if is_new { Ok(()) } else { Err(Refusal::new(NO_REQUEST, why)) }
}

fn result(id: &Value, result: Value) -> Value {
    let mut answer = json!({ "jsonrpc": "2.0", "id": id });
    answer["result"] = result;
    answer
}

fn error(id: &Value, refusal: &Refusal) -> Value {
    let mut error = json!({ "code": refusal.code, "message": refusal.text });
    if let Some(data) = &refusal.data {
        error["data"] = data.clone();
    }
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}
