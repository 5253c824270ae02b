//! The form of questions and labels.

use sondage_macros::words;

/// The form of questions and labels.
#[words]
#[derive(Default)]
#[non_exhaustive]
pub enum LabelText {
    /// Without markup, entities and superfluous blanks.
    #[default]
    Plain,
    /// As in the questionnaire.
    Raw,
}
