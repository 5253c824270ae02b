//! A family of faults: scripts with placeholders, and their values.

use super::{BODIES, CampaignCell, CampaignLength, EFFECTS, Setting};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    name: String,
    /// The finding that it reproduces in a client that has it.
    shows: Option<String>,
    /// Sequences of scripts: one for each exchange. `{name}` is a placeholder.
    scripts: Vec<Vec<String>>,
    /// Responses of the token endpoint, as in `scripts`.
    #[serde(default)]
    token: Vec<String>,
    /// The values of the placeholders.
    #[serde(default)]
    gaps: BTreeMap<String, FamilyValues>,
    #[serde(default = "every_effect")]
    effects: Vec<String>,
    #[serde(default = "every_body")]
    bodies: Vec<String>,
    settings: Vec<String>,
    /// How many cells of each fault are in the short form.
    short: usize,
    /// For how many faults; otherwise for all.
    short_faults: Option<usize>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum FamilyValues {
    Listed(Vec<String>),
    Counted { from: u32, to: u32 },
}

impl FamilyValues {
    fn all(&self) -> Vec<String> {
        match self {
            Self::Listed(values) => values.clone(),
            Self::Counted { from, to } => (*from..=*to).map(|number| number.to_string()).collect(),
        }
    }
}

fn every_effect() -> Vec<String> {
    EFFECTS.iter().map(|effect| effect.as_str().to_owned()).collect()
}

fn every_body() -> Vec<String> {
    vec!["small".to_owned(), "large".to_owned()]
}

/// How many cells of each fault are in the long form: running all of them would take hours on two cores.
const LONG: usize = 10;

/// A prime larger than the number of combinations of any fault: steps of this size reach each of them.
const STRIDE: usize = 7919;

type FaultNames = (Vec<String>, Vec<String>);

impl Family {
    pub fn expand(
        &self,
        form: CampaignLength,
        settings: &BTreeMap<String, Setting>,
        words: &BTreeMap<String, String>,
    ) -> Result<Vec<CampaignCell>, String> {
        let faults = self.faults(words)?;
        let combinations = self.combinations(settings)?;
        let (some_faults, each) = match form {
            CampaignLength::Short => (self.short_faults.unwrap_or(usize::MAX), self.short),
            CampaignLength::Long => (usize::MAX, self.short.max(LONG)),
        };
        let faults_taken = some_faults.min(faults.len());
        let each = each.min(combinations.len());
        let mut cells = Vec::new();
        for number in 0..faults_taken {
            // Spread evenly over all of them.
            let fault = number * faults.len() / faults_taken;
            let (scripts, token_scripts) = &faults[fault];
            for pick in 0..each {
                // The long form begins with the cells of the short one.
                let at = (fault * self.short + pick) * STRIDE % combinations.len();
                let (effect, body, name) = &combinations[at];
                cells.push(CampaignCell {
                    id: 0,
                    family: self.name.clone(),
                    shows: self.shows.clone(),
                    scripts: scripts.clone(),
                    token_scripts: token_scripts.clone(),
                    effect,
                    body: body.0.to_owned(),
                    size: body.1,
                    setting_name: name.clone(),
                    setting: settings[name].clone(),
                });
            }
        }
        Ok(cells)
    }

    /// All combinations of values for the placeholders.
    fn faults(&self, words: &BTreeMap<String, String>) -> Result<Vec<FaultNames>, String> {
        let mut faults = Vec::new();
        for scripts in &self.scripts {
            let mut filled = vec![(scripts.clone(), self.token.clone())];
            for (name, values) in &self.gaps {
                let gap = format!("{{{name}}}");
                if !scripts.iter().chain(&self.token).any(|line| line.contains(&gap)) {
                    continue;
                }
                let fill = |lines: &[String], value: &str| -> Vec<String> {
                    lines.iter().map(|line| line.replace(&gap, value)).collect()
                };
                filled = filled
                    .iter()
                    .flat_map(|(scripts, token)| {
                        values
                            .all()
                            .into_iter()
                            .map(move |value| (fill(scripts, &value), fill(token, &value)))
                    })
                    .collect();
            }
            faults.extend(filled);
        }
        let spell = |line: &String| words.get(line.as_str()).unwrap_or(line).clone();
        let open = |line: &String| line.contains('{') && !line.contains("{call}") && !line.contains('"');
        for (scripts, token) in &mut faults {
            for lines in [&mut *scripts, &mut *token] {
                *lines = lines.iter().map(spell).collect();
                if let Some(line) = lines.iter().find(|line| open(line)) {
                    return Err(format!("{}: a gap in `{line}` has no values", self.name));
                }
            }
        }
        Ok(faults)
    }

    #[allow(clippy::type_complexity)]
    fn combinations(
        &self,
        settings: &BTreeMap<String, Setting>,
    ) -> Result<Vec<(&'static str, (&'static str, usize), String)>, String> {
        let unknown = |what: &str| format!("{}: there is no {what}", self.name);
        let mut all = Vec::new();
        for effect in &self.effects {
            let effect = EFFECTS.iter().map(|known| known.as_str()).find(|known| known == effect);
            let effect = effect.ok_or_else(|| unknown("such effect"))?;
            for body in &self.bodies {
                let body = BODIES.into_iter().find(|known| known.0 == body).ok_or_else(|| unknown(body))?;
                for name in &self.settings {
                    settings.get(name).ok_or_else(|| unknown(name))?;
                    all.push((effect, body, name.clone()));
                }
            }
        }
        Ok(all)
    }
}
