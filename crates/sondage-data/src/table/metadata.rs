//! The metadata of columns as Arrow field metadata, so that it stays with the table.

use arrow_schema::{Field, Metadata};
use serde_json::json;

use super::layout::Origin;
use crate::meaning::{Survey, ValueLabel, Variable, VariableTexts};

/// The variable's label: question, row and choice in one line.
pub const LABEL: &str = "sondage.label";
/// The text of the question, or the display name of a field.
pub const QUESTION: &str = "sondage.question";
/// The code of the question, when several columns share one.
pub const QUESTION_CODE: &str = "sondage.question_code";
/// The row of a matrix.
pub const ROW: &str = "sondage.row";
/// The choice of a multiple choice question.
pub const CHOICE: &str = "sondage.choice";
/// The type of question, in the service's terms.
pub const TYPE: &str = "sondage.type";
/// The data type, in the service's terms.
pub const DATA_TYPE: &str = "sondage.data_type";
/// The section of the questionnaire, or the group of a field.
pub const SECTION: &str = "sondage.section";
/// Codes and labels in the questionnaire's order, as JSON: `[{"id": "1", "value": "Very good"}, ..]`.
pub const VALUES: &str = "sondage.values";
/// The texts with the markup of the questionnaire, where the others have none, as JSON: `question`, `row`, `choice`, and the `labels` of
/// [`VALUES`] in their order.
pub const ORIGINAL: &str = "sondage.original";
/// The texts of the other languages of a survey, as JSON: for each language what [`ORIGINAL`] has, the texts with markup (`original`),
/// and how many texts are not translated (`untranslated`).
pub const TRANSLATIONS: &str = "sondage.translations";
/// The origin of the column: `service`, `question`, `field` or `other`.
pub const ORIGIN: &str = "sondage.origin";
/// `json`, for a text column that contains arrays or objects as JSON.
pub const FORMAT: &str = "sondage.format";
/// In a column of labels: the name of the column whose codes it labels.
pub const LABELS_OF: &str = "sondage.labels_of";
/// In a column of labels: what the codes are: `integer`, `decimal` or `text`.
pub const CODES: &str = "sondage.codes";
/// In a column of lists of labels: `labels`. A column of codes and one of a dictionary have no such key.
pub const LISTS_OF: &str = "sondage.lists_of";
/// The codes that were declared as missing answers, with their labels, as JSON in the form of [`VALUES`].
pub const MISSING: &str = "sondage.missing";
/// In a column of reasons: the name of the column whose missing answers it explains.
pub const MISSING_OF: &str = "sondage.missing_of";
/// In the schema of a file: the rows whose answer is missing because the choice is not available, as JSON.
pub const UNAVAILABLE: &str = "sondage.unavailable";
/// In the schema: name of the survey.
pub const SURVEY_NAME: &str = "sondage.survey_name";
/// In the schema: its default language.
pub const SURVEY_LANGUAGE: &str = "sondage.survey_default_language";
/// In the schema: all its languages, as JSON.
pub const SURVEY_LANGUAGES: &str = "sondage.survey_languages";

/// The metadata of a column.
pub(super) fn of(origin: Origin, variable: Option<&Variable>, nested: bool) -> Metadata {
    let mut metadata = Metadata::from([(ORIGIN, origin.word())]);
    if nested {
        metadata.insert(FORMAT, "json");
    }
    if let Some(variable) = variable {
        metadata.extend(of_variable(variable));
    }
    metadata
}

/// What a variable says of its column.
pub(super) fn of_variable(variable: &Variable) -> impl Iterator<Item = (&'static str, String)> {
    let texts = [
        (LABEL, variable.label()),
        (QUESTION, variable.question.clone()),
        (QUESTION_CODE, variable.question_code.clone()),
        (ROW, variable.row.clone()),
        (CHOICE, variable.choice.clone()),
        (TYPE, variable.question_type.clone()),
        (DATA_TYPE, variable.data_type.clone()),
        (SECTION, variable.section.clone()),
        (VALUES, values(variable)),
        (ORIGINAL, variable.original.as_deref().map(original)),
        (TRANSLATIONS, translations(variable)),
    ];
    texts.into_iter().filter_map(|(key, text)| Some((key, text?)))
}

/// The texts of every language, when there are several.
fn translations(variable: &Variable) -> Option<String> {
    let known = Some(&variable.translations).filter(|known| !known.is_empty());
    known.and_then(|known| serde_json::to_string(known).ok())
}

fn original(texts: &VariableTexts) -> String {
    let VariableTexts { question, row, choice, labels, .. } = texts;
    json!({ "question": question, "row": row, "choice": choice, "labels": labels }).to_string()
}

/// The metadata of a column that is described by a sentence.
pub(crate) fn of_list(what: &str, json: bool) -> Metadata {
    let mut metadata =
        Metadata::from([(ORIGIN, Origin::Service.word().to_owned()), (LABEL, what.to_owned())]);
    if json {
        metadata.insert(FORMAT, "json".to_owned());
    }
    metadata
}

/// The codes and labels of a variable as JSON, when it has any.
pub(super) fn values(variable: &Variable) -> Option<String> {
    if variable.values.is_empty() { None } else { serde_json::to_string(&variable.values).ok() }
}

/// The codes and labels of a column.
pub(crate) fn values_of(field: &Field) -> Vec<ValueLabel> {
    let json = field.metadata().get(VALUES);
    json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
}

/// The codes of a column that were declared as missing answers.
pub(crate) fn missing(field: &Field) -> Vec<ValueLabel> {
    let json = field.metadata().get(MISSING);
    json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
}

/// Codes that were declared as missing answers, as [`MISSING`] has them.
pub(super) fn of_missing(declared: &[ValueLabel]) -> String {
    // Texts and codes are always JSON.
    serde_json::to_string(declared).unwrap_or_default()
}

/// The metadata of a whole table.
pub(super) fn of_survey(survey: &Survey) -> Metadata {
    let languages = serde_json::to_string(&survey.languages).ok().filter(|_| !survey.languages.is_empty());
    let texts = [
        (SURVEY_NAME, survey.name.clone()),
        (SURVEY_LANGUAGE, survey.default_language.clone()),
        (SURVEY_LANGUAGES, languages),
    ];
    texts.into_iter().filter_map(|(key, text)| Some((key, text?))).collect()
}
