//! Stores the answers of a survey as documents on disk: the service's links are not permanent, and documents must be
//! stored.
//!
//! A folder contains a PDF for each interview and `manifest.jsonl`, with a header line and a line for each PDF with its SHA-256. A
//! document is written under another name, synced to disk and renamed, and its line is written afterwards; so each document in the
//! manifest is complete, however the process ended. A second run downloads what is missing or was changed.
// API 1.5

mod ahead;
pub(crate) mod fetch;
pub(crate) mod manifest;

#[cfg(fuzzing)]
pub use manifest::fuzzed;

pub use manifest::{Entry, NAME as MANIFEST};

use crate::options::ArchiveOptions;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream::{self, StreamExt};
use manifest::Manifest;
use sondage::Client;
use sondage::budget::Cost;
use sondage::condition::{Expression, column};
use sondage::error::{Error, ErrorKind, Result};
use sondage::internals::runtime;
use sondage::job::{Job, Observer};
use sondage::model::{DownloadAnswersRequest, FieldValue, ReadInterviewListRequest};
use sondage::operations::ReadInterviewListCompact;
use sondage_macros::report;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The PDFs of a survey's interviews, to be stored in a folder. Made by [`Jobs::archive_answers`](crate::Jobs::archive_answers).
#[derive(Clone)]
#[must_use = "nothing happens before `run` or `wait`"]
pub struct Archive {
    client: Client,
    options: ArchiveOptions,
    watch: Option<Observer<ArchiveProgress>>,
}

/// The progress of a run.
#[report]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArchiveProgress {
    /// Interviews of the survey that belong in the archive.
    pub interviews: usize,
    /// Documents that already existed.
    pub kept: usize,
    /// Documents that this run has stored.
    pub stored: usize,
    /// Documents that could not be downloaded.
    pub failed: usize,
    /// Bytes that this run has stored.
    pub bytes: u64,
}

/// The report of a run.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ArchiveReport {
    /// The file that lists the documents, a line of JSON for each.
    pub manifest: PathBuf,
    /// The counts at the end.
    pub progress: ArchiveProgress,
    /// The documents that could not be downloaded, and why. Another run tries them again.
    pub failed: Vec<FailedDocument>,
    /// Of a dry run: the cost of the archive, which reads again what the dry run has read. Its calls are exact unless a document has
    /// to be tried again; the size of the documents is estimated from those that are in the folder, or else from one.
    pub cost: Option<Cost>,
}

/// A document that could not be downloaded.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FailedDocument {
    /// GUID of the interview.
    pub interview: String,
    /// Why.
    pub error: Error,
}

impl Archive {
    pub(crate) fn new(client: &Client, options: ArchiveOptions) -> Self {
        Self { client: client.clone(), options, watch: None }
    }

    /// The progress callback, called after each document.
    pub fn on_progress(mut self, watch: impl Fn(&ArchiveProgress) + Send + Sync + 'static) -> Self {
        self.watch = Some(Arc::new(watch));
        self
    }

    /// Downloads what is missing. Dropping the future stops the run; stored documents are kept, and another run
    /// continues.
    ///
    /// A document that cannot be downloaded is in the report. A failure that would affect every document ends the run
    /// with an error: credentials, permissions, too many calls, a full disk.
    pub async fn run(self) -> Result<ArchiveReport> {
        runtime::spawn(self.work()).await
    }

    /// The same, blocking.
    #[cfg(feature = "blocking")]
    pub fn wait(self) -> Result<ArchiveReport> {
        runtime::block_on(self.work())
    }

    async fn work(self) -> Result<ArchiveReport> {
        if self.options.dry_run {
            return self.look_ahead().await;
        }
        let interviews = self.interviews().await?.ids;
        let folder = self.options.folder.0.clone();
        let (mut manifest, missing, total) = on_disk(move || {
            let manifest = Manifest::open(&folder)?;
            let total = interviews.len();
            let missing: Vec<_> = interviews.into_iter().filter(|id| !manifest.holds(id)).collect();
            Ok((manifest, missing, total))
        })
        .await?;
        let mut progress =
            ArchiveProgress { interviews: total, kept: total - missing.len(), ..Default::default() };
        let mut failed = Vec::new();
        let mut documents = stream::iter(missing)
            .map(|id| async {
                let begun = Instant::now();
                let document = self.document(&id).await;
                self.client.tracer().step("archive_answers", 1, document.as_ref().err(), begun);
                (document, id)
            })
            .buffer_unordered(self.options.max_concurrency.max(1));
        while let Some((document, interview)) = documents.next().await {
            match document {
                Ok(bytes) => {
                    let (id, size) = (interview.clone(), bytes.len() as u64);
                    let stored;
                    (manifest, stored) = on_disk(move || {
                        let stored = manifest.store(&id, "DownloadAnswers", &bytes)?.is_some();
                        Ok((manifest, stored))
                    })
                    .await?;
                    if stored {
                        progress.bytes += size;
                        progress.stored += 1;
                    } else {
                        failed.push(FailedDocument { interview, error: taken() });
                        progress.failed += 1;
                    }
                }
                Err(error) if ends_all(&error) => return Err(error),
                Err(error) => {
                    failed.push(FailedDocument { interview, error });
                    progress.failed += 1;
                }
            }
            if let Some(watch) = &self.watch {
                watch(&progress);
            }
        }
        drop(documents);
        Ok(self.report(progress, failed, None))
    }

    fn report(
        &self,
        progress: ArchiveProgress,
        failed: Vec<FailedDocument>,
        cost: Option<Cost>,
    ) -> ArchiveReport {
        ArchiveReport { progress, failed, cost, manifest: self.options.folder.0.join(MANIFEST) }
    }

    /// The ids of all interviews that belong in the archive.
    async fn interviews(&self) -> Result<ListedInterviews> {
        let completed = (!self.options.partial).then(|| column("State").is_equal_to("Completed"));
        let filter = match (completed, self.options.filter.clone()) {
            (Some(completed), Some(filter)) => Some(Expression::all([completed, filter])),
            (one, other) => one.or(other),
        };
        let mut request = ReadInterviewListRequest::new(self.options.survey_id).fields_to_download(["Id"]);
        if let Some(filter) = filter {
            request = request.conditions(filter.compile()?);
        }
        let begun = Instant::now();
        let mut pages = self.client.pages::<ReadInterviewListCompact>(request).pager()?;
        let mut rows = Vec::new();
        while let Some(page) = pages.next().await? {
            rows.extend(page);
        }
        let (took, progress) = (begun.elapsed(), pages.progress());
        // Reading again takes fewer calls if this reading found out how the service numbers its pages.
        let again = pages.calls_for(progress.rows, self.client.config().page_size);
        let each = took / u32::try_from(progress.calls).unwrap_or(u32::MAX).max(1);
        let calls = u64::try_from(again).unwrap_or(progress.calls);
        let cost = Cost::new(calls, progress.bytes, Some(each));
        let id = |row: indexmap::IndexMap<String, FieldValue>| match row.get("Id") {
            Some(FieldValue::Text(id)) if manifest::is_guid(id) => Ok(id.clone()),
            _ => Err(Error::unexpected_response("an interview has an `Id` that is not a GUID")),
        };
        let ids = rows.into_iter().map(id).collect::<Result<Vec<_>>>()?;
        // On systems that ignore case in file names, two of them would be the same file.
        let mut unique_ids = HashSet::new();
        let ids = ids.into_iter().filter(|id| unique_ids.insert(id.to_ascii_lowercase())).collect();
        Ok(ListedInterviews { ids, cost, each })
    }

    async fn document(&self, interview: &str) -> Result<Bytes> {
        fetch::document(&self.client, self.request(interview)).await
    }

    fn request(&self, interview: &str) -> DownloadAnswersRequest {
        let mut request = DownloadAnswersRequest::new(self.options.survey_id, interview);
        request.show_partial_completed = self.options.partial.then_some(true);
        request.locale.clone_from(&self.options.locale);
        request.time_zone.clone_from(&self.options.time_zone);
        request
    }
}

/// The ids of the interviews, and what reading them again costs.
struct ListedInterviews {
    ids: Vec<String>,
    cost: Cost,
    /// How long a call took.
    each: Duration,
}

/// Whether every other document would fail in the same way.
fn ends_all(error: &Error) -> bool {
    use ErrorKind::{Authentication, BudgetSpent, Configuration, PermissionDenied, RateLimited};
    matches!(error.kind(), Authentication | BudgetSpent | Configuration | PermissionDenied | RateLimited)
}

/// A file with the document's name exists that the archive has not created.
fn taken() -> Error {
    Error::configuration(
        "the folder has a file of this name that the manifest does not list; it was not changed",
    )
    .with_hint("Move the file away and run the archive again, or choose another folder.")
}

async fn on_disk<T: Send + 'static>(work: impl FnOnce() -> std::io::Result<T> + Send + 'static) -> Result<T> {
    let outcome = runtime::handle().spawn_blocking(work).await;
    let outcome = outcome.map_err(|_| Error::internal("the work on the archive was cancelled"))?;
    outcome.map_err(|error| {
        Error::configuration(format!("the archive cannot be written ({error})"))
            .with_hint("Check the folder, who may write there, and how much space is left.")
            .caused_by(&error)
    })
}

impl Job for ArchiveOptions {
    type With = ();
    type Progress = ArchiveProgress;
    type Report = ArchiveReport;

    fn run(
        self,
        client: &Client,
        (): (),
        on_progress: Option<Observer<ArchiveProgress>>,
    ) -> BoxFuture<'static, Result<ArchiveReport>> {
        Box::pin(Archive { client: client.clone(), options: self, watch: on_progress }.run())
    }
}
