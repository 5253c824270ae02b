//! `survey_results`: how often each answer was given, of one question or of one by another.

mod cells;
mod field;
mod filter;
mod ledger;
mod show;
mod snapshot;

pub use ledger::SMALLEST;
pub use snapshot::Snapshots;

use cells::{Cells, FEW};
use ledger::Vector;
use serde_json::Value;
use snapshot::Snapshot;
use sondage::condition::{Expression, Test};
use sondage::model::{ConditionOperator as Op, ConditionType};
use sondage::reports::FrequencyKind;
use sondage_data::{Answers, Value as Cell};
use std::collections::BTreeMap;
use std::sync::PoisonError;

/// What is asked for.
#[derive(Debug)]
pub struct ResultsRequest {
    pub survey: i64,
    pub question: String,
    pub by: Option<String>,
    pub filter: Option<Expression>,
    pub weight: Option<String>,
}

/// A question, with what may be told about it.
struct Question {
    name: String,
    answers: Answers,
    is_public: bool,
}

/// The numbers of an answer to the request.
struct Counted {
    cells: Cells,
    /// The rows that match the filter and have a weight.
    base: Vec<u32>,
    /// The weight of each row.
    weights: Option<Vec<f64>>,
}

/// Answers the request. `is_open`: personal data may be shown.
pub fn answer(request: &ResultsRequest, snapshot: &Snapshot, is_open: bool) -> Result<Value, String> {
    let question = |argument: &str, name: &str| {
        let answers = snapshot.answers(argument, name, is_open)?;
        Ok::<_, String>(Question { name: name.to_owned(), answers, is_public: snapshot.is_public(name) })
    };
    let asked = question("question", &request.question)?;
    let by = request.by.as_deref().map(|name| question("by", name)).transpose()?;
    let weights = request.weight.as_deref().map(|name| weights(snapshot, name, is_open)).transpose()?;
    let rows = snapshot.table.num_rows();
    let filter = Filter::of(request.filter.as_ref(), snapshot, is_open)?;
    let has_weight = |row: &usize| weights.as_ref().is_none_or(|weights| weights[*row] > 0.0);
    let base = (0..rows).filter(|row| filter.mask[*row] && has_weight(row)).map(index).collect::<Vec<_>>();
    if let Some(by) = &by {
        for (argument, question) in [("question", &asked), ("by", by)] {
            is_categories(argument, question, is_open)?;
        }
    }
    let cells = match &by {
        Some(by) => show::table_cells(&asked.answers, &by.answers, &base),
        None => show::list_cells(&asked.answers, &base),
    };
    let mut counted = Counted { cells, base, weights };
    let questions: Vec<&Question> = std::iter::once(&asked).chain(&by).collect();
    let is_known =
        filter.is_public && request.weight.is_none() && questions.iter().all(|question| question.is_public);
    // How many there are is told, which is no secret only if everybody may know who they are.
    let is_base_known = filter.is_public && request.weight.is_none();
    if !is_open && !is_base_known && (1..SMALLEST).contains(&counted.base.len()) {
        return Err(FEW.to_owned());
    }
    if !is_open && !is_known {
        tell(&mut counted, &questions, &filter, snapshot)?;
    }
    match &by {
        Some(by) => show::table(request, snapshot, &counted, &asked, by, is_open),
        None => show::list(request, snapshot, &counted, &asked, is_open),
    }
}

/// Tells the numbers to a session that hides personal data, and hides those that it must not know.
fn tell(
    counted: &mut Counted,
    questions: &[&Question],
    filter: &Filter,
    snapshot: &Snapshot,
) -> Result<(), String> {
    let rows = snapshot.table.num_rows();
    let mut ledger = snapshot.ledger.lock().unwrap_or_else(PoisonError::into_inner);
    // What everybody may know of these rows is told, too, because numbers can be subtracted from it.
    let mut parts: BTreeMap<Vec<Option<u32>>, Vec<u32>> = BTreeMap::new();
    for row in 0..rows {
        let groups = questions
            .iter()
            .filter(|question| question.is_public)
            .map(|question| question.answers.rows[row].as_ref().and_then(|places| places.first()).copied());
        let tests = filter.public.iter().map(|mask| Some(u32::from(mask[row])));
        parts.entry(tests.chain(groups).collect()).or_default().push(index(row));
    }
    let mut selections: BTreeMap<&[Option<u32>], Vec<u32>> = BTreeMap::new();
    for (key, part) in &parts {
        selections.entry(&key[..filter.public.len()]).or_default().extend(part);
    }
    let all: Vec<Vector> = selections.values().map(|part| indicator(part, rows)).collect();
    ledger.tell(&all).map_err(|_| FEW.to_owned())?;
    let all: Vec<Vector> = parts.values().map(|part| indicator(part, rows)).collect();
    if ledger.tell(&all).is_err() {
        for (part, number) in parts.values().zip(all) {
            if ledger.tell(&[number]).is_ok() {
                continue;
            }
            for cell in 0..counted.cells.sets.len() {
                let shares = counted.cells.sets[cell].iter().any(|row| part.binary_search(row).is_ok());
                counted.cells.hidden[cell] |= shares;
            }
        }
    }
    show::hide_texts(questions, &mut counted.cells);
    show::hide_small_categories(questions, &mut counted.cells);
    // Sums from which means and shares are computed.
    let mut sums: Vec<Vec<f64>> = Vec::new();
    if let Some(weights) = &counted.weights {
        sums.push(weights.clone());
    }
    if let [question] = questions
        && question.answers.kind == FrequencyKind::Number
    {
        let weight = |row: usize| counted.weights.as_ref().map_or(1.0, |weights| weights[row]);
        let value = |(row, value): (usize, &Option<Cell>)| match value {
            Some(Cell::Number(number)) => number * weight(row),
            _ => 0.0,
        };
        sums.push(question.answers.values.iter().enumerate().map(value).collect());
    }
    counted.cells.tell(&counted.base, &sums, rows, &mut ledger)
}

fn indicator(of: &[u32], rows: usize) -> Vector {
    let mut vector = vec![0; rows];
    for row in of {
        vector[*row as usize] = 1;
    }
    vector
}

fn index(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX)
}

/// Whether a question has categories, as a table of two needs them.
fn is_categories(argument: &str, question: &Question, is_open: bool) -> Result<(), String> {
    let why = match question.answers.kind {
        FrequencyKind::Open => "has open answers",
        FrequencyKind::Number if !is_open => "has numbers, and single numbers are hidden",
        FrequencyKind::Number if question.answers.categories.len() > 100 => {
            "has more than 100 different numbers"
        }
        _ => return Ok(()),
    };
    Err(format!(
        "{argument}: `{}` {why}. A table of two questions takes questions of choices.",
        question.name
    ))
}

/// The weight of each row; 0 where it has none.
fn weights(snapshot: &Snapshot, name: &str, is_open: bool) -> Result<Vec<f64>, String> {
    let answers = snapshot.answers("weight", name, is_open)?;
    let number = |value: &Option<Cell>| match value {
        None => Ok(0.0),
        Some(Cell::Number(number)) if *number >= 0.0 && number.is_finite() => Ok(*number),
        Some(_) => Err(format!("weight: `{name}` is no column of numbers that are not negative.")),
    };
    if answers.kind == FrequencyKind::Multiple {
        return Err(format!("weight: `{name}` is a question of several choices. Take a column of numbers."));
    }
    answers.values.iter().map(number).collect()
}

/// A filter, evaluated.
struct Filter {
    mask: Vec<bool>,
    /// The tests of columns of the service.
    public: Vec<Vec<bool>>,
    /// Whether there are no others.
    is_public: bool,
}

/// The most tests of a filter in a session that hides personal data.
const MOST_TESTS: usize = 8;

impl Filter {
    fn of(filter: Option<&Expression>, snapshot: &Snapshot, is_open: bool) -> Result<Self, String> {
        let rows = snapshot.table.num_rows();
        let Some(filter) = filter else {
            return Ok(Self { mask: vec![true; rows], public: Vec::new(), is_public: true });
        };
        if !is_open && filter::tests(filter).len() > MOST_TESTS {
            return Err(format!("`where` has more than {MOST_TESTS} tests. Ask for less at once."));
        }
        let (mut public, mut is_public) = (Vec::new(), true);
        let mut rows_of = |test: &Test, negated: bool| {
            let is_shown = snapshot.is_public(&test.identifier);
            let answers = answers_of(test, snapshot, is_open)?;
            let may_list = is_open || is_shown || answers.categories.iter().all(|category| category.offered);
            let mask = filter::rows_of(test, &answers, negated, may_list)?;
            is_public &= is_shown;
            if is_shown {
                public.push(mask.clone());
            }
            Ok(mask)
        };
        let mask = filter::rows(filter, &mut rows_of, false)?;
        Ok(Self { mask, public, is_public })
    }
}

/// The answers that a test compares, if it may.
fn answers_of(test: &Test, snapshot: &Snapshot, is_open: bool) -> Result<Answers, String> {
    let name = &test.identifier;
    if !matches!(test.condition_type, ConditionType::SQL | ConditionType::Question)
        || test.json_path.is_some()
    {
        let why = if is_open {
            "`find_members` filters members."
        } else {
            "Values of members and variables are hidden."
        };
        return Err(format!(
            "`where`: results are filtered by questions and columns of the service, not by `{name}`. {why}"
        ));
    }
    let answers = snapshot.answers("`where`", name, is_open)?;
    if is_open || snapshot.is_public(name) {
        return Ok(answers);
    }
    let is_empty = matches!(test.operator, Op::IsEmpty | Op::IsNotEmpty | Op::AnyIsEmpty | Op::AnyIsNotEmpty);
    let is_equal =
        matches!(test.operator, Op::IsEqualTo | Op::IsNotEqualTo | Op::AnyIsEqual | Op::AnyIsNotEqual);
    let has_texts = answers.kind == FrequencyKind::Open
        || answers.kind == FrequencyKind::Single && answers.categories.iter().all(|it| !it.offered);
    let why = if !is_empty && !is_equal {
        "answers are hidden, so they are compared with `=`, `!=`, `in`, `not in`, `is empty` and `is not empty` only"
    } else if has_texts && !is_empty {
        "its answers are texts, which are hidden: only `is empty` and `is not empty` take them"
    } else {
        return Ok(answers);
    };
    Err(format!(
        "`where`: `{name}`: {why}. The person who starts the server can allow more with `--personal-data`."
    ))
}
