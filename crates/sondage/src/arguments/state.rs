//! The states of interviews.

use super::{Argument, ArgumentType};
use crate::error::{Error, Result};
use crate::model::INTERVIEW_STATES;
use crate::spelling::distance;
use crate::words::Words;

/// A state of an interview. The spelling of the last two is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InterviewState {
    /// Nobody has answered a question.
    NotResponded,
    /// Begun, and not ended.
    InProgress,
    /// Answered to the end.
    Completed,
    /// Ended because the respondent does not belong to the survey.
    Screenout,
    /// Ended because a quota was full.
    Quotafull,
}

impl InterviewState {
    /// The names of the states.
    pub const KNOWN: &'static [&'static str] = &INTERVIEW_STATES;
    const ALL: [Self; 5] =
        [Self::NotResponded, Self::InProgress, Self::Completed, Self::Screenout, Self::Quotafull];

    /// The name of the state.
    pub fn as_str(self) -> &'static str {
        Self::KNOWN[self as usize]
    }
}

impl std::str::FromStr for InterviewState {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::find(name).map_err(Error::invalid_argument)
    }
}

impl InterviewState {
    /// The state of this name, or why there is none.
    fn find(name: &str) -> std::result::Result<Self, String> {
        if let Some(state) = Self::ALL.into_iter().find(|state| state.as_str() == name) {
            return Ok(state);
        }
        let away = |known: &&str| distance(&known.to_ascii_lowercase(), &name.to_ascii_lowercase());
        let near = Self::KNOWN.iter().copied().min_by_key(away).filter(|known| away(known) <= 3);
        let suggestion = near.map_or_else(|| ".".to_owned(), |known| format!(": did you mean {known}?"));
        Err(format!(
            "no interview has the state {name:?}{suggestion} The states are {}; for any other, filter by the column `State`",
            Self::KNOWN.join(", ")
        ))
    }
}

impl<'de> serde::Deserialize<'de> for InterviewState {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        Self::find(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl Argument for InterviewState {
    const TYPE: ArgumentType = ArgumentType::Word(&Words {
        name: "InterviewState",
        docs: "A state of an interview.",
        texts: Self::KNOWN,
        listed: "",
        variants: &[],
    });
}
