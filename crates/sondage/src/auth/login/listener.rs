//! A local listener that waits for the browser to return from the login page.

use super::answer::LoginAnswer;
use super::{page, request, unguessable};
use crate::error::{Error, Result};
use crate::model::Secret;
use crate::transport::connections::{Busy, Connections};
use std::net::{Ipv4Addr, TcpListener};
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::mpsc;

/// Browsers open connections ahead of time and send nothing on them: when there are too many, the oldest is
/// closed.
const CONNECTIONS: usize = 32;
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// A socket on 127.0.0.1. It is open from the start of the login, so that no other program can take the port.
pub(super) struct Listener {
    socket: TcpListener,
    port: u16,
    path: String,
}

impl Listener {
    pub(super) fn bind(port: u16, path: &str) -> Result<Self> {
        let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).and_then(|socket| {
            socket.set_nonblocking(true)?;
            let port = socket.local_addr()?.port();
            Ok((socket, port))
        });
        let (socket, port) = bound.map_err(|error| {
            Error::configuration(format!("this program cannot receive the login ({error})"))
                .with_hint("Choose another port, or use a redirect address that is pasted.")
        })?;
        Ok(Self { socket, port, path: path.to_owned() })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Waits for the response to this login. Any program on this machine can connect: a request without the right
    /// `state` gets a page that says so, and the listener keeps waiting.
    pub(super) async fn wait(&self, state: &Secret, until: Instant) -> Result<Secret> {
        let socket = self.socket.try_clone().and_then(tokio::net::TcpListener::from_std);
        let socket = socket
            .map_err(|error| Error::network(format!("the program cannot wait for the login ({error})")))?;
        let (found, mut answers) = mpsc::channel::<Option<LoginAnswer>>(CONNECTIONS);
        let mut connections = Connections::new(CONNECTIONS);
        let mut strangers = 0_u32;
        loop {
            tokio::select! {
                biased;
                answer = answers.recv() => match answer.flatten() {
                    Some(answer) => return answer.code(state),
                    None => strangers += 1,
                },
                () = tokio::time::sleep_until(until.into()) => return Err(too_late(strangers)),
                Ok((stream, _)) = socket.accept() => {
                    let (found, state, path) = (found.clone(), state.clone(), self.path.clone());
                    connections.take(move |busy| async move {
                        let _ = tokio::time::timeout(REQUEST_TIMEOUT, serve(stream, &path, &state, found, busy)).await;
                    });
                }
                else => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }
}

async fn serve(
    mut stream: TcpStream,
    path: &str,
    state: &Secret,
    found: mpsc::Sender<Option<LoginAnswer>>,
    busy: Busy,
) {
    let Some(request) = request::read(&mut stream).await else { return };
    let _answering = busy.answering();
    if request.path != path {
        return reply(&mut stream, page::page("404 Not Found", "Nothing here", "This is not the login."))
            .await;
    }
    let answer = LoginAnswer::read(&request.pairs);
    if answer.is_nothing() {
        let nonce = unguessable().unwrap_or_default();
        return reply(&mut stream, page::forward(&nonce)).await;
    }
    if !answer.belongs_to(state) {
        let text = "This response belongs to another login. Please open the newest link.";
        reply(&mut stream, page::page("400 Bad Request", "Not this login", text)).await;
        let _ = found.send(None).await;
        return;
    }
    let text = "You can close this page and go back to the program: it says whether the login was completed.";
    reply(&mut stream, page::page("200 OK", "Done here", text)).await;
    let _ = found.send(Some(answer)).await;
}

async fn reply(stream: &mut TcpStream, page: String) {
    let _ = stream.write_all(page.as_bytes()).await;
    let _ = stream.shutdown().await;
}

fn too_late(strangers: u32) -> Error {
    let error = Error::authentication("the login timed out").with_hint(
        "Begin the login again. `login_timeout` says how long to wait; where the browser runs on another machine, paste the \
         address instead.",
    );
    if strangers == 0 {
        return error;
    }
    Error::authentication(format!("the login timed out, but {strangers} responses of another login arrived"))
        .with_hint("Begin the login again, and open the link of this one.")
}
