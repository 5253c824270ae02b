//! Whether facts are kept, and where.

use std::fmt;
use std::path::PathBuf;

/// Whether facts about the service are kept and used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FactsMode {
    /// They are kept and used.
    #[default]
    On,
    /// Nothing is kept, and each list is confirmed by requests beyond both its ends.
    Off,
}

impl FactsMode {
    /// Every mode.
    pub const ALL: [Self; 2] = [Self::On, Self::Off];

    /// `on` or `off`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
        }
    }
}

impl fmt::Display for FactsMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
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
