//! Sets of interview ids, compact because ids are usually numbers.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// A set of ids. In files, consecutive numbers are stored as one pair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Runs", into = "Runs")]
pub(super) struct IdSet {
    numbers: BTreeSet<i64>,
    texts: BTreeSet<String>,
}

impl IdSet {
    pub(super) fn insert(&mut self, id: String) {
        match number(&id) {
            Some(number) => self.numbers.insert(number),
            None => self.texts.insert(id),
        };
    }

    pub(super) fn contains(&self, id: &str) -> bool {
        number(id).map_or_else(|| self.texts.contains(id), |number| self.numbers.contains(&number))
    }

    pub(super) fn without(&self, other: &IdSet) -> IdSet {
        IdSet { numbers: &self.numbers - &other.numbers, texts: &self.texts - &other.texts }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.numbers.is_empty() && self.texts.is_empty()
    }

    pub(super) fn list(&self) -> impl Iterator<Item = String> {
        self.numbers.iter().map(i64::to_string).chain(self.texts.iter().cloned())
    }
}

/// The number that an id is, if its text is the number's normal spelling.
fn number(id: &str) -> Option<i64> {
    id.parse().ok().filter(|number: &i64| number.to_string() == id)
}

#[derive(Serialize, Deserialize)]
struct Runs {
    runs: Vec<(i64, i64)>,
    texts: BTreeSet<String>,
}

impl From<IdSet> for Runs {
    fn from(ids: IdSet) -> Self {
        let mut runs: Vec<(i64, i64)> = Vec::new();
        for number in ids.numbers {
            match runs.last_mut() {
                Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
                _ => runs.push((number, number)),
            }
        }
        Runs { runs, texts: ids.texts }
    }
}

impl From<Runs> for IdSet {
    fn from(runs: Runs) -> Self {
        let numbers = runs.runs.into_iter().flat_map(|(first, last)| first..=last).collect();
        IdSet { numbers, texts: runs.texts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_survives_its_file() {
        let mut ids = IdSet::default();
        for id in ["1", "2", "3", "7", "-1", "007", "a-b", "9223372036854775807"] {
            ids.insert(id.to_owned());
        }
        let json = serde_json::to_string(&ids).expect("JSON");
        assert!(json.contains("[1,3]") && json.contains("007"), "{json}");
        assert_eq!(serde_json::from_str::<IdSet>(&json).expect("a set"), ids);
        assert!(ids.contains("007") && !ids.contains("8"));
    }
}
