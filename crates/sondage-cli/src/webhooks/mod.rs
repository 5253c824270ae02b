//! `sondage webhooks`: events on this machine.

mod ensure;
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
    /// Subscribes once: registers the webhook, registers it anew where something has changed or ends soon, or leaves it as it is.
    /// The account is that of the environment or of the profile file.
    Ensure(ensure::EnsureArgs),
}

pub fn run(arguments: &WebhookArgs) -> io::Result<()> {
    match &arguments.what {
        WebhookCommand::Listen(arguments) => listen::run(arguments),
        WebhookCommand::Ensure(arguments) => ensure::run(arguments),
    }
}
