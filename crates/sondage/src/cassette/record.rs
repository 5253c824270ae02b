//! Writes a recording.

use super::anonymize::{InAnswer, anonymize_texts};
use super::{Answer, Asked, Head, KIND, Line, VERSION, failure, order, row};
use crate::error::Text;
use crate::mask::{self, WORDS};
use crate::readable::Readable;
use crate::transport::failure::Failure;
use crate::{files, text};
use http::HeaderMap;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use url::Url;

/// Adds lines to a file, which is opened before the first call.
pub(crate) struct Recorder {
    path: PathBuf,
    state: Mutex<RecorderState>,
}

#[derive(Default)]
struct RecorderState {
    file: Option<File>,
    cover: InAnswer,
    /// A line could not be written, so the recording lacks responses.
    broken: Option<Text>,
}

/// A response while it arrives.
pub(crate) struct RecordedAnswer {
    recorder: Arc<Recorder>,
    asked: Option<Asked>,
    status: u16,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Recorder {
    pub fn new(path: PathBuf) -> Self {
        Self { path, state: Mutex::default() }
    }

    /// Starts a line before the request is sent; `None` for a token request. If the file cannot be written, the request must
    /// not be sent, because the recording would lack it.
    pub fn begin(
        self: &Arc<Self>,
        url: &Url,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<Option<RecordedAnswer>, Failure> {
        let Some(asked) = Asked::of(url, headers, body) else { return Ok(None) };
        let mut state = self.state();
        if let Some(why) = &state.broken {
            return Err(self.unusable(why));
        }
        if state.file.is_none() {
            let (file, length) = open(&self.path).map_err(|error| self.unusable(&text!("{error}")))?;
            // Another run may have used the numbers up to this one.
            state.cover.first = length;
            state.file = Some(file);
        }
        let (status, headers, body) = (0, BTreeMap::new(), Vec::new());
        Ok(Some(RecordedAnswer { recorder: self.clone(), asked: Some(asked), status, headers, body }))
    }

    fn state(&self) -> MutexGuard<'_, RecorderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unusable(&self, why: &Text) -> Failure {
        failure(text!("the recording {} cannot be written ({why})", self.path.display()))
    }
}

impl RecordedAnswer {
    /// The status and the headers of the response.
    #[must_use]
    pub fn head(mut self, status: u16, headers: &HeaderMap) -> Self {
        self.status = status;
        let named =
            |name: &http::HeaderName| Some((name.to_string(), headers.get(name)?.to_str().ok()?.to_owned()));
        self.headers = [CONTENT_TYPE, RETRY_AFTER].iter().filter_map(named).collect();
        self
    }

    /// A chunk of its body.
    pub fn feed(&mut self, piece: &[u8]) {
        self.body.extend_from_slice(piece);
    }

    /// The body is complete: the line is written.
    pub fn finish(&mut self) {
        let Some(asked) = self.asked.take() else { return };
        let mut state = self.recorder.state();
        let mut answer = Answer {
            status: self.status,
            headers: std::mem::take(&mut self.headers),
            body: None,
            text: None,
        };
        let received = Readable::of(&self.body).text;
        match serde_json::from_slice(&received) {
            Ok(body) => answer.body = order::like(&received, &covered(body, &asked, &mut state.cover)).ok(),
            Err(_) if self.body.is_empty() => answer.text = Some(String::new()),
            Err(_) => answer.text = Some(format!("[hidden: {} bytes that are not JSON]", self.body.len())),
        }
        let line = serde_json::to_vec(&Line { request: asked, answer }).map_err(io::Error::from);
        let written = line.and_then(|mut line| {
            line.push(b'\n');
            let file = state.file.as_mut().ok_or(io::ErrorKind::NotFound)?;
            locked(file, |file| {
                if !files::is_still(&self.recorder.path, file)? {
                    return Err(files::replaced());
                }
                file.write_all(&line)
            })
        });
        if let Err(error) = written {
            log::warn!("the recording {} lacks a response: {error}", self.recorder.path.display());
            state.broken = Some(text!("{error}"));
        }
    }
}

fn covered(mut body: Value, asked: &Asked, cover: &mut InAnswer) -> Value {
    // API 1.4
    let code = body.get("errorCode").and_then(Value::as_str).filter(|code| is_code(code)).map(Value::from);
    let success = body.get("isSuccess").filter(|it| it.is_boolean()).cloned();
    let message =
        body.get("errorMessage").and_then(Value::as_str).filter(|it| !it.is_empty()).map(|_| WORDS.into());
    match row(&asked.path) {
        Some(row) => mask::mask(&mut body, row.response, cover),
        None => mask::hide(&mut body, cover),
    };
    mask::secrets(&mut body, cover);
    anonymize_texts(&mut body, cover);
    for (name, value) in [("errorCode", code), ("isSuccess", success), ("errorMessage", message)] {
        if let (Some(place), Some(value)) = (body.get_mut(name), value) {
            *place = value;
        }
    }
    body
}

fn is_code(text: &str) -> bool {
    text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
}

/// Opens a recording to continue it, or begins one, and returns its length.
fn open(path: &Path) -> io::Result<(File, u64)> {
    let mut file = files::append_to(path)?;
    let length = locked(&mut file, |file| {
        if file.metadata()?.len() == 0 {
            let mut head = serde_json::to_vec(&Head { sondage: KIND.to_owned(), version: VERSION })?;
            head.push(b'\n');
            file.write_all(&head)?;
        } else {
            check(path)?;
        }
        files::narrow(file)?;
        Ok(file.metadata()?.len())
    })?;
    Ok((file, length))
}

/// A file is continued only if it is a recording whose last line is complete.
fn check(path: &Path) -> io::Result<()> {
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut file = BufReader::new(files::open_to_read(path, true)?);
    let mut first = Vec::new();
    file.by_ref().take(200).read_until(b'\n', &mut first)?;
    match serde_json::from_slice::<Head>(&first) {
        Ok(head) if head.sondage == KIND && head.version == VERSION => {}
        Ok(head) if head.sondage == KIND => return Err(wrong("it is of another version")),
        _ => return Err(wrong("it exists, and is not a recording")),
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    if last == *b"\n" { Ok(()) } else { Err(wrong("its last line is torn: delete that line or the file")) }
}

/// Several processes may write to one recording.
fn locked<T>(file: &mut File, work: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
    file.lock()?;
    let outcome = work(file);
    file.unlock()?;
    outcome
}
