//! `--where`: which members or interviews a command is about.

use clap::Args;
use sondage::Result;
use sondage::condition::Expression;
use std::io;

use crate::output::failed;

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
