//! A minimal HTTP client that hides nothing: no pool, no retry, no redirect.

use serde_json::{Value, json};
use sondage_sandbox::{Account, Sandbox};
use std::fmt::Write as _;
use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// A response, complete or partial.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
    /// Whether as much arrived as `Content-Length` said.
    pub whole: bool,
}

impl Response {
    pub fn header(&self, name: &str) -> Option<&str> {
        let pairs = self.head.lines().filter_map(|line| line.split_once(": "));
        pairs.filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|why| panic!("{why}: {}", self.text()))
    }
}

/// Sends one request on a connection of its own and reads to the end of it.
pub fn send(method: &str, url: &str, headers: &[(&str, &str)], body: &[u8]) -> io::Result<Response> {
    let url = url::Url::parse(url).unwrap();
    let mut stream = TcpStream::connect((url.host_str().unwrap(), url.port().unwrap()))?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let mut head =
        format!("{method} {target} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n", url.authority());
    for (name, value) in headers {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    write!(head, "content-length: {}\r\n\r\n", body.len()).unwrap();
    stream.write_all(&[head.as_bytes(), body].concat())?;
    let mut came = Vec::new();
    let end = stream.read_to_end(&mut came);
    let split = came.windows(4).position(|window| window == b"\r\n\r\n");
    let Some(split) = split else {
        end?;
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, format!("no answer: {came:?}")));
    };
    let head = String::from_utf8(came[..split].to_vec()).unwrap();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
    let mut response = Response { status, head, body: came[split + 4..].to_vec(), whole: true };
    response.whole = response.header("content-length").is_none_or(|n| n.parse() == Ok(response.body.len()));
    Ok(response)
}

pub fn post_form(url: &str, fields: &[(&str, &str)]) -> Response {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    send("POST", url, &[("content-type", "application/x-www-form-urlencoded")], body.as_bytes()).unwrap()
}

/// Requests a token.
pub fn token(account: &Account, fields: &[(&str, &str)]) -> Response {
    post_form(&format!("{}/openid/token", account.auth_url), fields)
}

/// A token with the permissions of the account.
pub fn bearer(account: &Account) -> String {
    let fields = [
        ("grant_type", "client_credentials"),
        ("client_id", &account.client_id),
        ("client_secret", &account.client_secret),
    ];
    token(account, &fields).json()["access_token"].as_str().unwrap().to_owned()
}

/// A caller with a token.
pub struct Api {
    pub base_url: String,
    pub token: String,
}

impl Api {
    pub fn new(sandbox: &Sandbox) -> Self {
        Self::of(sandbox.account())
    }

    pub fn of(account: &Account) -> Self {
        Self { base_url: account.base_url.clone(), token: bearer(account) }
    }

    /// Calls an operation of the table by its name.
    pub fn send(&self, operation: &str, body: &Value) -> io::Result<Response> {
        let row = sondage::operations::find(operation).unwrap();
        let mut path = row.path.to_owned();
        if row.location == sondage::operation::RequestLocation::Query
            && let Some(fields) = body.as_object()
        {
            let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let pairs = fields.iter().map(|(name, value)| (name, text(value)));
            let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
            path = format!("{path}?{query}");
        }
        let authorization = format!("Bearer {}", self.token);
        let headers = [("content-type", "application/json"), ("authorization", authorization.as_str())];
        send("POST", &format!("{}{path}", self.base_url), &headers, body.to_string().as_bytes())
    }

    pub fn call(&self, operation: &str, body: &Value) -> (u16, Value) {
        let response = self.send(operation, body).unwrap();
        (response.status, response.json())
    }

    /// A call that must succeed.
    pub fn ok(&self, operation: &str, body: &Value) -> Value {
        let (status, answer) = self.call(operation, body);
        assert_eq!((status, &answer["isSuccess"]), (200, &json!(true)), "{operation}: {answer}");
        assert_eq!((&answer["errorMessage"], &answer["errorCode"]), (&Value::Null, &Value::Null));
        answer
    }

    /// A call that must be refused: returns the status, and the code of the envelope.
    pub fn refused(&self, operation: &str, body: &Value) -> (u16, String, String) {
        let (status, answer) = self.call(operation, body);
        assert!((400..500).contains(&status), "{operation} {body}: {status} {answer}");
        assert_eq!(answer["isSuccess"], json!(false), "{answer}");
        let text = |name: &str| answer[name].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        (status, text("errorCode"), text("errorMessage"))
    }
}

/// A request for members of the demo's panel.
pub fn members(sandbox: &Sandbox) -> Value {
    json!({ "tenant": "demo", "panelId": sandbox.panel_id(), "interviewsRequired": false })
}

/// A field of a member to create.
pub fn field(name: &str, kind: &str, value: impl Into<Value>) -> Value {
    json!({ "name": name, "fieldType": kind, "value": value.into() })
}
