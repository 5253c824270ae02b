//! The rows of several tables as one table.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, StringArray, new_null_array};
use arrow_schema::{DataType, Field};
use indexmap::{IndexMap, IndexSet};
use sondage::{Error, Result};

use super::declared::{Declared, plain};
use super::language::described;
use super::missing::apart;
use super::stack::with_values;
use super::{Base, BaseColumn, BeforeDeclaring, Table, metadata, not_available};
use crate::error::Warning;
use crate::meaning::{ValueLabel, Variable};

/// What to do about columns of different types.
const SAME_QUERY: &str =
    "Nothing was combined. Combine tables of one query, or leave the column out with `select`.";

/// What to do about codes that only some tables declare as missing.
const SAME_MISSING: &str = "Nothing was combined. Declare it in all tables, or after they are combined, with `with_missing` (`withMissing` in Node.js).";

/// A column of the whole, with its parts by the number of the table.
struct Joined<'a> {
    parts: Vec<(usize, &'a BaseColumn)>,
}

impl Table {
    /// One table of the rows of several, such as the pages of a query or the loads of a year. A column that some of them do not have
    /// is missing in their rows; labels are shown as in the first one.
    ///
    /// An error names the column whose types, time zones, labels or declared missing codes differ.
    pub fn concat(tables: &[Table]) -> Result<Table> {
        let Some(first) = tables.first() else {
            return Err(Error::invalid_argument("tables: there are no tables to combine")
                .with_hint("Give one table at least: a query without rows has one, `table()`."));
        };
        let mut joined: IndexMap<&str, Joined<'_>> = IndexMap::new();
        for (number, table) in tables.iter().enumerate() {
            for column in table.base_columns() {
                let column_parts = joined.entry(column.field.name()).or_insert(Joined { parts: Vec::new() });
                column_parts.parts.push((number, column));
            }
        }
        let columns = joined.values().map(|joined| joined.column(tables)).collect::<Result<_>>()?;
        let mut warnings: Vec<Warning> = Vec::new();
        for warning in tables.iter().flat_map(|table| &table.base.warnings) {
            if !warnings.contains(warning) {
                warnings.push(warning.clone());
            }
        }
        let bases = || tables.iter().map(|table| &table.base);
        let described = bases().find(|base| base.survey.name.is_some()).unwrap_or(&first.base);
        let base = Base {
            columns,
            rows: bases().flat_map(|base| base.rows.iter().copied()).collect(),
            survey: described.survey.clone(),
            plan: bases().find_map(|base| base.plan.clone()),
            warnings,
        };
        let whole = Table::of(Arc::new(base)).map_err(|error| Error::internal(error.to_string()))?;
        Ok(whole.with_labels(first.labels))
    }
}

impl Joined<'_> {
    fn column(&self, tables: &[Table]) -> Result<BaseColumn> {
        // What is missing by default is a code again, so that the reason stays.
        let codes: IndexSet<&str> = self
            .parts
            .iter()
            .filter_map(|(_, column)| Some(column.undeclared.as_deref()?.code.as_str()))
            .collect();
        let columns: HashMap<usize, &BaseColumn> =
            self.parts.iter().map(|(number, column)| (*number, column.with_all_codes())).collect();
        self.check_labels()?;
        self.check_missing()?;
        self.check_reasons(tables)?;
        let data_type = self.data_type()?;
        let declared = self.parts.iter().any(|(_, column)| column.declared.is_some());
        let declared = declared.then(|| Arc::new(self.before_declaring(tables)));
        let mut arrays = Vec::new();
        for (number, table) in tables.iter().enumerate() {
            let column = columns.get(&number).filter(|column| *column.field.data_type() != DataType::Null);
            match column {
                Some(column) => arrays.extend(column.arrays.iter().cloned()),
                None => arrays.extend(table.base.rows.iter().map(|rows| new_null_array(&data_type, *rows))),
            }
        }
        if matches!(data_type, DataType::Dictionary(..)) {
            arrays = with_one_dictionary(&arrays)?;
        }
        let mut described = self.described();
        let mut field = described.field.as_ref().clone();
        self.declare_missing(&mut field);
        described.field = Arc::new(field);
        let described = self.without_declared(described);
        let field = described.field.as_ref().clone().with_data_type(data_type);
        let mut column =
            BaseColumn { field: Arc::new(field), arrays, undeclared: None, declared, ..described };
        for code in codes.iter().filter_map(|code| code.parse().ok()) {
            not_available::declare(&mut column, code)?;
        }
        Ok(column)
    }

    /// The description of the whole: of the first part whose question has the codes of all, such as a load after a choice was added. If
    /// there is none, the first one gets the others' codes, each behind the one that it follows there.
    fn described(&self) -> BaseColumn {
        let asked = || {
            let columns = self.parts.iter().map(|(_, column)| column.with_all_codes());
            columns.filter_map(|column| Some((column, column.variable.as_deref()?)))
        };
        let mut values: Vec<ValueLabel> = Vec::new();
        for (_, variable) in asked().filter(|(_, variable)| !variable.values.is_empty()) {
            if values == variable.values {
                continue;
            }
            let mut place = 0;
            for value in &variable.values {
                let known = values.iter().position(|known| known.code == value.code);
                if known.is_none() {
                    values.insert(place, value.clone());
                }
                place = known.unwrap_or(place) + 1;
            }
        }
        let has_all = |(_, variable): &(&BaseColumn, &Variable)| variable.values.len() == values.len();
        match (asked().find(has_all), asked().next()) {
            (Some((column, _)), _) => column.clone(),
            (None, Some((column, variable))) => {
                described(column, with_values(variable, &variable.code, &values))
            }
            (None, None) => self.parts[0].1.with_all_codes().clone(),
        }
    }

    /// The arrays with the codes that were declared as missing.
    fn before_declaring(&self, tables: &[Table]) -> BeforeDeclaring {
        let of_table = |(number, table): (usize, &Table)| {
            let part = self.parts.iter().find(|(of, _)| *of == number).map(|(_, column)| column);
            match part.map(|column| (column.declared.as_deref(), &column.arrays)) {
                Some((before, arrays)) => before.map_or(arrays, |before| &before.arrays).clone(),
                None => table.base.rows.iter().map(|rows| new_null_array(&DataType::Null, *rows)).collect(),
            }
        };
        let variable = self.parts.iter().find_map(|(_, column)| column.declared.as_deref()?.variable.clone());
        BeforeDeclaring { arrays: tables.iter().enumerate().flat_map(of_table).collect(), variable }
    }

    /// A code has one label: waves of a survey may use it for another answer.
    fn check_labels(&self) -> Result<()> {
        let mut labels: HashMap<&str, (usize, &str)> = HashMap::new();
        for (table, column) in &self.parts {
            let column = column.with_all_codes();
            for value in column.variable.iter().flat_map(|variable| &variable.values) {
                let (first_table, label) = *labels.entry(&value.code).or_insert((*table, &value.label));
                if label != value.label {
                    let what = format!(
                        "the column {:?}: the code {:?} means {label:?} in tables[{first_table}] and {:?} in tables[{table}]",
                        column.field.name(),
                        value.code,
                        value.label
                    );
                    return Err(Error::invalid_argument(what).with_hint(SAME_QUERY));
                }
            }
        }
        Ok(())
    }

    /// A code is missing in all rows or an answer in all: the whole has one declaration, by which it is counted.
    fn check_missing(&self) -> Result<()> {
        let declared_by: Vec<(usize, Vec<String>)> = self
            .parts
            .iter()
            .map(|(table, column)| {
                let codes = metadata::missing(&column.field);
                (*table, codes.iter().map(|value| plain(&value.code).into_owned()).collect())
            })
            .collect();
        for ((table, column), (_, own)) in self.parts.iter().zip(&declared_by) {
            let others =
                declared_by.iter().flat_map(|(other, codes)| codes.iter().map(move |code| (other, code)));
            for (other, code) in others.filter(|(_, code)| !own.contains(code)) {
                let mut codes = Declared::default();
                codes.and(code);
                if column.arrays.iter().any(|array| not_available::has_a_code(array, &codes)) {
                    let name = column.field.name();
                    let what = format!(
                        "the column {name:?}: the code {code:?} means a missing answer in tables[{other}], and is an answer in tables[{table}]"
                    );
                    return Err(Error::invalid_argument(what).with_hint(SAME_MISSING));
                }
            }
        }
        Ok(())
    }

    /// Reasons are beside their column in all tables: a row without one would have none.
    fn check_reasons(&self, tables: &[Table]) -> Result<()> {
        let (first, column) = self.parts[0];
        let Some(of) = column.field.metadata().get(metadata::MISSING_OF) else { return Ok(()) };
        let is_without = |(number, table): &(usize, &Table)| {
            self.parts.iter().all(|(part, _)| part != number)
                && table.base_columns().iter().any(|column| column.field.name() == of)
        };
        let Some((other, _)) = tables.iter().enumerate().find(is_without) else { return Ok(()) };
        let name = column.field.name();
        let what = format!(
            "the column {name:?} has the reasons of missing answers in tables[{first}], and is not in tables[{other}]"
        );
        Err(Error::invalid_argument(what).with_hint(SAME_MISSING))
    }

    /// The column without labels of codes that are missing, if they were removed in a part.
    fn without_declared(&self, column: BaseColumn) -> BaseColumn {
        let mut codes = Declared::default();
        // The service's own is declared in the whole, by its label.
        let service = |code: &String| {
            self.parts.iter().any(|(_, part)| part.undeclared.as_deref().is_some_and(|own| own.code == *code))
        };
        for (_, part) in &self.parts {
            let offered = part.variable.iter().flat_map(|variable| &variable.values);
            let offered: Vec<_> = offered.map(|value| plain(&value.code)).collect();
            let missing = metadata::missing(&part.field).into_iter();
            missing
                .map(|value| plain(&value.code).into_owned())
                .filter(|code| !offered.contains(&code.as_str().into()) && !service(code))
                .for_each(|code| codes.and(&code));
        }
        let Some(variable) = column.variable.as_deref().filter(|_| !codes.is_empty()) else { return column };
        if !variable.values.iter().any(|value| codes.hold(&value.code)) {
            return column;
        }
        let rest = apart(variable.clone(), Vec::new(), &codes).0;
        described(&column, rest)
    }

    /// The type that the parts have, except those without answers.
    fn data_type(&self) -> Result<DataType> {
        let typed = |column: &&(usize, &BaseColumn)| *column.1.field.data_type() != DataType::Null;
        let mut typed = self.parts.iter().filter(typed);
        let Some((first_table, first)) = typed.next() else { return Ok(DataType::Null) };
        let data_type = first.field.data_type();
        for (table, column) in typed {
            let other = column.field.data_type();
            if other != data_type {
                let name = column.field.name();
                let (problem, hint) = match (time_zone(data_type), time_zone(other)) {
                    (Some(zone), Some(other)) if zone != other => (
                        format!(
                            "is in the time zone {zone} in tables[{first_table}] and {other} in tables[{table}]"
                        ),
                        "Nothing was combined. Give all tables one time zone first, with `in_time_zone` (`inTimeZone` in Node.js).",
                    ),
                    _ => (
                        format!(
                            "has the type {data_type} in tables[{first_table}] and {other} in tables[{table}]"
                        ),
                        SAME_QUERY,
                    ),
                };
                return Err(Error::invalid_argument(format!("the column {name:?} {problem}")).with_hint(hint));
            }
        }
        Ok(data_type.clone())
    }

    /// Declares every code that a part declares as missing.
    fn declare_missing(&self, field: &mut Field) {
        let mut declared = metadata::missing(field);
        let known = declared.len();
        for value in
            self.parts.iter().flat_map(|(_, column)| metadata::missing(&column.with_all_codes().field))
        {
            if !declared.iter().any(|known| plain(&known.code) == plain(&value.code)) {
                declared.push(value);
            }
        }
        if declared.len() > known {
            field.metadata_mut().insert(metadata::MISSING, metadata::of_missing(&declared));
        }
    }
}

/// The time zone of times, in words; `None` for other types.
fn time_zone(data_type: &DataType) -> Option<&str> {
    match data_type {
        DataType::Timestamp(_, zone) => Some(zone.as_deref().unwrap_or("of no name")),
        _ => None,
    }
}

/// The same texts with one dictionary for all arrays: that of the first one, and then what only others have.
pub(super) fn with_one_dictionary(arrays: &[ArrayRef]) -> Result<Vec<ArrayRef>> {
    let internal = |error: arrow_schema::ArrowError| Error::internal(error.to_string());
    let mut texts: IndexSet<String> = IndexSet::new();
    let mut all_keys = Vec::new();
    for array in arrays {
        let labels = array.as_dictionary::<Int32Type>();
        let values = labels.values().as_string::<i32>();
        let places: Vec<usize> =
            values.iter().map(|value| texts.insert_full(value.unwrap_or_default().to_owned()).0).collect();
        let place = |key: Option<i32>| {
            let place = places.get(usize::try_from(key?).ok()?)?;
            i32::try_from(*place).ok()
        };
        all_keys.push(labels.keys().iter().map(place).collect::<Int32Array>());
    }
    let dictionary: ArrayRef = Arc::new(texts.iter().map(Some).collect::<StringArray>());
    let array = |keys| {
        let array = DictionaryArray::<Int32Type>::try_new(keys, Arc::clone(&dictionary)).map_err(internal)?;
        Ok(Arc::new(array) as ArrayRef)
    };
    all_keys.into_iter().map(array).collect()
}
