//! A server of the Model Context Protocol for an account: `sondage mcp`.
//!
//! Each tool is made for a task: to look at the account, to count answers, to see what became of invitations. `call` reads with any other
//! operation of the table. Operations that change something are planned first (`plan`) and then confirmed (`confirm`), and only
//! if the person who started the server allowed them.
#![forbid(unsafe_code)]
#![warn(missing_debug_implementations)]

mod account;
mod arguments;
mod calls;
mod plans;
mod privacy;
mod protocol;
mod results;
mod schemas;
mod server;
mod size;
mod tools;
mod wire;
mod wording;
mod writes;

pub use server::McpServer;
pub use wire::serve;

use sondage::internals::mask;
use sondage::operation::OperationInfo;
use sondage::{Effect, Error, operations};
use std::collections::BTreeSet;

/// What a server may do and show.
#[derive(Clone, Debug, Default)]
pub struct McpOptions {
    /// Shows names, addresses, values of members, answers and texts of messages. Default: they are hidden.
    pub personal_data: bool,
    /// The operations that may be planned and confirmed, by the names of the API. Default: none, the server only reads.
    pub writes: BTreeSet<String>,
}

impl McpOptions {
    /// All operations that change something.
    pub fn all_writes() -> impl Iterator<Item = &'static str> {
        operations::ALL.iter().filter(|row| writes(row)).map(|row| row.name)
    }

    /// The operations that a client of the server may call: those that read, and those that are allowed.
    pub fn operations(&self) -> impl Iterator<Item = &'static str> {
        let allowed = |row: &&&OperationInfo| !writes(row) || self.writes.contains(row.name);
        operations::ALL.iter().filter(allowed).map(|row| row.name)
    }

    /// The text of an error.
    pub(crate) fn text(&self, error: &Error) -> String {
        let text = error.told(wording::of_errors()).message;
        if self.personal_data { text } else { mask::error(&text, error) }
    }
}

/// Whether an operation changes something.
fn writes(row: &OperationInfo) -> bool {
    !matches!(row.effect, Effect::Read | Effect::Token)
}
