//! The questions of the last load, which tell whether its numbers still mean the same.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sondage::reports::{Comparison, WaveChange};
use sondage::{Error, Result};

use crate::meaning::{Survey, Variable};
use crate::shortened::shortened;
use crate::table::Table;

/// The questions of a load, as the state file has them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Questions {
    survey: Survey,
    /// The columns with their questions.
    columns: Vec<(String, Variable)>,
}

impl Questions {
    /// Those of a table; `None` if it was read without a code plan.
    pub(super) fn of(table: &Table) -> Option<Self> {
        let columns = table.questions();
        (!columns.is_empty()).then(|| Self { survey: table.survey().clone(), columns })
    }

    /// An error that lists what has changed in a breaking way since then.
    pub(super) fn check(&self, now: &Table, state: &Path) -> Result<()> {
        let before = Table::of_questions(self.survey.clone(), &self.columns)
            .map_err(|error| Error::internal(error.to_string()))?;
        let breaking = breaking(&before.compare(now));
        if breaking.is_empty() {
            return Ok(());
        }
        let shown = shortened(&breaking).join("; ");
        let what = format!(
            "the questionnaire has changed since the last load with `{}`, so that its answers mean something else: {shown}",
            state.display()
        );
        Err(Error::invalid_argument(what).with_hint(
            "Nothing was loaded, and the state file is unchanged. Look at what you have stored first; then load once with `evolve`.",
        ))
    }
}

fn breaking(comparison: &Comparison) -> Vec<String> {
    let text = |change: &WaveChange| {
        let code = change.code.as_deref().map(|code| format!(", code {code}")).unwrap_or_default();
        let said =
            |text: &Option<String>| text.as_deref().map_or("nothing".to_owned(), |text| format!("{text:?}"));
        let kind = change.kind.replace('_', " ");
        format!("`{}`{code}: {kind}, from {} to {}", change.column, said(&change.before), said(&change.after))
    };
    comparison.changes.iter().filter(|change| change.severity == "breaking").map(text).collect()
}
