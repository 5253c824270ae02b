//! A client of a sandbox.

use sondage::{Client, config::Config};
use sondage_sandbox::Sandbox;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// A client of the account `demo`, with pages of this size.
pub fn client(sandbox: &Sandbox, page_size: i64) -> Client {
    Client::new(config(sandbox, page_size)).expect("a client")
}

/// Its settings.
pub fn config(sandbox: &Sandbox, page_size: i64) -> Config {
    let address = |text: &str| text.parse().expect("an address");
    let mut config = super::config(sandbox.base_url());
    config.tenant = sandbox.tenant().to_owned();
    config.auth_url = address(sandbox.auth_url());
    config.token = token(sandbox).into();
    config.limits.answer_bytes = 512 << 20;
    config.deadline = Duration::from_secs(60);
    config.page_size = page_size;
    config
}

fn token(sandbox: &Sandbox) -> String {
    let address = sandbox.auth_url().trim_start_matches("http://").trim_end_matches('/');
    let form = format!(
        "grant_type=client_credentials&client_id={}&client_secret={}",
        sandbox.client_id(),
        sandbox.client_secret()
    );
    let mut stream = TcpStream::connect(address).expect("the sandbox listens");
    write!(
        stream,
        "POST /openid/token HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{form}",
        form.len()
    )
    .expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    let rest = answer.split_once(r#""access_token":""#).unwrap_or_else(|| panic!("a token: {answer}")).1;
    rest.split('"').next().unwrap_or_default().to_owned()
}
