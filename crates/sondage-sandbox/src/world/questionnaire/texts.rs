//! Texts of a questionnaire in one language.

use sondage::model::Translation;

/// The text in this language, whatever the case of its tag; else in the first language that has one. Public questionnaires
/// write `de-CH` and `de-ch` in the same survey, and have languages whose text is null.
pub(crate) fn label(texts: Option<&[Translation]>, language: &str) -> String {
    let texts = texts.unwrap_or_default();
    let same = |translation: &&Translation| translation.language_code.eq_ignore_ascii_case(language);
    let written = |translation: &Translation| translation.text.clone();
    texts.iter().filter(same).find_map(written).or_else(|| texts.iter().find_map(written)).unwrap_or_default()
}

/// The label of "not available". Where a questionnaire has no text, the platform has one, which is not published.
pub(crate) fn not_available_text(texts: Option<&[Translation]>, language: &str) -> String {
    let text = label(texts, language);
    if !text.is_empty() {
        return text;
    }
    let default = match language.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("de") => "Keine Angabe",
        Some("fr") => "Sans réponse",
        Some("it") => "Nessuna risposta",
        _ => "Not available",
    };
    default.to_owned()
}
