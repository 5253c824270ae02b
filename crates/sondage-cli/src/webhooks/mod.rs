//! `sondage webhooks`: events on this machine.

mod ensure;
mod listen;
mod sink;

use crate::output::Output;
use clap::{Args, Subcommand};
use std::io;

#[derive(Args)]
#[command(after_help = "Example: sondage webhooks listen --hook hook.json --jsonl events.jsonl")]
pub struct WebhookArgs {
    #[command(subcommand)]
    what: WebhookCommand,
}

#[derive(Subcommand)]
enum WebhookCommand {
    /// Receives webhooks on this machine, verifies them and prints each as a line of JSON, until Ctrl-C.
    Listen(listen::ListenArgs),
    /// Registers a webhook once: creates the registration, registers it again if something has changed or expires soon, or
    /// leaves it unchanged.
    Ensure(ensure::EnsureArgs),
}

pub fn run(arguments: &WebhookArgs, output: Output) -> io::Result<()> {
    match &arguments.what {
        WebhookCommand::Listen(arguments) => listen::run(arguments),
        WebhookCommand::Ensure(arguments) => ensure::run(arguments, output),
    }
}
