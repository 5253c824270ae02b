//! The questions of a code plan as they are counted: what can be named, and its title.

use std::collections::HashMap;

use indexmap::IndexSet;

use super::{CodePlan, NOT_AVAILABLE, Variable, Wanted};

/// A column, or the choices of a question or of a row of a matrix, which are counted together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CountedQuestion {
    /// The name of the column; of several, the code of the question, or what the names of the columns of a row begin with.
    pub name: String,
    /// Question, row and choice in one line.
    pub title: Option<String>,
    /// The columns.
    pub columns: Vec<String>,
    /// Whether several answers may be chosen.
    pub has_several: bool,
}

impl CodePlan {
    /// What can be counted, in the questionnaire's order.
    pub fn questions(&self) -> Vec<CountedQuestion> {
        let mut groups: Vec<Vec<&Variable>> = Vec::new();
        let mut places = HashMap::new();
        for variable in self.variables() {
            let Some(key) = choice_of(variable) else {
                groups.push(vec![variable]);
                continue;
            };
            let place = *places.entry(key).or_insert(groups.len());
            match groups.get_mut(place) {
                Some(group) => group.push(variable),
                None => groups.push(vec![variable]),
            }
        }
        groups.into_iter().map(|group| counted(&group)).collect()
    }

    /// Everything that has a name: columns, questions, and rows of a matrix of choices.
    pub fn names(&self) -> IndexSet<String> {
        let columns = self.variables().map(|variable| variable.code.clone());
        let codes = self.variables().filter_map(|variable| variable.question_code.clone());
        let questions = self.questions().into_iter().map(|question| question.name);
        columns.chain(codes).chain(questions).collect()
    }

    /// The title of a column, of a question, or of a row of a matrix of choices.
    pub fn title(&self, name: &str) -> Option<String> {
        if let Some(variable) = self.get(name) {
            return variable.label();
        }
        if let Some(question) = self.questions().into_iter().find(|question| question.name == name) {
            return question.title;
        }
        self.variables().find(|variable| variable.question_code.as_deref() == Some(name))?.question.clone()
    }
}

/// The question and the row of a choice that can be ticked beside others.
fn choice_of(variable: &Variable) -> Option<(&str, Option<&str>)> {
    variable.choice.as_deref()?;
    let is_ticked = !variable.values.is_empty()
        && variable.values.iter().all(|value| matches!(value.code.as_str(), "0" | "1" | NOT_AVAILABLE));
    let is_text = matches!(variable.wanted(), Some(Wanted::Text | Wanted::Date | Wanted::Timestamp));
    (is_ticked && !is_text).then_some((variable.question_code.as_deref()?, variable.row.as_deref()))
}

fn counted(group: &[&Variable]) -> CountedQuestion {
    let first = group[0];
    let columns = group.iter().map(|variable| variable.code.clone()).collect();
    match choice_of(first) {
        None => {
            CountedQuestion { name: first.code.clone(), title: first.label(), columns, has_several: false }
        }
        Some((question, row)) => CountedQuestion {
            name: name_of(question, row, group.iter().map(|variable| variable.code.as_str())),
            title: Variable { choice: None, ..first.clone() }.label(),
            columns,
            has_several: true,
        },
    }
}

/// The code of the question; for a row of a matrix, which has no code, the common prefix of its columns' names.
pub(crate) fn name_of<'a>(
    question: &str,
    row: Option<&str>,
    mut columns: impl Iterator<Item = &'a str>,
) -> String {
    let (Some(_), Some(first)) = (row, columns.next()) else { return question.to_owned() };
    let common = |known: &str, name: &str| {
        let same = known.chars().zip(name.chars()).take_while(|(a, b)| a == b);
        same.map(|(a, _)| a.len_utf8()).sum::<usize>()
    };
    let start = columns.fold(first, |known, name| &known[..common(known, name)]);
    let start = start.trim_end_matches(['_', '.', '-', ' ']);
    if start.is_empty() { question.to_owned() } else { start.to_owned() }
}
