//! A survey into a table of `SQLite`, as the command writes it.

#[path = "../../crates/sondage-cli/src/bin/sondage/sqlite_cells.rs"]
mod sqlite_cells;
#[path = "../../crates/sondage-cli/src/bin/sondage/sqlite_store.rs"]
mod sqlite_store;

use crate::download::client;
use crate::process::{cpu, memory};
use sondage::internals::runtime;
use sondage_data::Tables as _;
use sqlite_store::SqliteStore;
use std::path::Path;
use std::time::Instant;

/// Stores a survey, and prints the number of rows, CPU and wall seconds, and the peak memory of the process.
pub fn sync(place: &str, port: &str, survey: i64, page_size: i64) {
    let query = client(port, page_size).interviews(survey).without_code_plan();
    let store = SqliteStore::boxed(Path::new(place).to_owned(), "answers".to_owned(), false);
    let (began, began_cpu) = (Instant::now(), cpu());
    let report = runtime::block_on(query.sync_to(store).run()).expect("no error");
    let (cpu, wall) = ((cpu() - began_cpu).as_secs_f64(), began.elapsed().as_secs_f64());
    std::fs::remove_file(place).expect("the file is there");
    println!("{} {cpu} {wall} {}", report.rows, memory("VmHWM:"));
}
