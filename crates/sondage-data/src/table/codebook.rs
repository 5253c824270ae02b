//! The codebook: the question behind each column, the labels of its codes and how often they were answered, as a table and as
//! Markdown.

mod columns;
mod page;

pub use columns::CodebookColumn;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};

use super::declared::plain;
use super::metadata;
use super::values::text_of;
use crate::meaning::{CodePlan, ValueLabel, Variable};
use sondage::internals::title;
use sondage::reports::{ColumnCode, Frequencies, Frequency};

/// One line of a codebook for each column.
#[derive(Debug, Clone, PartialEq)]
pub struct Codebook {
    pub(super) entries: Vec<CodebookEntry>,
    /// Whether its table has a row for each value instead of one for each column.
    long: bool,
}

/// A line of the table of a column.
pub(super) struct CodebookLine<'a> {
    pub(super) code: Cow<'a, str>,
    pub(super) label: &'a str,
    pub(super) frequency: Option<&'a Frequency>,
}

impl CodebookLine<'_> {
    pub(super) fn is_weighted(&self) -> bool {
        self.frequency.is_some_and(|frequency| frequency.weighted_n.is_some())
    }
}

/// The columns of shares in the table with a row for each code.
type Share = fn(&Frequency) -> Option<f64>;
const SHARES: [(&str, Share); 2] = [
    ("percent", |frequency| Some(frequency.percent)),
    ("valid_percent", |frequency| frequency.valid_percent),
];

/// A column, with all available metadata.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct CodebookEntry {
    pub(super) variable: String,
    question: Option<String>,
    row: Option<String>,
    choice: Option<String>,
    question_type: Option<String>,
    data_type: Option<String>,
    pub(super) section: Option<String>,
    pub(super) values: Vec<ValueLabel>,
    values_json: Option<String>,
    /// How often each answer was given, if that was counted.
    pub(super) frequencies: Option<Frequencies>,
}

impl CodebookEntry {
    fn of(name: &str, variable: Option<&Variable>) -> Self {
        let entry = CodebookEntry { variable: name.to_owned(), ..CodebookEntry::default() };
        let Some(variable) = variable else { return entry };
        CodebookEntry {
            question: variable.question.clone(),
            row: variable.row.clone(),
            choice: variable.choice.clone(),
            question_type: variable.question_type.clone(),
            data_type: variable.data_type.clone(),
            section: variable.section.clone(),
            values: variable.values.clone(),
            values_json: metadata::values(variable),
            ..entry
        }
    }
}

impl Codebook {
    /// The codebook of everything that a code plan knows.
    pub fn of_plan(plan: &CodePlan) -> Self {
        Codebook {
            entries: plan
                .plain()
                .variables()
                .map(|variable| CodebookEntry::of(&variable.code, Some(variable)))
                .collect(),
            long: false,
        }
    }

    /// The codebook of a table's columns. If no plan describes a column, the kind of its values is used as its type.
    pub(super) fn of_columns<'a>(columns: impl Iterator<Item = (&'a Field, Option<&'a Variable>)>) -> Self {
        let entry = |(field, variable): (&Field, Option<&Variable>)| {
            let mut entry = CodebookEntry::of(field.name(), variable);
            entry.data_type = entry.data_type.or_else(|| kind(field).map(str::to_owned));
            entry
        };
        Codebook { entries: columns.map(entry).collect(), long: false }
    }

    /// The same codebook with the frequencies of each column, in their order.
    pub(super) fn with_frequencies(mut self, frequencies: impl Iterator<Item = Frequencies>) -> Self {
        for (entry, frequencies) in self.entries.iter_mut().zip(frequencies) {
            entry.frequencies = Some(frequencies);
        }
        self
    }

    /// Columns described.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is described.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The same codebook, whose table has a row for each code: `variable`, `question`, `code` and `label`, and with
    /// frequencies `n`, `percent` and `valid_percent`.
    #[must_use]
    pub fn values(&self) -> Self {
        Codebook { long: true, ..self.clone() }
    }

    /// A table of texts: `variable`, `question`, `row`, `choice`, `type`, `data_type`, `section`, and `values` as JSON
    /// (`[{"id": .., "value": ..}]`, in the questionnaire's order).
    pub fn to_batch(&self) -> Result<RecordBatch, arrow_schema::ArrowError> {
        type Get = fn(&CodebookEntry) -> Option<&str>;
        if self.long {
            return self.values_batch();
        }
        let columns: [(&str, Get); 8] = [
            ("variable", |entry| Some(&entry.variable)),
            ("question", |entry| entry.question.as_deref()),
            ("row", |entry| entry.row.as_deref()),
            ("choice", |entry| entry.choice.as_deref()),
            ("type", |entry| entry.question_type.as_deref()),
            ("data_type", |entry| entry.data_type.as_deref()),
            ("section", |entry| entry.section.as_deref()),
            ("values", |entry| entry.values_json.as_deref()),
        ];
        let fields = columns.map(|(name, _)| Field::new(name, DataType::Utf8, name != "variable"));
        let texts = |get: Get| Arc::new(self.entries.iter().map(get).collect::<StringArray>()) as ArrayRef;
        let arrays = columns.iter().map(|(_, get)| texts(*get)).collect();
        RecordBatch::try_new(Arc::new(Schema::new(fields.to_vec())), arrays)
    }

    fn values_batch(&self) -> Result<RecordBatch, arrow_schema::ArrowError> {
        type Get = fn(&(&CodebookEntry, &ValueLabel)) -> Option<String>;
        let rows: Vec<_> = self
            .entries
            .iter()
            .flat_map(|entry| entry.values.iter().map(move |value| (entry, value)))
            .collect();
        let columns: [(&str, Get); 4] = [
            ("variable", |(entry, _)| Some(entry.variable.clone())),
            ("question", |(entry, _)| entry.question.clone()),
            ("code", |(_, value)| Some(value.code.clone())),
            ("label", |(_, value)| Some(value.label.clone())),
        ];
        let fields = columns.map(|(name, _)| Field::new(name, DataType::Utf8, name == "question"));
        let texts = |get: Get| Arc::new(rows.iter().map(get).collect::<StringArray>()) as ArrayRef;
        let mut arrays: Vec<ArrayRef> = columns.iter().map(|(_, get)| texts(*get)).collect();
        let mut fields = fields.to_vec();
        if self.entries.iter().any(|entry| entry.frequencies.is_some()) {
            let counts = || rows.iter().map(|(entry, value)| entry.frequency(value));
            let count = |frequency: Option<&Frequency>| Some(i64::try_from(frequency?.n).unwrap_or(i64::MAX));
            let share = |get: fn(&Frequency) -> Option<f64>| {
                Arc::new(counts().map(|count| get(count?)).collect::<Float64Array>()) as ArrayRef
            };
            fields.push(Field::new("n", DataType::Int64, true));
            arrays.push(Arc::new(counts().map(count).collect::<Int64Array>()));
            for (name, get) in SHARES {
                fields.push(Field::new(name, DataType::Float64, true));
                arrays.push(share(get));
            }
        }
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
    }

    /// The codebook as Markdown: a heading for each section, a paragraph for each column, a table for its values. The columns that are
    /// no questions come last.
    pub fn to_markdown(&self) -> String {
        let mut page = String::from("# Codebook\n");
        for (heading, entry) in self.in_sections() {
            if let Some(section) = heading {
                let _ = write!(page, "\n## {}\n", one_line(section));
            }
            entry.write(&mut page);
        }
        page
    }

    /// The columns, first those that a code plan describes, each with the heading before it if a section begins.
    fn in_sections(&self) -> impl Iterator<Item = (Option<&str>, &CodebookEntry)> {
        let (described, others): (Vec<_>, Vec<_>) =
            self.entries.iter().partition(|entry| entry.is_described());
        let other = if described.is_empty() { None } else { Some("Other columns") };
        let described = described.into_iter().map(|entry| (entry.section.as_deref(), entry));
        let all =
            described.chain(others.into_iter().map(move |entry| (entry.section.as_deref().or(other), entry)));
        all.scan(None, |last, (section, entry)| {
            let is_new = section.is_some() && section != *last;
            *last = section.or(*last);
            Some((section.filter(|_| is_new), entry))
        })
    }
}

impl CodebookEntry {
    /// Question, row and choice in one line; empty if there are none.
    pub(super) fn text(&self) -> String {
        title([self.question.as_deref(), self.row.as_deref(), self.choice.as_deref()]).unwrap_or_default()
    }

    /// Whether a code plan describes the column.
    pub(super) fn is_described(&self) -> bool {
        self.question.is_some() || self.question_type.is_some()
    }

    /// The type of the question and that of the data.
    pub(super) fn types(&self) -> String {
        let types = [&self.question_type, &self.data_type].into_iter().flatten();
        types.map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    /// How often a code of the plan was answered.
    fn frequency(&self, value: &ValueLabel) -> Option<&Frequency> {
        let is_code = |code: &ColumnCode| plain(&text_of(code)) == plain(&value.code);
        let mut categories = self.frequencies.iter().flat_map(|frequencies| &frequencies.categories);
        categories.find(|category| category.code.as_ref().is_some_and(is_code))
    }

    /// The lines of its table: those of the code plan, or of the frequencies, which have the answers as well that the plan does not know.
    pub(super) fn lines(&self) -> Vec<CodebookLine<'_>> {
        let counted = self.frequencies.iter().flat_map(|frequencies| &frequencies.categories);
        let counted = counted.map(|category| CodebookLine {
            code: category.code.as_ref().map(text_of).unwrap_or_default(),
            label: &category.label,
            frequency: Some(category),
        });
        let planned = self.values.iter().map(|value| CodebookLine {
            code: value.code.as_str().into(),
            label: &value.label,
            frequency: None,
        });
        let counted: Vec<_> = counted.collect();
        // Of numbers, only missing answers are counted.
        let is_missing = |line: &CodebookLine<'_>| line.frequency.is_some_and(|frequency| frequency.missing);
        if counted.iter().all(is_missing) { planned.chain(counted).collect() } else { counted }
    }

    /// What the frequencies say besides their lines.
    pub(super) fn remark(&self) -> Option<String> {
        let frequencies = self.frequencies.as_ref()?;
        let mut of = format!("{} of {} rows", frequencies.answered, frequencies.rows);
        if let Some(weight) = &frequencies.weight {
            let _ = write!(of, ", weighted by {weight}");
        }
        if frequencies.without_weight > 0 {
            let _ = write!(of, "; {} rows without a weight are left out", frequencies.without_weight);
        }
        let Some(numbers) = &frequencies.summary else { return Some(of) };
        let deviation =
            numbers.deviation.map_or_else(String::new, |number| format!(", deviation {number:.2}"));
        Some(format!(
            "{of}; mean {:.2}{deviation}, minimum {}, quartiles {}, {}, {}, maximum {}",
            numbers.mean, numbers.min, numbers.q1, numbers.median, numbers.q3, numbers.max
        ))
    }

    fn write(&self, page: &mut String) {
        let _ = write!(page, "\n### {}\n", one_line(&self.variable));
        let question = one_line(&self.text());
        if !question.is_empty() {
            let _ = write!(page, "\n{question}\n");
        }
        let types = one_line(&self.types());
        if !types.is_empty() {
            let _ = write!(page, "\n*{types}*\n");
        }
        if let Some(remark) = self.remark() {
            let _ = write!(page, "\n{remark}\n");
        }
        let lines = self.lines();
        if lines.is_empty() {
            return;
        }
        let is_counted = lines.iter().any(|line| line.frequency.is_some());
        let is_weighted = lines.iter().any(CodebookLine::is_weighted);
        page.push_str(match (is_counted, is_weighted) {
            (true, true) => "\n| code | label | n | weighted n | % | valid % |\n|---|---|--:|--:|--:|--:|\n",
            (true, false) => "\n| code | label | n | % | valid % |\n|---|---|--:|--:|--:|\n",
            _ => "\n| code | label |\n|---|---|\n",
        });
        for line in lines {
            let _ = write!(page, "| {} | {} |", one_line(&line.code), one_line(line.label));
            if let Some(frequency) = line.frequency {
                let valid = frequency.valid_percent.map_or_else(String::new, |share| format!("{share:.1}"));
                let weighted = frequency.weighted_n.map_or_else(String::new, |n| format!(" {n:.1} |"));
                let _ = write!(page, " {} |{weighted} {:.1} | {valid} |", frequency.n, frequency.percent);
            } else if is_counted {
                page.push_str(if is_weighted { " | | | |" } else { " | | |" });
            }
            page.push('\n');
        }
    }
}

/// What a column holds, in a word; `None` if it is empty.
fn kind(field: &Field) -> Option<&'static str> {
    Some(match field.data_type() {
        DataType::Null => return None,
        DataType::Boolean => "yes or no",
        DataType::Int64 | DataType::Float64 => "number",
        DataType::Date32 => "date",
        DataType::Timestamp(..) => "date and time",
        DataType::Dictionary(..) => "choice",
        DataType::List(_) => "choices",
        _ if field.metadata().get(metadata::FORMAT).is_some_and(|format| format == "json") => {
            "lists and objects"
        }
        _ => "text",
    })
}

/// The picture of a control character (`␛`), and any other character as it is.
fn shown(sign: char) -> char {
    match u32::from(sign) {
        code @ 0..=0x1f => char::from_u32(0x2400 + code).unwrap_or(sign),
        0x7f => '\u{2421}',
        0x80..=0x9f => char::REPLACEMENT_CHARACTER,
        _ => sign,
    }
}

/// Escapes text so that it stays in its cell or line of Markdown and is not interpreted.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        // A terminal that shows the page must not obey it.
        for c in word.chars().map(shown) {
            if matches!(c, '|' | '\\' | '`' | '*' | '_' | '<' | '>' | '[' | ']' | '#') {
                line.push('\\');
            }
            line.push(c);
        }
    }
    line
}
