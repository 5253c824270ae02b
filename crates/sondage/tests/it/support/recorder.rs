//! A service that always gives the same response and records what it was sent.

use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

pub struct Recorder {
    pub address: String,
    seen: Arc<Mutex<Vec<Value>>>,
}

impl Recorder {
    pub fn answering(body: &Value) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::default();
        let (noted, body) = (Arc::clone(&seen), body.to_string());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                serve(&stream, &body, &noted);
            }
        });
        Self { address, seen }
    }

    /// The last request: its headers by their lower case names, `path` and `body`.
    pub fn last(&self) -> Value {
        self.all().pop().unwrap_or_default()
    }

    /// All requests.
    pub fn all(&self) -> Vec<Value> {
        self.seen.lock().unwrap().clone()
    }
}

fn serve(mut stream: &TcpStream, answer: &str, noted: &Mutex<Vec<Value>>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut request = Map::new();
    request.insert("path".to_owned(), json!(line.split(' ').nth(1)?));
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        request.insert(name.to_lowercase(), json!(value));
    }
    let mut body = vec![0; request["content-length"].as_str()?.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    request.insert("body".to_owned(), json!(String::from_utf8(body).ok()?));
    noted.lock().unwrap().push(Value::Object(request));
    let head = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", answer.len());
    stream.write_all(format!("{head}{answer}").as_bytes()).ok()
}
