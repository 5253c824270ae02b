//! A journal in a database of `SQLite`: `--journal sqlite:jobs.db#people`.

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior, params};
use sondage::files::{self, FileLock, Readers};
use sondage_jobs::JournalStore;
use std::fs::{self, Metadata};
use std::io;
use std::path::PathBuf;

/// The name of a journal in a database if none is given.
const UNNAMED: &str = "journal";

/// One journal of a database, which can have many. While a job uses one of them, the whole database is locked: the lock
/// of a killed process ends with it, which a mark in a table would not.
pub struct SqliteJournal {
    path: PathBuf,
    journal: String,
    database: Option<Connection>,
    /// Keeps other runs out if the database is removed or replaced.
    lock: Option<FileLock>,
    /// The file that is open. It is not opened a second time: closing it would release the locks of the first.
    about: Option<Metadata>,
    /// Whether this job has created the database.
    is_new: bool,
}

impl SqliteJournal {
    /// The journal of a name such as `jobs.db#people`: the path of the database, and which of its journals.
    pub fn boxed(name: &str) -> Box<dyn JournalStore> {
        let (path, journal) = name.rsplit_once('#').unwrap_or((name, UNNAMED));
        Box::new(Self {
            path: path.into(),
            journal: journal.to_owned(),
            database: None,
            lock: None,
            about: None,
            is_new: false,
        })
    }

    fn database(&mut self) -> io::Result<&mut Connection> {
        self.database.as_mut().ok_or_else(|| io::Error::other("it is not open"))
    }

    /// Only its owner can read it, like the file of a journal.
    fn create(&mut self) -> io::Result<()> {
        match files::create_new(&self.path, Readers::Owner) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                files::check_regular(&self.path, false)
            }
            created => created.map(|_| self.is_new = true),
        }
    }

    /// Returns an error if the database was removed or replaced: another job may use the one with its name.
    fn check(&self) -> io::Result<()> {
        let Some(about) = &self.about else { return Ok(()) };
        if files::is_same(&self.path, about)? { Ok(()) } else { Err(files::replaced()) }
    }

    fn connect(&mut self, line: &mut dyn FnMut(&str)) -> rusqlite::Result<()> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let mut database = Connection::open_with_flags(&self.path, flags)?;
        database.busy_timeout(std::time::Duration::ZERO)?;
        // The lock of the first transaction is kept until the connection is closed.
        database.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        database.pragma_update(None, "synchronous", "FULL")?;
        let begun = database.transaction_with_behavior(TransactionBehavior::Exclusive)?;
        begun.execute(
            "CREATE TABLE IF NOT EXISTS sondage_journal (journal TEXT NOT NULL, number INTEGER NOT NULL, line TEXT NOT NULL, \
             PRIMARY KEY (journal, number))",
            (),
        )?;
        begun.commit()?;
        {
            let mut lines =
                database.prepare("SELECT line FROM sondage_journal WHERE journal = ?1 ORDER BY number")?;
            let mut rows = lines.query([&self.journal])?;
            while let Some(row) = rows.next()? {
                line(row.get_ref(0)?.as_str()?);
            }
        }
        self.database = Some(database);
        Ok(())
    }

    fn is_empty(&self) -> bool {
        let count = self.database.as_ref().map(|database| {
            database.query_row("SELECT count(*) FROM sondage_journal", (), |row| row.get::<_, i64>(0))
        });
        matches!(count, Some(Ok(0)))
    }
}

impl JournalStore for SqliteJournal {
    fn name(&self) -> String {
        format!("sqlite:{}#{}", self.path.display(), self.journal)
    }

    fn open(&mut self, line: &mut dyn FnMut(&str)) -> io::Result<()> {
        let lock = FileLock::beside(&self.path)?;
        self.create()?;
        self.connect(line).map_err(io_error)?;
        files::narrow_at(&self.path)?;
        (self.lock, self.about) = (Some(lock), Some(fs::symlink_metadata(&self.path)?));
        Ok(())
    }

    fn append(&mut self, lines: &[String]) -> io::Result<()> {
        self.check()?;
        let journal = self.journal.clone();
        let transaction = self.database()?.transaction().map_err(io_error)?;
        for line in lines {
            transaction
                .execute(
                    "INSERT INTO sondage_journal (journal, number, line) SELECT ?1, coalesce(max(number), 0) + 1, ?2 \
                     FROM sondage_journal WHERE journal = ?1",
                    params![journal, line],
                )
                .map_err(io_error)?;
        }
        transaction.commit().map_err(io_error)?;
        self.check()
    }

    fn forget_last(&mut self) -> io::Result<()> {
        let journal = self.journal.clone();
        let last = "DELETE FROM sondage_journal WHERE journal = ?1 AND number = (SELECT max(number) FROM sondage_journal \
                    WHERE journal = ?1)";
        self.database()?.execute(last, [journal]).map(drop).map_err(io_error)
    }

    fn clear(&mut self) -> io::Result<()> {
        let journal = self.journal.clone();
        let all = "DELETE FROM sondage_journal WHERE journal = ?1";
        self.database()?.execute(all, [journal]).map(drop).map_err(io_error)
    }

    fn close(&mut self) {
        // A job that has sent nothing, a dry run for example, leaves nothing behind.
        let leave = !(self.is_new && self.is_empty() && self.check().is_ok());
        if self.database.take().is_some() && !leave {
            let _ = fs::remove_file(&self.path);
        }
        self.lock = None;
    }
}

impl Drop for SqliteJournal {
    fn drop(&mut self) {
        self.close();
    }
}

/// An error whose kind tells a job that a journal is in use, or is not a journal.
fn io_error(error: rusqlite::Error) -> io::Error {
    let kind = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => io::ErrorKind::ResourceBusy,
        Some(ErrorCode::NotADatabase) => io::ErrorKind::InvalidData,
        Some(ErrorCode::DiskFull) => io::ErrorKind::StorageFull,
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen) => io::ErrorKind::PermissionDenied,
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, error)
}
