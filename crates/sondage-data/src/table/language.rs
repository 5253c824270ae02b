//! Questions and labels in another language of the survey.

use std::sync::Arc;

use sondage::{Error, Result};

use super::{BaseColumn, Table, metadata};
use crate::meaning::{Variable, spelled, untranslated};

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
        let columns: Vec<BaseColumn> =
            self.base_columns().into_iter().map(|column| spoken(column, &language)).collect();
        let plan = self.base.plan.as_ref().map(|plan| plan.in_language(&language));
        let warning = untranslated(columns.iter().filter_map(|column| column.variable.as_deref()));
        let mut table = self.rebuilt_by(columns, self.base.rows.clone(), plan);
        table.label_warnings.extend(warning);
        Ok(table)
    }
}

fn spoken(column: &BaseColumn, language: &str) -> BaseColumn {
    let Some(variable) = column.variable.as_deref() else { return column.clone() };
    let spoken_column = described(column, variable.in_language(language));
    column.with_undeclared(spoken_column, |column| spoken(column, language))
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
