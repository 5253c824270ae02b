//! Incremental loads: the interviews that changed since the last load.

mod ids;
mod questions;
mod state;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sondage::files::FileLock;
use sondage::internals::clock;
use sondage::paging::Progress;
use sondage::{Error, Result, Timestamp};

use crate::Warning;
use crate::column::row_id::RowId;
use crate::error::unexpected;
use crate::query::{ID, Interviews, Reading};
use crate::table::Table;
pub(crate) use ids::{IdList, IdSet};
use state::DeltaState;

/// The column with the time of the last change. It is published as a column for filters; that it can also be selected is
/// assumed.
// API 6.3, published
pub(crate) const UPDATED: &str = "UpdatedAt";
/// How far each load overlaps the previous one, because rows may be written late and clocks differ.
pub(crate) const OVERLAP: TimeDelta = TimeDelta::minutes(5);
/// A time of change that is ahead of the service's clock by less than this is not worth a warning: the clock is known to
/// about a second, and the machines of a service differ.
pub(crate) const TOLERANCE: TimeDelta = TimeDelta::minutes(1);

/// Loads the interviews that changed since the last load, each change once.
///
/// ```no_run
/// # async fn example(client: sondage::Client) -> sondage::Result<()> {
/// use sondage_data::{FileFormat, Tables};
/// let delta = client.interviews(7).completed().delta("s7.state");
/// delta.load(async |new| {
///     new.table.save("new.parquet", FileFormat::Parquet)?;
///     Ok::<_, sondage::Error>(())
/// }).await?;
/// # Ok(())
/// # }
/// ```
///
/// The state file contains the watermark: the latest `UpdatedAt` that was seen and is not ahead of the service's clock when
/// the load began. A load requests everything since shortly before the watermark and omits what it has returned already, by
/// id and time. Interviews whose `UpdatedAt` is ahead of the clock are returned once for each change, too. The file is
/// written only after the caller has processed the result; so a change may be returned twice after a crash, but is never
/// lost.
#[derive(Clone)]
#[must_use = "nothing is loaded before `load` or `begin`"]
pub struct Delta {
    query: Interviews,
    path: PathBuf,
    overlap: TimeDelta,
    removed: bool,
    evolve: bool,
}

/// An interview that was loaded before, and no longer matches the query.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Removed {
    /// The id of the interview.
    pub id: String,
    /// Whether it still exists but no longer matches the filter, for example because it was reset. Otherwise it was
    /// deleted.
    pub reset: bool,
}

/// The changes since the last load. They count as loaded after [`DeltaLoad::commit`].
#[derive(Debug)]
#[non_exhaustive]
pub struct DeltaLoad {
    /// New and changed interviews, in their current state.
    pub table: Table,
    /// Interviews that were deleted or no longer match, if [`Delta::find_removed`] was called.
    pub removed: Vec<Removed>,
    /// The calls, bytes and time of the load.
    pub progress: Progress,
    state: DeltaState,
    path: PathBuf,
    lock: FileLock,
}

impl Interviews {
    /// The interviews that changed since the last load. `state`: the path of the state file.
    pub fn delta(&self, state: impl Into<PathBuf>) -> Delta {
        Delta { query: self.clone(), path: state.into(), overlap: OVERLAP, removed: false, evolve: false }
    }
}

impl Delta {
    /// How far before the watermark a load starts. Default: five minutes.
    pub fn overlap(mut self, overlap: Duration) -> Self {
        self.overlap = TimeDelta::from_std(overlap).unwrap_or(TimeDelta::MAX);
        self
    }

    /// Also finds interviews that were deleted or reset, by reading the ids of all interviews, once with the filter, and
    /// once without it if some are missing. Each load makes these additional calls. Use it from the first load on: a load
    /// without it records no ids, so the next one cannot find anything missing, and says so in a warning of the table.
    pub fn find_removed(mut self, find: bool) -> Self {
        self.removed = find;
        self
    }

    /// Whether to go on if the questionnaire has changed in a breaking way since the last load, such as a label that belongs to another
    /// code now ([`Table::compare`]). Default: it is an error that lists the changes, and nothing is loaded.
    pub fn evolve(mut self, evolve: bool) -> Self {
        self.evolve = evolve;
        self
    }

    /// Loads, passes the result to `take`, and commits if `take` succeeds.
    pub async fn load<T, E: From<Error>>(
        &self,
        take: impl AsyncFnOnce(&DeltaLoad) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let changes = self.begin().await?;
        let result = take(&changes).await?;
        changes.commit()?;
        Ok(result)
    }

    /// Loads. Until the load is committed or dropped, no other process can load with this state file.
    pub async fn begin(&self) -> Result<DeltaLoad> {
        let lock = self.lock()?;
        let identity = self.query.identity()?;
        let before = DeltaState::read(&self.path, &identity)?;
        let known_ids = before.as_ref().and_then(|state| state.known.clone());
        let mut state = before.unwrap_or_else(|| DeltaState::new(identity));
        let mut since = state.watermark.map(|mark| mark.checked_sub_signed(self.overlap).unwrap_or_default());
        // Earlier loads recorded no ids, so deleted interviews cannot be found.
        let no_census = self.removed && since.is_some() && known_ids.is_none();
        let mut load = self.read(&state, since).await?;
        let too_late = state.watermark.filter(|_| state.is_ahead(self.query.client(), load.begun));
        let mut earlier = Progress::default();
        if too_late.is_some() {
            earlier = load.reading.progress();
            (state.watermark, since) = (None, None);
            load = self.read(&state, None).await?;
        }
        for warning in load.warnings(too_late, no_census) {
            load.reading.builder.warn(warning);
        }
        let Seen { reading, ids: loaded, begun, changes, undated, .. } = load;
        state.advance(changes, begun, undated > 0, self.overlap);
        let mut progress = reading.progress();
        progress.calls += earlier.calls;
        progress.bytes += earlier.bytes;
        let table = reading.finish()?;
        state.compare(&table, &self.path, self.evolve)?;
        let mut removed = Vec::new();
        state.known = None;
        if self.removed {
            let now =
                if since.is_none() { loaded } else { all_ids(self.query.clone(), &mut progress).await? };
            let missing = known_ids.map(|known_ids| known_ids.without(&now)).unwrap_or_default();
            if !missing.is_empty() {
                let current_ids = all_ids(self.query.clone().unfiltered(), &mut progress).await?;
                removed = missing.list().map(|id| Removed { reset: current_ids.contains(&id), id }).collect();
            }
            state.known = Some(now);
        }
        Ok(DeltaLoad { table, removed, progress, state, path: self.path.clone(), lock })
    }

    fn lock(&self) -> Result<FileLock> {
        let lock = FileLock::beside(&self.path).map_err(|error| {
            if error.kind() != io::ErrorKind::ResourceBusy {
                return disk(&self.path, &error);
            }
            let what = format!("`{}` is being used by another load", self.path.display());
            Error::invalid_argument(what).with_hint("Wait for it, or give this load a state file of its own.")
        })?;
        sondage::files::sweep(&self.path).map_err(|error| disk(&self.path, &error))?;
        Ok(lock)
    }

    /// Reads the changes since a time that have not been returned yet.
    async fn read(&self, state: &DeltaState, since: Option<DateTime<Utc>>) -> Result<Seen> {
        let client = self.query.client();
        let here = clock::wall(client);
        let query = self.query.clone().beside(ID).beside(UPDATED);
        let query = match since {
            // An answer without rows does not move the mark: if it was a failure, the next load reads the same again.
            Some(since) => query.updated_since(Timestamp(since)).believing_empty_page(),
            None => query,
        };
        let mut reading = query.read()?;
        let (mut ids, mut changes, mut returned, mut undated) =
            (IdList::default(), HashMap::new(), Vec::new(), 0);
        while let Some(mut page) = reading.next_page().await? {
            let times = page.own_column(UPDATED);
            let mut keep = vec![true; page.rows()];
            for (row, keep) in keep.iter_mut().enumerate() {
                let Some(id) = page.row_id(row).map(RowId::into_text) else {
                    undated += 1;
                    continue;
                };
                ids.insert_text(&id);
                match times.and_then(|column| page.moment_in(column, row)) {
                    Some(at) => {
                        *keep = !state.was_returned(&id, at);
                        if *keep {
                            returned.push(at);
                        }
                        changes.insert(id, at);
                    }
                    None => undated += 1,
                }
            }
            page.retain_rows(&keep);
            reading.builder.append(page).map_err(|error| unexpected(&error))?;
        }
        let begun = clock::of_service(client, here);
        let latest = clock::of_service(client, clock::wall(client))
            .checked_add_signed(TOLERANCE)
            .unwrap_or(DateTime::<Utc>::MAX_UTC);
        let ahead = returned.into_iter().filter(|at| *at > latest).count();
        Ok(Seen { reading, ids: ids.into_set(), changes, begun, ahead, undated })
    }
}

/// The ids of all interviews of a query.
async fn all_ids(query: Interviews, progress: &mut Progress) -> Result<IdSet> {
    let mut ids = IdList::default();
    census(query, progress, |id| ids.insert(id)).await?;
    Ok(ids.into_set())
}

/// Passes on the ids of all interviews of a query.
pub(crate) async fn census(
    query: Interviews,
    progress: &mut Progress,
    mut take: impl FnMut(RowId<'_>),
) -> Result<()> {
    let Reading { mut pager, .. } = query.fields([ID]).plain().thorough(true).read()?;
    while let Some(page) = pager.next().await? {
        for row in 0..page.rows() {
            take(page.row_id(row).ok_or_else(|| {
                Error::unexpected_response("the interviews have no ids, so removed ones cannot be detected")
            })?);
        }
    }
    progress.calls += pager.progress().calls;
    progress.bytes += pager.progress().bytes;
    Ok(())
}

/// What a load has read.
struct Seen {
    reading: Reading,
    /// All ids.
    ids: IdSet,
    /// The time of change of each interview.
    changes: HashMap<String, DateTime<Utc>>,
    /// When the load began, by the service's clock.
    begun: DateTime<Utc>,
    /// Interviews in the load whose time of change is ahead of the service's clock.
    ahead: usize,
    /// Interviews without a time of change, or without an id.
    undated: usize,
}

impl Seen {
    /// `too_late`: the watermark of the state file, if it was ahead of the service's clock.
    fn warnings(&self, too_late: Option<DateTime<Utc>>, no_census: bool) -> Vec<Warning> {
        let interviews = |count: usize, one: &str, many: &str| match count {
            1 => format!("1 interview {one}"),
            _ => format!("{count} interviews {many}"),
        };
        let mut warnings = Vec::new();
        if let Some(mark) = too_late {
            warnings.push(format!(
                "the state file had a watermark ahead of the service's clock ({}), so earlier loads may have missed changes: all interviews were read again, and those that were loaded before may be in this load again",
                Timestamp(mark)
            ));
        }
        if self.ahead > 0 {
            let what = interviews(self.ahead, "has", "have");
            warnings.push(format!(
                "{what} an `{UPDATED}` that is ahead of the service's clock: each is in this load, and in a later one only if it changes"
            ));
        }
        if self.undated > 0 {
            let what = interviews(self.undated, "has", "have");
            warnings.push(format!(
                "{what} no `{UPDATED}` or no id: a later load may miss their changes, or bring them twice"
            ));
        }
        if no_census {
            warnings.push(
                "removed interviews cannot be found: the previous load was made without `removed`, and recorded no ids. Ids are recorded from this load on; interviews that were removed before it are not found".to_owned(),
            );
        }
        warnings.into_iter().map(Warning::general).collect()
    }
}

impl DeltaLoad {
    /// Commits: the next load starts after these changes.
    pub fn commit(self) -> Result<()> {
        self.lock.check().map_err(|error| {
            let what = format!(
                "the lock `{}.lock` was removed or replaced during the load, so another load may have used the state file",
                self.path.display()
            );
            Error::invalid_argument(what)
                .with_hint("The state was not written: the next load brings these changes again.")
                .caused_by(&error)
        })?;
        self.state.write(&self.path).map_err(|error| disk(&self.path, &error))
    }

    /// The watermark that [`DeltaLoad::commit`] will write.
    pub fn watermark(&self) -> Option<Timestamp> {
        self.state.watermark.map(Timestamp)
    }
}

fn disk(path: &Path, error: &io::Error) -> Error {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| fs::metadata(folder).is_err()) {
        return Error::invalid_argument(format!("there is no folder for `{}`", path.display()));
    }
    Error::invalid_argument(format!("the state file `{}` could not be used: {error}", path.display()))
        .caused_by(error)
}
