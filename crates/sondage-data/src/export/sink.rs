//! A file that is there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use arrow_array::RecordBatch;

use super::FileFormat;
use super::csv::Csv;
use super::jsonl::JsonLines;
use super::parquet::Parquet;
use crate::table::streamed::{Pages, Streamed};

/// Who turns rows into the bytes of a format.
pub(super) trait Rows: Send {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()>;
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// Writes a table to `path`: first to `part`, on the same disk; then it is renamed.
pub(super) fn write(
    table: &Streamed,
    pages: &impl Pages,
    format: FileFormat,
    part: &Path,
    path: &Path,
) -> io::Result<u64> {
    let file = File::create(part)?;
    let schema = table.schema();
    let to = BufWriter::with_capacity(1 << 16, file.try_clone()?);
    let mut rows: Box<dyn Rows> = match format {
        FileFormat::Parquet => Box::new(Parquet::new(to, &schema)?),
        FileFormat::Csv => Box::new(Csv::new(to, &schema)?),
        FileFormat::JsonLines => Box::new(JsonLines::new(to, &schema, table.json.clone())?),
    };
    table.for_each(pages, |batch| rows.write(&batch))?;
    rows.finish()?;
    let mut file = file;
    file.flush()?;
    file.sync_all()?;
    let size = file.metadata()?.len();
    fs::rename(part, path)?;
    sync_folder(path)?;
    Ok(size)
}

/// The new name is on the disk, too.
fn sync_folder(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder)?.sync_all()?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}
