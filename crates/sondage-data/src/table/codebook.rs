//! The codebook: the question behind each column and the labels of its codes, as a table and as Markdown.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};

use super::metadata;
use crate::meaning::{CodePlan, ValueLabel, Variable};

/// One line of a codebook for each column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Codebook {
    entries: Vec<CodebookEntry>,
    /// Whether its table has a row for each value instead of one for each column.
    long: bool,
}

/// A column, with all available metadata.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct CodebookEntry {
    variable: String,
    question: Option<String>,
    row: Option<String>,
    choice: Option<String>,
    question_type: Option<String>,
    data_type: Option<String>,
    section: Option<String>,
    values: Vec<ValueLabel>,
    values_json: Option<String>,
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
                .variables()
                .map(|variable| CodebookEntry::of(&variable.code, Some(variable)))
                .collect(),
            long: false,
        }
    }

    /// The codebook of a table's columns. If no plan describes a column, its Arrow type is used as its type.
    pub(super) fn of_columns<'a>(columns: impl Iterator<Item = (&'a Field, Option<&'a Variable>)>) -> Self {
        let entry = |(field, variable): (&Field, Option<&Variable>)| {
            let mut entry = CodebookEntry::of(field.name(), variable);
            entry.data_type = entry.data_type.or_else(|| Some(field.data_type().to_string()));
            entry
        };
        Codebook { entries: columns.map(entry).collect(), long: false }
    }

    /// Columns described.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is described.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The same codebook, whose table has a row for each code: `variable`, `question`, `code` and `label`.
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
        let arrays = columns.iter().map(|(_, get)| texts(*get)).collect();
        RecordBatch::try_new(Arc::new(Schema::new(fields.to_vec())), arrays)
    }

    /// The codebook as Markdown: a heading for each section, a paragraph for each column, a table for its values.
    pub fn to_markdown(&self) -> String {
        let mut page = String::from("# Codebook\n");
        let mut section = None;
        for entry in &self.entries {
            if entry.section.is_some() && entry.section != section {
                section.clone_from(&entry.section);
                let _ = write!(page, "\n## {}\n", one_line(section.as_deref().unwrap_or_default()));
            }
            entry.write(&mut page);
        }
        page
    }
}

impl CodebookEntry {
    fn write(&self, page: &mut String) {
        let _ = write!(page, "\n### {}\n", one_line(&self.variable));
        let texts = [&self.question, &self.row, &self.choice].into_iter().flatten();
        let question = texts.map(|text| one_line(text)).collect::<Vec<_>>().join(" – ");
        if !question.is_empty() {
            let _ = write!(page, "\n{question}\n");
        }
        let types: Vec<String> =
            [&self.question_type, &self.data_type].into_iter().flatten().map(|text| one_line(text)).collect();
        if !types.is_empty() {
            let _ = write!(page, "\n*{}*\n", types.join(", "));
        }
        if !self.values.is_empty() {
            page.push_str("\n| code | label |\n|---|---|\n");
            for value in &self.values {
                let _ = writeln!(page, "| {} | {} |", one_line(&value.code), one_line(&value.label));
            }
        }
    }
}

/// Escapes text so that it stays in its cell or line of Markdown and is not interpreted.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        for c in word.chars() {
            if matches!(c, '|' | '\\' | '`' | '*' | '_' | '<' | '>' | '[' | ']' | '#') {
                line.push('\\');
            }
            line.push(c);
        }
    }
    line
}
