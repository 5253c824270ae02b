//! Buffers encoded pages of a Parquet file on disk.
//!
//! The format requires the pages of a column to be adjacent, but rows arrive with all columns. Until the row group is
//! complete its pages are buffered on disk: in memory they would grow with the group and fragment the heap.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use parquet::column::page_store::{PageKey, PageStore, PageStoreArgs, PageStoreFactory};
use parquet::errors::{ParquetError, Result};
use sondage::files::Readers;

/// A file in which the pages of all columns are buffered.
#[derive(Debug)]
pub(super) struct WaitingRoom(Arc<Mutex<WaitingFile>>);

#[derive(Debug)]
struct WaitingFile {
    file: File,
    end: u64,
    waiting: usize,
}

impl WaitingRoom {
    pub(super) fn new(path: &Path) -> std::io::Result<Self> {
        let _ = fs::remove_file(path);
        let file = sondage::files::create_new(path, Readers::Owner)?;
        Ok(WaitingRoom(Arc::new(Mutex::new(WaitingFile { file, end: 0, waiting: 0 }))))
    }

    /// For the pages of one more column.
    pub(super) fn pages(&self) -> Box<dyn PageStore> {
        Box::new(PendingPages { room: Arc::clone(&self.0), places: Vec::new() })
    }
}

impl PageStoreFactory for WaitingRoom {
    fn create(&self, _: &PageStoreArgs<'_>) -> Result<Box<dyn PageStore>> {
        Ok(self.pages())
    }
}

/// The pages of one column in one row group: their offsets and lengths.
struct PendingPages {
    room: Arc<Mutex<WaitingFile>>,
    places: Vec<(u64, usize)>,
}

impl PageStore for PendingPages {
    fn put(&mut self, page: Bytes) -> Result<PageKey> {
        let begin = self.room.lock().unwrap_or_else(PoisonError::into_inner).put(&page)?;
        self.places.push((begin, page.len()));
        Ok(PageKey::new(self.places.len() as u64 - 1))
    }

    fn take(&mut self, key: PageKey) -> Result<Bytes> {
        let position = usize::try_from(key.get()).ok().and_then(|number| self.places.get(number));
        let (begin, length) =
            *position.ok_or_else(|| ParquetError::General("a page that never came".to_owned()))?;
        Ok(self.room.lock().unwrap_or_else(PoisonError::into_inner).take(begin, length)?)
    }
}

impl WaitingFile {
    fn put(&mut self, page: &[u8]) -> std::io::Result<u64> {
        let begin = self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(page)?;
        self.end += page.len() as u64;
        self.waiting += 1;
        Ok(begin)
    }

    fn take(&mut self, begin: u64, length: usize) -> std::io::Result<Bytes> {
        let mut page = vec![0; length];
        self.file.seek(SeekFrom::Start(begin))?;
        self.file.read_exact(&mut page)?;
        self.waiting -= 1;
        if self.waiting == 0 {
            // The next group overwrites this one.
            self.end = 0;
        }
        Ok(page.into())
    }
}
