//! `sondage webhooks`: events on this machine.

mod listen;
mod sink;

use clap::{Args, Subcommand};
use std::io;

#[derive(Args)]
pub struct WebhookArgs {
    #[command(subcommand)]
    what: WebhookCommand,
}

#[derive(Subcommand)]
enum WebhookCommand {
    /// Receives webhooks on this machine, verifies and prints them, until Ctrl-C.
    Listen(listen::ListenArgs),
}

pub fn run(arguments: &WebhookArgs) -> io::Result<()> {
    match &arguments.what {
        WebhookCommand::Listen(arguments) => listen::run(arguments),
    }
}
