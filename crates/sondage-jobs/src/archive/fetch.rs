//! Downloads one document: requests a link, follows it, and checks that the result is a PDF.

use bytes::Bytes;
use sondage::Client;
use sondage::error::{Error, ErrorKind, Result};
use sondage::model::{DownloadAnswersRequest, Secret};
use std::time::Duration;

/// How often a document is tried before it counts as failed.
const ATTEMPTS: u32 = 3;
/// The delay before a document is tried again.
const PAUSE: Duration = Duration::from_millis(300);

/// Downloads the PDF of one interview. For an expired link a new one is requested; a cut connection is retried with the
/// same link, because each new link costs a call.
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
    answer.download_url.ok_or_else(|| Error::unexpected_response("the response has no link"))
}

/// Instead of a document, a page with status 200 often explains what is wrong.
fn checked(document: Bytes) -> Result<Bytes> {
    if document.starts_with(b"%PDF") {
        return Ok(document);
    }
    let what = if document.trim_ascii_start().starts_with(b"<") {
        "the link returned an HTML page instead of a PDF"
    } else {
        "the link returned something other than a PDF"
    };
    Err(Error::unexpected_response(what))
}
