//! An error as a value.

use crate::language::Language;
use serde::Serialize;
use sondage::Error;
use sondage::error::ErrorFacts;

/// All data of an error. Each language makes its own exception of it.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Failure(ErrorFacts);

impl Failure {
    /// The data of an error, in the words of a language.
    pub fn of<L: Language>(error: &Error) -> Self {
        Self(error.facts(&L::WORDING, |wait| L::TIME.count(wait)))
    }
}
