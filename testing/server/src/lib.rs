//! Servers on loopback for tests. [`Server::http`] answers requests; [`Server::start`] gives a test the connections themselves,
//! for bytes that no HTTP server sends.

mod request;

pub use request::{Reply, Request};

use std::io::{BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// A server on a free port, until the process ends: a client remembers pauses and tokens by address, so a port is not given to
/// another server of the same process.
#[derive(Clone, Copy, Debug)]
pub struct Server {
    address: SocketAddr,
}

impl Server {
    /// Calls a handler with each connection, each in a thread of its own.
    ///
    /// # Panics
    /// If no port of this machine can be used.
    pub fn start(handler: impl Fn(TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        Self::on(listener, handler)
    }

    /// The same with a listener whose socket has options of its own.
    ///
    /// # Panics
    /// If the listener has no address.
    pub fn on(listener: TcpListener, handler: impl Fn(TcpStream) + Send + Sync + 'static) -> Self {
        let address = listener.local_addr().expect("an address");
        let handler = Arc::new(handler);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let handler = Arc::clone(&handler);
                thread::spawn(move || handler(stream));
            }
        });
        Self { address }
    }

    /// Answers each request of each connection, which stays open until the client closes it.
    ///
    /// # Panics
    /// If no port of this machine can be used.
    pub fn http(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        Self::start(move |stream| {
            let _ = stream.set_nodelay(true);
            let mut reader = BufReader::new(&stream);
            while let Some(request) = Request::read(&mut reader) {
                if (&stream).write_all(&answer(&request).into_bytes()).is_err() {
                    return;
                }
            }
        })
    }

    /// Its address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Its address as a URL without a path.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

/// An address at which nothing listens.
///
/// # Panics
/// If no port of this machine can be used.
pub fn closed_address() -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("an address")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn a_connection_serves_several_requests() {
        let server = Server::http(|request| Reply::new(201, &request.body).header("x-path", &request.path));
        let mut stream = TcpStream::connect(server.address()).unwrap();
        for body in ["one", "three"] {
            let length = body.len();
            write!(stream, "POST /a?b HTTP/1.1\r\nContent-Length: {length}\r\nX-Name:  v \r\n\r\n{body}")
                .unwrap();
            let expected =
                format!("HTTP/1.1 201 Test\r\ncontent-length: {length}\r\nx-path: /a?b\r\n\r\n{body}");
            let mut bytes = vec![0; expected.len()];
            stream.read_exact(&mut bytes).unwrap();
            assert_eq!(String::from_utf8(bytes).unwrap(), expected);
        }
    }

    #[test]
    fn nothing_listens_at_a_closed_address() {
        assert!(TcpStream::connect(closed_address()).is_err());
    }
}
