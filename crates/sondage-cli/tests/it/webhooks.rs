//! `sondage webhooks listen` as a program: with the sandbox as the service.

use serde_json::Value;
use sondage_testserver::{Reply, Server};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, mpsc};

const BODY: &str = r#"{"eventType":"SurveyClosed","entity":{"id":7,"updatedAt":"2026-01-01T00:00:00Z"}}"#;

struct Listening {
    child: Child,
    path: String,
    port: u16,
}

impl Listening {
    fn start(arguments: &[&str], hook: Option<&str>) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
        command.args(["webhooks", "listen"]).args(arguments).env_remove("SONDAGE_WEBHOOK");
        if let Some(hook) = hook {
            command.env("SONDAGE_WEBHOOK", hook);
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::with_capacity(1, child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening at http://127.0.0.1:").expect(&line);
        let (port, path) = address.split_once('/').unwrap_or((address, ""));
        Self { port: port.parse().unwrap(), path: format!("/{path}"), child }
    }

    /// The status and the rest of the response.
    fn post(&self, path: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let length = body.len();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        (answer[9..12].parse().unwrap(), answer)
    }

    /// What it has printed so far: events and messages.
    fn end(mut self) -> (Vec<Value>, String) {
        assert!(Command::new("kill").arg(self.child.id().to_string()).status().unwrap().success());
        let (mut out, mut words) = (String::new(), String::new());
        self.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
        assert!(self.child.wait().unwrap().success());
        (out.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), words)
    }
}

#[test]
fn it_verifies_prints_and_keeps_each_event_once() {
    let folder = std::env::temp_dir().join(format!("sondage-listen-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("events.jsonl");
    let listening = Listening::start(&["--jsonl", file.to_str().unwrap()], None);
    assert!(listening.path.len() > 32);
    assert_eq!(listening.post(&listening.path, "", BODY).0, 204);
    assert_eq!(listening.post(&listening.path, "", BODY).0, 204);
    let (status, refused) = listening.post("/guess", "", BODY);
    assert_eq!(status, 401);
    assert!(refused.ends_with("\r\n\r\n") && !refused.contains("secret"), "{refused}");
    let secret = listening.path.clone();
    let (events, words) = listening.end();
    assert_eq!(events.len(), 1);
    assert_eq!((&events[0]["eventType"], &events[0]["entity"]["id"]), (&"SurveyClosed".into(), &7.into()));
    assert!(words.contains("secret_wrong") && !words.contains(&secret[1..]), "{words}");
    let kept = std::fs::read_to_string(&file).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&kept).unwrap(), events[0]);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Any program on this machine can open connections and send nothing: events are received nevertheless, without delay.
#[test]
fn silent_connections_keep_no_event_out() {
    let listening = Listening::start(&[], None);
    let silent: Vec<_> =
        (0..400).map(|_| TcpStream::connect(("127.0.0.1", listening.port)).unwrap()).collect();
    assert_eq!(listening.post(&listening.path, "", BODY).0, 204);
    let last = silent.last().unwrap();
    last.set_nonblocking(true).unwrap();
    let open = last.peek(&mut [0]).unwrap_err();
    assert_eq!(open.kind(), std::io::ErrorKind::WouldBlock, "before it times out");
    drop(silent);
    assert_eq!(listening.end().0.len(), 1);
}

#[test]
fn what_cannot_be_forwarded_is_asked_for_again() {
    let (sender, requests) = mpsc::channel();
    let statuses = Mutex::new(vec![204, 500]);
    let target = Server::http(move |request| {
        sender.send(format!("{:?} {}", request.headers, request.text())).unwrap();
        Reply::new(statuses.lock().unwrap().pop().expect("a status"), "").header("connection", "close")
    });
    let forward = format!("{}/in", target.url());
    let hook = r#"{"strategy": {"strategy": "basic", "user": "a", "password": "b"}}"#;
    let listening = Listening::start(&["--forward", &forward], Some(hook));
    let auth = "authorization: Basic YTpi\r\n";
    assert_eq!(listening.post("/", auth, BODY).0, 500, "the other address refused it");
    assert_eq!(listening.post("/", auth, BODY).0, 204, "it is new again");
    assert_eq!(listening.post("/", auth, BODY).0, 204, "and now it counts as handled");
    let forwarded: Vec<String> = requests.try_iter().collect();
    assert_eq!(forwarded.len(), 2);
    assert!(forwarded.iter().all(|text| text.contains(BODY) && !text.contains("YTpi")), "{forwarded:?}");
    assert_eq!(listening.end().0.len(), 1);
}

#[test]
fn an_unsafe_webhook_is_refused_without_showing_it() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
    let hook = r#"{"strategy": {"strategy": "obscureUrl", "secret": "too-short-a-secret"}}"#;
    let output = command.args(["webhooks", "listen"]).env("SONDAGE_WEBHOOK", hook).output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && words.contains("SONDAGE_WEBHOOK"), "{words}");
    assert!(!words.contains("too-short"), "{words}");
}
