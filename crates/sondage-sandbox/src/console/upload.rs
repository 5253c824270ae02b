//! A form with files.

use super::form::ConsoleForm;
use crate::refusal::Refusal;
use crate::server::BufferedRequest;
use crate::uploads::Uploads;
use bytes::Bytes;
use futures_util::{FutureExt as _, stream};
use http::header::CONTENT_TYPE;
use multer::Multipart;
use std::convert::Infallible;

/// The fields of a form. Files are kept; their fields have their ids.
pub(super) fn form(uploads: &Uploads, received: &BufferedRequest) -> Result<ConsoleForm, Refusal> {
    let content_type =
        received.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let Ok(boundary) = multer::parse_boundary(content_type) else {
        return Ok(ConsoleForm::parse(&received.body));
    };
    let body = received.body.clone();
    let body = stream::once(async move { Ok::<Bytes, Infallible>(body) });
    let mut parts = Multipart::new(body, boundary);
    let read = async {
        let mut fields = Vec::new();
        while let Some(part) = parts.next_field().await? {
            let name = part.name().unwrap_or_default().to_owned();
            let file = part.file_name().map(str::to_owned);
            fields.push((name, file, part.bytes().await?));
        }
        Ok::<_, multer::Error>(fields)
    };
    // The whole form is there, so nothing has to be waited for.
    let refused = || Refusal::invalid("The form was not understood, so nothing was changed. Send it again.");
    let fields = read.now_or_never().and_then(Result::ok).ok_or_else(refused)?;
    let field = |(name, file, content): (String, Option<String>, Bytes)| match file {
        // A field without a file is sent with an empty name.
        Some(file) if file.is_empty() && content.is_empty() => Ok((name, String::new())),
        Some(file) => {
            let kept = uploads.keep(&file, &content);
            kept.map(|id| (name, id)).map_err(|why| {
                Refusal::invalid(format!(
                    "The file could not be stored ({}), so nothing was changed.",
                    why.kind()
                ))
            })
        }
        None => Ok((name, String::from_utf8_lossy(&content).into_owned())),
    };
    fields.into_iter().map(field).collect::<Result<Vec<_>, _>>().map(ConsoleForm::of)
}
