//! `sondage webhooks`: events on this machine.

mod listen;
mod sink;

use clap::{Args, Subcommand};
use std::io;

#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Receives webhooks on this machine, verifies and prints them, until Ctrl-C.
    Listen(listen::Arguments),
}

pub fn run(arguments: &Arguments) -> io::Result<()> {
    match &arguments.what {
        What::Listen(arguments) => listen::run(arguments),
    }
}
