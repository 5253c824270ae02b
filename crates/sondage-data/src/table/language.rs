//! Questions and labels in another language of the survey.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, StringArray};
use sondage::{Error, Result};

use super::declared::plain;
use super::{BaseColumn, Table, metadata};
use crate::meaning::{ValueLabel, Variable, spelled, untranslated};

impl Table {
    /// The languages in which [`Table::in_language`] shows the table: those of the survey, if it was read with a `language`.
    pub fn languages(&self) -> Vec<String> {
        let columns = self.base_columns();
        let variables = columns.iter().filter_map(|column| column.variable.as_deref());
        let mut languages: Vec<String> =
            variables.flat_map(|variable| variable.translations.keys()).cloned().collect();
        let order = |language: &String| self.base.survey.languages.iter().position(|one| one == language);
        languages.sort_by_key(|language| (order(language).unwrap_or(usize::MAX), language.clone()));
        languages.dedup();
        languages
    }

    /// The same rows with questions and labels in this language. It costs no download, but the table must have been read with a
    /// `language`, because the code plan has one language only. Texts that nobody has translated stay as they are in the survey's
    /// default language; a warning counts those that are not in the questionnaire.
    pub fn in_language(&self, name: &str) -> Result<Table> {
        let languages = self.languages();
        if languages.is_empty() {
            return Err(Error::invalid_argument(
                "the table knows its texts in one language only: read it with the option `language`",
            ));
        }
        let language =
            spelled(name, &languages).map_err(|error| Error::invalid_argument(error.to_string()))?;
        let before = self.base_columns();
        let mut columns: Vec<BaseColumn> = before.iter().map(|column| spoken(column, &language)).collect();
        for place in 0..columns.len() {
            let of = columns[place].field.metadata().get(metadata::MISSING_OF);
            let of = of.and_then(|name| before.iter().position(|column| column.field.name() == name));
            if let Some(reasons) = of.and_then(|of| spoken_reasons(&columns[place], before[of], &columns[of]))
            {
                columns[place] = reasons;
            }
        }
        let plan = self.base.plan.as_ref().map(|plan| plan.in_language(&language));
        let warning = untranslated(columns.iter().filter_map(|column| column.variable.as_deref()));
        let mut table = self.rebuilt_by(columns, self.base.rows.clone(), plan);
        table.label_warnings.extend(warning);
        Ok(table)
    }
}

fn spoken(column: &BaseColumn, language: &str) -> BaseColumn {
    let Some(variable) = column.variable.as_deref() else { return column.clone() };
    let mut spoken_column = described(column, variable.in_language(language));
    let declared = metadata::missing(&column.field);
    if !declared.is_empty() {
        let before = column.declared.as_deref().and_then(|before| before.variable.as_deref());
        let undeclared = column.undeclared.as_deref().and_then(|before| before.column.variable.as_deref());
        let known = [before, undeclared, Some(variable)].into_iter().flatten();
        let known: Vec<ValueLabel> =
            known.flat_map(|variable| variable.in_language(language).values).collect();
        let label = |value: ValueLabel| {
            let same = known.iter().find(|known| plain(&known.code) == plain(&value.code));
            ValueLabel { label: same.map_or(value.label, |known| known.label.clone()), code: value.code }
        };
        let declared: Vec<ValueLabel> = declared.into_iter().map(label).collect();
        let mut field = spoken_column.field.as_ref().clone();
        field.metadata_mut().insert(metadata::MISSING, metadata::of_missing(&declared));
        spoken_column.field = Arc::new(field);
    }
    column.with_undeclared(spoken_column, |column| spoken(column, language))
}

/// The reasons of a column, whose declared codes have other labels now.
fn spoken_reasons(reasons: &BaseColumn, before: &BaseColumn, now: &BaseColumn) -> Option<BaseColumn> {
    let labels = metadata::missing(&before.field).into_iter().zip(metadata::missing(&now.field));
    let renamed: HashMap<String, String> = labels.map(|(before, now)| (before.label, now.label)).collect();
    let array = |array: &ArrayRef| {
        let dictionary = array.as_dictionary_opt::<Int32Type>()?;
        let text = |text: Option<&str>| Some(renamed.get(text?).map_or(text?, String::as_str).to_owned());
        let texts: Vec<Option<String>> =
            dictionary.values().as_string_opt::<i32>()?.iter().map(text).collect();
        // Libraries require texts that differ.
        let differ = texts.iter().collect::<HashSet<_>>().len() == texts.len();
        let texts: ArrayRef = Arc::new(texts.into_iter().collect::<StringArray>());
        let renamed = DictionaryArray::try_new(dictionary.keys().clone(), texts).ok().filter(|_| differ)?;
        Some(Arc::new(renamed) as ArrayRef)
    };
    let arrays = reasons.arrays.iter().map(array).collect::<Option<_>>()?;
    Some(BaseColumn { arrays, ..reasons.clone() })
}

/// The column with another variable.
pub(super) fn described(column: &BaseColumn, variable: Variable) -> BaseColumn {
    let mut field = column.field.as_ref().clone();
    field.metadata_mut().remove(metadata::VALUES);
    field.metadata_mut().remove(metadata::ORIGINAL);
    for (key, text) in metadata::of_variable(&variable) {
        field.metadata_mut().insert(key, text);
    }
    BaseColumn { field: Arc::new(field), variable: Some(Arc::new(variable)), ..column.clone() }
}
