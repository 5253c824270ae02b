//! Asks for counts at random, and computes from the told ones what was not told: by differences, complements and sums.

use super::session::Session;
use serde_json::{Value, json};
use sondage::arguments::InterviewsOptions;
use sondage::reports::FrequencyKind;
use sondage_data::blocking::Tables as _;
use sondage_data::{Answers, Value as Cell};
use sondage_sandbox::Sandbox;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Columns of the service that everybody may see.
const PUBLIC: [&str; 2] = ["State", "Language"];

/// The rows of a survey that have something in common.
pub type Rows = Vec<u64>;

/// A survey as the test knows it: each question with its rows by label; `None` are those without an answer.
pub struct Known {
    pub survey: i64,
    pub rows: usize,
    questions: BTreeMap<String, BTreeMap<Option<String>, Rows>>,
    /// Questions that the session may filter and break down by.
    names: Vec<String>,
    /// Numbers, by which answers can be weighted: the rows in which each is positive.
    numbers: Vec<(String, Rows)>,
    /// Texts that must not be told.
    pub texts: Vec<String>,
}

fn bits(rows: usize, is_in: impl Fn(usize) -> bool) -> Rows {
    let mut bits = vec![0; rows.div_ceil(64)];
    (0..rows).filter(|row| is_in(*row)).for_each(|row| bits[row / 64] |= 1 << (row % 64));
    bits
}

pub fn count(rows: &Rows) -> u32 {
    rows.iter().map(|word| word.count_ones()).sum()
}

pub fn without(one: &Rows, other: &Rows) -> Rows {
    one.iter().zip(other).map(|(a, b)| a & !b).collect()
}

fn both(one: &Rows, other: &Rows) -> Rows {
    one.iter().zip(other).map(|(a, b)| a & b).collect()
}

impl Known {
    /// Reads a survey.
    pub fn of(sandbox: &Sandbox, survey: i64) -> Self {
        let client = sandbox.client().build_blocking().unwrap();
        let table = client.interviews(InterviewsOptions::new(survey)).unwrap().table().unwrap();
        let rows = table.num_rows();
        let mut known = Self {
            survey,
            rows,
            questions: BTreeMap::new(),
            names: Vec::new(),
            numbers: Vec::new(),
            texts: Vec::new(),
        };
        let codebook = table.codebook();
        for column in codebook.columns().filter(|column| column.is_described || PUBLIC.contains(&column.name))
        {
            let answers = table.answers("column", column.name).unwrap();
            let name = column.name.to_owned();
            match answers.kind {
                FrequencyKind::Single => {
                    known.questions.insert(name.clone(), labels(&answers, rows));
                    known.names.push(name);
                }
                FrequencyKind::Number => {
                    let is_positive = |row: usize| matches!(answers.values[row], Some(Cell::Number(number)) if number > 0.0);
                    known.numbers.push((name, bits(rows, is_positive)));
                }
                _ => known.texts.extend(answers.values.iter().flatten().filter_map(|value| match value {
                    Cell::Text(text) if text.len() > 6 => Some(text.clone()),
                    _ => None,
                })),
            }
        }
        known
    }

    fn all(&self) -> Rows {
        bits(self.rows, |_| true)
    }
}

/// The rows of each label, and those without an answer.
fn labels(answers: &Answers, rows: usize) -> BTreeMap<Option<String>, Rows> {
    let place = |row: usize| answers.rows[row].as_ref().map(|places| places[0] as usize);
    let categories = answers.categories.iter().enumerate();
    let mut labels: BTreeMap<Option<String>, Rows> = categories
        .map(|(at, category)| (Some(category.label.clone()), bits(rows, |row| place(row) == Some(at))))
        .collect();
    labels.insert(None, bits(rows, |row| place(row).is_none()));
    labels
}

/// What a session has told.
#[derive(Default)]
pub struct Told {
    /// The rows of each number that was told; whether it is one that everybody may see.
    pub sets: HashMap<Rows, bool>,
    /// How many cells were hidden.
    pub hidden: usize,
    /// How many calls were refused.
    pub refused: usize,
    /// Everything that was said.
    pub said: Vec<String>,
}

impl Told {
    fn note(&mut self, told: &Value, rows: Rows, is_public: bool, asked: &str) {
        // A count is right, and never small.
        if let Some(n) = told.as_u64() {
            assert_eq!(n, u64::from(count(&rows)), "{asked}");
            assert!(n == 0 || n >= 10 || is_public, "{asked}: {n}");
            *self.sets.entry(rows).or_insert(is_public) &= is_public;
        } else {
            assert_eq!(*told, "hidden", "{asked}");
            self.hidden += 1;
        }
    }
}

/// Asks at random.
pub fn ask(session: &mut Session, known: &Known, calls: usize, seed: u64) -> Told {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut told = Told::default();
    for _ in 0..calls {
        let mut arguments = json!({ "survey_id": known.survey });
        let (mut base, mut used) = (known.all(), Vec::new());
        let question = &known.names[random.usize(..known.names.len())];
        arguments["question"] = question.as_str().into();
        if random.u8(..4) > 0 {
            let (filter, rows) = filter(&mut random, known, &mut used);
            arguments["where"] = filter.into();
            base = rows;
        }
        if random.u8(..8) == 0
            && let Some((name, rows)) = random.choice(&known.numbers)
        {
            arguments["weight"] = name.as_str().into();
            base = both(&base, rows);
        }
        let by = (random.u8(..3) == 0).then(|| &known.names[random.usize(..known.names.len())]);
        if let Some(by) = by {
            arguments["by"] = by.as_str().into();
        }
        let is_base_public =
            arguments.get("weight").is_none() && used.iter().all(|name| PUBLIC.contains(&name.as_str()));
        used.extend(by.into_iter().chain([question]).cloned());
        let is_public =
            arguments.get("weight").is_none() && used.iter().all(|name| PUBLIC.contains(&name.as_str()));
        let result = session.call("survey_results", &arguments);
        let (content, asked) = (&result["structuredContent"], arguments.to_string());
        told.said.push(content.to_string());
        if result["isError"] == true {
            told.refused += 1;
            continue;
        }
        told.note(&content["interviews"], base.clone(), is_base_public, &asked);
        let rows_of = |name: &str, label: &Value| {
            let rows = known.questions[name].get(&label.as_str().map(str::to_owned));
            both(&base, &rows.cloned().unwrap_or_else(|| vec![0; base.len()]))
        };
        // A category of fewer than ten is hidden as a whole: a 0 in it says what these people have not answered.
        let is_rare = |name: &str, label: &Value, of_base: &Rows| {
            let all = known.questions[name].get(&label.as_str().map(str::to_owned)).map_or(0, count);
            !is_public && [all, count(of_base)].iter().any(|people| (1..10).contains(people))
        };
        for line in content["answers"].as_array().unwrap() {
            let of_line = rows_of(question, &line["label"]);
            let is_rare_line = is_rare(question, &line["label"], &of_line);
            assert!(!is_rare_line || line["n"] == "hidden", "{asked}: {line}");
            for cell in line["cells"].as_array().into_iter().flatten() {
                let is_rare_column =
                    is_rare(by.unwrap(), &cell["column"], &rows_of(by.unwrap(), &cell["column"]));
                assert!(!is_rare_line && !is_rare_column || cell["n"] == "hidden", "{asked}: {line}");
            }
            told.note(&line["n"], of_line.clone(), is_public, &asked);
            for cell in line["cells"].as_array().into_iter().flatten() {
                let rows = both(&of_line, &rows_of(by.unwrap(), &cell["column"]));
                told.note(&cell["n"], rows, is_public, &asked);
            }
        }
        for column in content["columns"].as_array().into_iter().flatten() {
            told.note(&column["n"], rows_of(by.unwrap(), &column["label"]), is_public, &asked);
        }
    }
    told
}

/// A filter of one to three tests, and its rows.
fn filter(random: &mut fastrand::Rng, known: &Known, used: &mut Vec<String>) -> (String, Rows) {
    let (mut text, mut rows) = test(random, known, used);
    for _ in 0..random.usize(..3) {
        let (more, of_more) = test(random, known, used);
        if random.bool() {
            text = format!("({text}) and {more}");
            rows = both(&rows, &of_more);
        } else {
            text = format!("({text}) or {more}");
            rows = rows.iter().zip(&of_more).map(|(a, b)| a | b).collect();
        }
    }
    (text, rows)
}

fn test(random: &mut fastrand::Rng, known: &Known, used: &mut Vec<String>) -> (String, Rows) {
    let name = &known.names[random.usize(..known.names.len())];
    used.push(name.clone());
    let answers = &known.questions[name];
    let labels: Vec<&String> = answers.keys().flatten().collect();
    let none = answers.get(&None).cloned().unwrap_or_else(|| vec![0; known.rows.div_ceil(64)]);
    let answered = without(&known.all(), &none);
    if random.u8(..6) == 0 {
        return if random.bool() {
            (format!("{name} is empty"), none)
        } else {
            (format!("{name} is not empty"), answered)
        };
    }
    let chosen: Vec<&String> =
        (0..=random.usize(..2)).map(|_| labels[random.usize(..labels.len())]).collect();
    let mut rows = vec![0; known.rows.div_ceil(64)];
    for label in &chosen {
        rows = rows.iter().zip(&answers[&Some((*label).clone())]).map(|(a, b)| a | b).collect();
    }
    let list: Vec<String> = chosen.iter().map(|label| format!("{label:?}")).collect();
    let list = list.join(", ");
    match random.u8(..3) {
        0 => (format!("{name} not in [{list}]"), without(&answered, &rows)),
        1 => (format!("not {name} in [{list}]"), without(&answered, &rows)),
        _ => (format!("{name} in [{list}]"), rows),
    }
}

/// Sums and differences of up to three told numbers that stand for fewer than ten people. What everybody may see is no secret.
pub fn revealed(told: &Told, known: &Known) -> Vec<String> {
    let public = PUBLIC.into_iter().flat_map(|name| known.questions[name].values());
    // Nobody: so pairs and single numbers are tried, too.
    let more = [known.all(), vec![0; known.rows.div_ceil(64)]];
    let sets: BTreeSet<&Rows> = told.sets.keys().chain(public).chain(&more).collect();
    // A group that everybody may see is no secret, however small it is.
    let [states, languages] = PUBLIC.map(|name| &known.questions[name]);
    let groups: Vec<Rows> = states
        .values()
        .flat_map(|state| languages.values().map(move |language| both(state, language)))
        .collect();
    let is_public = |rows: &Rows| {
        let is_part = |group: &Rows| group.iter().zip(rows).all(|(group, rows)| group & !rows == 0);
        groups.iter().all(|group| is_part(group) || count(&both(group, rows)) == 0)
    };
    let mut found = Vec::new();
    for (at, one) in sets.iter().enumerate() {
        for other in sets.iter().take(at + 1) {
            for third in &sets {
                // Those whom one + other - third depends on: 1, -1 or 2 times.
                let parts = one.iter().zip(*other).zip(*third);
                let words = parts.map(|((a, b), c)| (a ^ b ^ c) | (a & b & !c));
                let mut people = 0;
                let is_few = words.clone().all(|word| {
                    people += word.count_ones();
                    people < 10
                });
                if is_few && people > 0 && !is_public(&words.collect()) {
                    found.push(format!("{} + {} - {}", count(one), count(other), count(third)));
                }
            }
        }
    }
    found
}
