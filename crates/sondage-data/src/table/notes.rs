//! What is said about the labels of columns: one warning for each kind, however many columns there are.

use crate::error::Warning;

/// Names of columns in a warning.
const COLUMNS: usize = 20;
/// Codes of a column in a warning.
const CODES: usize = 5;
/// What to do about codes that are no answers.
const DECLARE: &str = "Declare codes that mean a missing answer with `with_missing`";

/// What is said about the labels of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoteKind {
    /// Codes without a label are categories in their place by value.
    Placed,
    /// Answers that the code plan does not know are categories at the end.
    Appended,
    /// A question of numbers keeps its numbers.
    Numbers,
    /// Lists and objects have no labels.
    Nested,
    /// Several codes share a label.
    Equal,
    /// A declared code is not there.
    Unused,
}

const ALL: [NoteKind; 6] = [
    NoteKind::Placed,
    NoteKind::Appended,
    NoteKind::Numbers,
    NoteKind::Nested,
    NoteKind::Equal,
    NoteKind::Unused,
];

/// A note about a column, with the codes that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Note {
    kind: NoteKind,
    column: String,
    codes: Vec<String>,
}

impl Note {
    pub(super) fn new(kind: NoteKind, column: &str, codes: Vec<String>) -> Self {
        Self { kind, column: column.to_owned(), codes }
    }

    /// The sentence about this column alone.
    fn alone(&self) -> Warning {
        let (codes, count) = (shown(&self.codes), self.codes.len());
        let detail = match self.kind {
            NoteKind::Placed => {
                let [codes_without, end] = match count {
                    1 => ["code without a label", "is a category of its own, in its place by value"],
                    _ => ["codes without a label", "are categories of their own, in their place by value"],
                };
                format!("{count} {codes_without}{codes} {end}. {DECLARE}")
            }
            NoteKind::Appended => {
                let [answers, end] = match count {
                    1 => ["answer", "becomes a category of its own"],
                    _ => ["answers", "become categories of their own"],
                };
                format!(
                    "{count} {answers} that the code plan does not know{codes} {end} at the end, and the categories are not \
                     ordered. {DECLARE}"
                )
            }
            NoteKind::Numbers => {
                let advice = if count == 0 { String::new() } else { format!(". {DECLARE}") };
                format!(
                    "is a question of numbers and stays one; the labels of some of them{codes} are in the codebook and in `values`{advice}"
                )
            }
            NoteKind::Nested => "holds lists or objects; its labels are in the codebook only".to_owned(),
            NoteKind::Equal => "several codes share a label; the code is added to such labels".to_owned(),
            NoteKind::Unused => {
                let several = if count == 1 { "" } else { "s" };
                let them = if count == 1 { "it" } else { "them" };
                format!(
                    "no answer has the code{several} {}, and the code plan does not know {them}",
                    first(&self.codes)
                )
            }
        };
        Warning::new(&self.column, detail)
    }
}

/// A warning for each kind, in the order of the kinds.
pub(super) fn warnings(notes: &[Note]) -> Vec<Warning> {
    let of_kind = |kind: NoteKind| {
        let these: Vec<&Note> = notes.iter().filter(|note| note.kind == kind).collect();
        match these[..] {
            [] => None,
            [note] => Some(note.alone()),
            _ => Some(Warning::general(together(kind, &these))),
        }
    };
    ALL.into_iter().filter_map(of_kind).collect()
}

/// The sentence about several columns.
fn together(kind: NoteKind, notes: &[&Note]) -> String {
    let (columns, codes) = (notes.len(), notes.iter().map(|note| note.codes.len()).sum::<usize>());
    let name = |note: &&Note| format!("{}{}", note.column, shown(&note.codes));
    let names: Vec<String> = notes.iter().take(COLUMNS).map(name).collect();
    let more = columns - names.len();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let names = format!("{}{more}", names.join(", "));
    match kind {
        NoteKind::Placed => format!(
            "{columns} columns have codes without a label ({codes} in all), which are categories of their own, in their place by \
             value: {names}. {DECLARE}"
        ),
        NoteKind::Appended => format!(
            "{columns} columns have answers that the code plan does not know ({codes} in all), which become categories of their own \
             at the end, and the categories are not ordered: {names}. {DECLARE}"
        ),
        NoteKind::Numbers => {
            let advice = if codes == 0 { String::new() } else { format!(". {DECLARE}") };
            format!(
                "{columns} columns are questions of numbers and stay numbers; the labels of some of them are in the codebook and in \
                 `values`: {names}{advice}"
            )
        }
        NoteKind::Nested => {
            format!("{columns} columns hold lists or objects; their labels are in the codebook only: {names}")
        }
        NoteKind::Equal => {
            format!(
                "several codes share a label in {columns} columns; the code is added to such labels: {names}"
            )
        }
        NoteKind::Unused => format!(
            "{columns} columns lack codes that were declared for them, in the answers and in the code plan: {names}"
        ),
    }
}

/// The first codes, in parentheses.
fn shown(codes: &[String]) -> String {
    // Codes are numbers; anything else may be text that somebody wrote, and is not shown in messages.
    let is_number = |code: &&String| code.split(" to ").all(|end| end.parse::<f64>().is_ok());
    let numbers: Vec<&str> = codes.iter().take(CODES).filter(is_number).map(String::as_str).collect();
    if numbers.is_empty() {
        return String::new();
    }
    format!(" ({}{})", numbers.join(", "), if codes.len() > CODES { ", .." } else { "" })
}

/// The first of the codes that a caller has given.
pub(super) fn first(codes: &[String]) -> String {
    let more = codes.len().saturating_sub(CODES);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{more}", codes[..codes.len().min(CODES)].join(", "))
}
