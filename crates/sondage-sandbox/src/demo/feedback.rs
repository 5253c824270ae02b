//! A small survey with everything that the real one lacks: every state, a multiple choice, a matrix, free text with
//! emoji, dates, missing answers, custom and URL variables, and members for its interviews.

use super::{anes, empty_survey, moment};
use crate::random::SeededRng;
use crate::world::survey::{AnswerRange, STATES};
use crate::world::{Interview, InvitationOrigin, Panel, Survey, SurveyVariable};
use chrono::TimeDelta;
use indexmap::IndexMap;
use serde_json::{Value, json};

const INTERVIEWS: usize = 60;
/// 4 March 2024, 07:00 UTC.
const FIRST: i64 = 1_709_535_600;

const REMARKS: [&str; 6] = [
    "Très bien, merci !",
    "Bitte kürzer, und größer gedruckt",
    "Love it 🎉",
    "",
    "a, b; \"c\"\nand a second line",
    "Zürich → Genève: 5 < 6 & 7 > 6",
];

pub(super) fn survey(id: i64, workspace_id: i64, seed: u64, panel: &mut Panel) -> Survey {
    let mut survey = empty_survey(id, workspace_id, "Newsletter feedback", moment(FIRST));
    "de".clone_into(&mut survey.default_language);
    survey.languages = ["de", "en", "fr", "it"].map(str::to_owned).to_vec();
    survey.variables = variables();
    for (number, member) in panel.members.values_mut().take(INTERVIEWS).enumerate() {
        let mut rng = SeededRng::for_item(seed, 2_000_000 + number as u64);
        // Most are completed, and every other state occurs.
        let state = if number % 4 == 3 { STATES[number / 4 % STATES.len()] } else { "Completed" };
        let start = moment(FIRST) + TimeDelta::minutes(41 * i64::try_from(number).unwrap_or(0));
        let mut interview = anes::completed(&mut rng, start);
        interview.state = state;
        interview.answers = answers(&mut rng, state);
        interview.language = member.values.get(3).and_then(Value::as_str).map(str::to_owned);
        interview.origin = Some(InvitationOrigin {
            panel_id: panel.id,
            member_id: member.id,
            sampling_project_id: id * 10 + 1,
            distributor_id: id * 10 + 2,
        });
        interview.custom = IndexMap::from([("Wave".to_owned(), (1 + number % 3).to_string())]);
        if number % 2 == 0 {
            interview.url = IndexMap::from([("utm_source".to_owned(), "newsletter".to_owned())]);
        }
        unfinished(&mut interview);
        member.interviews.push((id, interview.id.clone()));
        survey.interviews.insert(interview.id.clone(), interview);
    }
    survey
}

fn unfinished(interview: &mut Interview) {
    if matches!(interview.state, "NotResponded" | "InProgress") {
        interview.end = None;
    }
    if interview.state == "NotResponded" {
        (interview.start, interview.updated_at, interview.updated_by) = (None, None, None);
    }
}

fn variables() -> Vec<SurveyVariable> {
    let variable = |code: &str, kind, data_type, question: &str| SurveyVariable {
        code: code.to_owned(),
        data_type,
        question_code: code.split('_').next().unwrap_or(code).to_owned(),
        kind,
        question: question.to_owned(),
        section: "Newsletter".to_owned(),
        ..SurveyVariable::default()
    };
    let labels =
        |pairs: &[(&str, &str)]| pairs.iter().map(|(v, l)| ((*v).to_owned(), (*l).to_owned())).collect();
    let topics = [("1", "Politik"), ("2", "Kultur"), ("3", "Sport")].map(|(number, choice)| SurveyVariable {
        choice: Some(choice.to_owned()),
        values: labels(&[("0", "No"), ("1", "Yes")]),
        ..variable(&format!("topics_{number}"), "MultipleChoice", "Number", "Which topics interest you?")
    });
    let aspects = [("1", "Layout"), ("2", "Content")].map(|(number, row)| SurveyVariable {
        row: Some(row.to_owned()),
        values: labels(&[("1", "Bad"), ("2", "Fair"), ("3", "Good")]),
        ..variable(&format!("aspects_{number}"), "Matrix", "Number", "How do you like it?")
    });
    let within = |max: f64| AnswerRange { min: Some(0.0), max: Some(max), ..AnswerRange::default() };
    let mut all = vec![SurveyVariable {
        range: within(10.0),
        ..variable("nps", "Nps", "Number", "Would you recommend the newsletter?")
    }];
    all.extend(topics);
    all.extend(aspects);
    all.push(variable("since", "Date", "Date", "Reader since"));
    all.push(SurveyVariable {
        range: within(168.0),
        ..variable("hours", "Slider", "Real", "Hours of reading a week")
    });
    all.push(SurveyVariable {
        section: "Closing".to_owned(),
        ..variable("remark", "OpenQuestion", "String", "Anything else?")
    });
    all
}

fn answers(rng: &mut SeededRng, state: &str) -> Vec<Value> {
    let mut answer = |value: Value| if rng.one_in(7) { Value::Null } else { value };
    let mut answers = match state {
        "NotResponded" => return Vec::new(),
        _ => vec![answer(json!(0)), answer(json!(0)), answer(json!(1)), answer(json!(0)), answer(json!(2))],
    };
    answers[0] = if answers[0].is_null() { Value::Null } else { json!(rng.below(11)) };
    if state == "InProgress" {
        return answers;
    }
    for topic in answers.iter_mut().skip(1).take(3).filter(|topic| !topic.is_null()) {
        *topic = json!(rng.below(2));
    }
    answers[4] = json!(1 + rng.below(3));
    answers.push(json!(1 + rng.below(3)));
    answers.push(json!(format!("20{}-0{}-1{}", 10 + rng.below(13), 1 + rng.below(9), rng.below(10))));
    answers.push(if rng.one_in(8) {
        Value::Null
    } else {
        json!(0.25 * f64::from(u32::try_from(rng.below(40)).unwrap_or(0)))
    });
    answers.push(json!(*rng.pick(&REMARKS)));
    answers
}
