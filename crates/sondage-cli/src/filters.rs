//! `--where` and its like: which members or interviews a command is about.

use clap::Args;
use sondage::Result;
use sondage::arguments::InterviewState;
use sondage::condition::Expression;
use sondage::paging::Progress;
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

/// What matches all of these filters.
fn all(filters: &[String], read: fn(&str) -> Result<Expression>) -> io::Result<Option<Expression>> {
    let filters = filters.iter().map(|text| read(text)).collect::<Result<Vec<_>>>().map_err(failed)?;
    Ok(filters.into_iter().reduce(|all, filter| all & filter))
}
