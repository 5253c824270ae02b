//! The words of a terminal: what a text of the library calls `chunk_size` is `--chunk-size` here.

use clap::CommandFactory;
use sondage::error::Wording;
use sondage::operations;
use std::ffi::OsString;

/// Options that are named after something else here.
const OTHERWISE: [(&str, &str); 9] = [
    // Nobody passes a function to a command: a person logs in.
    ("token_provider", "sondage login"),
    ("workspace_id", "--workspace"),
    ("config.explain()", "sondage doctor"),
    ("message_template_id", "--template"),
    ("text_blocks", "--text-block"),
    ("read_distributor_list", "sondage distributors"),
    ("plan_update", "sondage call UpdateMembers"),
    ("reconcile", "sondage reconcile"),
    // It is valid in its process only, which ends with the error.
    ("write_id", "--error"),
];

/// How the command with these arguments names what an error tells to do.
pub fn of<C: CommandFactory>(arguments: &[OsString]) -> Wording {
    let mut command = &C::command();
    let matches = command.clone().try_get_matches_from(arguments).unwrap_or_default();
    let mut deepest = &matches;
    while let Some((name, more)) = deepest.subcommand() {
        let Some(inner) = command.find_subcommand(name) else { break };
        (command, deepest) = (inner, more);
    }
    let options = command.get_arguments().filter_map(|argument| {
        // What `sondage budget --facts` shows is not the setting `facts`.
        let long = argument.get_long().filter(|long| *long != "facts")?;
        Some((word(long.replace('-', "_")), word(format!("--{long}"))))
    });
    let calls = operations::ALL.iter().map(|row| (row.method, word(format!("sondage call {}", row.name))));
    let idioms: Vec<_> = options.chain(OTHERWISE).chain(calls).collect();
    Wording { idioms: Vec::leak(idioms), ..Wording::RUST }
}

/// A word that is kept until the process ends, which it does after the error.
fn word(text: String) -> &'static str {
    String::leak(text)
}
