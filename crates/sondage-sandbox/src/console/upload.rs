//! Files that a visitor has chosen: they are kept until the plan with them is confirmed, for the next few forms.

use super::form::ConsoleForm;
use crate::refusal::Refusal;
use crate::server::BufferedRequest;
use bytes::Bytes;
use futures_util::{FutureExt as _, stream};
use http::header::CONTENT_TYPE;
use multer::Multipart;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::TempDir;

/// How many files are kept.
const MOST: usize = 8;

/// A file with the name that its owner gave it.
#[derive(Debug)]
pub(crate) struct Upload {
    id: String,
    /// Only its owner can read it; it is deleted with this.
    folder: TempDir,
    pub(super) name: String,
}

impl Upload {
    pub(super) fn path(&self) -> std::path::PathBuf {
        self.folder.path().join(&self.name)
    }

    /// A text in which the name stands alone, without the folder.
    pub(super) fn without_folder(&self, text: &str) -> String {
        text.replace(&format!("{}{}", self.folder.path().display(), std::path::MAIN_SEPARATOR), "")
    }
}

/// The files of the last forms.
#[derive(Debug, Default)]
pub(crate) struct Uploads(Mutex<VecDeque<Arc<Upload>>>);

impl Uploads {
    fn keep(&self, name: &str, content: &[u8]) -> std::io::Result<String> {
        let folder = tempfile::Builder::new().prefix("sondage-console-").tempdir()?;
        // The last part of a path, in letters that every system can have in a name.
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let name: String =
            name.chars().map(|c| if c.is_alphanumeric() || "-_. ".contains(c) { c } else { '_' }).collect();
        let name = if name.trim_matches('.').is_empty() { "file".to_owned() } else { name };
        let upload = Upload { id: crate::random::secret(), folder, name };
        std::fs::File::create_new(upload.path())?.write_all(content)?;
        let id = upload.id.clone();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(Arc::new(upload));
        if kept.len() > MOST {
            kept.pop_front();
        }
        Ok(id)
    }

    /// A file by the id in a form.
    pub(super) fn find(&self, id: &str) -> Option<Arc<Upload>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|upload| upload.id == id).cloned()
    }
}

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
