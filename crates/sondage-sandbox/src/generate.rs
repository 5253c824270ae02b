//! Large states from a seed: 10^5 members or interviews and more, the same each time.

use crate::demo::{self, empty_survey, moment};
use crate::random::SeededRng;
use crate::world::{IdCounters, Interview, Panel, Survey, SurveyVariable};
use chrono::TimeDelta;
use serde_json::{Value, json};

/// Members with the fields of the demo's panel.
pub(crate) fn members(panel: &mut Panel, ids: &mut IdCounters, seed: u64, count: u64) {
    panel.members.reserve(usize::try_from(count).unwrap_or(0));
    for number in 0..count {
        let member = demo::member(seed, number, ids.next_member());
        panel.members.insert(member.id, member);
    }
}

/// A survey of `count` completed interviews and `columns` questions: choices, numbers, decimals, texts and dates in
/// turn, one answer in twelve missing.
pub(crate) fn survey(id: i64, workspace_id: i64, seed: u64, count: u64, columns: usize) -> Survey {
    let mut survey = empty_survey(id, workspace_id, "Generated survey", moment(1_700_000_000));
    survey.variables = (0..columns).map(variable).collect();
    survey.interviews.reserve(usize::try_from(count).unwrap_or(0));
    for number in 0..count {
        let mut rng = SeededRng::for_item(seed, number);
        let start = moment(1_700_000_000 + 7 * i64::try_from(number).unwrap_or(0));
        let mut interview = Interview::new(rng.guid(), start, "survey");
        interview.state = "Completed";
        interview.language = Some("en".to_owned());
        interview.start = Some(start);
        interview.end = Some(start + TimeDelta::seconds(300));
        interview.updated_at = interview.end;
        interview.updated_by = Some("survey".to_owned());
        interview.answers = (0..columns).map(|column| answer(&mut rng, column)).collect();
        survey.interviews.insert(interview.id.clone(), interview);
    }
    survey
}

const CHOICES: [&str; 5] = ["Never", "Seldom", "Sometimes", "Often", "Always"];
const WORDS: [&str; 8] = ["gut", "très", "naïve", "größer", "and", "Öl", "🙂", "plain"];

fn variable(column: usize) -> SurveyVariable {
    let code = format!("Q{}", column + 1);
    let (kind, data_type) = match column % 5 {
        0 => ("SingleChoice", "Number"),
        1 => ("OpenQuestion", "Number"),
        2 => ("Slider", "Real"),
        3 => ("OpenQuestion", "String"),
        _ => ("Date", "Date"),
    };
    let label = |(number, label): (usize, &&str)| ((number + 1).to_string(), (*label).to_owned());
    SurveyVariable {
        question: format!("Question {}", column + 1),
        question_code: code.clone(),
        code,
        data_type,
        kind,
        values: if kind == "SingleChoice" {
            CHOICES.iter().enumerate().map(label).collect()
        } else {
            Vec::new()
        },
        section: format!("Section {}", 1 + column / 10),
        ..SurveyVariable::default()
    }
}

fn answer(rng: &mut SeededRng, column: usize) -> Value {
    if rng.one_in(12) {
        return Value::Null;
    }
    match column % 5 {
        0 => json!(1 + rng.below(CHOICES.len() as u64)),
        1 => json!(rng.below(100_000)),
        2 => json!(f64::from(u32::try_from(rng.below(1_000_000)).unwrap_or(0)) / 1000.0),
        3 => json!(format!("{} {} {}", rng.pick(&WORDS), rng.pick(&WORDS), rng.below(1000))),
        _ => json!(format!("2023-{:02}-{:02}", 1 + rng.below(12), 1 + rng.below(28))),
    }
}
