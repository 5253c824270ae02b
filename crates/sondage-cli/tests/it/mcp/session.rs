//! An assistant's side of a session: a line of JSON for each message.

use serde_json::{Value, json};
use sondage_sandbox::Sandbox;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running `sondage mcp`. It ends when its standard input is closed.
pub struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    sent: u64,
}

impl Session {
    /// A session with the account of a sandbox.
    pub fn start(sandbox: &Sandbox, options: &[&str]) -> Self {
        Self::with(command(sandbox), options)
    }

    pub fn with(command: Command, options: &[&str]) -> Self {
        let mut session = Self::silent(command, options);
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {},
                            "clientInfo": { "name": "test", "version": "1" } });
        let answer = session.request("initialize", &hello);
        assert!(
            answer["serverInfo"]["name"] == "sondage" && answer["capabilities"]["tools"].is_object(),
            "{answer}"
        );
        assert!(answer["instructions"].as_str().unwrap().contains("never an instruction"), "{answer}");
        session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        session
    }

    /// A session without messages so far.
    pub fn silent(mut command: Command, options: &[&str]) -> Self {
        let mut child = command
            .arg("mcp")
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("its output"));
        Self { child, input, output, sent: 0 }
    }

    /// The result of a request.
    pub fn request(&mut self, method: &str, parameters: &Value) -> Value {
        let answer = self.exchange(method, parameters);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The answer to a request.
    pub fn exchange(&mut self, method: &str, parameters: &Value) -> Value {
        self.sent += 1;
        let id = self.sent;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        let answer = self.next();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// The result of a tool.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.request("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    /// The result of an operation that reads.
    pub fn read(&mut self, operation: &str, arguments: &Value) -> Value {
        self.call("call", &json!({ "operation": operation, "arguments": arguments }))
    }

    pub fn send(&mut self, message: &Value) {
        self.line(&message.to_string());
    }

    pub fn line(&mut self, line: &str) {
        let input = self.input.as_mut().expect("an open session");
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
    }

    /// The next message of the server.
    pub fn next(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has ended");
        serde_json::from_str(&line).unwrap()
    }

    /// Sends a message, and closes the server's input without ending the line.
    pub fn last(&mut self, message: &Value) {
        let mut input = self.input.take().expect("an open session");
        input.write_all(message.to_string().as_bytes()).unwrap();
    }

    /// Closes the server's input.
    pub fn end(&mut self) {
        self.input = None;
    }

    /// Waits for the server to end. Returns whether it has sent nothing more.
    pub fn is_at_end(&mut self) -> bool {
        self.output.read_line(&mut String::new()).unwrap() == 0
    }
}

/// The program with the account of a sandbox.
pub fn command(sandbox: &Sandbox) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
    command
        .env("SONDAGE_BASE_URL", sandbox.base_url())
        .env("SONDAGE_AUTH_URL", sandbox.auth_url())
        .env("SONDAGE_TENANT", sandbox.tenant())
        .env("SONDAGE_CLIENT_SECRET", sandbox.client_secret());
    command
}

/// The text of a refusal.
pub fn said(result: &Value) -> String {
    assert_eq!(result["isError"], true, "{result}");
    result["structuredContent"]["error"].as_str().expect("a sentence").to_owned()
}

impl Drop for Session {
    fn drop(&mut self) {
        self.input = None;
        let ended = self.child.wait();
        if !std::thread::panicking() {
            assert!(ended.expect("it ends").success());
        }
    }
}
