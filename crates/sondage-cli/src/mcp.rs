//! `sondage mcp`: tools for an assistant, over standard input and output.

use crate::account;
use crate::output::failed;
use clap::Args;
use clap::builder::PossibleValuesParser;
use sondage::Client;
use sondage_mcp::{McpOptions, McpServer};
use sondage_sandbox::Sandbox;
use std::io;

#[derive(Args)]
#[command(
    after_help = "Example, to practise with invented data: sondage mcp --sandbox --allow InviteMembers\n\n\
                        In the configuration of an assistant: {\"mcpServers\": {\"sondage\": {\"command\": \"sondage\", \"args\": [\"mcp\"]}}}"
)]
pub struct McpArgs {
    /// Shows names, addresses, values of members, answers and texts of messages. Default: they are hidden.
    #[arg(long)]
    personal_data: bool,
    /// Allows all operations that change something, each with a plan and a confirmation. Default: the server only reads.
    #[arg(long)]
    allow_writes: bool,
    /// Allows one operation that changes something, with a plan and a confirmation. May be given several times.
    #[arg(long, value_name = "OPERATION", hide_possible_values = true,
          value_parser = PossibleValuesParser::new(McpOptions::all_writes()))]
    allow: Vec<String>,
    /// Uses a sandbox inside this process, with invented data, instead of an account.
    #[arg(long)]
    sandbox: bool,
}

pub fn run(arguments: &McpArgs) -> io::Result<()> {
    let writes = if arguments.allow_writes {
        McpOptions::all_writes().map(str::to_owned).collect()
    } else {
        arguments.allow.iter().cloned().collect()
    };
    let options = McpOptions { personal_data: arguments.personal_data, writes };
    // The sandbox must live as long as the server.
    let sandbox = arguments.sandbox.then(Sandbox::demo_blocking).transpose()?;
    let builder = sandbox.as_ref().map_or_else(account::builder, Sandbox::client);
    let mut config = builder.resolve().map_err(failed)?;
    // The server offers no other operations, and its client refuses them as well. An option never allows what the settings
    // forbid.
    config.permitted.only(options.operations());
    let server = McpServer::new(Client::new(config).map_err(failed)?, options);
    sondage_mcp::serve(&server, io::stdin().lock(), io::stdout())
}
