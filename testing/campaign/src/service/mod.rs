//! A hostile service on raw sockets. It shares no code with the client or the sandbox, and keeps its own ledger.

pub mod answering;
pub mod answers;
pub mod certificates;
mod pipe;
mod play;
mod request;

use crate::ledger::ServiceLedger;
use crate::script::{ScriptStep, parse};
use socket2::{Domain, Socket, Type};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{io, thread};

/// How clients reach the service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    #[default]
    Plain,
    Tls,
    /// Through a proxy, and then through TLS.
    Proxy,
}

/// The configuration of a service.
#[derive(Clone, Debug)]
pub struct ServicePlan {
    pub way: Protocol,
    /// One script for each exchange; the last one is repeated.
    pub scripts: Vec<Vec<ScriptStep>>,
    /// Uses receive buffers as small as those of a distant network.
    pub small_buffers: bool,
}

impl ServicePlan {
    pub fn new(way: Protocol, lines: &[String], small_buffers: bool) -> Result<Self, String> {
        let scripts = lines.iter().map(|line| parse(line)).collect::<Result<_, _>>()?;
        Ok(Self { way, scripts, small_buffers })
    }
}

/// State shared by the connections of a service.
pub struct ServiceState {
    pub plan: ServicePlan,
    pub ledger: ServiceLedger,
    /// The cell is over: connections are closed.
    over: AtomicBool,
    played: AtomicUsize,
    /// Ports of the campaign's own connections.
    own: Mutex<Vec<u16>>,
}

impl ServiceState {
    fn over(&self) -> bool {
        self.over.load(Ordering::SeqCst)
    }

    /// The script of the next exchange.
    fn next(&self) -> &[ScriptStep] {
        let at = self.played.fetch_add(1, Ordering::SeqCst);
        &self.plan.scripts[at.min(self.plan.scripts.len() - 1)]
    }
}

pub struct Service {
    pub shared: Arc<ServiceState>,
    address: SocketAddr,
}

impl Service {
    pub fn start(plan: ServicePlan) -> io::Result<Self> {
        // The certificates are for one address.
        let address = if plan.way == Protocol::Tls { Ipv4Addr::LOCALHOST } else { address_of_its_own() };
        let listener = listen(address, plan.small_buffers)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(ServiceState {
            plan,
            ledger: ServiceLedger::default(),
            over: AtomicBool::new(false),
            played: AtomicUsize::new(0),
            own: Mutex::default(),
        });
        let theirs = shared.clone();
        spawn(move || accept(&listener, &theirs))?;
        Ok(Self { shared, address })
    }

    pub fn ledger(&self) -> &ServiceLedger {
        &self.shared.ledger
    }

    /// The address for a client.
    pub fn url(&self) -> String {
        match self.shared.plan.way {
            Protocol::Plain => format!("http://{}", self.address),
            Protocol::Tls => format!("https://{}", self.address),
            Protocol::Proxy => format!("https://{}", certificates::BEHIND_THE_PROXY),
        }
    }

    /// The proxy, if there is one.
    pub fn proxy(&self) -> Option<String> {
        (self.shared.plan.way == Protocol::Proxy).then(|| format!("http://{}", self.address))
    }

    /// Waits until every connection waits for the client. `false`: a timeout.
    pub fn settle(&self) -> bool {
        // Connections are accepted in the order in which they were made: when ours is accepted, all are.
        let Ok(own) = self.knock() else { return false };
        self.ledger().wait(Duration::from_secs(20), |pages| {
            pages.connections.iter().filter(|connection| connection.own).count() >= own
                && pages.connections.iter().all(|connection| connection.settled)
        })
    }

    /// Makes a connection of the campaign's own, and returns how many there were.
    fn knock(&self) -> io::Result<usize> {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        socket.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into())?;
        let port = socket.local_addr()?.as_socket().map_or(0, |address| address.port());
        let count = {
            let mut own = self.shared.own.lock().unwrap_or_else(PoisonError::into_inner);
            own.push(port);
            own.len()
        };
        socket.connect(&self.address.into())?;
        Ok(count)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for connections.
        let _ = self.knock();
    }
}

/// A port is soon used again: without an address of its own, a service may get the last request of another cell's client.
/// Systems other than Linux have one loopback address.
pub fn address_of_its_own() -> Ipv4Addr {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    if !cfg!(target_os = "linux") {
        return Ipv4Addr::LOCALHOST;
    }
    let number = NUMBER.fetch_add(1, Ordering::SeqCst) % 60_000;
    Ipv4Addr::from_bits(Ipv4Addr::new(127, 1, 0, 1).to_bits() + number)
}

fn listen(address: Ipv4Addr, small_buffers: bool) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    if small_buffers {
        // The client's kernel sizes its send buffer by the segment size: without this, loopback buffers megabytes.
        #[cfg(unix)]
        socket.set_tcp_mss(1460)?;
        socket.set_recv_buffer_size(16 * 1024)?;
    }
    socket.bind(&SocketAddr::from((address, 0)).into())?;
    socket.listen(1024)?;
    Ok(socket.into())
}

fn accept(listener: &TcpListener, shared: &Arc<ServiceState>) {
    while let Ok((stream, from)) = listener.accept() {
        let own = shared.own.lock().unwrap_or_else(PoisonError::into_inner).contains(&from.port());
        let number = shared.ledger.write(|pages| {
            pages.connections.push(crate::ledger::Connection { own, settled: own, ..Default::default() });
            pages.connections.len() - 1
        });
        if shared.over() {
            return;
        }
        if !own {
            serve(stream, number, shared);
        }
    }
}

fn serve(stream: TcpStream, number: usize, shared: &Arc<ServiceState>) {
    let theirs = shared.clone();
    let started = spawn(move || {
        if let Ok(pipe) = pipe::Pipe::new(stream) {
            play::Player::new(pipe, number, &theirs).play();
        }
        theirs.ledger.write(|pages| pages.connections[number].settled = true);
    });
    if started.is_err() {
        shared.ledger.write(|pages| pages.connections[number].settled = true);
    }
}

/// Threads are many and do little.
fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().stack_size(512 * 1024).spawn(work).map(drop)
}
