//! Invented answers: people who see what is shown to them, and choose unevenly.

use super::conditions::{ColumnIndex, CompiledRules};
use super::consistency::is_choice;
use super::exits::{CompiledExit, Exit};
use crate::profile::Profile;
use crate::random::SeededRng;
use crate::world::survey::{AnswerRange, Interview, Survey, SurveyVariable, VariableRole};
use chrono::NaiveDate;
use serde_json::{Value, json};
use std::collections::HashMap;

/// One answer in this many is "not available", where that is offered.
const NOT_AVAILABLE: u64 = 12;
/// One question in this many is left out, where no answer is required.
const SKIPPED: u64 = 20;
/// One text in this many is written beside a choice that does not require it.
const BESIDE: u64 = 3;

/// The questions of a survey, ready to be answered.
pub(crate) struct Respondents<'a> {
    variables: &'a [SurveyVariable],
    rules: Vec<CompiledRules>,
    exits: Vec<CompiledExit<'a>>,
    not_available: Option<i64>,
}

/// The way of one person through a survey.
pub(crate) struct Course<'a> {
    /// Which columns are asked.
    pub(crate) shown: Vec<bool>,
    /// The forwarding that ends the interview.
    pub(crate) exit: Option<&'a Exit>,
}

/// One person who answers.
struct Sheet<'a> {
    questions: &'a Respondents<'a>,
    interview: &'a Interview,
    planned: &'a HashMap<&'static str, Value>,
    rng: &'a mut SeededRng,
    answers: Vec<Value>,
}

impl<'a> Respondents<'a> {
    pub(crate) fn new(survey: &'a Survey, profile: &Profile) -> Self {
        let variables = survey.variables.as_slice();
        let columns = ColumnIndex::new(variables);
        let rules = variables.iter().enumerate();
        let rules = rules
            .map(|(at, variable)| variable.shown_if.compile(&columns, columns.asked_before(at), profile))
            .collect();
        let exits = survey.exits.iter().filter_map(|exit| exit.compile(&columns, profile)).collect();
        Self { variables, rules, exits, not_available: profile.not_available }
    }

    /// Which columns are asked of somebody who has given these answers. Answers to what is not asked do not count.
    pub(crate) fn course(&self, interview: &Interview, answers: &[Value]) -> Course<'a> {
        let mut answers = answers.to_vec();
        answers.resize(self.variables.len(), Value::Null);
        let mut shown = Vec::with_capacity(self.variables.len());
        let mut exit = None;
        for (at, rules) in self.rules.iter().enumerate() {
            exit = exit.or_else(|| self.exit(at, interview, &answers));
            let is_shown = exit.is_none() && rules.hold(interview, &answers);
            if !is_shown {
                answers[at] = Value::Null;
            }
            shown.push(is_shown);
        }
        let exit = exit.or_else(|| self.exit(self.variables.len(), interview, &answers));
        Course { shown, exit }
    }

    /// The forwarding that ends an interview before a column.
    fn exit(&self, column: usize, interview: &Interview, answers: &[Value]) -> Option<&'a Exit> {
        self.exits.iter().find_map(|exit| exit.taken(column, interview, answers))
    }

    /// The answers of one person, in the order of the variables, and the forwarding that ends the interview. Who stops early has
    /// answers to the first half at most.
    pub(crate) fn answers(
        &self,
        interview: &Interview,
        rng: &mut SeededRng,
        stops: bool,
    ) -> (Vec<Value>, Option<&'a Exit>) {
        self.planned_answers(interview, &HashMap::new(), rng, stops)
    }

    /// The same, for somebody whose answers to some columns are known. They are used where the question is shown, and the person
    /// neither leaves it out nor declines.
    pub(crate) fn planned_answers(
        &self,
        interview: &Interview,
        planned: &HashMap<&'static str, Value>,
        rng: &mut SeededRng,
        stops: bool,
    ) -> (Vec<Value>, Option<&'a Exit>) {
        let end = self.variables.len();
        let end = if stops { usize::try_from(rng.below(1 + end as u64 / 2)).unwrap_or(end) } else { end };
        let answers = vec![Value::Null; self.variables.len()];
        let mut sheet = Sheet { questions: self, interview, planned, rng, answers };
        let mut at = 0;
        loop {
            let exit = self.exit(at, interview, &sheet.answers);
            if exit.is_some() || at >= end {
                return (sheet.answers, exit);
            }
            at = sheet.answer_part(at);
        }
    }
}

impl Sheet<'_> {
    /// Answers the part that begins at a column, and returns the next column.
    fn answer_part(&mut self, at: usize) -> usize {
        let variables = self.questions.variables;
        let Some(first) = variables.get(at) else { return at + 1 };
        if first.role == VariableRole::Answer && first.is_ticked() {
            let same = |variable: &&SurveyVariable| {
                variable.question_code == first.question_code
                    && (first.kind == "MultipleChoice" || variable.row == first.row)
            };
            let end = at + variables[at..].iter().take_while(same).count();
            self.tick(at, end);
            return end;
        }
        if first.is_ranked() {
            let same = |variable: &&SurveyVariable| variable.question_code == first.question_code;
            let end = at + variables[at..].iter().take_while(same).count();
            self.rank(at, end);
            return end;
        }
        if self.is_shown(at) {
            self.answers[at] = self.answer(first);
        }
        at + 1
    }

    /// Ranks the choices of a question: the first ones are more popular.
    fn rank(&mut self, begin: usize, end: usize) {
        let variables = self.questions.variables;
        let mut left: Vec<usize> = (begin..end).filter(|at| self.is_shown(*at)).collect();
        let Some(first) = left.first().map(|at| &variables[*at]) else { return };
        if let Some(code) = self.not_available(first) {
            for at in left {
                self.answers[at] = code.clone();
            }
        } else if first.required || !self.rng.one_in(SKIPPED) {
            let ranks = first.range.max.unwrap_or(f64::INFINITY);
            let mut rank = 1;
            while !left.is_empty() && as_float(rank) <= ranks {
                let place = self.rng.below(left.len() as u64).min(self.rng.below(left.len() as u64));
                let at = left.remove(usize::try_from(place).unwrap_or(0));
                self.answers[at] = json!(rank);
                rank += 1;
            }
        }
    }

    fn is_shown(&self, at: usize) -> bool {
        self.questions.rules[at].hold(self.interview, &self.answers)
    }

    /// Answers a question of which several choices may be ticked.
    fn tick(&mut self, begin: usize, end: usize) {
        let variables = self.questions.variables;
        let offered: Vec<usize> = (begin..end)
            .filter(|at| variables[*at].role == VariableRole::Answer && self.is_shown(*at))
            .collect();
        let Some(first) = offered.first().map(|at| &variables[*at]) else { return };
        let count = (begin..end).find(|at| variables[*at].role == VariableRole::Count);
        if let Some(code) = self.not_available(first) {
            for at in offered {
                self.answers[at] = code.clone();
            }
        } else if first.required || !self.rng.one_in(SKIPPED) {
            let range = count.map(|at| variables[at].range).unwrap_or_default();
            let ticked = self.choose(&offered, range.min.unwrap_or(1.0), range.max);
            for at in offered {
                self.answers[at] = json!(u8::from(ticked.contains(&at)));
            }
        }
        if let Some(count) = count {
            let ticked = (begin..end)
                .filter(|at| variables[*at].role == VariableRole::Answer && self.answers[*at] == 1);
            self.answers[count] = json!(ticked.count());
        }
        for at in (begin..end).filter(|at| matches!(variables[*at].role, VariableRole::TextBeside { .. })) {
            self.answers[at] = self.answer(&variables[at]);
        }
    }

    /// The choices that are ticked: the first ones are more popular.
    fn choose(&mut self, offered: &[usize], min: f64, max: Option<f64>) -> Vec<usize> {
        let variables = self.questions.variables;
        let mut ticked = Vec::new();
        for (place, at) in offered.iter().enumerate() {
            let is_full = max.is_some_and(|max| as_float(ticked.len()) >= max);
            if is_full || !self.rng.one_in(2 + place.min(6) as u64) {
                continue;
            }
            if variables[*at].exclusive {
                return vec![*at];
            }
            ticked.push(*at);
        }
        let plain = offered.iter().filter(|at| !variables[**at].exclusive);
        for at in plain {
            if as_float(ticked.len()) >= min {
                break;
            }
            if !ticked.contains(at) {
                ticked.push(*at);
            }
        }
        ticked
    }

    /// The code of "not available", if this person answers so.
    fn not_available(&mut self, variable: &SurveyVariable) -> Option<Value> {
        let code = self.questions.not_available?;
        let is_chosen = variable.not_available.is_some() && self.rng.one_in(NOT_AVAILABLE);
        is_chosen.then(|| variable.not_available_value(code))
    }

    fn answer(&mut self, variable: &SurveyVariable) -> Value {
        match &variable.role {
            VariableRole::Count => return Value::Null,
            VariableRole::TextBeside { column, value } => {
                if !self.has(column, value) || (!variable.required && !self.rng.one_in(BESIDE)) {
                    return Value::Null;
                }
            }
            VariableRole::Answer => {
                if let Some(code) = self.not_available(variable) {
                    return code;
                }
                if !variable.required && self.rng.one_in(SKIPPED) {
                    return Value::Null;
                }
            }
        }
        if let Some(planned) = self.planned.get(variable.code.as_str()) {
            return planned.clone();
        }
        if !variable.values.is_empty() {
            return self.choice(variable);
        }
        match (variable.kind, variable.data_type) {
            (_, "Number" | "Real") => self.number(variable),
            (_, "Date") => self.date(variable),
            ("Email", _) => json!(format!("person{}@example.com", self.rng.below(1000))),
            _ => self.text(variable),
        }
    }

    /// Whether a column has this value, or any value if it is empty.
    fn has(&self, column: &str, value: &str) -> bool {
        let at = self.questions.variables.iter().position(|variable| variable.code == column);
        let answer = at.and_then(|at| self.answers.get(at)).unwrap_or(&Value::Null);
        if value.is_empty() { !answer.is_null() } else { is_choice(answer, value) }
    }

    /// A choice: the nearer to the question's most popular one, the more probable.
    fn choice(&mut self, variable: &SurveyVariable) -> Value {
        let count = variable.values.len();
        let peak =
            variable.code.bytes().fold(7_usize, |sum, byte| sum.wrapping_mul(31) + usize::from(byte)) % count;
        let weight = |place: usize| 60 / (1 + place.abs_diff(peak) as u64).min(60);
        let mut left = self.rng.below((0..count).map(weight).sum());
        let place = (0..count).find(|place| {
            let is_here = left < weight(*place);
            left = left.saturating_sub(weight(*place));
            is_here
        });
        let (code, _) = &variable.values[place.unwrap_or(peak)];
        variable.as_given(json!(code))
    }

    /// A number in the question's range: the middle is more probable than the ends.
    fn number(&mut self, variable: &SurveyVariable) -> Value {
        let (low, high): (f64, f64) = match variable.kind {
            "Nps" => (0.0, 10.0),
            "StarScale" | "SemanticDifferential" | "ImplicitAssociation" => (1.0, 5.0),
            _ => (0.0, 100.0),
        };
        let range = variable.range;
        let low = range.min.unwrap_or_else(|| range.max.map_or(low, |max| low.min(max)));
        let high = range.max.unwrap_or(if low < high { high } else { low + 100.0 });
        let unit = as_float_of(self.rng.below(1001) + self.rng.below(1001)) / 2000.0;
        let number = low + (high - low) * unit;
        if variable.data_type == "Number" {
            #[allow(clippy::cast_possible_truncation)] // in the range of a question
            return json!(number.round().min(high.floor()).max(low.ceil()) as i64);
        }
        let decimals = u32::try_from(range.decimals.unwrap_or(2).clamp(0, 9)).unwrap_or(2);
        let scale = f64::from(10_u32.pow(decimals));
        // The nearest one may lie outside of the range.
        json!((number * scale).round().max((low * scale).ceil()).min((high * scale).floor()) / scale)
    }

    /// A date of 2024, or near a limit that excludes a part of that year.
    fn date(&mut self, variable: &SurveyVariable) -> Value {
        let AnswerRange { earliest, latest, .. } = variable.range;
        let (begin, end) = (NaiveDate::from_ymd_opt(2024, 1, 1), NaiveDate::from_ymd_opt(2024, 12, 31));
        if earliest <= begin && latest.is_none_or(|latest| Some(latest) >= end) {
            return json!(format!("2024-{:02}-{:02}", 1 + self.rng.below(12), 1 + self.rng.below(28)));
        }
        let year = chrono::Days::new(365);
        let first = earliest.max(begin).filter(|first| latest.is_none_or(|latest| *first <= latest));
        let first = first.or_else(|| latest?.checked_sub_days(year).max(earliest)).unwrap_or_default();
        let last = first.checked_add_days(year).unwrap_or(first);
        let days = (latest.map_or(last, |latest| latest.min(last)) - first).num_days();
        let days = self.rng.below(1 + u64::try_from(days).unwrap_or(0));
        json!(first.checked_add_days(chrono::Days::new(days)).unwrap_or(first).to_string())
    }

    fn text(&mut self, variable: &SurveyVariable) -> Value {
        const WORDS: [&str; 8] = [
            "Alles gut",
            "Très bien, merci !",
            "More of it, please",
            "Più grande 🙂",
            "It was fine; \"quite\" fine,\nI would say",
            "Grüezi mitenand",
            "  2 < 3 & more ",
            "x",
        ];
        let text: String =
            self.rng.pick(&WORDS).chars().take(variable.range.characters.unwrap_or(usize::MAX)).collect();
        json!(text)
    }
}

impl SurveyVariable {
    /// Whether it is one of several that may be ticked.
    pub(crate) fn is_ticked(&self) -> bool {
        self.choice.is_some() && self.values.len() == 2 && self.values[0].0 == "0" && self.values[1].0 == "1"
    }

    /// The code of the choice that it stands for, if it is one of several that may be ticked.
    pub(super) fn choice_code(&self) -> Option<&str> {
        let name = self.code.strip_prefix(&self.question_code).and_then(|name| name.strip_prefix('_'));
        let name = name.filter(|_| self.is_ticked());
        // In a matrix, the row is before it.
        name.and_then(|name| if self.row.is_some() { name.rsplit('_').next() } else { Some(name) })
    }

    /// "Not available" as it is stored in this column.
    pub(crate) fn not_available_value(&self, code: i64) -> Value {
        match self.data_type {
            "Number" | "Real" => json!(code),
            _ => json!(code.to_string()),
        }
    }
}

#[allow(clippy::cast_precision_loss)] // a number of choices
pub(crate) fn as_float(number: usize) -> f64 {
    number as f64
}

#[allow(clippy::cast_precision_loss)] // at most 2,000
fn as_float_of(number: u64) -> f64 {
    number as f64
}
