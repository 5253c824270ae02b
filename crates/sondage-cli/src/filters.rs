//! `--where` and its like: which members or interviews a command is about.

use clap::Args;
use sondage::arguments::InterviewState;
use sondage::blocking::Client;
use sondage::condition::Expression;
use sondage::internals::spelling::did_you_mean;
use sondage::model::ReadPanelRequest;
use sondage::paging::Progress;
use sondage::{Error, Result};
use sondage_data::Interviews;
use std::io::{self, IsTerminal as _};

use crate::output::failed;
use crate::{progress, values};

/// A filter of members.
#[derive(Args)]
pub struct MemberFilter {
    /// Only members that match, for example `Division = Sales and Age >= 18`. If given several times, all must match.
    #[arg(long = "where", value_name = "FILTER")]
    filters: Vec<String>,
}

/// A filter of interviews.
#[derive(Args)]
pub struct InterviewFilter {
    /// Only interviews that match, for example `State = Completed and age >= 18`. If given several times, all must match.
    #[arg(long = "where", value_name = "FILTER")]
    filters: Vec<String>,
}

/// Which interviews a command reads, and how.
#[derive(Args)]
pub struct InterviewSelection {
    /// Only these questions and columns, separated by commas. Always name them: it saves time and traffic.
    #[arg(long, value_delimiter = ',')]
    fields: Option<Vec<String>>,
    /// Only interviews in this state.
    #[arg(long, value_parser = values::state())]
    state: Option<InterviewState>,
    #[command(flatten)]
    filter: InterviewFilter,
    /// Interviews per call. The number of calls is limited, so large pages are better.
    #[arg(long, value_parser = values::count::<i64>)]
    page_size: Option<i64>,
}

impl InterviewSelection {
    /// The query with this selection.
    pub fn of(&self, mut query: Interviews) -> io::Result<Interviews> {
        if let Some(fields) = &self.fields {
            query = query.fields(fields.iter().cloned());
        }
        if let Some(state) = self.state {
            query = query.state(state);
        }
        if let Some(filter) = self.filter.expression()? {
            query = query.filter(filter);
        }
        if let Some(rows) = self.page_size {
            query = query.page_size(rows);
        }
        Ok(if io::stderr().is_terminal() { query.on_progress(show) } else { query })
    }
}

fn show(now: &Progress) {
    let of = now.count.map(|count| format!(" of {count}")).unwrap_or_default();
    progress::report(format!("{}{of} interviews, {} calls, {} kB", now.rows, now.calls, now.bytes / 1_000));
}

impl MemberFilter {
    pub fn expression(&self) -> io::Result<Option<Expression>> {
        all(&self.filters, Expression::of_members)
    }
}

impl InterviewFilter {
    pub fn expression(&self) -> io::Result<Option<Expression>> {
        all(&self.filters, Expression::of_interviews)
    }
}

/// The error of a panel that was read by these fields and this filter. It names the field that was probably meant, which the service
/// does not say.
pub fn of_panel(
    error: Error,
    client: &Client,
    panel: i64,
    fields: Option<&[String]>,
    filter: Option<&Expression>,
) -> io::Error {
    if error.status() != Some(400) {
        return failed(error);
    }
    let Ok(answer) = client.read_panel(ReadPanelRequest::new(panel)) else { return failed(error) };
    let groups = answer.panel.map(|panel| panel.groups).unwrap_or_default();
    let known: Vec<&str> =
        groups.iter().flat_map(|group| &group.fields).map(|field| field.name.as_str()).collect();
    let conditions = filter.and_then(|filter| filter.compile().ok()).unwrap_or_default();
    let tested = conditions.iter().map(|condition| condition.identifier.as_str());
    let mut named = fields.unwrap_or_default().iter().map(String::as_str).chain(tested);
    let Some(name) = named.find(|name| !known.iter().any(|known| known.eq_ignore_ascii_case(name))) else {
        return failed(error);
    };
    let meant = did_you_mean(name, &known).unwrap_or_else(|| format!("Its fields are {}.", known.join(", ")));
    failed(error.with_hint(format!("The panel {panel} has no field {name:?}. {meant}")))
}

/// What matches all of these filters.
fn all(filters: &[String], read: fn(&str) -> Result<Expression>) -> io::Result<Option<Expression>> {
    let filters = filters.iter().map(|text| read(text)).collect::<Result<Vec<_>>>().map_err(failed)?;
    Ok(filters.into_iter().reduce(|all, filter| all & filter))
}
