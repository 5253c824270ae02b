//! Whether facts are kept, and where.

use sondage_macros::words;
use std::path::PathBuf;

/// Whether facts about the service are kept and used.
#[words]
#[derive(Default)]
#[non_exhaustive]
pub enum FactsMode {
    /// They are kept and used.
    #[default]
    On,
    /// Nothing is kept, and each list is confirmed by requests beyond both its ends.
    Off,
}

/// The settings of facts.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FactsSettings {
    /// Whether they are kept and used.
    pub mode: FactsMode,
    /// The folder in which they are kept. `None`: in memory, for this process.
    pub folder: Option<PathBuf>,
    /// Whether this client uses only what it has learned itself.
    pub own: bool,
    /// One list in so many, at random, is proven again although the facts would do. 0: none.
    pub sample: u32,
}
