//! One document: a link, what is behind it, and whether that is a PDF.

use crate::Client;
use crate::error::{Error, ErrorKind, Result};
use crate::model::{DownloadAnswersRequest, Secret};
use bytes::Bytes;
use std::time::Duration;

/// How often a document is asked for before it counts as failed.
const ATTEMPTS: u32 = 3;
/// Before a document is asked for again.
const PAUSE: Duration = Duration::from_millis(300);

/// The PDF of one interview. A link that has ended is asked for anew; a cut connection is tried again on the same link,
/// because each new link is a call that counts.
pub async fn document(client: &Client, request: DownloadAnswersRequest) -> Result<Bytes> {
    let mut link: Option<Secret> = None;
    let mut attempt = 1;
    loop {
        let at = match link.take() {
            Some(link) => link,
            None => ask(client, request.clone()).await?,
        };
        let error = match client.follow(at.reveal()).await.and_then(checked) {
            Ok(document) => return Ok(document),
            Err(error) => error,
        };
        if attempt == ATTEMPTS || error.kind() == ErrorKind::InvalidArgument {
            return Err(error);
        }
        if error.kind() == ErrorKind::Network {
            link = Some(at);
        }
        tokio::time::sleep(PAUSE * attempt).await;
        attempt += 1;
    }
}

async fn ask(client: &Client, request: DownloadAnswersRequest) -> Result<Secret> {
    let answer = client.download_answers(request).await?;
    answer.download_url.ok_or_else(|| Error::unexpected_response("the answer has no link"))
}

/// What comes instead of a document is often a page that says why, with status 200.
fn checked(document: Bytes) -> Result<Bytes> {
    if document.starts_with(b"%PDF") {
        return Ok(document);
    }
    let what = if document.trim_ascii_start().starts_with(b"<") {
        "an HTML page came instead of a PDF"
    } else {
        "what came is not a PDF"
    };
    Err(Error::unexpected_response(what))
}
