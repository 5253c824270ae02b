//! A service that echoes what it was sent, and then fails.

use super::markers::{ENCODINGS, marked};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The number of words that fit into an error message, which is truncated.
const AT_ONCE: usize = 3;

/// A request as received.
pub struct Got {
    pub path: String,
    head: String,
    body: String,
    number: usize,
}

impl Got {
    /// The last part of the path.
    pub fn call(&self) -> &str {
        let path = self.path.split('?').next().unwrap_or_default();
        path.rsplit('/').next().unwrap_or_default()
    }

    /// A part of the request, encoded; a different part each time.
    pub fn words(&self, encoding: usize) -> String {
        let mut sent: Vec<String> =
            self.head.lines().filter_map(|line| Some(line.split_once(": ")?.1.to_owned())).collect();
        let mut forms = vec![self.path.split_once('?').map_or("", |(_, query)| query)];
        match serde_json::from_str(&self.body) {
            Ok(body) => leaves(&body, &mut sent),
            Err(_) => forms.push(&self.body),
        }
        for form in forms {
            sent.extend(url::form_urlencoded::parse(form.as_bytes()).map(|(_, value)| value.into_owned()));
        }
        sent.retain(|text| marked(text));
        sent.sort_unstable();
        sent.dedup();
        let count = sent.len().max(1);
        let some = (0..AT_ONCE.min(count)).filter_map(|at| sent.get((self.number + at) % count));
        let encode = ENCODINGS[encoding].1;
        some.map(|text| encode(text)).collect::<Vec<_>>().join(", ")
    }
}

fn leaves(value: &serde_json::Value, into: &mut Vec<String>) {
    use serde_json::Value::{Array, Number, Object, String};
    match value {
        String(text) => into.push(text.clone()),
        Number(number) => into.push(number.to_string()),
        Array(list) => list.iter().for_each(|value| leaves(value, into)),
        Object(map) => map.values().for_each(|value| leaves(value, into)),
        _ => {}
    }
}

/// The response as bytes, and how long the connection stays open afterwards.
pub struct Act(pub Vec<u8>, pub Duration);

impl Act {
    /// A complete response.
    pub fn answer(status: u16, headers: &str, body: &str) -> Self {
        let length = body.len();
        let text = format!(
            "HTTP/1.1 {status} Said\r\n{headers}connection: close\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        Self(text.into_bytes(), Duration::ZERO)
    }
}

pub struct CanaryEcho {
    address: SocketAddr,
    over: Arc<AtomicBool>,
    /// The calls that arrived.
    pub calls: Arc<Mutex<Vec<String>>>,
}

impl CanaryEcho {
    pub fn start(act: impl Fn(&Got) -> Act + Send + Sync + 'static) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let (over, calls, number) =
            (Arc::<AtomicBool>::default(), Arc::<Mutex<Vec<_>>>::default(), AtomicUsize::new(0));
        let (ends, noted, shared) = (over.clone(), calls.clone(), Arc::new((act, number)));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if ends.load(Ordering::SeqCst) {
                    return;
                }
                let (noted, shared, ends) = (noted.clone(), shared.clone(), ends.clone());
                let _ = thread::Builder::new().stack_size(256 * 1024).spawn(move || {
                    let Some(got) = receive(&stream, &shared.1) else { return };
                    noted.lock().unwrap_or_else(PoisonError::into_inner).push(got.call().to_owned());
                    let Act(bytes, hold) = shared.0(&got);
                    let _ = (&stream).write_all(&bytes);
                    for _ in 0..hold.as_millis() / 20 {
                        if !ends.load(Ordering::SeqCst) {
                            thread::sleep(Duration::from_millis(20));
                        }
                    }
                });
            }
        });
        Ok(Self { address, over, calls })
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for CanaryEcho {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
    }
}

fn receive(mut stream: &TcpStream, number: &AtomicUsize) -> Option<Got> {
    let (mut bytes, mut some) = (Vec::new(), [0; 16 * 1024]);
    let mut more = |bytes: &mut Vec<u8>| {
        let read = stream.read(&mut some).ok().filter(|read| *read > 0)?;
        bytes.extend(&some[..read]);
        Some(())
    };
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        more(&mut bytes)?;
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let length =
        head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    while bytes.len() < end + length.unwrap_or(0) {
        more(&mut bytes)?;
    }
    let path = head.split(' ').nth(1)?.to_owned();
    let body = String::from_utf8_lossy(&bytes[end..]).into_owned();
    Some(Got { path, head, body, number: number.fetch_add(1, Ordering::SeqCst) })
}
