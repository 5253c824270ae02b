//! A service that misbehaves at the level of bytes, and a client for it.

pub mod call;
pub mod lived;
pub mod log;
pub mod recorder;
pub mod sandbox;

use sondage::{Client, config};
use sondage_testserver::Server;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// When a test gives up waiting for what must happen: far above what a slow machine needs. No test measures speed.
pub const DEADLINE: Duration = Duration::from_secs(300);

/// What the service does with a connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// Closes before it reads.
    CloseAtOnce,
    /// Resets before it reads.
    ResetAtOnce,
    /// Closes after the head of the request.
    CloseAfterHead,
    /// Resets after half of the body.
    ResetAfterHalf,
    /// Reads the whole request, then closes, resets or sends nothing.
    CloseAfterAll,
    ResetAfterAll,
    SilentAfterAll,
    /// Responds, but not completely.
    HalfStatus,
    HalfBody,
    HalfChunked,
    Garbage,
    BadGzip,
    /// Responds with a text.
    Says(&'static str),
    /// The same, after this many milliseconds.
    SaysAfter(u64, &'static str),
    /// Responds with 503 to the head, before it has read the body.
    Early503,
    /// Responds to the head with a text, waits, and then reads the rest of the request nevertheless.
    Early(&'static str),
    /// The same, but the second half of the response is delayed.
    EarlySlowly(&'static str),
    /// Responds to the head, and neither reads on nor closes until the test ends.
    EarlyAndStuck(&'static str),
}

/// The response of a token endpoint.
pub const TOKEN: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 66\r\n\r\n\
    {\"access_token\":\"a-token\",\"token_type\":\"Bearer\",\"expires_in\":3600}";

pub const SUCCESS: &str = "HTTP/1.1 200 OK\r\ncontent-length: 18\r\n\r\n{\"isSuccess\":true}";

/// A loopback service: each connection encounters the next fault, the last one repeatedly.
pub struct Service {
    pub address: String,
    /// Complete requests.
    pub whole: Arc<AtomicUsize>,
    /// Connections that the client closed before its request was complete.
    pub abandoned: Arc<AtomicUsize>,
}

impl Service {
    pub fn with(faults: &[Fault]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        // The buffer is as small as between two distant machines, where a body waits in the sender's buffer.
        socket2::SockRef::from(&listener).set_recv_buffer_size(64 * 1024).unwrap();
        let (whole, abandoned) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let faults = Mutex::new(faults.to_vec());
        let (counted, given_up) = (whole.clone(), abandoned.clone());
        let server = Server::on(listener, move |stream| {
            let fault = {
                let mut faults = faults.lock().unwrap();
                if faults.len() > 1 { faults.remove(0) } else { faults[0] }
            };
            serve(stream, fault, &counted, &given_up);
        });
        Self { address: server.url(), whole, abandoned }
    }

    pub fn whole(&self) -> usize {
        self.whole.load(Ordering::SeqCst)
    }
}

fn serve(mut stream: TcpStream, fault: Fault, whole: &AtomicUsize, abandoned: &AtomicUsize) -> Option<()> {
    use Fault::*;
    if fault == CloseAtOnce {
        return None;
    }
    if fault == ResetAtOnce {
        return reset(&stream);
    }
    let (have, length) = head(&mut stream)?;
    match fault {
        CloseAfterHead => return None,
        ResetAfterHalf => {
            body(&mut stream, have, length / 2);
            return reset(&stream);
        }
        Early503 => {
            let _ = stream.write_all(b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            thread::sleep(Duration::from_millis(50));
            return reset(&stream);
        }
        Early(text) | EarlySlowly(text) | EarlyAndStuck(text) => {
            // Far longer than a client on a busy machine needs to see it.
            let pause = Duration::from_millis(200);
            let half = if matches!(fault, EarlySlowly(_)) { text.len() / 2 } else { text.len() };
            stream.write_all(&text.as_bytes()[..half]).ok()?;
            thread::sleep(pause);
            stream.write_all(&text.as_bytes()[half..]).ok()?;
            if matches!(fault, EarlyAndStuck(_)) {
                return stuck(&stream, abandoned);
            }
            let count = if body(&mut stream, have, length).is_some() { whole } else { abandoned };
            count.fetch_add(1, Ordering::SeqCst);
            return None;
        }
        _ => body(&mut stream, have, length)?,
    }
    whole.fetch_add(1, Ordering::SeqCst);
    let text: &[u8] = match fault {
        CloseAfterAll => return None,
        ResetAfterAll => return reset(&stream),
        SilentAfterAll => {
            thread::sleep(Duration::from_secs(20));
            return None;
        }
        HalfStatus => b"HTTP/1.1 20",
        HalfBody => b"HTTP/1.1 200 OK\r\ncontent-length: 1800\r\n\r\n{\"isSucc",
        HalfChunked => b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n8\r\n{\"isSucc\r\n",
        Garbage => b"\x00\x01\x02garbage\r\n\r\n",
        BadGzip => b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 6\r\n\r\nnotgzp",
        Says(text) => text.as_bytes(),
        SaysAfter(wait, text) => {
            thread::sleep(Duration::from_millis(wait));
            text.as_bytes()
        }
        _ => unreachable!(),
    };
    stream.write_all(text).ok()?;
    stream.shutdown(Shutdown::Write).ok()
}

/// Reads nothing, and counts when the client closes the connection.
fn stuck(stream: &TcpStream, abandoned: &AtomicUsize) -> Option<()> {
    for _ in 0..500 {
        thread::sleep(Duration::from_millis(20));
        if is_closed(stream) {
            abandoned.fetch_add(1, Ordering::SeqCst);
            return None;
        }
    }
    None
}

/// Whether the client has closed its side, by the kernel's own table: its last bytes and the FIN wait for a service that
/// does not read, so the service cannot see them.
fn is_closed(stream: &TcpStream) -> bool {
    const ESTABLISHED: &str = "01";
    let (here, there) =
        (stream.local_addr().unwrap().port(), stream.peer_addr().map_or(0, |peer| peer.port()));
    let clients = format!(":{there:04X} 0100007F:{here:04X} ");
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap_or_default();
    let state = table.lines().find_map(|line| line.split_once(&clients)).map(|(_, rest)| &rest[..2]);
    state != Some(ESTABLISHED)
}

fn reset(stream: &TcpStream) -> Option<()> {
    socket2::SockRef::from(stream).set_linger(Some(Duration::ZERO)).ok()
}

/// Reads the head: returns the part of the body that arrived with it, and the length of the body.
fn head(stream: &mut TcpStream) -> Option<(usize, usize)> {
    let mut bytes = Vec::new();
    let mut byte = [0];
    while !bytes.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        bytes.push(byte[0]);
    }
    let text = String::from_utf8_lossy(&bytes).to_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: "))?.trim().parse().ok()?;
    Some((0, length))
}

fn body(stream: &mut TcpStream, have: usize, want: usize) -> Option<()> {
    let mut rest = vec![0; want - have];
    stream.read_exact(&mut rest).ok()
}

/// A client whose retries do not delay a test.
pub fn client(address: &str) -> Client {
    let mut config = config(address);
    config.deadline = Duration::from_secs(10);
    Client::new(config).unwrap()
}

/// A client that gets its tokens from an endpoint.
pub fn client_with_tokens(address: &str, tokens: &str) -> Client {
    let builder = config::ClientBuilder::new().environment(config::Environment::empty()).tenant("acme");
    let builder = builder.base_url(address).auth_url(tokens).client_secret("a-secret");
    builder.retry_after_cap(Duration::from_secs(2)).deadline(Duration::from_secs(10)).build().unwrap()
}

pub fn config(address: &str) -> config::Config {
    builder(address).resolve().unwrap()
}

pub fn builder(address: &str) -> config::ClientBuilder {
    config::ClientBuilder::new()
        .environment(config::Environment::empty())
        .tenant("acme")
        .base_url(address)
        .auth_url(address)
        .token("a-token")
        .answer_bytes(1_u64 << 20)
        .retry_base(Duration::from_millis(2))
        .retry_cap(Duration::from_millis(10))
        .retry_after_cap(Duration::from_secs(2))
        .deadline(Duration::from_secs(10))
}
