//! `sondage completions` and `sondage man`: shell completions and manual pages, generated from the definition of the
//! command.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Example: sondage completions bash > ~/.local/share/bash-completion/completions/sondage"
)]
pub struct CompletionArgs {
    /// The shell.
    shell: Shell,
}

#[derive(Args)]
#[command(after_help = "Example: sondage man --folder ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Writes a page for each subcommand into this folder, which is created if it does not exist. Default: the page of the
    /// command itself, on standard output.
    #[arg(long)]
    folder: Option<PathBuf>,
}

/// Writes the completions of a shell to standard output.
pub fn completions<C: CommandFactory>(arguments: &CompletionArgs) -> io::Result<()> {
    let mut written = Vec::new();
    clap_complete::generate(arguments.shell, &mut C::command(), "sondage", &mut written);
    io::stdout().lock().write_all(&written)
}

/// Writes manual pages.
pub fn man<C: CommandFactory>(arguments: &ManArgs) -> io::Result<()> {
    let command = C::command().name("sondage");
    let Some(folder) = &arguments.folder else {
        return clap_mangen::Man::new(command).render(&mut io::stdout().lock());
    };
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command, folder)
}
