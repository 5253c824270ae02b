//! The sondage command as a program of its own. Unlike the command in the packages for Python and Node.js, it can keep
//! journals in a database of `SQLite`: there, programs pass a store of their own.
#![forbid(unsafe_code)]

mod sqlite;

use std::process::ExitCode;

fn main() -> ExitCode {
    sondage_cli::run_with_databases(std::env::args_os(), sqlite::SqliteJournal::boxed).into()
}
