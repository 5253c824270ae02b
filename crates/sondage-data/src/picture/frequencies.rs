//! What is shown of frequencies.

use std::borrow::Cow;

use sondage::reports::{Frequencies, Frequency, FrequencyKind, HistogramClass};

use super::{Bar, Chart, Drawing, Grid, GridRow, LongColumn, Shown, number, percent, titled};
use crate::table::code_text;

/// The one row of open answers.
const ANY: &str = "any answer";

impl Shown for Frequencies {
    fn grid(&self) -> Grid {
        let mut names = vec!["n".to_owned()];
        names.extend(self.weight.is_some().then(|| "weighted n".to_owned()));
        let answers = self.kind == FrequencyKind::Multiple;
        let last = if answers { "% of answers" } else { "cumulative %" };
        names.extend(["%", "valid %", last].map(str::to_owned));
        let is_open = self.kind == FrequencyKind::Open;
        if is_open || self.summary.is_some() && self.categories.is_empty() {
            names.truncate(names.len() - 3);
            names.push("%".to_owned());
        }
        let (width, has_shares) = (names.len(), names.iter().any(|name| name == "valid %"));
        let mut grid = Grid::new(titled(&self.variable, self.label.as_deref()), "", names);
        if let Some(summary) = &self.summary {
            let all = self.size_of_answered();
            let largest = summary.histogram.iter().map(size_of).fold(0.0, f64::max);
            for class in &summary.histogram {
                let size = size_of(class);
                let mut cells = vec![range_of(class), class.n.to_string()];
                cells.extend(class.weighted_n.map(number));
                if has_shares {
                    cells.push(String::new());
                }
                cells.push(percent((all > 0.0).then(|| size / all * 100.0)));
                cells.resize(width + 1, String::new());
                let bar = Some(if largest > 0.0 { size / largest } else { 0.0 });
                grid.rows.push(GridRow { cells, bar, is_aside: false, ..GridRow::default() });
            }
            let deviation = summary.deviation.map_or_else(|| "-".to_owned(), number);
            grid.notes.push(format!(
                "mean {}, deviation {deviation}, min {}, quartiles {}, {}, {}, max {}",
                number(summary.mean),
                number(summary.min),
                number(summary.q1),
                number(summary.median),
                number(summary.q3),
                number(summary.max)
            ));
        }
        if is_open {
            let (size, all) = (self.size_of_answered(), self.size());
            let mut cells = vec![ANY.to_owned(), self.answered.to_string()];
            cells.extend(self.weighted_answered.map(number));
            cells.push(percent((all > 0.0).then(|| size / all * 100.0)));
            let bar = (all > 0.0).then(|| size / all);
            grid.rows.push(GridRow { cells, bar, ..GridRow::default() });
        }
        for category in &self.categories {
            let mut cells = vec![category.label.clone(), category.n.to_string()];
            if self.weight.is_some() {
                cells.push(category.weighted_n.map(number).unwrap_or_default());
            }
            let shown = |share: Option<f64>| share.map(|share| percent(Some(share))).unwrap_or_default();
            let last = if answers { category.percent_of_answers } else { category.cumulative_percent };
            cells.extend([percent(Some(category.percent)), shown(category.valid_percent), shown(last)]);
            let bar = category.valid_percent.map(|share| share / 100.0);
            grid.rows.push(GridRow { cells, bar, is_aside: category.missing, ..GridRow::default() });
        }
        grid.notes.push(self.bases());
        if answers {
            grid.notes.push(
                "Several choices: percentages are those of respondents, and do not add up to 100.".to_owned(),
            );
        }
        grid.notes.extend(self.warnings.iter().cloned());
        grid
    }

    fn drawing(&self) -> Drawing {
        let bars: Vec<Bar> = match &self.summary {
            Some(summary) => {
                let bar = |class: &HistogramClass| {
                    let value = size_of(class);
                    Bar { label: range_of(class), value, shown: number(value) }
                };
                summary.histogram.iter().map(bar).collect()
            }
            None => self.categories.iter().map(|category| self.bar(category)).collect(),
        };
        let all: Vec<String> = bars.iter().map(|bar| format!("{}: {}", bar.label, bar.shown)).collect();
        Drawing {
            title: titled(&self.variable, self.label.as_deref()),
            description: format!("{}. {}", self.bases(), all.join("; ")),
            chart: if self.summary.is_some() { Chart::Columns(bars) } else { Chart::Bars(bars) },
        }
    }

    fn long(&self) -> Vec<LongColumn> {
        let rows = self.long_rows();
        let of = |value: &dyn Fn(&Frequency) -> Option<f64>| -> Vec<Option<f64>> {
            rows.iter().map(|(row, _)| value(row)).collect()
        };
        let all = rows.iter().map(|(row, _)| row);
        let mut columns = vec![
            LongColumn::texts(
                "code",
                "The code of the answer.",
                all.clone().map(|one| one.code.as_ref().map(code_text)),
            ),
            LongColumn::texts("label", "Its label.", all.clone().map(|one| Some(one.label.clone()))),
            LongColumn::flags("missing", "Whether an answer is missing.", all.clone().map(|one| one.missing)),
            LongColumn::counts("n", "How many rows have it.", all.map(|one| Some(one.n))),
            LongColumn::numbers("weighted_n", "Their weights.", of(&|one| one.weighted_n)),
            LongColumn::numbers("percent", "Their share of all rows.", of(&|one| Some(one.percent))),
            LongColumn::numbers(
                "valid_percent",
                "Their share of the rows with an answer.",
                of(&|one| one.valid_percent),
            ),
            LongColumn::numbers(
                "cumulative_percent",
                "The sum of these shares.",
                of(&|one| one.cumulative_percent),
            ),
            LongColumn::numbers(
                "percent_of_answers",
                "Their share of all choices.",
                of(&|one| one.percent_of_answers),
            ),
        ];
        if self.summary.is_some() {
            let end = |of: &dyn Fn(&HistogramClass) -> f64| {
                rows.iter().map(|(_, class)| class.map(of)).collect::<Vec<_>>()
            };
            columns.push(LongColumn::numbers(
                "lower",
                "The lower end of the class.",
                end(&|class| class.lower),
            ));
            columns.push(LongColumn::numbers(
                "upper",
                "The upper end of the class.",
                end(&|class| class.upper),
            ));
        }
        columns
    }
}

/// Helpers of [`Shown`].
trait Bases {
    /// The rows of a table: the answers, or the classes of numbers, or the one row of open answers.
    fn long_rows(&self) -> Vec<(Cow<'_, Frequency>, Option<&HistogramClass>)>;
    /// The rows, or their weights.
    fn size(&self) -> f64;
    fn size_of_answered(&self) -> f64;
    fn bases(&self) -> String;
    fn bar(&self, category: &Frequency) -> Bar;
}

impl Bases for Frequencies {
    fn long_rows(&self) -> Vec<(Cow<'_, Frequency>, Option<&HistogramClass>)> {
        let (all, answered) = (self.size(), self.size_of_answered());
        let share = |part: f64, whole: f64| (whole > 0.0).then(|| part / whole * 100.0);
        let of = |label: String, n: u64, weighted_n: Option<f64>| {
            let size = weighted_n.unwrap_or_else(|| float(n));
            Frequency {
                code: None,
                label,
                missing: false,
                n,
                weighted_n,
                percent: share(size, all).unwrap_or_default(),
                valid_percent: share(size, answered),
                cumulative_percent: None,
                percent_of_answers: None,
            }
        };
        let mut rows = Vec::new();
        let mut sum = 0.0;
        for class in self.summary.iter().flat_map(|summary| &summary.histogram) {
            sum += size_of(class);
            let row = of(range_of(class), class.n, class.weighted_n);
            let row = Frequency { cumulative_percent: share(sum, answered), ..row };
            rows.push((Cow::Owned(row), Some(class)));
        }
        if self.kind == FrequencyKind::Open {
            rows.push((Cow::Owned(of(ANY.to_owned(), self.answered, self.weighted_answered)), None));
        }
        rows.extend(self.categories.iter().map(|category| (Cow::Borrowed(category), None)));
        rows
    }

    fn size(&self) -> f64 {
        self.weighted_rows.unwrap_or_else(|| float(self.rows))
    }

    fn size_of_answered(&self) -> f64 {
        self.weighted_answered.unwrap_or_else(|| float(self.answered))
    }

    fn bases(&self) -> String {
        let mut text = format!("{} of {} rows have an answer", self.answered, self.rows);
        if let (Some(weight), Some(sum)) = (&self.weight, self.weighted_answered) {
            text.extend([format!(", weighted by {weight}: {}", number(sum))]);
        }
        if self.without_weight > 0 {
            text.extend([format!("; {} rows without a weight are left out", self.without_weight)]);
        }
        text
    }

    fn bar(&self, category: &Frequency) -> Bar {
        let value = category.valid_percent.unwrap_or(category.percent);
        let n = category.weighted_n.map_or_else(|| category.n.to_string(), number);
        Bar { label: category.label.clone(), value, shown: format!("{value:.1} % ({n})") }
    }
}

fn size_of(class: &HistogramClass) -> f64 {
    class.weighted_n.unwrap_or_else(|| float(class.n))
}

/// `18 to 25`, or the number if there is no other in the class.
#[allow(clippy::float_cmp)] // the ends are the same number then
fn range_of(class: &HistogramClass) -> String {
    if class.lower == class.upper {
        number(class.lower)
    } else {
        format!("{} to {}", number(class.lower), number(class.upper))
    }
}

#[allow(clippy::cast_precision_loss)] // fewer rows than 2^53
fn float(count: u64) -> f64 {
    count as f64
}
