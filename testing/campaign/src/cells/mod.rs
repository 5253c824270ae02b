//! The matrix: which effects are combined with which faults, bodies and settings. It is data (`cells/*.toml`); this
//! module expands it, the same way each time.

mod family;

pub use family::Family;

use crate::service::Protocol;
use serde::{Deserialize, Serialize};
use sondage::Effect;
use std::collections::{BTreeMap, BTreeSet};

/// The short form runs with every test, the long one only on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CampaignLength {
    Short,
    Long,
}

/// The settings of the client.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Setting {
    pub way: Protocol,
    pub attempts: u32,
    /// The deadline of the call, in milliseconds.
    pub deadline: u64,
    /// Whether the client gets tokens from an endpoint; otherwise it has a given one.
    pub endpoint: bool,
    /// The longest `Retry-After` that is waited for, in seconds.
    pub timeout: u64,
    /// An operation of the table, instead of a raw call.
    pub operation: Option<String>,
    /// The caller gives up this many milliseconds after the first response.
    pub leaves: Option<u64>,
    /// After the call, this many others are made at once, by the same client and by others of its tenant.
    pub others: usize,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            way: Protocol::Plain,
            attempts: 3,
            deadline: 30_000,
            endpoint: false,
            timeout: 2,
            operation: None,
            leaves: None,
            others: 0,
        }
    }
}

/// One call and its faults.
#[derive(Clone, Debug, Serialize)]
pub struct CampaignCell {
    pub id: usize,
    pub family: String,
    /// The finding that it reproduces in a client that has it.
    pub shows: Option<String>,
    /// The scripts that the service follows. The fault is named by them.
    pub scripts: Vec<String>,
    /// The scripts of the token endpoint.
    pub token_scripts: Vec<String>,
    pub effect: &'static str,
    pub body: String,
    pub size: usize,
    pub setting_name: String,
    pub setting: Setting,
}

impl CampaignCell {
    pub fn effect(&self) -> Effect {
        EFFECTS.into_iter().find(|effect| effect.as_str() == self.effect).unwrap_or(Effect::Send)
    }

    /// Effect, fault, body and setting: what identifies a cell.
    pub fn name(&self) -> String {
        let fault = self.scripts.join(" | ");
        let token = self.token_scripts.join(" | ");
        let token = if token.is_empty() { token } else { format!(" [token: {token}]") };
        format!("{}: {} × {fault}{token} × {} × {}", self.family, self.effect, self.body, self.setting_name)
    }
}

pub const EFFECTS: [Effect; 5] =
    [Effect::Read, Effect::IdempotentWrite, Effect::Create, Effect::SchemaChange, Effect::Send];

/// Body sizes below and above the buffers of sockets and of the client, and at the limit of a TLS record.
pub const BODIES: [(&str, usize); 5] =
    [("tiny", 20), ("small", 400), ("frame", 70_000), ("large", 1_000_000), ("huge", 3_000_000)];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CellData {
    #[serde(default)]
    setting: BTreeMap<String, Setting>,
    #[serde(default)]
    word: BTreeMap<String, String>,
    #[serde(default)]
    family: Vec<Family>,
}

const FILES: [(&str, &str); 6] = [
    ("settings.toml", include_str!("../../cells/settings.toml")),
    ("connections.toml", include_str!("../../cells/connections.toml")),
    ("answers.toml", include_str!("../../cells/answers.toml")),
    ("sequences.toml", include_str!("../../cells/sequences.toml")),
    ("pauses.toml", include_str!("../../cells/pauses.toml")),
    ("secure.toml", include_str!("../../cells/secure.toml")),
];

/// All cells of a form.
pub fn all(form: CampaignLength) -> Result<Vec<CampaignCell>, String> {
    let (mut settings, mut words, mut families) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for (file, text) in FILES {
        let data: CellData = toml::from_str(text).map_err(|error| format!("{file}: {error}"))?;
        settings.extend(data.setting);
        words.extend(data.word);
        families.extend(data.family);
    }
    let (mut cells, mut seen) = (Vec::new(), BTreeSet::new());
    for family in &families {
        for mut cell in family.expand(form, &settings, &words)? {
            if seen.insert((
                cell.effect,
                cell.scripts.clone(),
                cell.token_scripts.clone(),
                cell.size,
                cell.setting_name.clone(),
            )) {
                cell.id = cells.len();
                cells.push(cell);
            }
        }
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::parse;

    #[test]
    fn every_cell_is_playable_and_stands_once() {
        let cells = all(CampaignLength::Long).unwrap();
        let names: BTreeSet<String> = cells.iter().map(CampaignCell::name).collect();
        assert_eq!(names.len(), cells.len());
        for cell in &cells {
            for line in cell.scripts.iter().chain(&cell.token_scripts) {
                parse(line).unwrap_or_else(|error| panic!("{}: {error}", cell.name()));
            }
        }
    }

    #[test]
    fn there_are_as_many_as_a_run_must_have() {
        for form in [CampaignLength::Short, CampaignLength::Long] {
            let (cells, wanted) = (all(form).unwrap().len(), crate::minimums::PARTS[0].of(form));
            assert!(cells >= wanted, "{cells} cells, and {wanted} are wanted");
        }
    }

    #[test]
    fn the_short_form_is_a_part_of_the_long_one() {
        // A cell that belongs to two families counts for one of them.
        let bare = |cell: &CampaignCell| cell.name().split_once(": ").unwrap().1.to_owned();
        let long: BTreeSet<String> = all(CampaignLength::Long).unwrap().iter().map(bare).collect();
        let short = all(CampaignLength::Short).unwrap();
        assert!(short.iter().all(|cell| long.contains(&bare(cell))));
        assert!(short.len() * 3 < long.len());
    }
}
