//! The journal of a job, written before and after each call: running the job again resumes from it.
//!
//! A journal consists of lines of text. Each is a record as JSON and a seal over it and all previous lines, so that a
//! changed, moved or removed line is detected. It contains row numbers, ids and keyed digests, but no values.

mod file;
mod record;
mod rewrite;
mod seal;
mod show;

pub use file::FileJournal;
pub(crate) use file::{default_folder, default_place, place_in};
pub(crate) use record::{ChunkKind, JournalHead, Record, RowSpan, spans, unfold};
pub(crate) use rewrite::{records, rewrite};
pub use show::JournalSummary;
pub(crate) use show::ONCE;

use seal::Seal;
use sondage::error::{Error, Result};
use sondage::files::{ReplacedFile, SavedCopy};
use sondage::internals::runtime;
use sondage::text;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Where the lines of a journal are stored: a file ([`FileJournal`]), or a table of a database.
///
/// The methods may block. They are called one at a time, on the blocking pool.
pub trait JournalStore: Send + 'static {
    /// Its name in errors, for example its path.
    fn name(&self) -> String;

    /// Returns every line, in order, and locks the journal: [`io::ErrorKind::ResourceBusy`] if it is in use.
    fn open(&mut self, line: &mut dyn FnMut(&str)) -> io::Result<()>;

    /// Appends lines. When it returns, they survive a power failure.
    fn append(&mut self, lines: &[String]) -> io::Result<()>;

    /// Removes the last line, which is incomplete.
    fn forget_last(&mut self) -> io::Result<()>;

    /// Removes every line: the job is complete and reported.
    fn clear(&mut self) -> io::Result<()>;

    /// Unlocks the journal, which may be opened again. Default: nothing, for stores that unlock when they are dropped.
    fn close(&mut self) {}
}

impl<S: JournalStore + ?Sized> JournalStore for Box<S> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn open(&mut self, line: &mut dyn FnMut(&str)) -> io::Result<()> {
        (**self).open(line)
    }

    fn append(&mut self, lines: &[String]) -> io::Result<()> {
        (**self).append(lines)
    }

    fn forget_last(&mut self) -> io::Result<()> {
        (**self).forget_last()
    }

    fn clear(&mut self) -> io::Result<()> {
        (**self).clear()
    }

    fn close(&mut self) {
        (**self).close();
    }
}

/// An open journal. Dropping it unlocks it.
#[derive(Clone)]
pub(crate) struct Journal(Arc<Mutex<OpenJournal>>);

struct OpenJournal {
    store: Box<dyn JournalStore>,
    seal: Seal,
    /// It was removed or replaced: nothing more is sent.
    lost: Option<ReplacedFile>,
}

impl OpenJournal {
    /// Writes records, or only what has been done if the journal was removed or replaced: an error in any case.
    fn write(&mut self, records: &[Record]) -> Result<()> {
        let is_begun = self.seal.is_begun();
        let mut written = self.append(records, self.lost.is_some());
        if let Err(error) = &written
            && let Some(replaced) = ReplacedFile::of(error)
            && self.lost.is_none()
        {
            self.lost = Some(replaced.clone());
            // The store has moved to where the next run looks, if it could.
            let _ = self.append(records, true);
        }
        if let Some(replaced) = &self.lost {
            written = Err(io::Error::other(replaced.clone()));
        }
        written.map_err(|error| {
            let failed = unusable(&self.store.name(), &error);
            if is_begun && self.lost.is_none() { failed.with_hint(NO_MORE) } else { failed }
        })
    }

    /// `outcomes`: only the records up to the first that announces something.
    fn append(&mut self, records: &[Record], outcomes: bool) -> io::Result<()> {
        let mut seal = self.seal.clone();
        let records = records.iter().take_while(|record| !outcomes || record.is_outcome());
        let lines: Vec<String> =
            records.map(|record| seal.line(record)).collect::<Result<_>>().map_err(io::Error::other)?;
        if !lines.is_empty() {
            self.store.append(&lines)?;
            self.seal = seal;
        }
        Ok(())
    }
}

impl Journal {
    /// Opens a journal and reads it: `take` adds each record to what is known.
    pub async fn open<T: Default + Send + 'static>(
        store: Box<dyn JournalStore>,
        take: fn(&mut T, Record),
    ) -> Result<(Self, T)> {
        runtime::blocking(move || {
            let (mut store, mut known) = (store, T::default());
            let name = store.name();
            let mut reader = seal::JournalReader::default();
            let (mut lines, mut is_foreign) = (0_usize, false);
            let opened = store.open(&mut |line| {
                is_foreign |= lines == 0 && !line.starts_with(file::BEGIN);
                lines += 1;
                reader.take(line, |record| take(&mut known, record));
            });
            opened.map_err(|error| unusable(&name, &error))?;
            if is_foreign {
                return Err(unusable(&name, &io::ErrorKind::InvalidData.into()));
            }
            let seal::JournalEnd { seal, torn } = reader.end().map_err(|line| damaged(&name, line))?;
            if torn {
                store.forget_last().map_err(|error| unusable(&name, &error))?;
            }
            Ok((Self(Arc::new(Mutex::new(OpenJournal { store, seal, lost: None }))), known))
        })
        .await
    }

    /// Its name in errors.
    pub fn name(&self) -> String {
        self.kept(|kept| kept.store.name())
    }

    /// Writes records. When it returns, they survive a power failure.
    pub async fn write(&self, records: Vec<Record>) -> Result<()> {
        let journal = self.clone();
        runtime::blocking(move || journal.kept(|kept| kept.write(&records))).await
    }

    /// Empties it: the job is complete and reported.
    pub async fn clear(&self) -> Result<()> {
        let journal = self.clone();
        runtime::blocking(move || {
            journal.kept(|kept| {
                kept.store.clear().map_err(|error| unusable(&kept.store.name(), &error))?;
                kept.seal = Seal::default();
                Ok(())
            })
        })
        .await
    }

    fn kept<T>(&self, work: impl FnOnce(&mut OpenJournal) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The job whose journals have rows instead of members.
pub(crate) const CREATE_AND_INVITE: &str = "plan_create_and_invite";

/// A new salt for the digests of a journal.
pub(crate) fn new_salt() -> Result<String> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| Error::internal(error.to_string()))?;
    Ok(format!("{:032x}", u128::from_ne_bytes(random)))
}

/// Whether a journal could not be opened because somebody uses it.
pub(crate) fn is_busy(error: &Error) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<io::Error>());
    source.is_some_and(|source| source.kind() == io::ErrorKind::ResourceBusy)
}

/// What to do if a journal that has lines cannot be continued.
const NO_MORE: &str = "Without it an interrupted job could not be resumed, so nothing more is sent. Free some space, and \
                       run the same job again: it resumes.";

pub(crate) fn unusable(name: &str, error: &io::Error) -> Error {
    if let Some(replaced) = ReplacedFile::of(error) {
        return lost(name, &replaced.saved).caused_by(error);
    }
    let failed = match error.kind() {
        io::ErrorKind::ResourceBusy => {
            let what = text!("another run uses the journal {name}");
            Error::invalid_argument(what)
                .with_hint("Wait until it has ended, or give this job a `journal` of its own.")
        }
        io::ErrorKind::InvalidData => {
            let what = text!("{name} is not a journal: its first line is not that of one");
            Error::invalid_argument(what).with_hint("Give the job another `journal`. It was left as it is.")
        }
        _ => {
            let what = text!("the journal {name} cannot be used ({error})");
            Error::configuration(what).with_hint(
                "Without it an interrupted job could not be resumed, so nothing is sent. Name a file in a folder \
                 that can be written as `journal`.",
            )
        }
    };
    failed.caused_by(error)
}

/// A journal that was removed or replaced while a job used it.
fn lost(name: &str, saved: &SavedCopy) -> Error {
    let what = text!("the journal {name} was removed or replaced while a job used it");
    let hint = match saved {
        SavedCopy::Empty => text!("Nothing was sent. Run the same job again."),
        SavedCopy::Restored => text!(
            "Nothing more was sent. What was done before is recorded: the journal was written again. Run the same job again: \
             it resumes."
        ),
        SavedCopy::Beside(saved) => text!(
            "Nothing more was sent. What was done before is recorded in {}. Give that file the name of the journal, and run \
             the same job again: it resumes. If the journal has the same records or later ones, delete that file instead.",
            saved.display()
        ),
        SavedCopy::Missing => text!(
            "Nothing more was sent. What was done before is recorded in the file that was moved. Move it back, and run the \
             same job again: it resumes. If it is lost, the job must not be run again before you have checked what it did."
        ),
    };
    Error::configuration(what).with_hint(hint)
}

fn damaged(name: &str, line: usize) -> Error {
    let what = text!("the journal {name} is damaged: line {line} is not what was written");
    Error::invalid_argument(what).with_hint(
        "It does not show any more what the job has sent. Restore a good copy; or move the journal away and run the job \
         again, which finds existing members by their keys.",
    )
}
