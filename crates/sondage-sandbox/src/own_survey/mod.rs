//! A survey from the user's files: answers as CSV and a code plan that describes them, or a questionnaire without answers.

mod editor;
mod frame;
mod json_text;
mod not_carried_out;
mod plan;
mod rows;
mod unique_keys;

pub use frame::{Frame, FrameColumn};

use crate::demo::{empty_survey, moment};
use crate::world::Survey;
use crate::world::questionnaire::variables;
use sondage::model::SurveyDefinition;
use std::io;
use std::path::Path;

/// 1 May 2024, 12:00 UTC: the creation time of a survey from a file, and of its interviews if the file has none.
const MADE: i64 = 1_714_564_800;

/// Reads a survey. Without a code plan, the types of the columns (texts, numbers, dates) follow from their cells.
pub(crate) fn read(
    (id, workspace_id): (i64, i64),
    seed: u64,
    data: &Path,
    plan: Option<&Path>,
) -> io::Result<Survey> {
    let (variables, file) = (plan.map(plan::read), rows::AnswersFile::open(data));
    let (variables, file) = match (variables, file) {
        (variables, Ok(file)) => (variables, file),
        (Some(Err(first)), Err(second)) => return Err(both(&first, &second)),
        (_, Err(error)) => return Err(error),
    };
    let name = data.file_stem().unwrap_or_default().to_string_lossy();
    let mut survey = empty_survey(id, workspace_id, &name, moment(MADE));
    match variables {
        Some(Ok(variables)) => survey.variables = variables,
        None => survey.variables = file.variables(),
        // Without its plan, the service's own columns of the file can be checked.
        Some(Err(error)) => {
            return Err(match file.interviews(&file.variables(), seed) {
                Ok(_) => error,
                Err(other) => both(&error, &other),
            });
        }
    }
    for interview in file.interviews(&survey.variables, seed)? {
        survey.interviews.insert(interview.id.clone(), interview);
    }
    Ok(survey)
}

/// Reads a survey without answers, from the editor's export of its questionnaire.
pub(crate) fn read_questionnaire(ids: (i64, i64), path: &Path) -> io::Result<Survey> {
    editor::read(ids, path)
}

/// The questionnaire in a text in the form of the editor's export, and what of it is not carried out.
pub(crate) fn questionnaire(text: &str) -> Result<(SurveyDefinition, Vec<String>), String> {
    editor::parse(text)
}

/// What of a questionnaire is not carried out when people answer.
pub(crate) fn not_carried_out(definition: &SurveyDefinition) -> Vec<String> {
    not_carried_out::of_definition(definition, &variables(definition))
}

/// The mistakes of two sources as one error.
pub(crate) fn both(first: &io::Error, second: &io::Error) -> io::Error {
    io::Error::new(first.kind(), format!("{first}; {second}"))
}

/// The error for a file that cannot be used: it names the file and the position.
fn wrong(path: &Path, what: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{}: {what}", path.display()))
}
