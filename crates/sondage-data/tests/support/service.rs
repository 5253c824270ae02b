//! A client of a sandbox.

use sondage::{Client, Result, config, runtime};
use sondage_sandbox::Sandbox;
use std::future::Future;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// Waits for a call.
pub fn wait<T: Send + 'static>(call: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    runtime::block_on(call)
}

/// A client of the account `demo`, with pages of this size.
pub fn client(sandbox: &Sandbox, page_size: i64) -> Client {
    let config = config::Config {
        tenant: sandbox.tenant().to_owned(),
        base_url: sandbox.base_url().parse().expect("an address"),
        auth_url: sandbox.auth_url().parse().expect("an address"),
        token: token(sandbox).into(),
        http: sondage::transport::http::HttpSettings::default(),
        limits: config::Limits { answer_bytes: 512 << 20, token_bytes: 1 << 18, error_bytes: 1 << 16 },
        retry: config::RetryPolicy {
            attempts: 3,
            base: Duration::from_millis(2),
            factor: 2.0,
            cap: Duration::from_millis(10),
            retry_after_cap: Duration::from_secs(2),
            budget: 0.1,
        },
        deadline: Duration::from_secs(60),
        first_page: 1,
        page_size,
    };
    Client::new(config).expect("a client")
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
