//! The first line of a stored world: who wrote it, and what a sandbox needs besides the world to be the same again.

use crate::account::DataCenter;
use crate::world::{AddedSurveys, Seeded};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the format: the first one had no line numbers.
pub(super) const FORMAT: u32 = 2;

/// What is read first, because other versions may have other fields.
#[derive(Serialize, Deserialize)]
pub(super) struct Origin {
    /// [`FORMAT`].
    pub(super) sandbox: u32,
    /// The version of the library.
    pub(super) version: String,
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct StateHead {
    /// The settings with which the content was made, and digests of their files: those that are not the defaults.
    pub(crate) content: BTreeMap<String, String>,
    pub(crate) seeded: Vec<Seeded>,
    pub(crate) added: AddedSurveys,
    /// The ports of the API and the authentication server of each data center.
    pub(crate) ports: Vec<(DataCenter, u16, u16)>,
}

#[derive(Serialize)]
struct HeadLine<'a> {
    #[serde(flatten)]
    origin: Origin,
    #[serde(flatten)]
    head: &'a StateHead,
}

impl StateHead {
    pub(super) fn line(&self) -> serde_json::Result<Vec<u8>> {
        let origin = Origin { sandbox: FORMAT, version: env!("CARGO_PKG_VERSION").to_owned() };
        serde_json::to_vec(&HeadLine { origin, head: self })
    }

    /// Reads the first line.
    pub(super) fn read(json: &[u8]) -> Result<Self, String> {
        let origin: Origin = serde_json::from_slice(json).map_err(|_| "it is not of a sandbox".to_owned())?;
        let versions = || {
            let this = env!("CARGO_PKG_VERSION");
            format!(
                "it was written by version {} of the sandbox in the format {}, and this is version {this}, which reads the formats up to \
                 {FORMAT}",
                origin.version, origin.sandbox
            )
        };
        if origin.sandbox > FORMAT {
            return Err(format!("{}: start it with that version, or with a newer one", versions()));
        }
        serde_json::from_slice(json).map_err(|_| format!("{}, but its first line cannot be read", versions()))
    }

    /// The first setting that made other content than in another head, if any.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        self.contradicts(&other.content).or_else(|| other.contradicts(&self.content))
    }

    /// The first setting that was given now and made other content, if any.
    pub(crate) fn contradicts(&self, content: &BTreeMap<String, String>) -> Option<String> {
        let differs = |(name, value): &(&String, &String)| self.content.get(*name) != Some(value);
        content.iter().find(differs).map(|(name, _)| name.clone())
    }
}
