//! Applies faults to a reply and its connection.

use super::reply::{Ending, Reply};
use super::wire::WireControl;
use crate::api::Route;
use crate::fault::{self, CutPoint, Fault, FaultAction};
use crate::refusal::Refusal;
use http::StatusCode;
use std::io;

/// The effect of a fault on a reply.
pub(super) fn inject(
    fault: Fault,
    mut reply: Reply,
    route: Option<&Route>,
    order: &WireControl,
) -> io::Result<(Reply, Ending)> {
    let ok = StatusCode::OK;
    reply = match fault.action {
        FaultAction::Cut { at: CutPoint::MidAnswer, reset } => {
            if reset {
                order.reset_later();
            }
            return Ok((reply, Ending::Cut));
        }
        FaultAction::Cut { reset, .. } => return Err(cut(order, reset)),
        FaultAction::Stall => return Ok((reply, Ending::Stalled)),
        FaultAction::Garbage => {
            order.write_instead(vec![
                0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28, 0x00, 0xff, 0xfe, b'\r', b'\n',
            ]);
            reply
        }
        FaultAction::Status { status, headers, body } => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
            let mut spoilt = match body {
                Some(text) => Reply::new(status, "text/plain; charset=utf-8", text),
                None => Reply::refused(&Refusal::new(status, "Fault", "A fault was asked for.")),
            };
            for (name, value) in &headers {
                spoilt.set(name, value);
            }
            spoilt
        }
        FaultAction::TruncatedJson => {
            reply.body = reply.body.slice(..reply.body.len() / 2);
            reply
        }
        FaultAction::GarbageBody => Reply::json(ok, (0..=255_u8).rev().collect::<Vec<_>>()),
        FaultAction::Html => {
            Reply::html(ok, "<!doctype html><title>Maintenance</title><h1>Back soon</h1>".to_owned())
        }
        FaultAction::Text => {
            Reply::new(ok, "text/plain; charset=utf-8", "upstream connect error or disconnect")
        }
        FaultAction::GzipBomb => gzip(Reply::json(ok, fault::decompression_bomb())),
        FaultAction::BrokenGzip => gzip(Reply::json(ok, "this is not gzip")),
        FaultAction::NotSuccess { error_code, error_message } => {
            let text = serde_json::json!({ "isSuccess": false, "errorMessage": error_message, "errorCode": error_code });
            Reply::json(ok, text.to_string())
        }
        FaultAction::Body { text } => Reply::json(ok, text),
        action => match route {
            Some(route) if reply.status == ok => {
                reply.body = fault::distort(&action, route.info, reply.body.to_vec()).into();
                reply
            }
            _ => reply,
        },
    };
    Ok((reply, Ending::Whole))
}

fn gzip(mut reply: Reply) -> Reply {
    reply.set("content-encoding", "gzip");
    reply
}

/// Closes the connection without a response.
pub(super) fn cut(order: &WireControl, reset: bool) -> io::Error {
    if reset {
        order.reset();
    }
    io::ErrorKind::ConnectionAborted.into()
}
