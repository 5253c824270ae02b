//! The numbers of each group: how many there are, their mean, and how they are spread.

use sondage::Result;
use sondage::arguments::{CrosstabOptions, FrequenciesOptions};
use sondage::reports::{Crosstab, FrequencyKind, NumberSummary};

use super::{Grid, GridRow, text};
use crate::table::Table;

/// What groups are compared by.
#[derive(Clone, Debug)]
pub enum Comparison {
    /// Their numbers.
    Numbers(NumberGroups),
    /// How often they gave each answer.
    Choices(Box<Crosstab>),
}

/// The numbers of a column, by the answers to another question.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NumberGroups {
    /// The column of the numbers.
    pub variable: String,
    /// The question by which they are grouped.
    pub by: String,
    /// The groups, in the order of the answers.
    pub groups: Vec<NumberGroup>,
}

/// The numbers of one group.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NumberGroup {
    /// The answer that its members gave.
    pub label: String,
    /// How many of them have a number.
    pub answered: u64,
    /// Their numbers; nothing if there are none.
    pub summary: Option<NumberSummary>,
}

impl Table {
    /// The numbers of a column by the answers to another question; nothing if the column has no numbers, but choices or texts.
    pub fn number_groups(&self, options: &CrosstabOptions) -> Result<Option<NumberGroups>> {
        let CrosstabOptions { variable, by, weight, .. } = options;
        let mut of = FrequenciesOptions::new(variable);
        of.weight.clone_from(weight);
        if self.frequencies(&of)?.kind != FrequencyKind::Number {
            return Ok(None);
        }
        let answers = self.answers("by", by)?;
        let group = |(place, label): (u32, &str)| {
            let is_in = |row: &Option<Vec<u32>>| row.as_ref().is_some_and(|places| places.contains(&place));
            let mask: Vec<bool> = answers.rows.iter().map(is_in).collect();
            let found = self.chosen(&mask)?.frequencies(&of)?;
            Ok(NumberGroup { label: label.to_owned(), answered: found.answered, summary: found.summary })
        };
        let labels = answers.categories.iter().map(|category| category.label.as_str());
        let groups = (0..).zip(labels).map(group).collect::<Result<_>>()?;
        Ok(Some(NumberGroups { variable: variable.clone(), by: by.clone(), groups }))
    }
}

impl NumberGroups {
    /// The cells, with bars as long as the means.
    pub fn to_grid(&self) -> Grid {
        let Self { variable, by, groups } = self;
        let names = ["n", "mean", "deviation", "min", "median", "max"].map(str::to_owned);
        let mut grid = Grid::new(format!("{variable} by {by}"), by, names);
        let means = || groups.iter().filter_map(|group| group.summary.as_ref()).map(|all| all.mean);
        // A bar that does not begin at 0 would exaggerate.
        let largest = means().fold(0.0, f64::max);
        let have_bars = largest > 0.0 && means().all(|mean| mean >= 0.0);
        for NumberGroup { label, answered, summary } in groups {
            let numbers = summary.as_ref().map_or([None; 5], |all| {
                [Some(all.mean), all.deviation, Some(all.min), Some(all.median), Some(all.max)]
            });
            let shown =
                numbers.map(|value| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}")));
            let cells = [label.clone(), answered.to_string()].into_iter().chain(shown).collect();
            let bar = numbers[0].filter(|_| have_bars).map(|mean| mean / largest);
            grid.rows.push(GridRow { cells, bar, ..GridRow::default() });
        }
        grid
    }

    /// Aligned text for a terminal of so many columns.
    pub fn to_text_within(&self, columns: usize) -> String {
        text::text(&self.to_grid(), columns)
    }
}
