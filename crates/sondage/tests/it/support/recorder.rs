//! A service that always gives the same response and records what it was sent.

use serde_json::{Map, Value, json};
use sondage_testserver::{Reply, Request, Server};
use std::sync::{Arc, Mutex};

pub struct Recorder {
    pub address: String,
    requests: Arc<Mutex<Vec<Value>>>,
}

impl Recorder {
    pub fn answering(body: &Value) -> Self {
        let requests: Arc<Mutex<Vec<Value>>> = Arc::default();
        let (recorded, body) = (Arc::clone(&requests), body.to_string());
        let server = Server::http(move |request| {
            recorded.lock().unwrap().push(shown(request));
            Reply::new(200, &body)
        });
        Self { address: server.url(), requests }
    }

    /// The last request: its headers by their lower case names, `path` and `body`.
    pub fn last(&self) -> Value {
        self.all().pop().unwrap_or_default()
    }

    /// All requests.
    pub fn all(&self) -> Vec<Value> {
        self.requests.lock().unwrap().clone()
    }
}

fn shown(request: &Request) -> Value {
    let headers = request.headers.iter().map(|(name, value)| (name.clone(), json!(value)));
    let mut shown: Map<String, Value> = headers.collect();
    shown.insert("path".to_owned(), json!(request.path));
    shown.insert("body".to_owned(), json!(request.text()));
    Value::Object(shown)
}
