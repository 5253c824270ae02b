//! Words of the platform, such as states and types: they live as long as the process.

use serde::{Deserialize, Deserializer};
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// One of few words. Not a plain reference, because serde would want to borrow it from what it reads.
pub(crate) type Word = &'static str;

/// The labels of the values of a field: language, then value and label.
pub(crate) type FieldLabels = Vec<(Word, Vec<(Word, Word)>)>;

/// Reads a word.
pub(crate) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
    String::deserialize(deserializer).map(kept)
}

pub(crate) fn read_labels<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FieldLabels, D::Error> {
    let read = Vec::<(String, Vec<(String, String)>)>::deserialize(deserializer)?;
    let pair = |(value, label)| (kept(value), kept(label));
    Ok(read
        .into_iter()
        .map(|(language, labels)| (kept(language), labels.into_iter().map(pair).collect()))
        .collect())
}

/// The same word for the same text, so that each uses memory once.
fn kept(text: String) -> Word {
    static WORDS: Mutex<Option<HashSet<Word>>> = Mutex::new(None);
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    let words = words.get_or_insert_default();
    if let Some(known) = words.get(text.as_str()) {
        return known;
    }
    let word: Word = Box::leak(text.into_boxed_str());
    words.insert(word);
    word
}
