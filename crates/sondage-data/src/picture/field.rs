//! What is shown of fieldwork: a distribution as a funnel, and the dispositions of a field report.

use sondage_jobs::{Distribution, FieldReport};

use super::{Bar, Chart, Drawing, Grid, GridRow, LongColumn, Shown, percent, titled};

/// What is said of a count that the service does not tell.
const UNKNOWN: &str = "unknown";

/// The steps of a funnel, in order.
fn steps(of: &Distribution) -> [(&'static str, Option<usize>); 5] {
    [
        ("invited", Some(of.invited)),
        ("not bounced", of.not_bounced),
        ("opened", of.opened),
        ("started", Some(of.started)),
        ("completed", Some(of.completed)),
    ]
}

/// What is beside the funnel.
fn outcomes(of: &Distribution) -> [(&'static str, Option<usize>); 8] {
    [
        ("in progress", Some(of.in_progress)),
        ("screened out", Some(of.screened_out)),
        ("quota full", Some(of.quota_full)),
        ("not responded", Some(of.not_responded)),
        ("other states", Some(of.other)),
        ("hard bounces", of.hard_bounces),
        ("soft bounces", of.soft_bounces),
        ("spam bounces", of.spam_bounces),
    ]
}

fn known(count: Option<usize>) -> String {
    count.map_or_else(|| UNKNOWN.to_owned(), |count| count.to_string())
}

#[allow(clippy::cast_precision_loss)] // no survey has 2^53 interviews
fn share(count: Option<usize>, of: usize) -> Option<f64> {
    count.filter(|_| of > 0).map(|count| count as f64 / of as f64 * 100.0)
}

fn rate(name: &str, rate: Option<f64>) -> String {
    rate.map_or_else(|| format!("{name} none"), |rate| format!("{name} {:.1} %", rate * 100.0))
}

impl Shown for Distribution {
    fn grid(&self) -> Grid {
        let title = format!("Distributor {} of survey {}", self.distributor_id, self.survey_id);
        let mut grid = Grid::new(title, "", ["n", "% of invited"].map(str::to_owned));
        let line = |(name, count): (&str, Option<usize>), is_step: bool| {
            let share = share(count, self.invited);
            let bar = share.filter(|_| is_step).map(|share| share / 100.0);
            let cells = vec![name.to_owned(), known(count), percent(share)];
            GridRow { cells, bar, is_aside: !is_step, ..GridRow::default() }
        };
        grid.rows.extend(steps(self).map(|step| line(step, true)));
        grid.rows.extend(outcomes(self).map(|outcome| line(outcome, false)));
        let list = known(self.opt_outs_of_panel);
        grid.notes.push(format!(
            "entries of the panel's opt-out list: {list}; the service does not tell which message they answer"
        ));
        grid.notes.push(format!("{}, {}", rate("RR1", self.rr1), rate("RR3", self.rr3)));
        let days: Vec<String> =
            self.days.iter().map(|day| format!("{} {}", day.day, day.completed)).collect();
        if !days.is_empty() {
            let shown = days.iter().rev().take(14).rev().cloned().collect::<Vec<_>>().join(", ");
            let more = if days.len() > 14 { "last days: " } else { "" };
            grid.notes.push(format!("completed by day (UTC): {more}{shown}"));
        }
        grid
    }

    fn drawing(&self) -> Drawing {
        let bar = |(name, count): (&str, Option<usize>)| {
            let shown = share(count, self.invited)
                .map_or_else(|| known(count), |share| format!("{} ({share:.1} %)", known(count)));
            #[allow(clippy::cast_precision_loss)]
            let value = count.unwrap_or_default() as f64;
            Bar { label: name.to_owned(), value, shown }
        };
        let bars: Vec<Bar> = steps(self).map(bar).into();
        let all: Vec<String> = bars.iter().map(|bar| format!("{}: {}", bar.label, bar.shown)).collect();
        Drawing {
            title: format!("Distributor {} of survey {}", self.distributor_id, self.survey_id),
            description: all.join("; "),
            chart: Chart::Bars(bars),
        }
    }

    fn long(&self) -> Vec<LongColumn> {
        let all: Vec<_> = steps(self).into_iter().chain(outcomes(self)).collect();
        let names = all.iter().map(|(name, _)| Some((*name).to_owned()));
        let counts = all.iter().map(|(_, count)| count.map(|count| count as u64));
        let shares = all.iter().map(|(_, count)| share(*count, self.invited));
        vec![
            LongColumn::texts("step", "The step or outcome.", names),
            LongColumn::counts("n", "How many; nothing if the service does not tell.", counts),
            LongColumn::numbers("percent", "Their share of the invited.", shares),
        ]
    }
}

/// The dispositions of all cases, and of each group.
fn dispositions(of: &FieldReport) -> Vec<(String, [usize; 7], Option<f64>)> {
    let all = (
        "all".to_owned(),
        [of.cases, of.complete, of.partial, of.refusal, of.other, of.unknown, of.not_eligible],
        of.rr1,
    );
    let groups = of.groups.iter().map(|group| {
        let counts = [
            group.cases,
            group.complete,
            group.partial,
            group.refusal,
            group.other,
            group.unknown,
            group.not_eligible,
        ];
        let name = group.label.clone().or_else(|| group.value.clone());
        (name.unwrap_or_else(|| "no value".to_owned()), counts, group.rr1)
    });
    std::iter::once(all).chain(groups).collect()
}

const DISPOSITIONS: [&str; 7] =
    ["cases", "complete", "partial", "refusal", "other", "unknown", "not eligible"];

impl Shown for FieldReport {
    fn grid(&self) -> Grid {
        let title = match &self.by {
            Some(by) => format!("Survey {} by {}", self.survey_id, titled(by, self.by_label.as_deref())),
            None => format!("Survey {}", self.survey_id),
        };
        let names = DISPOSITIONS.into_iter().chain(["RR1 %"]).map(str::to_owned);
        let mut grid = Grid::new(title, "", names);
        for (name, counts, rr1) in dispositions(self) {
            let counts = counts.iter().map(usize::to_string);
            let cells =
                [name].into_iter().chain(counts).chain([percent(rr1.map(|rate| rate * 100.0))]).collect();
            grid.rows.push(GridRow { cells, bar: rr1, is_aside: false, ..GridRow::default() });
        }
        let rates = [self.rr1, self.rr2, self.rr3, self.rr4, self.rr5, self.rr6];
        let rates = (1..).zip(rates).map(|(number, of)| rate(&format!("RR{number}"), of));
        grid.notes.push(rates.collect::<Vec<_>>().join(", "));
        if self.uninvited > 0 {
            grid.notes.push(format!("{} interviews by a public link are in no count", self.uninvited));
        }
        grid
    }

    fn drawing(&self) -> Drawing {
        let all = dispositions(self);
        let (bars, title) = if self.groups.is_empty() {
            let (_, counts, _) = &all[0];
            let bar = |(name, count): (&str, &usize)| {
                #[allow(clippy::cast_precision_loss)]
                let value = *count as f64;
                Bar { label: name.to_owned(), value, shown: count.to_string() }
            };
            (
                DISPOSITIONS.into_iter().zip(counts).map(bar).collect::<Vec<_>>(),
                format!("Survey {}", self.survey_id),
            )
        } else {
            let bar = |(name, counts, rr1): &(String, [usize; 7], Option<f64>)| Bar {
                label: format!("{name} ({})", counts[0]),
                value: rr1.unwrap_or_default(),
                shown: percent(rr1.map(|rate| rate * 100.0)),
            };
            let by = titled(self.by.as_deref().unwrap_or_default(), self.by_label.as_deref());
            (
                all.iter().map(bar).collect(),
                format!("Survey {}: response rate 1 in % by {by}", self.survey_id),
            )
        };
        let described: Vec<String> = bars.iter().map(|bar| format!("{}: {}", bar.label, bar.shown)).collect();
        Drawing { title, description: described.join("; "), chart: Chart::Bars(bars) }
    }

    fn long(&self) -> Vec<LongColumn> {
        let all = dispositions(self);
        let of = |place: usize| {
            all.iter().map(move |(_, counts, _)| Some(counts[place] as u64)).collect::<Vec<_>>()
        };
        let values = self.groups.iter().map(|group| group.value.clone());
        let values = std::iter::once(Some("all".to_owned())).chain(values);
        vec![
            LongColumn::texts("value", "The value of the group.", values),
            LongColumn::texts("label", "Its label.", all.iter().map(|(name, ..)| Some(name.clone()))),
            LongColumn::counts("cases", "Interviews by invitation.", of(0)),
            LongColumn::counts("complete", "Complete interviews.", of(1)),
            LongColumn::counts("partial", "Partial interviews.", of(2)),
            LongColumn::counts("refusal", "Refusals and break-offs.", of(3)),
            LongColumn::counts("other", "Other eligible cases.", of(4)),
            LongColumn::counts("unknown", "Cases of unknown eligibility.", of(5)),
            LongColumn::counts("not_eligible", "Cases that are not eligible.", of(6)),
            LongColumn::numbers(
                "rr1",
                "Response rate 1.",
                all.iter().map(|(.., rr1)| *rr1).collect::<Vec<_>>(),
            ),
        ]
    }
}
