//! The minimum number of cells of a run. The stage fails below these numbers, which are defined only here.

use crate::cells::CampaignLength;
use crate::tally::Tally;

pub struct Minimum {
    /// Families whose names begin with this. Empty: every family without an entry of its own.
    pub part: &'static str,
    pub short: usize,
    pub long: usize,
}

pub const PARTS: [Minimum; 9] = [
    Minimum { part: "", short: 1500, long: 10_000 },
    Minimum { part: "lists", short: 600, long: 3000 },
    Minimum { part: "token callers", short: 500, long: 5000 },
    Minimum { part: "pause", short: 60, long: 120 },
    Minimum { part: "cancellation", short: 6, long: 60 },
    // Peak memory is available only on Linux.
    Minimum { part: "memory", short: MEASURED * 3, long: MEASURED * 40 },
    Minimum { part: "empty selections", short: 4, long: 4 },
    Minimum { part: "tokens", short: 9, long: 9 },
    Minimum { part: "canaries", short: 1000, long: 4000 },
];

const MEASURED: usize = if cfg!(target_os = "linux") { 1 } else { 0 };

/// Cells through the client of another language.
pub const LANGUAGE: Minimum = Minimum { part: "a language", short: 60, long: 300 };

impl Minimum {
    pub fn of(&self, form: CampaignLength) -> usize {
        if form == CampaignLength::Short { self.short } else { self.long }
    }
}

/// The families that have too few cells.
pub fn missing(tally: &Tally, form: CampaignLength) -> Vec<String> {
    let too_few = |minimum: &Minimum| {
        let count = tally.count(minimum.part);
        let name = if minimum.part.is_empty() { "cells of the matrix" } else { minimum.part };
        (count < minimum.of(form))
            .then(|| format!("{count} {name}, and at least {} are wanted", minimum.of(form)))
    };
    PARTS.iter().filter_map(too_few).collect()
}
