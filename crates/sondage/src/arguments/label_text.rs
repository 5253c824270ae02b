//! The form of questions and labels.

use super::{Argument, ArgumentType};
use serde::Deserialize;

/// The form of questions and labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LabelText {
    /// Without markup, entities and superfluous blanks.
    #[default]
    Plain,
    /// As in the questionnaire.
    Raw,
}

impl Argument for LabelText {
    const TYPE: ArgumentType = ArgumentType::Word(&["plain", "raw"]);
}
