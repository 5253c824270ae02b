//! The sondage command as a program of its own. Unlike the command in the packages for Python and Node.js, it can keep
//! journals and stores in a database of `SQLite`: there, programs pass a store or a connection of their own.
#![forbid(unsafe_code)]

mod sqlite;
mod sqlite_cells;
mod sqlite_store;

use std::process::ExitCode;

fn main() -> ExitCode {
    let databases = sondage_cli::Databases {
        journal: sqlite::SqliteJournal::boxed,
        store: sqlite_store::SqliteStore::boxed,
    };
    sondage_cli::run_with_databases(std::env::args_os(), databases).into()
}
