//! The sandbox on the network: loopback only, HTTP/1 with keep-alive, a thread and a runtime of its own.
//!
//! With a runtime of its own, blocking code and other runtimes can start a sandbox, and a test that blocks its only
//! thread still gets responses.

mod about;
mod control;
mod http1;
mod inject;
mod query;
mod reply;
mod wire;

pub(crate) use http1::BufferedRequest;
pub(crate) use reply::Reply;

use crate::account::DataCenter;
use crate::delivery;
use crate::fault::{CutPoint, FaultAction};
use crate::state::ServerState;
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::watch;

/// A listening socket and what is behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListenerRole {
    pub(crate) data_center: DataCenter,
    pub(crate) api: bool,
    pub(crate) auth: bool,
}

/// The listen backlog: sandboxes are used for tests with many concurrent connections.
const BACKLOG: u32 = 4096;

/// The runtime of a sandbox. It may be dropped anywhere, even inside another runtime.
#[derive(Debug)]
pub(crate) struct SandboxRuntime(Option<Runtime>);

impl SandboxRuntime {
    pub(crate) fn new() -> io::Result<Self> {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(2).thread_name("sondage-sandbox").enable_all().build().map(|it| Self(Some(it)))
    }

    /// Listens on a free port that no system gives to those who ask for any: those begin at 32,768 or later.
    pub(crate) fn listen_to_stay(&self) -> io::Result<TcpListener> {
        const LOWEST: u16 = 20_000;
        const COUNT: u16 = 12_000;
        const ATTEMPTS: u16 = 100;
        let first = crate::random::below(COUNT);
        let ports = (0..ATTEMPTS).map(|step| LOWEST + (first + step) % COUNT);
        ports.map(|port| self.listen(port)).find(Result::is_ok).unwrap_or_else(|| self.listen(0))
    }

    /// Listens on a port of the loopback interface; 0 is any free one.
    pub(crate) fn listen(&self, port: u16) -> io::Result<TcpListener> {
        let _inside = self.0.as_ref().map(Runtime::enter);
        let socket = TcpSocket::new_v4()?;
        // A sandbox that was just stopped must not block its port for the next one.
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        socket.bind((Ipv4Addr::LOCALHOST, port).into())?;
        socket.listen(BACKLOG)
    }
}

impl Drop for SandboxRuntime {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// A running server. Dropping it ends the thread and closes the ports.
#[derive(Debug)]
pub(crate) struct SandboxServer {
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl SandboxServer {
    pub(crate) fn start(
        mut engine: SandboxRuntime,
        shared: &Arc<ServerState>,
        listeners: Vec<(ListenerRole, TcpListener)>,
    ) -> io::Result<Self> {
        let (stop, mut stopped) = watch::channel(false);
        let Some(runtime) = engine.0.take() else { return Err(io::ErrorKind::NotConnected.into()) };
        for (role, listener) in listeners {
            runtime.spawn(accept(listener, role, Arc::clone(shared)));
        }
        runtime.spawn(delivery::run(Arc::clone(shared)));
        let thread = std::thread::Builder::new().name("sondage-sandbox".to_owned()).spawn(move || {
            runtime.block_on(async {
                let _ = stopped.wait_for(|stop| *stop).await;
            });
            runtime.shutdown_timeout(Duration::from_secs(5));
        })?;
        Ok(Self { stop, thread: Some(thread) })
    }

    pub(crate) fn stop(&mut self) {
        let _ = self.stop.send(true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for SandboxServer {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn accept(listener: TcpListener, role: ListenerRole, shared: Arc<ServerState>) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(connection(stream, role, Arc::clone(&shared)));
            }
            // For example, no file descriptors are free: some will be released.
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

async fn connection(stream: TcpStream, role: ListenerRole, shared: Arc<ServerState>) {
    if let Some(fault) = shared.faults.take("connection", "") {
        tokio::time::sleep(Duration::from_millis(fault.delay_ms)).await;
        match fault.action {
            FaultAction::Delay => {}
            FaultAction::Cut { at: CutPoint::BeforeRequest, reset: false } => return,
            _ => {
                let _ = stream.set_zero_linger();
                return;
            }
        }
    }
    let _ = stream.set_nodelay(true);
    http1::serve(stream, role, shared).await;
}
