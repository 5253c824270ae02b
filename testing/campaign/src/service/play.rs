//! Executes scripts on a connection, and records what it sees.

use super::pipe::{Came, Pipe};
use super::{Protocol, ServiceState, answers, certificates, request};
use crate::ledger::{Exchange, SentAnswer, Verdict};
use crate::script::{ScriptAnswer, ScriptStep};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// How long a service that continues to read waits for more of a request that has stopped.
const TIMEOUT: Duration = Duration::from_millis(400);

/// How long a connection may be silent until it counts as unused: a pool opens a second connection while the first one is
/// busy, and keeps it if the first one becomes free.
const IDLE: Duration = Duration::from_secs(2);

pub struct Player<'a> {
    pipe: Pipe,
    number: usize,
    shared: &'a Arc<ServiceState>,
    /// The proxy's `CONNECT` and the TLS handshake are complete.
    up: bool,
    certificate: String,
    request: Option<CurrentRequest>,
    /// Only faults of the connection as a whole end the connection.
    ended: bool,
}

/// The request that is being read.
struct CurrentRequest {
    /// Its index in the ledger.
    at: usize,
    call: String,
    length: usize,
    received: usize,
}

/// A step that ends the connection.
struct Ended;

impl<'a> Player<'a> {
    pub fn new(pipe: Pipe, number: usize, shared: &'a Arc<ServiceState>) -> Self {
        Self { pipe, number, shared, up: false, certificate: "good".to_owned(), request: None, ended: false }
    }

    pub fn play(mut self) {
        loop {
            let script = self.shared.next();
            self.shared.ledger.write(|pages| pages.connections[self.number].tries += 1);
            if script.iter().all(|step| self.step(step).is_ok()) && !self.ended {
                if self.unread() || self.request.is_none() {
                    // The service reads nothing more, but keeps the connection open.
                    self.settled(true);
                    return self.wait_for_the_end();
                }
                self.request = None;
                self.settled(true);
                if self.first_byte().is_ok() {
                    self.settled(false);
                    continue;
                }
            }
            if !self.up && self.shared.plan.way != Protocol::Plain {
                self.shared.ledger.write(|pages| pages.connections[self.number].no_way = true);
            }
            if self.unread() {
                // The kernel resets a connection that is closed with unread bytes, and that may discard the response.
                self.incomplete();
            }
            return;
        }
    }

    fn unread(&self) -> bool {
        self.request.as_ref().is_some_and(|request| request.received < request.length)
    }

    fn incomplete(&self) {
        let Some(request) = &self.request else { return };
        self.shared.ledger.write(|pages| {
            if let Some(said) = &mut pages.exchanges[request.at].said {
                said.complete = false;
            }
        });
    }

    fn step(&mut self, step: &ScriptStep) -> Result<(), Ended> {
        match step {
            ScriptStep::Cert(kind) => {
                self.certificate.clone_from(kind);
                self.shared.ledger.write(|pages| pages.connections[self.number].untrusted = true);
            }
            ScriptStep::Connect => self.connect()?,
            ScriptStep::Hello => self.first_byte()?,
            ScriptStep::Tls => self.bring_up(usize::MAX)?,
            ScriptStep::TlsCut(bytes) => self.bring_up(*bytes)?,
            ScriptStep::Raw(bytes) => {
                if let [0x15, _, _, _, _, 2, ..] = bytes[..] {
                    self.shared.ledger.write(|pages| pages.connections[self.number].alert = true);
                }
                self.pipe.write_raw(bytes).map_err(|_| Ended)?;
            }
            ScriptStep::Wait(time) => self.wait(Duration::from_millis(*time)),
            ScriptStep::Silence => {
                self.settled(true);
                self.wait_for_the_end();
                return Err(Ended);
            }
            ScriptStep::Fin => return Err(Ended),
            ScriptStep::Rst => {
                self.pipe.reset();
                self.incomplete();
                return Err(Ended);
            }
            ScriptStep::Half => self.pipe.half_close(),
            ScriptStep::Head(Some(bytes)) => {
                self.bring_up(usize::MAX)?;
                let mut read = 0;
                while read < *bytes {
                    read += self.some(&mut vec![0; *bytes - read], None)?;
                }
            }
            ScriptStep::Head(None) => self.head()?,
            ScriptStep::Body(amount) => {
                self.head()?;
                let wanted = self.request.as_ref().map_or(0, |request| amount.of(request.length));
                self.body(wanted, None)?;
            }
            ScriptStep::All => {
                self.head()?;
                self.body(usize::MAX, None)?;
            }
            ScriptStep::Drain => {
                self.head()?;
                // A client that stops or disconnects ends the draining but not the script.
                let _ = self.body(usize::MAX, Some(TIMEOUT));
            }
            ScriptStep::Say(answer) => self.say(answer, 1, 0)?,
            ScriptStep::Drip { pieces, pause, answer } => self.say(answer, *pieces, *pause)?,
            ScriptStep::Part(amount, answer) => {
                self.head()?;
                let made = answers::make(answer, self.call()).ok_or(Ended)?;
                let part = &made.bytes[..amount.of(made.bytes.len())];
                // An error status is sufficient without the rest.
                if made.means == Verdict::Refusal && request::end(part).is_some() && made.status >= 300 {
                    self.note(made.status, made.means, made.retry_after, made.code);
                    self.incomplete();
                }
                self.write(part)?;
            }
            ScriptStep::Send(bytes, means) => {
                self.head()?;
                let bytes = String::from_utf8_lossy(bytes).replace("{call}", self.call()).into_bytes();
                if *means != Verdict::Unknown {
                    self.note(200, *means, None, None);
                }
                self.write(&bytes)?;
            }
        }
        Ok(())
    }

    /// Performs the proxy's part and the handshake, unless that has been done. `most` limits the bytes of our side.
    fn bring_up(&mut self, most: usize) -> Result<(), Ended> {
        if self.up {
            return Ok(());
        }
        let way = self.shared.plan.way;
        if way == Protocol::Proxy && !self.pipe.in_tls() {
            self.connect()?;
            self.pipe.write_raw(b"HTTP/1.1 200 Go\r\n\r\n").map_err(|_| Ended)?;
        }
        if way != Protocol::Plain {
            self.pipe.begin_tls(certificates::server(&self.certificate));
            let mut most = most;
            loop {
                match self.pipe.shake_hands(&mut most) {
                    Ok(true) => break,
                    Err(error) if error.kind() != std::io::ErrorKind::WouldBlock => return Err(Ended),
                    _ if self.shared.over() => return Err(Ended),
                    _ => {}
                }
            }
        }
        self.up = true;
        Ok(())
    }

    /// Reads the head of a `CONNECT`.
    fn connect(&mut self) -> Result<(), Ended> {
        let mut bytes = Vec::new();
        while request::end(&bytes).is_none() {
            let mut byte = [0];
            self.some(&mut byte, None)?;
            bytes.push(byte[0]);
        }
        Ok(())
    }

    fn head(&mut self) -> Result<(), Ended> {
        self.bring_up(usize::MAX)?;
        if self.request.is_some() {
            return Ok(());
        }
        self.first_byte()?;
        let mut bytes = Vec::new();
        let end = loop {
            if let Some(end) = request::end(&bytes) {
                break end;
            }
            let mut some = [0; 4096];
            let read = self.some(&mut some, None)?;
            bytes.extend(&some[..read]);
        };
        self.pipe.ahead = bytes.split_off(end);
        let head = request::read(&bytes);
        let exchange = Exchange {
            begun: Instant::now(),
            call: head.call.clone(),
            length: head.length,
            received: 0,
            said: None,
            answered: false,
        };
        let at = self.shared.ledger.write(|pages| {
            pages.connections[self.number].heads += 1;
            pages.exchanges.push(exchange);
            pages.exchanges.len() - 1
        });
        let length = head.length.unwrap_or(0).try_into().unwrap_or(usize::MAX);
        self.request = Some(CurrentRequest { at, call: head.call, length, received: 0 });
        Ok(())
    }

    /// Reads until it has this much of the body.
    fn body(&mut self, wanted: usize, timeout: Option<Duration>) -> Result<(), Ended> {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let Some(request) = &self.request else { return Ok(()) };
            let missing = wanted.min(request.length).saturating_sub(request.received);
            if missing == 0 {
                return Ok(());
            }
            let room = missing.min(buffer.len());
            let read = self.some(&mut buffer[..room], timeout)?;
            if let Some(request) = &mut self.request {
                request.received += read;
                let (at, received) = (request.at, request.received as u64);
                self.shared.ledger.write(|pages| pages.exchanges[at].received = received);
            }
        }
    }

    fn say(&mut self, answer: &ScriptAnswer, pieces: usize, pause: u64) -> Result<(), Ended> {
        self.head()?;
        let made = answers::make(answer, self.call()).ok_or(Ended)?;
        self.note(made.status, made.means, made.retry_after, made.code);
        let closes = answer.headers.iter().any(|header| header.eq_ignore_ascii_case("connection: close"));
        for piece in made.bytes.chunks(made.bytes.len().div_ceil(pieces.max(1)).max(1)) {
            self.wait(Duration::from_millis(pause));
            self.write(piece)?;
        }
        if closes {
            self.ended = true;
        }
        Ok(())
    }

    /// Records a response before its first byte is sent, because a client may be quick.
    fn note(&mut self, status: u16, means: Verdict, retry_after: Option<u64>, code: Option<String>) {
        let Some(request) = &self.request else { return };
        let said = SentAnswer { status, means, complete: true, retry_after, code, at: Instant::now() };
        let at = request.at;
        self.shared.ledger.write(|pages| pages.exchanges[at].said = Some(said));
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Ended> {
        if let Some(at) = self.request.as_ref().map(|request| request.at).filter(|_| !bytes.is_empty()) {
            self.shared.ledger.write(|pages| pages.exchanges[at].answered = true);
        }
        let sent = if self.up { self.pipe.write(bytes) } else { self.pipe.write_raw(bytes) };
        sent.map_err(|_| Ended)
    }

    fn call(&self) -> &str {
        self.request.as_ref().map_or("", |request| &request.call)
    }

    fn settled(&self, settled: bool) {
        self.shared.ledger.write(|pages| pages.connections[self.number].settled = settled);
    }

    fn wait(&self, time: Duration) {
        let end = Instant::now() + time;
        while !self.shared.over() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            thread::sleep(left.min(Duration::from_millis(20)));
        }
    }

    /// Keeps the connection open until the cell is over.
    fn wait_for_the_end(&self) {
        self.wait(Duration::from_secs(600));
    }

    /// Reads something. Ends when the client disconnects, or on `timeout`.
    fn some(&mut self, buffer: &mut [u8], timeout: Option<Duration>) -> Result<usize, Ended> {
        let begin = Instant::now();
        loop {
            match self.pipe.read(buffer) {
                Came::Bytes(bytes) => return Ok(bytes),
                Came::End => return Err(Ended),
                Came::Nothing if self.shared.over() => return Err(Ended),
                Came::Nothing if timeout.is_some_and(|most| begin.elapsed() > most) => return Err(Ended),
                Came::Nothing => {}
            }
        }
    }

    /// Waits for a byte without consuming it.
    fn first_byte(&mut self) -> Result<(), Ended> {
        let (begin, mut idle) = (Instant::now(), false);
        loop {
            match self.look() {
                Came::Bytes(_) => break,
                Came::End => return Err(Ended),
                Came::Nothing if self.shared.over() => return Err(Ended),
                Came::Nothing if !idle && begin.elapsed() > IDLE => {
                    self.settled(true);
                    idle = true;
                }
                Came::Nothing => {}
            }
        }
        if idle {
            self.settled(false);
        }
        Ok(())
    }

    /// Whether bytes are available. They are not consumed.
    fn look(&mut self) -> Came {
        if !self.pipe.ahead.is_empty() {
            return Came::Bytes(self.pipe.ahead.len());
        }
        if !self.up {
            return self.pipe.peek();
        }
        let mut byte = [0];
        let came = self.pipe.read(&mut byte);
        if let Came::Bytes(_) = came {
            self.pipe.ahead.push(byte[0]);
        }
        came
    }
}
