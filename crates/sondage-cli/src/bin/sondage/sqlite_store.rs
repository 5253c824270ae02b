//! A table of `SQLite` that is kept equal to a survey: `sondage sync 1004 survey.sqlite`.

use super::sqlite_cells::Cells;
use arrow_array::RecordBatch;
use arrow_schema::DataType;
use rusqlite::{Connection, ErrorCode, OpenFlags, params};
use sondage::files::{self, FileLock, Readers};
use sondage::{Error, Result};
use sondage_data::{Destination, StoreChange};
use std::path::PathBuf;

/// What `SQLite` has at most, as it is built by default.
const MOST_COLUMNS: usize = 2_000;

/// A table of a database, beside it the tables of its state, its codes and its labels.
pub struct SqliteStore {
    path: PathBuf,
    table: String,
    readers: Readers,
    database: Option<Connection>,
    lock: Option<FileLock>,
    /// The columns, and the statement that stores a row.
    columns: Vec<String>,
    store: String,
    id: String,
    /// Whether the index of ids is made when all rows are there.
    is_unindexed: bool,
}

impl SqliteStore {
    /// The table of a survey.
    pub fn boxed(path: PathBuf, table: String, shared: bool) -> Box<dyn Destination> {
        let readers = if shared { Readers::Usual } else { Readers::Owner };
        let (columns, store, id) = (Vec::new(), String::new(), String::new());
        let (database, lock) = (None, None);
        Box::new(Self { path, table, readers, database, lock, columns, store, id, is_unindexed: false })
    }

    fn database(&self) -> Result<&Connection> {
        self.database.as_ref().ok_or_else(|| Error::internal("the database is not open"))
    }

    fn failed(&self, error: &rusqlite::Error) -> Error {
        // The text of other errors may repeat a value.
        let why = match error.sqlite_error_code() {
            Some(ErrorCode::ReadOnly) => "it is read-only".to_owned(),
            Some(ErrorCode::DiskFull) => "the disk is full, so it could not be written".to_owned(),
            Some(ErrorCode::SystemIoFailure) => {
                "its file could not be read or could not be written".to_owned()
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                "another program is using it".to_owned()
            }
            Some(ErrorCode::NotADatabase) => "it is not a database of SQLite".to_owned(),
            Some(ErrorCode::CannotOpen) => "it cannot be opened".to_owned(),
            Some(code) => format!("{code:?}"),
            None => "its tables are not those that a sync makes".to_owned(),
        };
        let what = format!("{} was not changed: {why}", self.name());
        let failed = Error::invalid_argument(what).with_safe_to_retry(true);
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => {
                failed.with_hint("Make room there, and sync again. Until then it is as it was.")
            }
            _ => failed,
        }
    }

    fn io(&self, error: &std::io::Error) -> Error {
        Error::invalid_argument(format!("{} was not changed: {error}", self.name())).caused_by(error)
    }

    fn run(&self, statement: &str) -> Result<()> {
        self.database()?.execute_batch(statement).map_err(|error| self.failed(&error))
    }

    fn has(&self, table: &str) -> Result<bool> {
        // SQLite itself compares names so: `answers` would drop a table `Answers`.
        let statement =
            "SELECT count(*) FROM sqlite_master WHERE type IN ('table', 'view') AND name = ?1 COLLATE NOCASE";
        let found = self.database()?.query_row(statement, [table], |row| row.get::<_, i64>(0));
        found.map(|count| count > 0).map_err(|error| self.failed(&error))
    }

    /// The columns that the table has.
    fn present(&self) -> Result<Vec<String>> {
        let read = || {
            let Some(database) = &self.database else { return Ok(Vec::new()) };
            let mut statement = database.prepare("SELECT name FROM pragma_table_info(?1)")?;
            let rows = statement.query_map([&self.table], |row| row.get(0))?;
            rows.collect::<rusqlite::Result<Vec<String>>>()
        };
        read().map_err(|error| self.failed(&error))
    }

    /// The column that identifies a row.
    fn id_column(&self) -> Result<String> {
        let found = self.present()?.into_iter().find(|name| name.eq_ignore_ascii_case("id"));
        Ok(found.unwrap_or_else(|| "Id".to_owned()))
    }

    /// Gives the table its columns.
    fn shape(&mut self, change: &StoreChange) -> Result<()> {
        let fields = change.schema.fields().iter().filter(|field| *field.data_type() != DataType::Null);
        let column = |name: &str, ty: &DataType| format!("{} {}", quoted(name), type_of(ty));
        if !self.has(&self.table)? {
            let mut columns: Vec<String> =
                fields.map(|field| column(field.name(), field.data_type())).collect();
            // A number is the place of its row. Texts come in any order: an index that grows with the rows takes longer than all else.
            let id = change.schema.field_with_name(&change.id);
            self.is_unindexed = change.is_new && id.is_ok_and(|id| *id.data_type() == DataType::Utf8);
            if !self.is_unindexed {
                columns.push(format!("PRIMARY KEY ({})", quoted(&change.id)));
            }
            let table = quoted(&self.table);
            return self.run(&format!("CREATE TABLE {table} ({})", columns.join(", ")));
        }
        for name in &change.dropped {
            self.run(&format!("ALTER TABLE {} DROP COLUMN {}", quoted(&self.table), quoted(name)))?;
        }
        let present = self.present()?;
        for field in fields.filter(|field| !present.contains(field.name())) {
            let column = column(field.name(), field.data_type());
            self.run(&format!("ALTER TABLE {} ADD COLUMN {column}", quoted(&self.table)))?;
        }
        Ok(())
    }

    /// Stores codes and labels.
    fn describe(&self, change: &StoreChange) -> rusqlite::Result<()> {
        let Some(database) = &self.database else { return Ok(()) };
        for table in ["sondage_values", "sondage_labels"] {
            database.execute(&format!("DELETE FROM {table} WHERE name = ?1"), [&self.table])?;
        }
        let mut insert = database.prepare("INSERT INTO sondage_values VALUES (?1, ?2, ?3, ?4, ?5)")?;
        for value in &change.values {
            insert.execute(params![
                self.table,
                value.column,
                value.code,
                value.label,
                i64::try_from(value.place).unwrap_or(i64::MAX)
            ])?;
        }
        let mut insert = database.prepare("INSERT INTO sondage_labels VALUES (?1, ?2, ?3)")?;
        for column in change.columns.iter().filter(|column| column.label.is_some()) {
            insert.execute(params![self.table, column.name, column.label])?;
        }
        Ok(())
    }
}

impl Destination for SqliteStore {
    fn name(&self) -> String {
        format!("the table `{}` of `{}`", self.table, self.path.display())
    }

    fn state(&mut self) -> Result<Option<String>> {
        let lock = FileLock::beside(&self.path).map_err(|error| match error.kind() {
            std::io::ErrorKind::ResourceBusy => Error::invalid_argument(format!(
                "another sync is writing `{}`; this one has changed nothing",
                self.path.display()
            ))
            .with_hint("Wait until it has ended.")
            .with_safe_to_retry(true),
            _ => self.io(&error),
        })?;
        self.lock = Some(lock);
        if let Err(error) = files::create_new(&self.path, self.readers)
            && error.kind() != std::io::ErrorKind::AlreadyExists
        {
            return Err(self.io(&error));
        }
        let opened = Connection::open_with_flags(&self.path, OpenFlags::SQLITE_OPEN_READ_WRITE);
        let database = opened.map_err(|error| self.failed(&error))?;
        database.pragma_update(None, "synchronous", "FULL").map_err(|error| self.failed(&error))?;
        self.database = Some(database);
        let mut state = None;
        if self.has("sondage_sync")? {
            let statement = "SELECT max(state) FROM sondage_sync WHERE name = ?1";
            let found = self.database()?.query_row(statement, [&self.table], |row| row.get(0));
            state = found.map_err(|error| self.failed(&error))?;
        }
        match (&state, self.has(&self.table)?) {
            (None, true) => Err(Error::invalid_argument(format!(
                "{} was not made by a sync; it was not changed",
                self.name()
            ))
            .with_hint("Give another database, or remove the table.")),
            (Some(_), false) => Err(Error::invalid_argument(format!(
                "{} was removed, and its state was not; nothing was changed",
                self.name()
            ))
            .with_hint("Restore it, or delete its row from `sondage_sync` and sync again.")),
            _ => Ok(state),
        }
    }

    fn ids(&mut self, take: &mut dyn FnMut(&str)) -> Result<()> {
        let id = self.id_column()?;
        let statement = format!("SELECT CAST({} AS TEXT) FROM {}", quoted(&id), quoted(&self.table));
        let mut read = || {
            let Some(database) = &self.database else { return Ok(()) };
            let mut statement = database.prepare(&statement)?;
            let mut rows = statement.query(())?;
            while let Some(row) = rows.next()? {
                take(row.get_ref(0)?.as_str()?);
            }
            Ok(())
        };
        read().map_err(|error| self.failed(&error))
    }

    fn columns(&mut self) -> Result<Option<Vec<String>>> {
        self.present().map(Some)
    }

    fn folder(&self) -> Result<PathBuf> {
        Ok(files::with_ending(&self.path, ".part"))
    }

    fn begin(&mut self, change: &StoreChange) -> Result<()> {
        let columns = change.schema.fields().len();
        if columns > MOST_COLUMNS {
            return Err(Error::invalid_argument(format!(
                "SQLite has at most {MOST_COLUMNS} columns, and these are {columns}; nothing was changed"
            ))
            .with_hint("Select columns with `fields`."));
        }
        self.run(
            "BEGIN IMMEDIATE;
             CREATE TABLE IF NOT EXISTS sondage_sync (name TEXT PRIMARY KEY, number INTEGER NOT NULL, state TEXT NOT NULL);
             CREATE TABLE IF NOT EXISTS sondage_values (name TEXT, variable TEXT, code TEXT, label TEXT, place INTEGER);
             CREATE TABLE IF NOT EXISTS sondage_labels (name TEXT, variable TEXT, label TEXT)",
        )?;
        self.shape(change)?;
        self.describe(change).map_err(|error| self.failed(&error))?;
        let typed = change.schema.fields().iter().filter(|field| *field.data_type() != DataType::Null);
        self.columns = typed.map(|field| field.name().clone()).collect();
        self.id.clone_from(&change.id);
        let names: Vec<String> = self.columns.iter().map(|name| quoted(name)).collect();
        let id = quoted(&change.id);
        let set: Vec<String> = names
            .iter()
            .filter(|name| **name != id)
            .map(|name| format!("{name} = excluded.{name}"))
            .collect();
        let then = match (change.is_new, set.is_empty()) {
            (true, _) => String::new(),
            (_, true) => format!(" ON CONFLICT ({id}) DO NOTHING"),
            _ => format!(" ON CONFLICT ({id}) DO UPDATE SET {}", set.join(", ")),
        };
        self.store = format!(
            "INSERT INTO {} ({}) VALUES ({}){then}",
            quoted(&self.table),
            names.join(", "),
            vec!["?"; names.len()].join(", ")
        );
        Ok(())
    }

    fn delete(&mut self, ids: &[String]) -> Result<()> {
        let statement = format!("DELETE FROM {} WHERE {} = ?1", quoted(&self.table), quoted(&self.id));
        let remove = || {
            let Some(database) = &self.database else { return Ok(()) };
            let mut remove = database.prepare(&statement)?;
            ids.iter().try_for_each(|id| remove.execute([id]).map(|_| ()))
        };
        remove().map_err(|error| self.failed(&error))
    }

    fn upsert(&mut self, rows: &RecordBatch) -> Result<()> {
        let columns = self.columns.iter().filter_map(|name| rows.column_by_name(name));
        let columns: Vec<Cells<'_>> = columns.map(Cells::of).collect();
        let store = || {
            let Some(database) = &self.database else { return Ok(()) };
            let mut store = database.prepare(&self.store)?;
            for row in 0..rows.num_rows() {
                for (number, column) in (1..).zip(&columns) {
                    column.bind(row, &mut store, number)?;
                }
                store.raw_execute()?;
            }
            Ok(())
        };
        store().map_err(|error| self.failed(&error))
    }

    fn commit(&mut self, state: &str) -> Result<()> {
        if let Some(lock) = &self.lock {
            lock.check().map_err(|error| self.io(&error))?;
        }
        if std::mem::take(&mut self.is_unindexed) {
            let index = quoted(&format!("sondage_ids_of_{}", self.table));
            let (table, id) = (quoted(&self.table), quoted(&self.id));
            self.run(&format!("CREATE UNIQUE INDEX {index} ON {table} ({id})"))?;
        }
        let statement = "INSERT INTO sondage_sync VALUES (?1, 1, ?2) ON CONFLICT (name) DO UPDATE SET number = number + 1, state = excluded.state";
        let stored = self.database()?.execute(statement, params![self.table, state]);
        stored.map_err(|error| self.failed(&error))?;
        self.run("COMMIT")
    }

    fn erase(&mut self, ids: &[String], state: &str) -> Result<()> {
        self.id = self.id_column()?;
        self.run("BEGIN IMMEDIATE")?;
        self.delete(ids)?;
        self.commit(state)?;
        // The unused parts of pages keep what was deleted, and what was moved when they were split.
        self.database()?.execute_batch("VACUUM").map_err(|_| {
            let what = format!(
                "the interviews were removed from {}, but parts of them may be left in unused pages",
                self.name()
            );
            Error::configuration(what)
                .with_hint("Run `VACUUM` with a program for SQLite when nobody uses the file.")
        })
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn type_of(ty: &DataType) -> &'static str {
    match ty {
        DataType::Boolean | DataType::Int64 => "INTEGER",
        DataType::Float64 => "REAL",
        _ => "TEXT",
    }
}
