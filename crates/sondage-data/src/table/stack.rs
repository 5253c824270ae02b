//! One table of several waves, in which a code means the same in every row.

mod recode;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use arrow_schema::{DataType, Field};
use indexmap::IndexMap;
use serde::Deserialize;
use sondage::{Error, Result};

use super::compare::{Asked, shared_language};
use super::language::described;
use super::{BaseColumn, Table, metadata, not_available};
use crate::error::Warning;
use crate::meaning::{ValueLabel, Variable};
use crate::shortened::shortened;

/// The column with the name of the wave.
const WAVE: &str = "wave";

/// What is the same in several waves although it looks different: for each wave, its columns.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Crosswalk(IndexMap<String, IndexMap<String, Same>>);

/// What a column of a wave is in the table.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Same {
    /// The column of this name.
    Column(String),
    /// The same column, and its codes are these codes of the table.
    Codes(IndexMap<String, String>),
}

impl Crosswalk {
    /// A column of a wave is the column of another name in the table.
    #[must_use]
    pub fn column(mut self, wave: &str, column: &str, name: &str) -> Self {
        self.0.entry(wave.to_owned()).or_default().insert(column.to_owned(), Same::Column(name.to_owned()));
        self
    }

    /// A code in a column of a wave is another code in the table. `column` is its name in the table.
    #[must_use]
    pub fn code(mut self, wave: &str, column: &str, code: &str, same: &str) -> Self {
        let columns = self.0.entry(wave.to_owned()).or_default();
        match columns.entry(column.to_owned()).or_insert_with(|| Same::Codes(IndexMap::new())) {
            Same::Codes(codes) => drop(codes.insert(code.to_owned(), same.to_owned())),
            renamed @ Same::Column(_) => {
                *renamed = Same::Codes(IndexMap::from([(code.to_owned(), same.to_owned())]));
            }
        }
        self
    }
}

/// A question of the table that is made: the codes of the waves so far, with their labels.
struct Known {
    wave: String,
    types: String,
    /// The range of a slider.
    scale: Option<String>,
    values: Vec<ValueLabel>,
    /// The labels as they are compared, by code.
    labels: IndexMap<String, String>,
}

/// What a wave contributes to a column.
struct Part<'a> {
    column: &'a BaseColumn,
    name: String,
    /// The codes that change.
    codes: HashMap<String, String>,
}

/// A wave, and what it contributes.
type Contribution<'a> = (&'a str, &'a Table, Vec<Part<'a>>);

impl Table {
    /// One table of several waves, with a column `wave` in front. Answers are aligned by their labels: if a label had another code in an
    /// earlier wave, it gets that code, and a code has one meaning in all rows. A column that a wave does not have is missing in its rows.
    ///
    /// What does not fit is an error that lists all of it: another type of a question, a code whose label differs, a code without a label
    /// that means something in another wave. A crosswalk says what is the same nevertheless. Changes of texts do not count; see
    /// [`Table::compare`].
    pub fn stack<'a>(
        waves: impl IntoIterator<Item = (&'a str, &'a Table)>,
        crosswalk: &Crosswalk,
    ) -> Result<Table> {
        let waves: Vec<(&str, &Table)> = waves.into_iter().collect();
        let Some((_, first)) = waves.first() else {
            return Err(
                Error::invalid_argument("there are no waves to stack").with_hint("Give one table at least.")
            );
        };
        let mut problems = not_there(&waves, crosswalk);
        let (mut known, mut typed) = (IndexMap::new(), HashMap::new());
        let mut contributions: Vec<Contribution<'_>> = Vec::new();
        let language = common_language(first, &waves, &mut problems);
        for (wave, table) in &waves {
            let parts =
                parts_of(wave, table, crosswalk.0.get(*wave), language.as_deref(), &mut known, &mut problems);
            for part in &parts {
                let kind = part.column.field.data_type();
                let (earlier, before) = typed.entry(part.name.clone()).or_insert((*wave, kind.clone()));
                if *before == DataType::Null {
                    (*earlier, *before) = (wave, kind.clone());
                } else if *kind != DataType::Null && before != kind {
                    problems.push(format!(
                        "`{}` has the type {before} in {earlier}, and {kind} in {wave}",
                        part.name
                    ));
                }
            }
            contributions.push((wave, table, parts));
        }
        let stacked = contributions.iter().map(|wave| columns_of(wave, &known, &mut problems));
        let stacked: Vec<Vec<BaseColumn>> = stacked.collect();
        fit(&problems)?;
        let tables = contributions.iter().zip(stacked).map(|((wave, table, parts), columns)| {
            let front = wave_column(wave, &table.base.rows);
            let columns = std::iter::once(front).chain(columns).collect();
            let warnings = table.base.warnings.iter().cloned().chain(partial(wave, &contributions));
            let warnings = warnings.chain(merged(wave, parts));
            table.rebuilt_with(columns, table.base.rows.clone(), None, warnings.collect())
        });
        Table::concat(&tables.collect::<Vec<_>>())
    }
}

/// Names of the crosswalk that are not there.
fn not_there(waves: &[(&str, &Table)], crosswalk: &Crosswalk) -> Vec<String> {
    let mut problems = Vec::new();
    let mut names = HashSet::new();
    problems.extend(
        waves
            .iter()
            .filter(|(wave, _)| !names.insert(*wave))
            .map(|(wave, _)| format!("there are two waves {wave}")),
    );
    for (wave, columns) in &crosswalk.0 {
        let Some((_, table)) = waves.iter().find(|(name, _)| name == wave) else {
            problems.push(format!("the crosswalk names the wave {wave}, which is not there"));
            continue;
        };
        let renamed = columns.values().filter_map(|same| match same {
            Same::Column(name) => Some(name.as_str()),
            Same::Codes(_) => None,
        });
        let mut all: HashSet<&str> =
            table.base_columns().iter().map(|column| column.field.name().as_str()).collect();
        all.extend(renamed);
        let unknown = columns.keys().filter(|name| !all.contains(name.as_str()));
        problems.extend(
            unknown.map(|name| format!("the crosswalk names `{name}` in {wave}, which has no such column")),
        );
    }
    problems
}

/// The language in which the labels of all waves are compared.
fn common_language(first: &Table, waves: &[(&str, &Table)], problems: &mut Vec<String>) -> Option<String> {
    let languages: Vec<Option<String>> =
        waves.iter().map(|(_, table)| shared_language(first, table)).collect();
    let common = languages.get(1).unwrap_or(&languages[0]).clone();
    for ((wave, _), language) in waves.iter().zip(&languages).skip(1) {
        if language.is_none() || *language != common {
            problems.push(format!(
                "{wave} has no language in common with {}: read all with one `language`",
                waves[0].0
            ));
        }
    }
    common
}

/// The columns of a wave, and how their codes change.
fn parts_of<'a>(
    wave: &str,
    table: &'a Table,
    crosswalk: Option<&IndexMap<String, Same>>,
    language: Option<&str>,
    known: &mut IndexMap<String, Known>,
    problems: &mut Vec<String>,
) -> Vec<Part<'a>> {
    let mut names = HashSet::from([WAVE.to_owned()]);
    let mut parts = Vec::new();
    for column in table.base_columns() {
        let own = column.field.name().as_str();
        let name = match crosswalk.and_then(|columns| columns.get(own)) {
            Some(Same::Column(name)) => name.clone(),
            _ => own.to_owned(),
        };
        if !names.insert(name.clone()) {
            problems.push(format!("{wave} has two columns `{name}`"));
        }
        let recoded = match crosswalk.and_then(|columns| columns.get(&name)) {
            Some(Same::Codes(codes)) => Some(codes),
            _ => None,
        };
        let asked = Asked::of(column.with_all_codes(), language);
        let is_same = matches!(crosswalk.and_then(|columns| columns.get(own)), Some(Same::Column(_)));
        if let (Some(asked), Some(known), false) = (&asked, known.get(&name), is_same) {
            problems.extend(other_scale(wave, &name, asked, known));
        }
        let codes = asked.map(|asked| aligned(wave, &name, &asked, recoded, known, problems));
        parts.push(Part { column, name, codes: codes.unwrap_or_default() });
    }
    parts
}

/// The codes of a question that change, so that they mean what they meant in the waves before.
fn aligned(
    wave: &str,
    name: &str,
    asked: &Asked<'_>,
    recoded: Option<&IndexMap<String, String>>,
    known: &mut IndexMap<String, Known>,
    problems: &mut Vec<String>,
) -> HashMap<String, String> {
    let labels: Vec<(&str, String)> = asked.labels();
    let known = known.entry(name.to_owned()).or_insert_with(|| Known {
        wave: wave.to_owned(),
        types: asked.types(),
        scale: asked.scale().map(str::to_owned),
        values: Vec::new(),
        labels: IndexMap::new(),
    });
    if known.types != asked.types() {
        problems.push(format!(
            "`{name}` is {} in {}, and {} in {wave}",
            known.types,
            known.wave,
            asked.types()
        ));
        return HashMap::new();
    }
    if let Some(code) =
        recoded.into_iter().flat_map(IndexMap::keys).find(|code| !labels.iter().any(|(one, _)| one == code))
    {
        problems.push(format!(
            "the crosswalk names the code {code} of `{name}` in {wave}, which has no such code"
        ));
    }
    let before = known.labels.clone();
    let mut changes = HashMap::new();
    for (code, label) in &labels {
        let same = recoded.and_then(|codes| codes.get(*code));
        let had = || before.iter().find(|(_, one)| *one == label).map(|(had, _)| had.clone());
        let target = match same {
            Some(same) => same.clone(),
            None if before.get(*code) == Some(label) => (*code).to_owned(),
            None => had().unwrap_or_else(|| (*code).to_owned()),
        };
        match known.labels.get(&target) {
            Some(_) if same.is_some() => {}
            Some(meant) if meant != label => problems
                .push(format!("the code {code} of `{name}` is {label:?} in {wave}, and {meant:?} before")),
            Some(_) => {}
            None => {
                known.labels.insert(target.clone(), label.clone());
                known.values.push(ValueLabel { code: target.clone(), label: label.clone() });
            }
        }
        if target != **code {
            changes.insert((*code).to_owned(), target);
        }
    }
    changes
}

/// A slider that has another range.
fn other_scale(wave: &str, name: &str, asked: &Asked<'_>, known: &Known) -> Option<String> {
    let (was, is) = (known.scale.as_deref()?, asked.scale()?);
    let before = &known.wave;
    (was != is).then(|| {
        format!("`{name}` is a scale of {was} in {before}, and of {is} in {wave} (the same nevertheless: `{name}` is `{name}` in the crosswalk)")
    })
}

/// Warnings about codes of a wave that are one code in the table.
fn merged(wave: &str, parts: &[Part<'_>]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for Part { column, name, codes } in parts.iter().filter(|part| !part.codes.is_empty()) {
        let Some(variable) = column.with_all_codes().variable.as_deref() else { continue };
        let mut sources: IndexMap<&str, Vec<&str>> = IndexMap::new();
        for ValueLabel { code, .. } in &variable.values {
            sources.entry(codes.get(code).unwrap_or(code)).or_default().push(code);
        }
        for (code, sources) in sources.into_iter().filter(|(_, sources)| sources.len() > 1) {
            let what = format!(
                "the codes {} of {wave} are one code, {code}: their answers cannot be told apart",
                sources.join(" and ")
            );
            warnings.push(Warning::new(name, what));
        }
    }
    warnings
}

/// The columns of a wave as they are stacked.
fn columns_of(
    (wave, _, parts): &Contribution<'_>,
    known: &IndexMap<String, Known>,
    problems: &mut Vec<String>,
) -> Vec<BaseColumn> {
    let mut columns = Vec::new();
    for Part { column, name, codes } in parts {
        let code = column.undeclared.as_ref().map(|undeclared| undeclared.code.clone());
        let mut made = column.with_all_codes().clone();
        made.field = Arc::new(made.field.as_ref().clone().with_name(name));
        if let (Some(known), Some(variable)) = (known.get(name), made.variable.clone()) {
            let own: HashSet<&str> = variable.values.iter().map(|value| value.code.as_str()).collect();
            // What is not available is that in every wave.
            let is_foreign = |one: &&String| !own.contains(one.as_str()) && Some(*one) != code.as_ref();
            let foreign = known.labels.keys().filter(is_foreign).cloned().collect();
            if !codes.is_empty() && made.declared.is_some() {
                problems.push(format!("the codes of `{name}` change in {wave}, and some were declared as missing: declare them after stacking"));
            }
            let recoded: std::result::Result<Vec<ArrayRef>, String> =
                made.arrays.iter().map(|array| recode::array(array, codes, &foreign)).collect();
            match recoded {
                Ok(arrays) => made.arrays = arrays,
                Err(problem) => problems.push(format!("`{name}` in {wave}: {problem}")),
            }
            if !known.values.is_empty() {
                made = described(&made, with_values(&variable, name, &known.values));
            }
        }
        if let Some(code) = code.and_then(|code| code.parse().ok())
            && let Err(error) = not_available::declare(&mut made, code)
        {
            problems.push(error.to_string());
        }
        columns.push(made);
    }
    columns
}

/// The variable with the codes of all waves; the texts of other languages are kept if the codes are the same.
pub(super) fn with_values(variable: &Variable, name: &str, values: &[ValueLabel]) -> Variable {
    let mut variable = Variable { code: name.to_owned(), ..variable.clone() };
    let codes = |values: &[ValueLabel]| values.iter().map(|value| value.code.clone()).collect::<Vec<_>>();
    if codes(&variable.values) != codes(values) {
        variable.translations.clear();
        variable.original = None;
    }
    variable.values = values.to_vec();
    variable
}

/// The name of the wave in every row.
fn wave_column(wave: &str, rows: &[usize]) -> BaseColumn {
    let field =
        Field::new(WAVE, DataType::Utf8, true).with_metadata(metadata::of_list("The wave of a row", false));
    let array = |rows: &usize| Arc::new(StringArray::from(vec![wave; *rows])) as ArrayRef;
    BaseColumn {
        field: Arc::new(field),
        arrays: rows.iter().map(array).collect(),
        variable: None,
        nested: false,
        json: false,
        undeclared: None,
        declared: None,
    }
}

/// A warning about columns that a wave has not, but another one.
fn partial(wave: &str, contributions: &[Contribution<'_>]) -> Option<Warning> {
    let names = |parts: &'_ [Part<'_>]| parts.iter().map(|part| part.name.clone()).collect::<Vec<_>>();
    let own = contributions.iter().find(|(name, ..)| *name == wave).map(|(.., parts)| names(parts))?;
    let mut missing: Vec<String> = Vec::new();
    for name in contributions.iter().flat_map(|(.., parts)| names(parts)) {
        if !own.contains(&name) && !missing.contains(&name) {
            missing.push(name);
        }
    }
    let what = format!(
        "{wave} does not have the columns {}: they are missing in its rows",
        shortened(&missing).join(", ")
    );
    (!missing.is_empty()).then(|| Warning::general(what))
}

/// An error that lists what does not fit.
fn fit(problems: &[String]) -> Result<()> {
    if problems.is_empty() {
        return Ok(());
    }
    let shown = shortened(problems).join("; ");
    Err(Error::invalid_argument(format!("the waves do not fit: {shown}")).with_hint(
        "Nothing was stacked. Say in `crosswalk` which columns and codes are the same, or leave columns out with `select`.",
    ))
}
