//! A folder of Parquet files as a store. Its manifest names the files that belong to it, and has its state: replaced by renaming, it is
//! the only thing that a sync changes. Files that have none of the changed rows stay.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use arrow_select::filter::filter_record_batch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde::{Deserialize, Serialize};
use sondage::files::{self, DraftFile, FileLock, Readers};
use sondage::{Error, Result};

use super::changes::{aligned, staying, without_ids};
use super::parquet::{ROWS, locked_by_another, pass_ids, unreadable, unwritable};
use super::state::hash_of_bytes;
use super::{Destination, StoreChange};
use crate::export::{ParquetWriter, RowWriter as _};
use crate::place::check_name;
use crate::query::ID;

const MANIFEST: &str = "manifest.json";
const KIND: &str = "sync";
const VERSION: u32 = 1;
/// The rows of a file, unless a batch has more.
const ROWS_OF_A_FILE: usize = 100_000;
/// The end of a file that is compared: it has the places and statistics of all columns, which differ if the file was written again.
const COMPARED: u64 = 1 << 16;

/// A folder of Parquet files that is kept equal to a query. Its `manifest.json` names the files that belong to it.
#[derive(Debug)]
pub struct ParquetFolder {
    folder: PathBuf,
    readers: Readers,
    lock: Option<FileLock>,
    manifest: Option<Manifest>,
    draft: Option<Draft>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Manifest {
    sondage: String,
    version: u32,
    files: Vec<StoredFile>,
    /// The number of the next file.
    next: u64,
    /// Empty until the first sync has ended.
    state: String,
}

impl Default for Manifest {
    /// That of a store in which nothing is yet.
    fn default() -> Self {
        Self { sondage: KIND.to_owned(), version: VERSION, files: Vec::new(), next: 1, state: String::new() }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredFile {
    name: String,
    bytes: u64,
    /// A hash of the end of the file.
    end: u64,
}

/// The new content.
#[derive(Debug)]
struct Draft {
    change: StoreChange,
    /// The files of before that stay, and those that are complete.
    files: Vec<StoredFile>,
    next: u64,
    part: Option<PartFile>,
}

/// A file that is being written.
struct PartFile {
    path: PathBuf,
    file: DraftFile,
    rows: ParquetWriter<BufWriter<File>>,
    count: usize,
}

impl ParquetFolder {
    /// A folder, which need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { folder: path.into(), readers: Readers::Owner, lock: None, manifest: None, draft: None }
    }

    /// Whether folder and files get the process's usual permissions. Otherwise only their owner can read them.
    #[must_use]
    pub fn shared(mut self, shared: bool) -> Self {
        self.readers = if shared { Readers::Usual } else { Readers::Owner };
        self
    }

    fn failed(&self, error: &io::Error) -> Error {
        unwritable(&self.name(), error)
    }

    fn reader(&self, name: &str) -> Result<ParquetRecordBatchReaderBuilder<File>> {
        let file = files::open_to_read(&self.folder.join(name), false)
            .map_err(|error| unreadable(&self.name(), &error))?;
        ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| unreadable(&self.name(), &error))
    }

    /// The folder, made if it is missing.
    fn make(&self) -> io::Result<()> {
        match self.readers {
            _ if self.folder.is_dir() => Ok(()),
            Readers::Owner => files::private_folder(&self.folder),
            _ => fs::create_dir(&self.folder),
        }
    }

    fn read_manifest(&self) -> Result<Option<Manifest>> {
        let mut text = String::new();
        let read = files::open_to_read(&self.folder.join(MANIFEST), false);
        match read.and_then(|mut file| file.read_to_string(&mut text)) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.failed(&error)),
        }
        let manifest = serde_json::from_str::<Manifest>(&text).ok();
        let manifest = manifest.filter(|one| one.sondage == KIND && one.version == VERSION);
        manifest.map(Some).ok_or_else(|| {
            Error::invalid_argument(format!(
                "the manifest of {} is not one that this version of the library reads; the folder was not changed",
                self.name()
            ))
            .with_hint("Restore it, update the library, or name a folder that does not exist yet.")
        })
    }

    /// Removes what a killed sync has left.
    fn sweep(&self, kept: &[StoredFile]) -> io::Result<()> {
        let is_own = |name: &str| {
            let number = name.strip_prefix("sondage-").and_then(|rest| rest.strip_suffix(".parquet"));
            number.is_some_and(|number| number.parse::<u64>().is_ok())
        };
        files::sweep(&self.folder.join(MANIFEST))?;
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let draft_of = name.strip_prefix('.').and_then(|name| name.strip_suffix(".new"));
            if is_own(&name) && kept.iter().all(|file| file.name != name) {
                fs::remove_file(path)?;
            } else if let Some(target) = draft_of.filter(|name| is_own(name)) {
                files::sweep(&self.folder.join(target))?;
            }
        }
        Ok(())
    }

    /// Whether a folder without a manifest has anything: a sync writes its manifest before its first file, so that is not its own.
    fn has_files(&self) -> io::Result<bool> {
        let names =
            fs::read_dir(&self.folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let names = names.collect::<io::Result<Vec<String>>>()?;
        Ok(names.iter().any(|name| !name.starts_with('.') && !name.starts_with(MANIFEST)))
    }

    /// Replaces the manifest.
    fn replace(&mut self, manifest: Manifest) -> io::Result<()> {
        let mut file = DraftFile::new(&self.folder.join(MANIFEST), self.readers)?;
        file.file().write_all(&serde_json::to_vec_pretty(&manifest)?)?;
        file.commit()?;
        self.manifest = Some(manifest);
        Ok(())
    }

    fn check(&self, stored: &StoredFile) -> Result<()> {
        match measured(&self.folder, &stored.name) {
            Ok(found) if (found.bytes, found.end) == (stored.bytes, stored.end) => Ok(()),
            _ => Err(Error::invalid_argument(format!(
                "the file `{}` of {} was changed or removed since the last sync; nothing was changed",
                stored.name,
                self.name()
            ))
            .with_hint("Restore it, or remove the folder and sync again.")),
        }
    }

    fn write(&mut self, rows: &RecordBatch) -> io::Result<()> {
        let Some(draft) = &mut self.draft else { return Err(io::Error::other("rows without a transaction")) };
        if draft.part.as_ref().is_some_and(|part| part.count >= ROWS_OF_A_FILE) {
            draft.close(&self.folder)?;
        }
        let part = draft.part(&self.folder, self.readers)?;
        part.count += rows.num_rows();
        part.rows.write(rows)
    }

    /// Copies the rows of a file that stay, unless all of them do: then the file does.
    fn copy(&mut self, stored: StoredFile, change: &StoreChange) -> Result<()> {
        let reader = self.reader(&stored.name)?;
        let mut replaced = reader.schema().fields() != change.schema.fields();
        if !replaced {
            let mut keep = true;
            pass_ids(self.reader(&stored.name)?, &self.name(), &mut |id| keep &= !change.replaces_text(id))?;
            replaced = !keep;
        }
        if !replaced {
            if let Some(draft) = &mut self.draft {
                draft.files.push(stored);
            }
            return Ok(());
        }
        for batch in reader.with_batch_size(ROWS).build().map_err(|error| unreadable(&self.name(), &error))? {
            let batch = batch.map_err(|error| unreadable(&self.name(), &error))?;
            let stays = staying(&batch, &change.id, |id| !change.replaces(id))
                .map_err(|error| self.failed(&error))?;
            let stays =
                filter_record_batch(&batch, &stays).map_err(|error| unreadable(&self.name(), &error))?;
            let rows = aligned(&stays, &change.schema).map_err(|error| self.failed(&error))?;
            if rows.num_rows() > 0 {
                self.write(&rows).map_err(|error| self.failed(&error))?;
            }
        }
        Ok(())
    }

    fn finish(&mut self, state: &str) -> io::Result<()> {
        let Some(mut draft) = self.draft.take() else {
            return Err(io::Error::other("a state without a transaction"));
        };
        if draft.files.is_empty() {
            // Readers find the columns also if there is no row.
            draft.part(&self.folder, self.readers)?;
        }
        draft.close(&self.folder)?;
        if let Some(lock) = &self.lock {
            lock.check()?;
        }
        let Draft { files, next, .. } = draft;
        let kept = files.clone();
        self.replace(Manifest { files, next, state: state.to_owned(), ..Manifest::default() })?;
        // From here on the store is the new one. What cannot be removed now, the next sync removes.
        let _ = self.sweep(&kept);
        Ok(())
    }
}

impl Draft {
    fn part(&mut self, folder: &Path, readers: Readers) -> io::Result<&mut PartFile> {
        if self.part.is_none() {
            let path = folder.join(format!("sondage-{:06}.parquet", self.next));
            self.next += 1;
            let mut file = DraftFile::new(&path, readers)?;
            let to = BufWriter::with_capacity(1 << 16, file.file().try_clone()?);
            let columns = self.change.schema.fields().len();
            let waiting = folder.join(".part").join("waiting.new");
            let rows = ParquetWriter::new(to, &self.change.schema, vec![None; columns], Some(&waiting))?;
            self.part = Some(PartFile { path, file, rows, count: 0 });
        }
        self.part.as_mut().ok_or_else(|| io::Error::other("no file"))
    }

    fn close(&mut self, folder: &Path) -> io::Result<()> {
        let Some(PartFile { path, file, rows, .. }) = self.part.take() else { return Ok(()) };
        Box::new(rows).finish()?;
        file.commit()?;
        self.files.push(measured(folder, &path.file_name().unwrap_or_default().to_string_lossy())?);
        Ok(())
    }
}

/// The size of a file, and the hash of its end.
fn measured(folder: &Path, name: &str) -> io::Result<StoredFile> {
    let mut file = files::open_to_read(&folder.join(name), false)?;
    let bytes = file.metadata()?.len();
    file.seek(SeekFrom::Start(bytes.saturating_sub(COMPARED)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    Ok(StoredFile { name: name.to_owned(), bytes, end: hash_of_bytes(&end) })
}

impl Destination for ParquetFolder {
    fn name(&self) -> String {
        format!("the folder `{}`", self.folder.display())
    }

    fn state(&mut self) -> Result<Option<String>> {
        check_name(&self.folder, "a folder of Parquet files", &[])?;
        self.make().map_err(|error| self.failed(&error))?;
        let lock = FileLock::beside(&self.folder.join(MANIFEST));
        self.lock = Some(lock.map_err(|error| match error.kind() {
            io::ErrorKind::ResourceBusy => locked_by_another(&self.name()),
            _ => self.failed(&error),
        })?);
        let manifest = self.read_manifest()?;
        if let Some(manifest) = &manifest {
            manifest.files.iter().try_for_each(|file| self.check(file))?;
            self.sweep(&manifest.files).map_err(|error| self.failed(&error))?;
        } else if self.has_files().map_err(|error| self.failed(&error))? {
            return Err(Error::invalid_argument(format!(
                "{} was not made by a sync, or its manifest was removed; it was not changed",
                self.name()
            ))
            .with_hint("Restore the manifest, or name a folder that is empty or does not exist yet."));
        }
        let state = manifest.as_ref().map(|manifest| manifest.state.clone());
        self.manifest = manifest;
        Ok(state.filter(|state| !state.is_empty()))
    }

    fn ids(&mut self, take: &mut dyn FnMut(&str)) -> Result<()> {
        for file in self.manifest.iter().flat_map(|manifest| &manifest.files) {
            pass_ids(self.reader(&file.name)?, &self.name(), take)?;
        }
        Ok(())
    }

    fn folder(&self) -> Result<PathBuf> {
        Ok(self.folder.join(".part"))
    }

    fn begin(&mut self, change: &StoreChange) -> Result<()> {
        if self.manifest.is_none() {
            self.replace(Manifest::default()).map_err(|error| self.failed(&error))?;
        }
        let Manifest { files, next, .. } = self.manifest.clone().unwrap_or_default();
        self.draft = Some(Draft { change: change.clone(), files: Vec::new(), next, part: None });
        if !change.complete {
            files.into_iter().try_for_each(|file| self.copy(file, change))?;
        }
        Ok(())
    }

    fn delete(&mut self, _: &[String]) -> Result<()> {
        // They were not copied.
        Ok(())
    }

    fn upsert(&mut self, rows: &RecordBatch) -> Result<()> {
        self.write(rows).map_err(|error| self.failed(&error))
    }

    fn commit(&mut self, state: &str) -> Result<()> {
        let done = self.finish(state);
        let _ = fs::remove_file(self.folder.join(".part").join("waiting.new"));
        done.map_err(|error| self.failed(&error))
    }

    fn erase(&mut self, ids: &[String], state: &str) -> Result<()> {
        let first = self.manifest.iter().flat_map(|manifest| &manifest.files).next();
        let name = first.map(|file| file.name.clone()).ok_or_else(|| without_ids(&self.name()))?;
        let schema: SchemaRef = Arc::clone(self.reader(&name)?.schema());
        let id = schema.fields().iter().find(|field| field.name().eq_ignore_ascii_case(ID));
        let id = id.ok_or_else(|| without_ids(&self.name()))?.name().clone();
        let pages = self.folder()?;
        files::private_folder(&pages).map_err(|error| self.failed(&error))?;
        let begun = self.begin(&StoreChange::without(schema, id, ids));
        let done = begun.and_then(|()| self.commit(state));
        let _ = fs::remove_dir_all(pages);
        done
    }
}

impl std::fmt::Debug for PartFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PartFile").field("path", &self.path).finish_non_exhaustive()
    }
}
