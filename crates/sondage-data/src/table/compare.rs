//! Compares the questions of two tables, such as two waves of a survey.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use arrow_schema::{ArrowError, DataType, Field};
use sondage::internals::plain_text;
use sondage::internals::spelling::distance;
use sondage::reports::{Comparison, WaveChange};

use super::layout::Origin;
use super::{Base, BaseColumn, Table, metadata};
use crate::meaning::{Survey, Variable, VariableTexts};

/// Texts are alike if at most this share of their letters differs.
const ALIKE_PERCENT: usize = 25;
/// Longer texts are compared by their beginnings.
const COMPARED: usize = 400;

/// A question of one table, in the language that both have.
pub(super) struct Asked<'a> {
    variable: &'a Variable,
    texts: VariableTexts,
}

impl Table {
    /// How the questions of this table differ from those of a later one: columns, types, texts, codes and labels.
    ///
    /// Markup, entities and blanks are no differences. Texts are compared in a language that both tables have; if there is none, they are
    /// not compared, and a note says so. Nothing is compared with a table that has no questions, as one without a code plan.
    pub fn compare(&self, later: &Table) -> Comparison {
        let mut comparison = Comparison::default();
        for (table, which) in [(self, "earlier"), (later, "later")] {
            if asked(table, None).is_empty() {
                comparison.notes.push(format!(
                    "the {which} table has no questions: it was read without its code plan, or without the columns of questions, so \
                     nothing was compared"
                ));
            }
        }
        if !comparison.notes.is_empty() {
            return comparison;
        }
        let language = shared_language(self, later);
        if language.is_none() {
            comparison.notes.push(
                "the tables have no language in common, so texts and labels were not compared: read both with `language`".to_owned(),
            );
        }
        let (before, after) = (asked(self, language.as_deref()), asked(later, language.as_deref()));
        let has_texts = language.is_some();
        let mut changes = Vec::new();
        let by_name: HashMap<&str, &Asked<'_>> = after.iter().map(|(name, new)| (*name, new)).collect();
        for (name, old) in &before {
            let Some(new) = by_name.get(name) else { continue };
            let found = of_question(name, old, new, has_texts);
            if found.is_empty() {
                comparison.identical += 1;
            }
            changes.extend(found);
        }
        changes.extend(moved(&before, &after));
        changes.extend(gone_and_new(&before, &after, has_texts));
        changes.sort_by_key(|change| {
            ["breaking", "notable", "minor"].iter().position(|one| *one == change.severity)
        });
        comparison.breaking = changes.iter().filter(|change| change.severity == "breaking").count() as u64;
        comparison.changes = changes;
        comparison
    }
}

impl Table {
    /// The columns of questions, with what is known of them.
    pub(crate) fn questions(&self) -> Vec<(String, Variable)> {
        let columns = asked(self, None).into_iter();
        columns.map(|(name, asked)| (name.to_owned(), asked.variable.clone())).collect()
    }

    /// A table of these questions without rows, to compare another one with.
    pub(crate) fn of_questions(
        survey: Survey,
        questions: &[(String, Variable)],
    ) -> Result<Table, ArrowError> {
        let column = |(name, variable): &(String, Variable)| {
            let metadata = metadata::of(Origin::Question, Some(variable), false);
            BaseColumn {
                field: Arc::new(Field::new(name, DataType::Null, true).with_metadata(metadata)),
                arrays: Vec::new(),
                variable: Some(Arc::new(variable.clone())),
                nested: false,
                json: false,
                undeclared: None,
                declared: None,
            }
        };
        let columns = questions.iter().map(column).collect();
        Table::of(Arc::new(Base { columns, rows: Vec::new(), survey, plan: None, warnings: Vec::new() }))
    }
}

/// The language in which texts are compared: empty for the one that the tables were read in.
pub(super) fn shared_language(before: &Table, after: &Table) -> Option<String> {
    let of = |table: &Table| -> HashSet<String> {
        let columns = table.base.columns.iter().filter_map(|column| column.variable.as_deref());
        columns.flat_map(|variable| variable.translations.keys().cloned()).collect()
    };
    let (old, new) = (of(before), of(after));
    let own = |table: &Table| table.survey().default_language.clone();
    match (old.is_empty(), new.is_empty(), own(before), own(after)) {
        (false, false, ..) => {
            let mut shared: Vec<&String> = old.intersection(&new).collect();
            shared.sort();
            let preferred = own(after).filter(|language| old.contains(language) && new.contains(language));
            preferred.or_else(|| shared.first().map(|language| (*language).clone()))
        }
        (true, false, Some(language), _) => new.contains(&language).then_some(language),
        (false, true, _, Some(language)) => old.contains(&language).then_some(language),
        (true, true, Some(one), Some(other)) if one != other => None,
        _ => Some(String::new()),
    }
}

fn asked<'a>(table: &'a Table, language: Option<&str>) -> Vec<(&'a str, Asked<'a>)> {
    let columns = table.base_columns().into_iter();
    columns.filter_map(|column| Some((column.field.name().as_str(), Asked::of(column, language)?))).collect()
}

impl<'a> Asked<'a> {
    /// The question of a column, if it has one.
    pub(super) fn of(column: &'a BaseColumn, language: Option<&str>) -> Option<Self> {
        let is_asked = |origin: &str| origin == Origin::Question.word();
        column.field.metadata().get(metadata::ORIGIN).filter(|origin| is_asked(origin))?;
        let variable = column.variable.as_deref()?;
        let texts = language.and_then(|language| variable.translations.get(language)).cloned();
        Some(Asked { variable, texts: texts.unwrap_or_else(|| variable.texts()) })
    }

    /// Question, row and choice, as readers see them.
    fn text(&self) -> String {
        let parts = [&self.texts.question, &self.texts.row, &self.texts.choice];
        let parts: Vec<String> = parts.into_iter().flatten().map(|text| read(text)).collect();
        parts.join(" – ")
    }

    /// The types of the question and of its answers, in the service's terms.
    pub(super) fn types(&self) -> String {
        let parts = [&self.variable.question_type, &self.variable.data_type];
        parts.into_iter().flatten().cloned().collect::<Vec<_>>().join(", ")
    }

    /// The range of a slider, whose numbers mean something else in another one.
    pub(super) fn scale(&self) -> Option<&str> {
        self.variable.range.as_deref().filter(|_| self.variable.is_scale())
    }

    /// The codes with their labels, as readers see them.
    pub(super) fn labels(&self) -> Vec<(&str, String)> {
        let codes = self.variable.values.iter().map(|value| value.code.as_str());
        codes.zip(self.texts.labels.iter().map(|label| read(label))).collect()
    }
}

/// A text without markup and superfluous blanks.
fn read(text: &str) -> String {
    plain_text(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn change(severity: &str, kind: &str, column: &str) -> WaveChange {
    let (severity, kind, column) = (severity.to_owned(), kind.to_owned(), column.to_owned());
    WaveChange { severity, kind, column, code: None, before: None, after: None }
}

/// What a change is about.
trait Detail {
    fn of(self, before: Option<String>, after: Option<String>) -> Self;
    fn at(self, code: &str) -> Self;
}

impl Detail for WaveChange {
    fn of(self, before: Option<String>, after: Option<String>) -> Self {
        WaveChange { before, after, ..self }
    }

    fn at(self, code: &str) -> Self {
        WaveChange { code: Some(code.to_owned()), ..self }
    }
}

fn of_question(name: &str, old: &Asked<'_>, new: &Asked<'_>, has_texts: bool) -> Vec<WaveChange> {
    let mut changes = Vec::new();
    if old.types() != new.types() {
        changes.push(change("breaking", "type_changed", name).of(Some(old.types()), Some(new.types())));
    }
    if let Some(severity) = other_range(old.variable, new.variable) {
        let (was, is) = (old.variable.range.clone(), new.variable.range.clone());
        changes.push(change(severity, "range_changed", name).of(was, is));
    }
    if has_texts && old.text() != new.text() {
        changes.push(change("minor", "text_changed", name).of(Some(old.text()), Some(new.text())));
    }
    let (before, after) = (old.labels(), new.labels());
    let label_of = |list: &[(&str, String)], code: &str| {
        list.iter().find(|(one, _)| *one == code).map(|(_, label)| label.clone())
    };
    let code_of = |list: &[(&str, String)], label: &str| {
        list.iter().find(|(_, one)| one == label).map(|(code, _)| (*code).to_owned())
    };
    for (code, label) in &after {
        match label_of(&before, code) {
            None if has_texts
                && code_of(&before, label)
                    .is_some_and(|was| label_of(&after, &was).as_ref() != Some(label)) =>
            {
                let was = code_of(&before, label).map(|was| format!("code {was} had this label"));
                changes.push(change("breaking", "label_moved", name).at(code).of(was, Some(label.clone())));
            }
            None => changes.push(change("notable", "code_new", name).at(code).of(None, Some(label.clone()))),
            Some(was) if has_texts && was != *label => {
                let is_moved = code_of(&before, label).is_some_and(|had| had != *code)
                    || code_of(&after, &was).is_some_and(|has| has != *code);
                let (severity, kind) =
                    if is_moved { ("breaking", "label_moved") } else { ("notable", "label_changed") };
                changes.push(change(severity, kind, name).at(code).of(Some(was), Some(label.clone())));
            }
            Some(_) => {}
        }
    }
    for (code, label) in before.iter().filter(|(code, _)| label_of(&after, code).is_none()) {
        // A label that has another code now is said there.
        if !has_texts || code_of(&after, label).is_none() {
            changes.push(change("notable", "code_gone", name).at(code).of(Some(label.clone()), None));
        }
    }
    let order = |list: &[(&str, String)], other: &[(&str, String)]| -> Vec<String> {
        let shared = list.iter().filter(|(code, _)| other.iter().any(|(one, _)| one == code));
        shared.map(|(code, _)| (*code).to_owned()).collect()
    };
    let (was, is) = (order(&before, &after), order(&after, &before));
    if was != is {
        changes.push(change("minor", "codes_reordered", name).of(Some(was.join(", ")), Some(is.join(", "))));
    }
    changes
}

/// How severe it is that a question accepts other answers, if it does.
fn other_range(old: &Variable, new: &Variable) -> Option<&'static str> {
    if old.range == new.range {
        return None;
    }
    // A slider has both ends, so a range that it does not have was not read. Other questions may have no limits.
    let is_read = |one: &Variable| one.range.is_some() || !(one.is_scale() || one.translations.is_empty());
    let severity = if new.is_scale() { "breaking" } else { "notable" };
    (is_read(old) && is_read(new)).then_some(severity)
}

/// Questions that are at another place among those that both have: as few as explain the new order.
fn moved(before: &[(&str, Asked<'_>)], after: &[(&str, Asked<'_>)]) -> Vec<WaveChange> {
    let places: HashMap<&str, usize> =
        before.iter().enumerate().map(|(place, (name, _))| (*name, place)).collect();
    let shared: Vec<(&str, usize)> =
        after.iter().filter_map(|(name, _)| Some((*name, *places.get(name)?))).collect();
    // The longest run of places in order stays; the others have moved.
    let (mut ends, mut previous): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (index, (_, place)) in shared.iter().enumerate() {
        let at = ends.partition_point(|end| shared[*end].1 < *place);
        previous.push(at.checked_sub(1).map(|at| ends[at]));
        ends.truncate(ends.len().max(at));
        if at == ends.len() { ends.push(index) } else { ends[at] = index }
    }
    let mut stays = HashSet::new();
    let mut last = ends.last().copied();
    while let Some(index) = last {
        stays.insert(index);
        last = previous[index];
    }
    let moved = shared.iter().enumerate().filter(|(index, _)| !stays.contains(index));
    moved.map(|(_, (name, _))| change("minor", "reordered", name)).collect()
}

/// Questions that only one of them has; those with almost the same text may be the same question.
fn gone_and_new(
    before: &[(&str, Asked<'_>)],
    after: &[(&str, Asked<'_>)],
    has_texts: bool,
) -> Vec<WaveChange> {
    let only = |list: &'_ [(&str, Asked<'_>)], other: &[(&str, Asked<'_>)]| -> BTreeMap<String, String> {
        let names: HashSet<&str> = other.iter().map(|(name, _)| *name).collect();
        let own = list.iter().filter(|(name, _)| !names.contains(name));
        own.map(|(name, asked)| ((*name).to_owned(), asked.text())).collect()
    };
    let (mut gone, mut new) = (only(before, after), only(after, before));
    let mut changes = Vec::new();
    if has_texts {
        for (name, text) in gone.clone() {
            let alike = new.iter().filter_map(|(other, now)| Some((likeness(&text, now)?, other.clone())));
            if let Some((_, other)) = alike.min() {
                let (was, now) = (gone.remove(&name), new.remove(&other));
                changes.push(change("notable", "question_renamed", &other).at(&name).of(was, now));
            }
        }
    }
    changes.extend(
        gone.into_iter().map(|(name, text)| change("notable", "question_gone", &name).of(Some(text), None)),
    );
    changes.extend(
        new.into_iter().map(|(name, text)| change("notable", "question_new", &name).of(None, Some(text))),
    );
    changes
}

/// How many percent of two texts differ, if they are alike.
fn likeness(one: &str, other: &str) -> Option<usize> {
    let cut = |text: &str| text.chars().take(COMPARED).collect::<String>();
    let (one, other) = (cut(one), cut(other));
    let length = one.len().max(other.len());
    let percent = (distance(&one, &other) * 100).checked_div(length)?;
    (percent <= ALIKE_PERCENT).then_some(percent)
}
