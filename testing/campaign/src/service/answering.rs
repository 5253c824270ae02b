//! A service whose responses are given by a function: for lists, tokens and cancellations, where the bytes are not
//! hostile. It uses raw sockets as well.

use super::request;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// A complete request.
#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    /// The last part of its path.
    pub call: String,
    pub body: String,
    pub token: Option<String>,
    /// The `User-Agent` header.
    pub agent: Option<String>,
}

/// A response: status, headers that end with `\r\n`, body.
pub struct RawReply(pub u16, pub String, pub Vec<u8>);

impl RawReply {
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self(200, String::new(), body.into())
    }
}

/// The result of a request.
#[derive(Clone, Debug)]
pub struct LedgerEntry {
    pub arrived: ReceivedRequest,
    /// The whole response was sent while the client was still connected.
    pub answered: bool,
}

#[derive(Default)]
pub struct Book(Mutex<Vec<LedgerEntry>>);

impl Book {
    pub fn entries(&self) -> Vec<LedgerEntry> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, arrived: ReceivedRequest) -> usize {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.push(LedgerEntry { arrived, answered: false });
        entries.len() - 1
    }

    fn answered(&self, at: usize) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)[at].answered = true;
    }
}

pub struct AnsweringService {
    pub book: Arc<Book>,
    address: SocketAddr,
    over: Arc<AtomicBool>,
}

impl AnsweringService {
    pub fn start(answer: impl Fn(&ReceivedRequest) -> RawReply + Send + Sync + 'static) -> io::Result<Self> {
        let listener = TcpListener::bind((super::address_of_its_own(), 0))?;
        let address = listener.local_addr()?;
        let (book, over, answer) =
            (Arc::new(Book::default()), Arc::new(AtomicBool::new(false)), Arc::new(answer));
        let (theirs, ends) = (book.clone(), over.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if ends.load(Ordering::SeqCst) {
                    return;
                }
                let (book, answer) = (theirs.clone(), answer.clone());
                let spawned = thread::Builder::new().stack_size(256 * 1024);
                let _ = spawned.spawn(move || serve(stream, &book, answer.as_ref()));
            }
        });
        Ok(Self { book, address, over })
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for AnsweringService {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
    }
}

/// Responds until the client closes the connection. `None`: it did.
fn serve(mut stream: TcpStream, book: &Book, answer: &dyn Fn(&ReceivedRequest) -> RawReply) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut bytes = Vec::new();
    loop {
        let end = loop {
            if let Some(end) = request::end(&bytes) {
                break end;
            }
            read_some(&mut stream, &mut bytes)?;
        };
        let head = request::read(&bytes[..end]);
        let whole = end + usize::try_from(head.length.unwrap_or(0)).ok()?;
        while bytes.len() < whole {
            read_some(&mut stream, &mut bytes)?;
        }
        let body = String::from_utf8_lossy(&bytes[end..whole]).into_owned();
        bytes.drain(..whole);
        let arrived = ReceivedRequest { call: head.call, body, token: head.token, agent: head.agent };
        let at = book.note(arrived.clone());
        let RawReply(status, headers, body) = answer(&arrived);
        let length = body.len();
        let head = format!("HTTP/1.1 {status} Said\r\n{headers}content-length: {length}\r\n\r\n");
        // A client that is gone has closed its side: nothing waits for the response.
        let gone = is_gone(&stream);
        stream.write_all(head.as_bytes()).ok()?;
        stream.write_all(&body).ok()?;
        if !gone {
            book.answered(at);
        }
    }
}

fn read_some(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<()> {
    let mut some = [0; 16 * 1024];
    let read = stream.read(&mut some).ok()?;
    if read == 0 {
        let _ = stream.shutdown(Shutdown::Both);
        return None;
    }
    bytes.extend(&some[..read]);
    Some(())
}

fn is_gone(stream: &TcpStream) -> bool {
    if stream.set_nonblocking(true).is_err() {
        return true;
    }
    let gone = match stream.peek(&mut [0]) {
        Ok(bytes) => bytes == 0,
        Err(error) => error.kind() != io::ErrorKind::WouldBlock,
    };
    gone | stream.set_nonblocking(false).is_err()
}
