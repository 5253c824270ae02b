//! Exports a survey or a panel to a file.

mod categories;
mod cells;
mod csv;
mod dialect;
mod dta;
mod footer;
mod jsonl;
mod labelled;
mod languages;
mod options;
pub(crate) mod pandas;
mod parquet;
mod sav;
mod sink;
mod source;
mod waiting;
mod xlsx;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sondage::arguments::AnswerCodes;
use sondage::paging::Progress;
use sondage::{Error, ErrorKind, Result, internals::runtime, text};

use crate::Page;
use crate::error::{Warning, unexpected};
use crate::place::{check_name, check_place, no_format, refused, unwritable};
use crate::query::{Interviews, Members, PageObserver, Reading};
use crate::spool::PageSpool;
use crate::table::streamed::{PageSource, Streamed};
use crate::table::{Labels, MissingShown, Table, TableBuilder, no_column};
pub(crate) use labelled::Meanings;
pub use options::FileOptions;
pub(crate) use parquet::Parquet as ParquetWriter;
pub use sink::SavedFile;
pub(crate) use sink::{RowWriter, writer};
use source::ExportSource;

/// File formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileFormat {
    /// Apache Parquet: typed, compressed, with labels and other metadata of columns in its Arrow schema.
    Parquet,
    /// Comma-separated values, in UTF-8 with a header line.
    Csv,
    /// One JSON object per line.
    JsonLines,
    /// A workbook of Excel: the data, the questions, the values and the frequencies.
    Xlsx,
    /// SPSS: codes with labels of variables and values, and declared missing codes.
    Sav,
    /// Stata: codes with labels of variables and values, and letters for missing codes.
    Dta,
}

impl FileFormat {
    /// The format of a file extension: `.parquet`, `.csv`, `.jsonl`, `.ndjson`, `.xlsx`, `.sav` or `.dta`.
    pub fn of_path(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "parquet" => FileFormat::Parquet,
            "csv" => FileFormat::Csv,
            "jsonl" | "ndjson" => FileFormat::JsonLines,
            "xlsx" => FileFormat::Xlsx,
            "sav" => FileFormat::Sav,
            "dta" => FileFormat::Dta,
            _ => return None,
        })
    }

    /// The format with this name, for example `parquet`; if none is given, that of the file's extension.
    pub fn of_name(name: Option<&str>, path: &Path) -> Result<Self> {
        let named = |name| Self::of_path(Path::new(&format!("file.{name}")));
        let format = name.map_or_else(|| Self::of_path(path), named).ok_or_else(|| match name {
            Some(name) => Error::invalid_argument(format!(
                "`{name}` is not a file format; known are parquet, csv, jsonl, xlsx, sav and dta"
            ))
            .with_hint(HINT),
            None => no_format(path),
        })?;
        format.check_name(path)?;
        Ok(format)
    }

    fn title(self) -> &'static str {
        match self {
            FileFormat::Parquet => "Parquet",
            FileFormat::Csv => "CSV",
            FileFormat::JsonLines => "JSON Lines",
            FileFormat::Xlsx => "an Excel workbook",
            FileFormat::Sav => "SPSS",
            FileFormat::Dta => "Stata",
        }
    }

    fn endings(self) -> &'static [&'static str] {
        match self {
            FileFormat::Parquet => &["parquet"],
            FileFormat::Csv => &["csv"],
            FileFormat::JsonLines => &["jsonl", "ndjson"],
            FileFormat::Xlsx => &["xlsx"],
            FileFormat::Sav => &["sav"],
            FileFormat::Dta => &["dta"],
        }
    }

    /// Whether it keeps codes, labels and missing codes apart.
    fn is_labelled(self) -> bool {
        matches!(self, FileFormat::Sav | FileFormat::Dta)
    }

    fn check_name(self, path: &Path) -> Result<()> {
        check_name(path, self.title(), self.endings())
    }
}

/// What to do about a file without a format.
pub(crate) const HINT: &str =
    "Name the file .parquet, .csv, .jsonl, .xlsx, .sav or .dta, or give the format.";

/// Downloads a list to a file, in constant memory.
///
/// ```no_run
/// # async fn example(client: sondage::Client) -> sondage::Result<()> {
/// use sondage_data::{Labels, Tables};
/// let done = client.interviews(7).completed().export("s7.parquet").labels(Labels::Both).run().await?;
/// println!("{} interviews in {} calls", done.rows, done.progress.calls);
/// # Ok(())
/// # }
/// ```
///
/// The file has the same columns and values as the table in memory: types are determined after the last page. Until then
/// pages are stored in the folder `<file>.part`, readable for its owner only; then the file is written, synced to disk
/// and renamed, and the folder removed. So there is never a partial file. If an export fails, is cancelled or killed, the
/// same export continues after the last stored page, within a day.
#[must_use = "an export begins with `run`"]
pub struct Export {
    source: ExportSource,
    path: PathBuf,
    format: Option<FileFormat>,
    labels: Labels,
    missing: Option<AnswerCodes>,
    resume: bool,
    options: FileOptions,
    watch: PageObserver,
}

/// A file that was written.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExportReport {
    /// Its path.
    pub path: PathBuf,
    /// The number of interviews or members in it.
    pub rows: usize,
    /// Its size in bytes.
    pub size: u64,
    /// The progress of the whole download, including runs that were interrupted.
    pub progress: Progress,
    /// Warnings: values that differ from the code plan, and were kept without loss, and what the format cannot hold.
    pub warnings: Vec<Warning>,
}

impl Interviews {
    /// Downloads to a file. Its extension determines the format.
    pub fn export(&self, path: impl Into<PathBuf>) -> Export {
        Export::new(ExportSource::Interviews(self.clone()), path.into())
    }
}

impl Members {
    /// Downloads to a file. Its extension determines the format.
    pub fn export(&self, path: impl Into<PathBuf>) -> Export {
        Export::new(ExportSource::Members(self.clone()), path.into())
    }
}

impl Table {
    /// Writes the table in its current view to a file, completely or not at all. Files of SPSS and Stata have codes and labels
    /// whatever the view is.
    pub fn save(&self, path: impl AsRef<Path>, format: FileFormat) -> Result<SavedFile> {
        self.save_with(path, format, FileOptions::default())
    }

    /// [`save`](Self::save) with options for permissions, the CSV dialect and the weight.
    #[allow(clippy::needless_pass_by_value)] // made for this call, as for `Export::options`
    pub fn save_with(
        &self,
        path: impl AsRef<Path>,
        format: FileFormat,
        options: FileOptions,
    ) -> Result<SavedFile> {
        let path = path.as_ref();
        format.check_name(path)?;
        check_place(path)?;
        options.check(format)?;
        self.written(format, None, path, None, &options)?.map_err(|error| unwritable(path, &error))
    }

    fn written(
        &self,
        format: FileFormat,
        part: Option<PathBuf>,
        path: &Path,
        waiting: Option<&Path>,
        options: &FileOptions,
    ) -> Result<io::Result<SavedFile>> {
        if format.is_labelled() && self.num_columns() == 0 {
            return Err(Error::invalid_argument("the table has no columns, and programs refuse such files")
                .with_hint("Select at least one column."));
        }
        let codes = format.is_labelled().then(|| self.of_codes()).transpose()?;
        Ok(sink::write(codes.as_ref().unwrap_or(self), format, part, path, waiting, options))
    }
}

impl Export {
    fn new(source: ExportSource, path: PathBuf) -> Self {
        Export {
            source,
            path,
            format: None,
            labels: Labels::Codes,
            missing: None,
            resume: true,
            options: FileOptions::default(),
            watch: PageObserver::default(),
        }
    }

    /// Sets the format, regardless of the file's extension.
    pub fn format(mut self, format: FileFormat) -> Self {
        self.format = Some(format);
        self
    }

    /// Sets whether to write codes (the default), labels, or both.
    pub fn labels(mut self, labels: Labels) -> Self {
        self.labels = labels;
        self
    }

    /// Sets the codes that mean a missing answer, as [`Table::with_missing`] takes them, for formats that declare them. To find those
    /// codes, the whole table is in memory.
    pub fn missing(mut self, codes: impl Into<AnswerCodes>) -> Self {
        self.missing = Some(codes.into());
        self
    }

    /// Whether to resume an earlier, interrupted export of the same query. Default: yes.
    pub fn resume(mut self, resume: bool) -> Self {
        self.resume = resume;
        self
    }

    /// Sets the permissions, the CSV dialect and the weight of the file.
    pub fn options(mut self, options: FileOptions) -> Self {
        self.options = options;
        self
    }

    /// Calls `watch` at the beginning and after each page, in addition to the query's own progress callback.
    pub fn on_progress(mut self, watch: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.watch = PageObserver::new(watch);
        self
    }

    /// Downloads and writes.
    pub async fn run(self) -> Result<ExportReport> {
        let format = self.checked()?;
        let path = self.path.clone();
        let failed = move |error: io::Error| disk(&path, &error);
        let spool = PageSpool::open(pages_of(&self.path), &self.source.identity()?, self.resume).map_err(
            |error| match error.kind() {
                io::ErrorKind::ResourceBusy => failed(error),
                _ => unwritable(&self.path, &error),
            },
        )?;
        let (spool, builder, progress) = self.download(spool, &failed).await?;
        let stop = Stop::default();
        let stopped = Arc::clone(&stop.0);
        let written = runtime::handle().spawn_blocking(move || -> Result<ExportReport> {
            let pages = Watched { spool: &spool, stopped: &stopped };
            let (saved, rows, mut warnings) = self.write(format, builder, &pages, &failed)?;
            spool.remove().map_err(&failed)?;
            warnings.extend(saved.warnings);
            Ok(ExportReport { path: self.path, rows, size: saved.size, progress, warnings })
        });
        match written.await {
            Ok(result) => result,
            Err(error) => Err(Error::internal(format!("the file was not written: {error}"))),
        }
    }

    /// Writes the rows of all pages. Returns their number and the warnings about them.
    fn write(
        &self,
        format: FileFormat,
        mut builder: TableBuilder,
        pages: &Watched<'_>,
        failed: &impl Fn(io::Error) -> Error,
    ) -> Result<(SavedFile, usize, Vec<Warning>)> {
        let (part, waiting) =
            (pages.spool.folder().join("whole.new"), pages.spool.folder().join("waiting.new"));
        let (path, waiting, options) = (&self.path, Some(waiting.as_path()), &self.options);
        if let Some(codes) = &self.missing {
            for page in pages.pages() {
                builder.append(page.map_err(failed)?).map_err(|error| unexpected(&error))?;
            }
            let table = builder.finish().map_err(|error| unexpected(&error))?;
            // What was downloaded is kept for the next export: its pages cost calls.
            let file = self.path.display();
            let kept = text!(
                "What was downloaded is kept in `{file}.part`: the same export with other codes resumes from there."
            );
            let table = table.with_missing(codes.clone(), MissingShown::Code);
            let table = table.map_err(|error| error.with_hint(kept))?;
            let saved = table.written(format, Some(part), path, waiting, options)?.map_err(failed)?;
            return Ok((saved, table.num_rows(), table.warnings().cloned().collect()));
        }
        let table = if format.is_labelled() {
            Streamed::of_codes(builder, pages)
        } else {
            Streamed::new(builder, pages, self.labels)
        };
        let table = table.map_err(failed)?;
        let saved = sink::write(&(&table, pages), format, Some(part), path, waiting, options);
        Ok((saved.map_err(failed)?, table.rows, table.warnings))
    }

    /// Checks that need no call.
    fn checked(&self) -> Result<FileFormat> {
        let format = self.format.or_else(|| FileFormat::of_path(&self.path));
        let format = format.ok_or_else(|| no_format(&self.path))?;
        format.check_name(&self.path)?;
        check_place(&self.path)?;
        self.options.check(format)?;
        if self.missing.is_some() && !format.is_labelled() {
            return Err(Error::invalid_argument("only files of SPSS and Stata declare codes as missing")
                .with_hint("Name the file .sav or .dta, or use `with_missing` of the table."));
        }
        Ok(format)
    }

    /// Checks that the first page or its code plan has the column that weights, and those whose codes are declared. Members have no
    /// plan: a later page may have other fields.
    fn check_columns(&self, page: &Page) -> Result<()> {
        let Some(plan) = page.code_plan() else { return Ok(()) };
        let is_known = |name: &str| {
            name == AnswerCodes::ALL
                || page.names.list().iter().any(|column| *column.name == *name)
                || plan
                    .variables()
                    .any(|variable| variable.code == name || variable.question_code.as_deref() == Some(name))
        };
        if let Some(column) = self.options.weight.as_deref().filter(|column| !is_known(column)) {
            return Err(sav::no_weight(column));
        }
        match self.missing.iter().flat_map(AnswerCodes::iter).find(|(name, _)| !is_known(name)) {
            Some((name, _)) => Err(no_column(name)),
            None => Ok(()),
        }
    }

    /// Stores all pages on disk.
    async fn download(
        &self,
        mut spool: PageSpool,
        failed: &(impl Fn(io::Error) -> Error + Sync),
    ) -> Result<(PageSpool, TableBuilder, Progress)> {
        let stored_bookmark = spool.bookmark().cloned();
        let Reading { mut pager, mut builder, head, watch, panel, .. } =
            self.source.read(stored_bookmark.is_none()).await?;
        let (pages, path) = (spool.reader(), self.path.clone());
        pager.verify_with(move |number| pages.page(number).map_err(|error| disk(&path, &error)));
        if let Some(bookmark) = stored_bookmark {
            for page in spool.pages() {
                pager.already_seen(&page.map_err(failed)?)?;
            }
            pager.resume(bookmark);
        }
        let tell = |progress: &Progress| {
            watch.tell(progress);
            self.watch.tell(progress);
        };
        tell(&pager.progress());
        pager.fetch_ahead();
        let mut is_first = spool.pages().next().is_none();
        while !spool.is_complete() {
            let next = pager.next().await.inspect_err(|error| {
                // The pages do not form a complete list: the next export has to start over.
                if error.kind() == ErrorKind::Incomplete {
                    spool.give_up();
                }
            });
            match next? {
                Some(page) => {
                    if std::mem::take(&mut is_first)
                        && let Err(error) = self.check_columns(&page)
                    {
                        drop(pager);
                        spool.remove().map_err(failed)?;
                        return Err(error);
                    }
                    spool.append(page, pager.bookmark()).map_err(failed)?;
                }
                None if pager.progress().rows > 0 => spool.complete().map_err(failed)?,
                None => {
                    // The survey's name, languages and code plan, from a response without rows.
                    if let Some(head) = head.get() {
                        spool.append(head.head(), pager.bookmark()).map_err(failed)?;
                    }
                    if let Some(panel) = &panel {
                        panel.describe(&mut builder).await?;
                    }
                    break;
                }
            }
            tell(&pager.progress());
        }
        Ok((spool, builder, pager.progress()))
    }
}

/// Stops writing when the caller is dropped.
#[derive(Default)]
struct Stop(Arc<AtomicBool>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A stream of pages that ends with an error once it has been cancelled.
struct Watched<'a> {
    spool: &'a PageSpool,
    stopped: &'a AtomicBool,
}

impl PageSource for Watched<'_> {
    fn pages(&self) -> impl Iterator<Item = io::Result<Page>> {
        self.spool.pages().map(|page| {
            if self.stopped.load(Ordering::Relaxed) {
                return Err(io::Error::new(io::ErrorKind::Interrupted, "the export was cancelled"));
            }
            page
        })
    }
}

/// The folder of the pages of an export.
fn pages_of(path: &Path) -> PathBuf {
    let mut folder = path.as_os_str().to_owned();
    folder.push(".part");
    folder.into()
}

/// An error of the file system.
fn disk(path: &Path, error: &io::Error) -> Error {
    if let Some(error) = refused(error) {
        return error;
    }
    let file_name = path.display();
    let hint = if error.kind() == io::ErrorKind::ResourceBusy {
        "Wait until the other export has ended, or give this one another path.".into()
    } else if PageSpool::has_pages(&pages_of(path)) {
        text!(
            "What was downloaded is kept in `{file_name}.part`: when the cause is removed, the same export resumes from there."
        )
    } else {
        "Nothing was kept: when the cause is removed, the same export starts from the beginning.".into()
    };
    Error::invalid_argument(format!("`{file_name}` could not be written: {error}"))
        .with_hint(hint)
        .with_safe_to_retry(true)
        .caused_by(error)
}
