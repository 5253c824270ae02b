//! JSON-RPC over lines, for `rmcp`: it decides what a message means, and this module that none of them is lost.
//!
//! The library's own lines would answer nothing to a line that is not JSON or too long, and one answer to two open requests with
//! the same id. Five seconds after the end of the input it would drop the calls that are still running.

use crate::McpServer;
use crate::protocol::Session;
use rmcp::model::{
    ClientJsonRpcMessage, ErrorCode, ErrorData, GetExtensions as _, JsonRpcMessage, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::service::serve_directly;
use rmcp::transport::Transport;
use rmcp::{RoleServer, service};
use serde_json::Value;
use sondage::internals::runtime;
use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::{future, thread};
use tokio::sync::{mpsc as channel, watch};

/// Serves one client until its messages end. Calls run concurrently; all are answered before this returns.
pub fn serve(server: &McpServer, input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let (answers, ready) = mpsc::channel();
    let (messages, received) = channel::unbounded_channel();
    let (open_input, input_state) = watch::channel(());
    let session = Session { server: server.clone(), input: input_state };
    let lines = Lines { received, answers: answers.clone() };
    let runtime = runtime::handle();
    let running = {
        let _guard = runtime.enter();
        serve_directly::<RoleServer, _, _, _, _>(session, lines, None)
    };
    thread::scope(|scope| {
        let writer = scope.spawn(move || write(&ready, output));
        let reader = Reader { messages, answers, open: Open::default() };
        for line in input.split(b'\n') {
            let line = line?;
            if !line.trim_ascii().is_empty() {
                reader.line(&line);
            }
        }
        // Subscriptions end with the input, and the session with the last open request.
        drop((open_input, reader));
        drop(runtime.block_on(running.waiting()));
        writer.join().unwrap_or_else(|_| Err(io::Error::other("the responses cannot be written")))
    })
}

fn write(ready: &mpsc::Receiver<ServerJsonRpcMessage>, mut output: impl Write) -> io::Result<()> {
    for answer in ready {
        writeln!(output, "{}", serde_json::to_string(&answer)?)?;
        output.flush()?;
    }
    Ok(())
}

/// The messages of a client, and the answers to them.
struct Lines {
    received: channel::UnboundedReceiver<ClientJsonRpcMessage>,
    answers: mpsc::Sender<ServerJsonRpcMessage>,
}

impl Transport<RoleServer> for Lines {
    type Error = mpsc::SendError<ServerJsonRpcMessage>;

    fn send(
        &mut self,
        answer: service::TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        future::ready(self.answers.send(answer))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.received.recv().await
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// The ids of the requests that have no response yet.
type Open = Arc<Mutex<HashSet<RequestId>>>;

/// Belongs to a request until its handler has ended: its id is not free, and the session is not over.
#[derive(Debug)]
struct OpenRequest {
    id: RequestId,
    open: Open,
    _session: channel::UnboundedSender<ClientJsonRpcMessage>,
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

struct Reader {
    messages: channel::UnboundedSender<ClientJsonRpcMessage>,
    answers: mpsc::Sender<ServerJsonRpcMessage>,
    open: Open,
}

impl Reader {
    fn line(&self, line: &[u8]) {
        match serde_json::from_slice::<Value>(line) {
            // Clients of 2025-03-26 may send several messages in one line.
            Ok(Value::Array(messages)) if !messages.is_empty() => {
                for message in messages {
                    self.message(message);
                }
            }
            Ok(message) => self.message(message),
            Err(_) => self.refuse(None, ErrorCode::PARSE_ERROR, "The line is not JSON."),
        }
    }

    fn message(&self, message: Value) {
        // The server sends no requests, so a response is ignored.
        if message.get("result").is_some() || message.get("error").is_some() {
            return;
        }
        let has_id = message.get("id").is_some();
        let id = message.get("id").and_then(|id| serde_json::from_value(id.clone()).ok());
        match serde_json::from_value::<ClientJsonRpcMessage>(message) {
            Ok(JsonRpcMessage::Request(mut request)) => {
                let Some(open_request) = self.open(&request.id) else {
                    let why = "An earlier request has this id, and no response yet.";
                    return self.refuse(id, ErrorCode::INVALID_REQUEST, why);
                };
                request.request.extensions_mut().insert(Arc::new(open_request));
                self.pass(JsonRpcMessage::Request(request));
            }
            Ok(notification @ JsonRpcMessage::Notification(_)) if !has_id => self.pass(notification),
            _ => {
                let why = "The message is no request of the protocol. It needs `jsonrpc`, a `method`, and an `id` that is a text \
                           or an integer; `params` is an object.";
                self.refuse(id, ErrorCode::INVALID_REQUEST, why);
            }
        }
    }

    /// Opens a request, unless an open one has its id: their responses could not be told apart.
    fn open(&self, id: &RequestId) -> Option<OpenRequest> {
        let is_new = self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone());
        is_new.then(|| OpenRequest {
            id: id.clone(),
            open: Arc::clone(&self.open),
            _session: self.messages.clone(),
        })
    }

    fn pass(&self, message: ClientJsonRpcMessage) {
        // The receiver lives as long as this sender.
        drop(self.messages.send(message));
    }

    fn refuse(&self, id: Option<RequestId>, code: ErrorCode, why: &'static str) {
        // If the client is gone, nobody needs the response.
        drop(self.answers.send(ServerJsonRpcMessage::error(ErrorData::new(code, why, None), id)));
    }
}
