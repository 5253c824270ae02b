//! `sondage login` and `logout`: a person logs in with a browser, other commands use the session, and it ends.

use sondage_sandbox::Sandbox;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use url::Url;

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn command(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
    command
        .args(arguments)
        .env("SONDAGE_BASE_URL", sandbox.base_url())
        .env("SONDAGE_AUTH_URL", sandbox.auth_url())
        .env("SONDAGE_TENANT", sandbox.tenant());
    command
}

/// Sends what a browser would send, and returns the response.
fn send(method: &str, url: &Url, form: &str) -> String {
    let host = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap());
    let target = url.query().map_or(url.path().to_owned(), |query| format!("{}?{query}", url.path()));
    let mut stream = TcpStream::connect(&host).unwrap();
    write!(
        stream,
        "{method} {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\n\r\n{form}",
        form.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_session_is_kept_used_and_ended() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let folder = Folder(std::env::temp_dir().join(format!("sondage-cli-login-{}", std::process::id())));
    let file = folder.0.join("tokens.json");
    let mut login = command(&sandbox, &["login"])
        .env("SONDAGE_TOKEN_FILE", &file)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(login.stdout.take().unwrap()).lines().map(Result::unwrap);
    let url: Url = lines.find(|line| line.starts_with("http")).unwrap().parse().unwrap();
    let form =
        format!("{}&username={}&password={}", url.query().unwrap(), sandbox.username(), sandbox.password());
    let mut page = url.clone();
    page.set_query(None);
    let answer = send("POST", &page, &form);
    let back =
        answer.lines().find_map(|line| line.strip_prefix("location: ")).unwrap_or_else(|| panic!("{answer}"));
    send("GET", &back.trim().parse().unwrap(), "");
    let said = lines.find(|line| line.starts_with("Logged in.")).unwrap();
    assert!(login.wait().unwrap().success(), "{said}");
    let identity = said.rsplit_once("SONDAGE_IDENTITY=").unwrap().1.to_owned();

    let mut panel = command(&sandbox, &["panel", &sandbox.panel_id().to_string()]);
    let mut logout = command(&sandbox, &["logout"]);
    for command in [&mut panel, &mut logout] {
        command
            .env("SONDAGE_TOKEN_FILE", &file)
            .env("SONDAGE_GRANT", "login")
            .env("SONDAGE_IDENTITY", &identity);
    }
    assert!(panel.output().unwrap().status.success());
    assert!(logout.output().unwrap().status.success());
    let after = panel.output().unwrap();
    assert!(!after.status.success(), "the session has ended");
}

#[test]
fn a_login_that_would_be_lost_is_refused_before_anybody_logs_in() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let output = command(&sandbox, &["login"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("SONDAGE_TOKEN_FILE"), "{said}");
    assert!(sandbox.ledger().requests("*").is_empty());
}
