//! The bytes of one connection: plain, behind a proxy's `CONNECT`, with TLS.

use rustls::{ServerConfig, ServerConnection};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// How often a connection checks whether the cell is over.
const TICK: Duration = Duration::from_millis(20);

pub struct Pipe {
    tcp: TcpStream,
    tls: Option<ServerConnection>,
    /// Bytes that were read with the head and belong to what follows.
    pub ahead: Vec<u8>,
}

/// The result of reading.
pub enum Came {
    Bytes(usize),
    /// Nothing yet.
    Nothing,
    End,
}

impl Pipe {
    pub fn new(tcp: TcpStream) -> io::Result<Self> {
        tcp.set_read_timeout(Some(TICK))?;
        tcp.set_write_timeout(Some(Duration::from_secs(5)))?;
        tcp.set_nodelay(true)?;
        Ok(Self { tcp, tls: None, ahead: Vec::new() })
    }

    pub fn begin_tls(&mut self, config: Arc<ServerConfig>) {
        self.tls = ServerConnection::new(config).ok();
    }

    pub fn in_tls(&self) -> bool {
        self.tls.is_some()
    }

    /// Performs one step of the handshake. `Ok(true)`: it is complete. `most` limits the bytes of our side.
    pub fn shake_hands(&mut self, most: &mut usize) -> io::Result<bool> {
        let Some(tls) = &mut self.tls else { return Ok(true) };
        if !tls.is_handshaking() && !tls.wants_write() {
            return Ok(true);
        }
        while tls.wants_write() {
            let mut out = Vec::new();
            tls.write_tls(&mut out)?;
            let leave = out.len().min(*most);
            self.tcp.write_all(&out[..leave])?;
            *most -= leave;
            if *most == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
        if tls.is_handshaking() {
            match take_in(tls, &mut self.tcp)? {
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                _ => return Ok(false),
            }
        }
        Ok(false)
    }

    pub fn read(&mut self, buffer: &mut [u8]) -> Came {
        if !self.ahead.is_empty() {
            let taken = self.ahead.len().min(buffer.len());
            buffer[..taken].copy_from_slice(&self.ahead[..taken]);
            self.ahead.drain(..taken);
            return Came::Bytes(taken);
        }
        match self.take(buffer) {
            Ok(0) => Came::End,
            Ok(bytes) => Came::Bytes(bytes),
            Err(error) if is_tick(&error) => Came::Nothing,
            Err(_) => Came::End,
        }
    }

    fn take(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(tls) = &mut self.tls else { return self.tcp.read(buffer) };
        loop {
            match tls.reader().read(buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if take_in(tls, &mut self.tcp)? == 0 {
                        return Ok(0);
                    }
                }
                result => return result,
            }
        }
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(tls) = &mut self.tls else { return self.tcp.write_all(bytes) };
        // In TLS records of a usual size, so that chunks that are sent with delays are separate on the wire.
        for piece in bytes.chunks(16 * 1024) {
            tls.writer().write_all(piece)?;
            while tls.wants_write() {
                tls.write_tls(&mut self.tcp)?;
            }
        }
        Ok(())
    }

    /// Below TLS.
    pub fn write_raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.tcp.write_all(bytes)
    }

    /// Peeks at the client's bytes below TLS.
    pub fn peek(&self) -> Came {
        match self.tcp.peek(&mut [0; 16]) {
            Ok(0) => Came::End,
            Ok(bytes) => Came::Bytes(bytes),
            Err(error) if is_tick(&error) => Came::Nothing,
            Err(_) => Came::End,
        }
    }

    pub fn half_close(&mut self) {
        if let Some(tls) = &mut self.tls {
            tls.send_close_notify();
            while tls.wants_write() && tls.write_tls(&mut self.tcp).is_ok() {}
        }
        let _ = self.tcp.shutdown(Shutdown::Write);
    }

    /// Makes the close of the connection a reset.
    pub fn reset(&self) {
        let _ = socket2::SockRef::from(&self.tcp).set_linger(Some(Duration::ZERO));
    }
}

fn is_tick(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// Reads what has arrived. 0: the other side has closed the connection.
fn take_in(tls: &mut ServerConnection, tcp: &mut TcpStream) -> io::Result<usize> {
    let bytes = tls.read_tls(tcp)?;
    let result = tls.process_new_packets();
    while tls.wants_write() && tls.write_tls(tcp).is_ok_and(|bytes| bytes > 0) {}
    result.map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
    Ok(bytes)
}
