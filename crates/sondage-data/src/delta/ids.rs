//! Sets of interview ids, compact because ids are usually numbers or GUIDs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::column::row_id::RowId;

/// A set of ids: eight bytes for each that is a number, sixteen for a GUID. In files, consecutive numbers are stored as one pair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Runs", into = "Runs")]
pub(crate) struct IdSet {
    // Sorted, each once.
    numbers: Vec<i64>,
    guids: Vec<u128>,
    texts: Vec<String>,
}

/// Ids in any order, of which a set is made.
#[derive(Debug, Default)]
pub(crate) struct IdList(IdSet);

impl IdList {
    pub(crate) fn insert(&mut self, id: RowId<'_>) {
        match id {
            RowId::Number(number) => self.0.numbers.push(number),
            RowId::Text(text) => self.insert_text(text),
        }
    }

    pub(crate) fn insert_text(&mut self, id: &str) {
        match (number(id), guid(id)) {
            (Some(number), _) => self.0.numbers.push(number),
            (None, Some(guid)) => self.0.guids.push(guid),
            (None, None) => self.0.texts.push(id.to_owned()),
        }
    }

    pub(crate) fn into_set(self) -> IdSet {
        let IdSet { mut numbers, mut guids, mut texts } = self.0;
        numbers.sort_unstable();
        numbers.dedup();
        guids.sort_unstable();
        guids.dedup();
        texts.sort_unstable();
        texts.dedup();
        numbers.shrink_to_fit();
        guids.shrink_to_fit();
        IdSet { numbers, guids, texts }
    }
}

impl IdSet {
    pub(crate) fn contains(&self, id: &str) -> bool {
        self.position(id).is_some()
    }

    pub(crate) fn contains_id(&self, id: RowId<'_>) -> bool {
        self.position_of(id).is_some()
    }

    /// Its place in the order of [`list`](Self::list).
    fn position(&self, id: &str) -> Option<usize> {
        match (number(id), guid(id)) {
            (Some(number), _) => self.position_of(RowId::Number(number)),
            (None, Some(guid)) => {
                self.guids.binary_search(&guid).ok().map(|place| self.numbers.len() + place)
            }
            (None, None) => {
                let place = self.texts.binary_search_by(|text| text.as_str().cmp(id)).ok()?;
                Some(self.numbers.len() + self.guids.len() + place)
            }
        }
    }

    /// The same for an id of a row.
    pub(crate) fn position_of(&self, id: RowId<'_>) -> Option<usize> {
        match id {
            RowId::Number(number) => self.numbers.binary_search(&number).ok(),
            RowId::Text(text) => self.position(text),
        }
    }

    /// Those at these places.
    pub(crate) fn at(&self, places: impl Iterator<Item = usize>) -> impl Iterator<Item = String> {
        let (numbers, guids) = (self.numbers.len(), self.numbers.len() + self.guids.len());
        places.filter_map(move |place| match place {
            _ if place < numbers => self.numbers.get(place).map(i64::to_string),
            _ if place < guids => self.guids.get(place - numbers).map(|guid| spelled(*guid)),
            _ => self.texts.get(place - guids).cloned(),
        })
    }

    /// Passes on those that are in none of the others, as text.
    pub(crate) fn each_without(&self, others: &[&IdSet], mut take: impl FnMut(&str)) {
        let mut text = String::with_capacity(36);
        for number in &self.numbers {
            if !others.iter().any(|other| other.numbers.binary_search(number).is_ok()) {
                text.clear();
                // Writing to a string never fails.
                let _ = write!(text, "{number}");
                take(&text);
            }
        }
        for guid in &self.guids {
            if !others.iter().any(|other| other.guids.binary_search(guid).is_ok()) {
                take(std::str::from_utf8(&digits(*guid)).unwrap_or_default());
            }
        }
        for text in &self.texts {
            if !others.iter().any(|other| other.texts.binary_search(text).is_ok()) {
                take(text);
            }
        }
    }

    pub(crate) fn without(&self, other: &IdSet) -> IdSet {
        let mut rest = self.clone();
        rest.numbers.retain(|number| other.numbers.binary_search(number).is_err());
        rest.guids.retain(|guid| other.guids.binary_search(guid).is_err());
        rest.texts.retain(|text| other.texts.binary_search(text).is_err());
        rest
    }

    pub(crate) fn with(&self, other: &IdSet) -> IdSet {
        let mut all = self.clone();
        all.numbers.extend_from_slice(&other.numbers);
        all.guids.extend_from_slice(&other.guids);
        all.texts.extend_from_slice(&other.texts);
        IdList(all).into_set()
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len() + self.guids.len() + self.texts.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn list(&self) -> impl Iterator<Item = String> {
        let guids = self.guids.iter().map(|guid| spelled(*guid));
        self.numbers.iter().map(i64::to_string).chain(guids).chain(self.texts.iter().cloned())
    }
}

/// The number that an id is, if its text is the number's normal spelling.
fn number(id: &str) -> Option<i64> {
    id.parse().ok().filter(|number: &i64| number.to_string() == id)
}

const HYPHENS: [usize; 4] = [8, 13, 18, 23];

/// The number that a GUID is, if its text is in the usual spelling.
fn guid(id: &str) -> Option<u128> {
    if id.len() != 36 {
        return None;
    }
    id.bytes().enumerate().try_fold(0, |guid: u128, (place, byte)| {
        let digit = match (byte, HYPHENS.contains(&place)) {
            (b'-', true) => return Some(guid),
            (b'0'..=b'9', false) => byte - b'0',
            (b'a'..=b'f', false) => byte - b'a' + 10,
            _ => return None,
        };
        Some(guid << 4 | u128::from(digit))
    })
}

fn spelled(guid: u128) -> String {
    String::from_utf8_lossy(&digits(guid)).into_owned()
}

/// The usual spelling.
fn digits(guid: u128) -> [u8; 36] {
    let mut text = [b'-'; 36];
    let places = (0..36).filter(|place| !HYPHENS.contains(place));
    for (place, shift) in places.zip((0..32).rev().map(|digit| digit * 4)) {
        let digit = usize::try_from((guid >> shift) & 15).unwrap_or_default();
        text[place] = b"0123456789abcdef"[digit];
    }
    text
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
        let guids = ids.guids.iter().map(|guid| spelled(*guid));
        Runs { runs, texts: guids.chain(ids.texts).collect() }
    }
}

impl From<Runs> for IdSet {
    fn from(runs: Runs) -> Self {
        let mut ids = IdList::default();
        ids.0.numbers.extend(runs.runs.into_iter().flat_map(|(first, last)| first..=last));
        runs.texts.iter().for_each(|text| ids.insert_text(text));
        ids.into_set()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_survives_its_file() {
        let mut ids = IdList::default();
        let guid = "00c0ffee-0000-4000-8000-00000000000a";
        let capital = guid.to_uppercase();
        for id in ["1", "2", "3", "7", "-1", "007", "a-b", "9223372036854775807", guid, &capital] {
            ids.insert_text(id);
        }
        let ids = ids.into_set();
        let json = serde_json::to_string(&ids).expect("JSON");
        assert!(json.contains("[1,3]") && json.contains("007"), "{json}");
        assert_eq!(serde_json::from_str::<IdSet>(&json).expect("a set"), ids);
        assert!(ids.contains("007") && !ids.contains("8"));
        assert!(ids.contains(guid) && ids.contains(&capital) && ids.len() == 10);
        for (place, id) in ids.list().enumerate() {
            assert_eq!(ids.position(&id), Some(place));
            assert_eq!(ids.at([place].into_iter()).collect::<Vec<_>>(), [id]);
        }
        let others = ["007", guid, "1"].map(|id| {
            let mut other = IdList::default();
            other.insert_text(id);
            other.into_set()
        });
        let mut rest = Vec::new();
        ids.each_without(&others.each_ref(), |id| rest.push(id.to_owned()));
        let others = others.iter().fold(ids.clone(), |rest, other| rest.without(other));
        assert_eq!(rest, others.list().collect::<Vec<_>>());
        assert_eq!(rest.len(), 7);
    }
}
