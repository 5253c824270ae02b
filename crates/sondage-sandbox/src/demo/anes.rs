//! The American National Election Study of 1996 as a survey: 944 completed interviews (see `data/README.md`).

use super::{empty_survey, moment};
use crate::random::SeededRng;
use crate::world::survey::AnswerRange;
use crate::world::{Interview, Survey, SurveyVariable};
use chrono::TimeDelta;
use serde_json::Value;
use std::sync::LazyLock;

const DATA: &str = include_str!("../../data/anes96.csv");
/// 1 October 1996, 14:00 UTC: the interviews were taken before the election of that November.
const FIRST: i64 = 844_178_400;

const PLACES: &[(&str, &str)] = &[
    ("1", "Extremely liberal"),
    ("2", "Liberal"),
    ("3", "Slightly liberal"),
    ("4", "Moderate"),
    ("5", "Slightly conservative"),
    ("6", "Conservative"),
    ("7", "Extremely conservative"),
];
const PARTIES: &[(&str, &str)] = &[
    ("0", "Strong Democrat"),
    ("1", "Weak Democrat"),
    ("2", "Independent-Democrat"),
    ("3", "Independent"),
    ("4", "Independent-Republican"),
    ("5", "Weak Republican"),
    ("6", "Strong Republican"),
];
const SCHOOLS: &[(&str, &str)] = &[
    ("1", "1-8 grades"),
    ("2", "Some high school"),
    ("3", "High school graduate"),
    ("4", "Some college"),
    ("5", "College degree"),
    ("6", "Master's degree"),
    ("7", "PhD"),
];
const INCOMES: &[(&str, &str)] = &[
    ("1", "under 3"),
    ("2", "3-5"),
    ("3", "5-7"),
    ("4", "7-9"),
    ("5", "9-10"),
    ("6", "10-11"),
    ("7", "11-12"),
    ("8", "12-13"),
    ("9", "13-14"),
    ("10", "14-15"),
    ("11", "15-17"),
    ("12", "17-20"),
    ("13", "20-22"),
    ("14", "22-25"),
    ("15", "25-30"),
    ("16", "30-35"),
    ("17", "35-40"),
    ("18", "40-45"),
    ("19", "45-50"),
    ("20", "50-60"),
    ("21", "60-75"),
    ("22", "75-90"),
    ("23", "90-105"),
    ("24", "105 and over"),
];
const CANDIDATES: &[(&str, &str)] = &[("0", "Clinton"), ("1", "Dole")];
const SCALE: &str = "Where would you place these people, from left to right?";

/// A column of the file as a variable of the survey.
fn variable(column: &str) -> SurveyVariable {
    let (section, kind, question, row, values): (_, _, _, Option<&str>, &[(&str, &str)]) = match column {
        "popul" => ("Person", "OpenQuestion", "Population of the place, in thousands", None, &[]),
        "TVnews" => ("Media", "OpenQuestion", "Days a week with TV news", None, &[]),
        "selfLR" => ("Politics", "Matrix", SCALE, Some("Yourself"), PLACES),
        "ClinLR" => ("Politics", "Matrix", SCALE, Some("Bill Clinton"), PLACES),
        "DoleLR" => ("Politics", "Matrix", SCALE, Some("Bob Dole"), PLACES),
        "PID" => ("Politics", "SingleChoice", "Party identification", None, PARTIES),
        "age" => ("Person", "OpenQuestion", "Age in years", None, &[]),
        "educ" => ("Person", "SingleChoice", "Education", None, SCHOOLS),
        "income" => ("Person", "Dropdown", "Household income in $1,000", None, INCOMES),
        "vote" => ("Politics", "SingleChoice", "Expected vote", None, CANDIDATES),
        other => ("Other", "OpenQuestion", other, None, &[]),
    };
    SurveyVariable {
        code: column.to_owned(),
        data_type: "Number",
        question_code: if row.is_some() { "LR" } else { column }.to_owned(),
        kind,
        question: question.to_owned(),
        row: row.map(str::to_owned),
        values: values.iter().map(|(id, label)| ((*id).to_owned(), (*label).to_owned())).collect(),
        section: section.to_owned(),
        range: range(column),
        ..SurveyVariable::default()
    }
}

/// What a respondent can answer; the file has nothing else.
fn range(column: &str) -> AnswerRange {
    let (min, max) = match column {
        "popul" => (Some(0.0), None),
        "TVnews" => (Some(0.0), Some(7.0)),
        "age" => (Some(18.0), Some(120.0)),
        _ => (None, None),
    };
    AnswerRange { min, max, ..AnswerRange::default() }
}

/// The variables, and the answers of each respondent. Read once: every account has the survey.
static STUDY: LazyLock<(Vec<SurveyVariable>, Vec<Vec<Value>>)> = LazyLock::new(|| {
    let mut file = csv::ReaderBuilder::new().delimiter(b'\t').quote(b'\'').from_reader(DATA.as_bytes());
    let variables =
        file.headers().map_or_else(|_| Vec::new(), |header| header.iter().map(variable).collect());
    let respondents = file.records().flatten().map(|row| row.iter().map(number).collect()).collect();
    (variables, respondents)
});

pub(super) fn survey(id: i64, workspace_id: i64, seed: u64) -> Survey {
    let (variables, respondents) = &*STUDY;
    let mut survey = empty_survey(id, workspace_id, "American National Election Study 1996", moment(FIRST));
    survey.variables.clone_from(variables);
    survey.interviews.reserve(respondents.len());
    let mut rng = SeededRng::for_item(seed, u64::MAX);
    let mut start = moment(FIRST);
    for answers in respondents {
        let mut interview = completed(&mut rng, start);
        interview.answers.clone_from(answers);
        start += TimeDelta::seconds(600 + i64::try_from(rng.below(3600)).unwrap_or(0));
        survey.interviews.insert(interview.id.clone(), interview);
    }
    survey
}

/// A completed interview without its answers.
pub(crate) fn completed(rng: &mut SeededRng, start: chrono::DateTime<chrono::Utc>) -> Interview {
    let mut interview = Interview::new(rng.guid(), start, "survey");
    let end = start + TimeDelta::milliseconds(240_000 + i64::try_from(rng.below(900_000)).unwrap_or(0));
    interview.state = "Completed";
    interview.language = Some("en".to_owned());
    interview.start = Some(start);
    interview.end = Some(end);
    interview.updated_at = Some(end);
    interview.updated_by = Some("survey".to_owned());
    interview
}

/// A cell of the file. All of them are integers.
fn number(text: &str) -> Value {
    text.trim().parse::<i64>().map_or(Value::Null, Value::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_of_the_file_is_an_answer_with_a_meaning() {
        let survey = survey(1, 1, 1996);
        assert_eq!(survey.interviews.len(), 944);
        let lines = DATA.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
        for (interview, cells) in survey.interviews.values().zip(lines) {
            let answers: Vec<String> = interview.answers.iter().map(ToString::to_string).collect();
            assert_eq!(answers, cells);
            for (variable, answer) in survey.variables.iter().zip(&answers) {
                let matches = |(id, _): &(String, String)| id == answer;
                assert!(
                    variable.values.is_empty() || variable.values.iter().any(matches),
                    "{} {answer}",
                    variable.code
                );
            }
        }
    }
}
