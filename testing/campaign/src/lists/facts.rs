//! What a client knows about a service before it reads the list of a cell.

use super::world::{Before, Count, ListCase, ListWorld, Moving};
use crate::drive::builder;
use crate::temporary::Folder;
use sondage::Client;
use sondage::config::ClientBuilder;
use sondage::internals::runtime;
use sondage::model::ReadSurveyListRequest;
use sondage::operations::ReadSurveyList;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The rows of the lists from which facts are learned: one page, and several.
const LEARNED_FROM: [i64; 2] = [3, 25];

/// The state of the facts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FactsState {
    /// The client confirms each list, whatever is known.
    Off,
    /// Nothing is known.
    Cold,
    /// Learned from the service as it is.
    Warm,
    /// Learned when the first page had the other number.
    OtherFirstPage,
    /// Learned when the service had no maximum page size.
    NoCap,
    /// Learned when the count was that of the list.
    RightCount,
    /// Learned from the service as it is, and the file was damaged then.
    Broken(Damage),
}

/// What happened to the file of the facts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damage {
    Torn,
    OtherVersion,
    OtherAccount,
    Edited,
}

impl FactsState {
    /// All states of facts that are in use.
    pub const IN_USE: [Self; 9] = [
        Self::Cold,
        Self::Warm,
        Self::OtherFirstPage,
        Self::NoCap,
        Self::RightCount,
        Self::Broken(Damage::Torn),
        Self::Broken(Damage::OtherVersion),
        Self::Broken(Damage::OtherAccount),
        Self::Broken(Damage::Edited),
    ];

    /// The service from which the facts are learned, if they are learned at all.
    fn teacher(self, case: ListCase) -> Option<ListCase> {
        let rests = ListCase { moving: Moving::Nothing, ..case };
        match self {
            Self::Off | Self::Cold => None,
            Self::Warm | Self::Broken(_) => Some(rests),
            Self::OtherFirstPage => Some(ListCase { base: 1 - case.base, before: Before::Refused, ..rests }),
            Self::NoCap => Some(ListCase { cap: 1000, ..rests }),
            Self::RightCount => Some(ListCase { count: Count::Right, ..rests }),
        }
    }

    /// A client in this state, which keeps its facts in `folder`. The service of the cell is `world`.
    pub fn client(
        self,
        case: ListCase,
        url: &str,
        world: &Mutex<ListWorld>,
        folder: &Folder,
    ) -> Result<Client, String> {
        let settings = |name: &str| settings(url, case).facts_folder(folder.path().join(name));
        let built = |settings: ClientBuilder| settings.build().map_err(|error| error.to_string());
        if self == Self::Off {
            return settings("off")
                .set("facts", "off")
                .and_then(|settings| settings.build())
                .map_err(|error| error.to_string());
        }
        let client = built(settings("learned"))?;
        let Some(teacher) = self.teacher(case) else { return Ok(client) };
        for rows in LEARNED_FROM {
            *world.lock().unwrap_or_else(PoisonError::into_inner) =
                ListWorld::new(ListCase { rows, ..teacher });
            read(&client).map_err(|error| format!("a list to learn from: {error}"))?;
        }
        *world.lock().unwrap_or_else(PoisonError::into_inner) = ListWorld::new(case);
        let Self::Broken(damage) = self else { return Ok(client) };
        // The facts of a process belong to a folder: with another one, a client knows what is in its file.
        damage
            .copy(&folder.path().join("learned"), &folder.path().join("damaged"))
            .map_err(|error| error.to_string())?;
        let client = built(settings("damaged"))?;
        let known = client.service_facts().facts.len();
        if known == 0 { Ok(client) } else { Err(format!("{known} facts of a damaged file were believed")) }
    }
}

impl Damage {
    /// Copies the file of a folder to another one, damaged.
    fn copy(self, from: &Path, to: &Path) -> std::io::Result<()> {
        let file = file_of(from).ok_or_else(|| std::io::Error::other("no facts were learned"))?;
        let good = std::fs::read_to_string(&file)?;
        let damaged = match self {
            Self::Torn => good[..good.len() / 2].to_owned(),
            Self::OtherVersion => good.replace("\"version\":2", "\"version\":3"),
            Self::OtherAccount => good.replace("\"account\":\"acme@", "\"account\":\"other@"),
            Self::Edited => good.replace("\"longest\":", "\"longest\":9"),
        };
        if damaged == good {
            return Err(std::io::Error::other(format!("{self:?} does not change {good}")));
        }
        std::fs::create_dir_all(to)?;
        std::fs::write(to.join(file.file_name().unwrap_or_default()), damaged)
    }
}

/// The file of facts in a folder, if there is one.
pub fn file_of(folder: &Path) -> Option<PathBuf> {
    let is_facts = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "facts");
    std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).find(is_facts)
}

/// The settings of a client: no list is confirmed at random.
fn settings(url: &str, case: ListCase) -> ClientBuilder {
    builder(url, None).page_size(case.page_size).budget_loopback(true).facts_sample(0_u32)
}

/// The ids of the list's rows.
pub fn read(client: &Client) -> sondage::Result<Vec<i64>> {
    let list = client.pages::<ReadSurveyList>(ReadSurveyListRequest::new(3));
    let rows = runtime::block_on(async move { list.collect_all().await })?;
    Ok(rows.iter().map(|row| row.id).collect())
}
