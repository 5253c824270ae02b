//! What a codebook says about each column, for programs that show it in their own way.

use std::borrow::Cow;

use super::Codebook;

/// A column of a codebook.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CodebookColumn<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether the code plan describes it; the others are columns of the service.
    pub is_described: bool,
    /// Question, row and choice in one line; empty if there are none.
    pub text: String,
    /// The types of the question and of its data.
    pub types: String,
    /// The section of the questionnaire.
    pub section: Option<&'a str>,
    /// The codes and labels, in the questionnaire's order.
    pub values: Vec<(Cow<'a, str>, &'a str)>,
}

impl Codebook {
    /// The columns, in their order.
    pub fn columns(&self) -> impl Iterator<Item = CodebookColumn<'_>> {
        self.entries.iter().map(|entry| CodebookColumn {
            name: &entry.variable,
            is_described: entry.is_described(),
            text: entry.text(),
            types: entry.types(),
            section: entry.section.as_deref(),
            values: entry.lines().into_iter().map(|line| (line.code, line.label)).collect(),
        })
    }
}
