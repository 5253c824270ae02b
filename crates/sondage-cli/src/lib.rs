//! The sondage command, as a program and as a part of the packages for Python and Node.js.
#![forbid(unsafe_code)]

mod about;
mod account;
mod archive;
mod blocks;
mod budget;
mod call;
mod compare;
mod doctor;
mod export;
mod field_report;
mod filters;
mod import;
mod invite;
mod journal;
mod lists;
mod login;
mod look;
#[cfg(feature = "mcp")]
mod mcp;
mod newcomers;
mod output;
mod person;
mod progress;
mod reconcile;
mod remind;
mod results;
mod sandbox;
mod survey;
mod sync;
mod types;
mod values;
mod webhooks;
mod words;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use output::Output;
use std::ffi::OsString;
use std::io::{self, ErrorKind};

pub use journal::OpenDatabase;
pub use sync::OpenStore;

/// A client of the public API of Survalyzer accounts.
#[derive(Parser)]
#[command(
    name = "sondage",
    version,
    after_help = "Exit codes: 0 done; 1 an error, which says whether anything was changed; 2 wrong arguments. `doctor` and `reconcile` \
                  have codes of their own: see their help.\n\n\
                  Example: sondage sandbox"
)]
struct Command {
    /// Shows results and errors as JSON, for programs.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    what: CliCommand,
}

#[derive(Subcommand)]
enum CliCommand {
    /// Runs a whole survey platform on this machine, until Ctrl-C.
    Sandbox(sandbox::SandboxArgs),
    /// Logs a person in with a browser. Other commands use the session until the logout.
    Login(login::LoginArgs),
    /// Ends the session: removes its tokens from where the login keeps them.
    #[command(after_help = "Example: sondage logout")]
    Logout,
    /// Lists the surveys: id, status, number of answers, name.
    Surveys(lists::SurveyArgs),
    /// Lists the columns of a survey: name, type, text of the question, answers.
    Survey(survey::SurveyColumnsArgs),
    /// Writes the codebook of a survey as HTML or Markdown, on request with frequencies.
    Codebook(survey::CodebookArgs),
    /// Counts the dispositions of everybody who was invited to a survey, and computes the response rates.
    FieldReport(field_report::FieldReportArgs),
    /// Counts what became of an invitation: who was invited, started and completed, and the bounces.
    Distribution(field_report::DistributionArgs),
    /// Lists the message templates: id, languages, name, subject.
    Templates(lists::TemplateArgs),
    /// Lists the distributors of a survey or panel: id, channel, state, and when they were sent.
    Distributors(lists::DistributorArgs),
    /// Lists the fields of a panel: name, type, group.
    Panel(lists::PanelArgs),
    /// Lists the members of a panel or sample, with their fields.
    Members(lists::MemberArgs),
    /// Downloads the interviews of a survey to a file: Parquet, CSV, JSONL, Excel, SPSS or Stata.
    Export(export::ExportArgs),
    /// Compares the questions of two surveys, such as two waves: texts, codes, labels and types.
    Compare(compare::CompareArgs),
    /// Keeps a store equal to a survey. Run it again, for example by cron: each time it reads what has changed.
    Sync(sync::SyncArgs),
    /// Shows how often each answer to a question was given, also by another question, with bars.
    Results(results::ResultArgs),
    /// Stores the PDFs of a survey's interviews in a folder, with a manifest. Run it again to resume.
    Archive(archive::ArchiveArgs),
    /// Creates members from the rows of a CSV file, each person once. Run it again to resume.
    Import(import::ImportArgs),
    /// Shows the recipients of an invitation, and sends it if the token of that plan is passed back.
    Invite(invite::InviteArgs),
    /// Shows which rows of a CSV file become members who are invited by the same call, and does so if the token of that plan
    /// is passed back.
    CreateAndInvite(newcomers::NewcomerArgs),
    /// Shows what the account and files of this library contain about a person: exports it, or erases it with a receipt.
    Person(person::PersonArgs),
    /// Shows what is used of the day's calls and bytes, and what is left. Nothing is sent.
    Budget(budget::BudgetArgs),
    /// Shows the recipients of a reminder, and sends it if the token of that plan is passed back.
    Remind(remind::RemindArgs),
    /// Finds out whether a call of another program with an unknown outcome took effect. Nothing is changed.
    Reconcile(reconcile::ReconcileArgs),
    /// Shows the journal of a job: what was sent, and which outcomes are unknown.
    Journal(journal::JournalArguments),
    /// Events of the service on this machine.
    Webhooks(webhooks::WebhookArgs),
    /// Declares the fields of panels and the columns of surveys as types, for TypeScript or Python.
    Types(types::TypeArgs),
    /// Calls any operation of the API with a request as JSON, and shows the response as JSON.
    Call(call::CallArgs),
    /// Serves tools for an assistant over standard input and output (Model Context Protocol). It only reads, and hides
    /// personal data, unless options allow more.
    #[cfg(feature = "mcp")]
    Mcp(mcp::McpArgs),
    #[cfg(not(feature = "mcp"))]
    #[command(hide = true, disable_help_flag = true)]
    Mcp {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Examines the set-up: settings, files, network, credentials, clock, permissions, budget, and the responses of the
    /// service. Nothing is changed; up to ten calls are made.
    Doctor(doctor::DoctorArgs),
    /// Writes the completions of a shell.
    Completions(about::CompletionArgs),
    /// Writes the manual pages.
    Man(about::ManArgs),
}

/// What a program keeps in databases.
#[derive(Clone, Copy, Debug)]
pub struct Databases {
    /// Makes the store of the journal `jobs.db#people` that was named as `--journal sqlite:jobs.db#people`.
    pub journal: OpenDatabase,
    /// Makes the store of `sondage sync 1004 survey.sqlite`, in the table of this name.
    pub store: OpenStore,
}

/// Runs the command of a program that can keep journals and stores in a database.
pub fn run_with_databases(arguments: impl IntoIterator<Item = OsString>, databases: Databases) -> u8 {
    journal::with_databases(databases.journal);
    sync::with_databases(databases.store);
    run(arguments)
}

/// Runs the command with the arguments of a process, whose first is the name of the program, and returns the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let parsed = look::grouped(Command::command()).try_get_matches_from(&arguments);
    let command = match parsed.and_then(|matches| Command::from_arg_matches(&matches)) {
        Ok(command) => command,
        Err(said) => {
            // Help and the version are reported as errors here, too. If the pipe is closed, nobody can be told.
            let _ = said.print();
            return u8::try_from(said.exit_code()).unwrap_or(1);
        }
    };
    sondage::internals::notes::to_stderr("note: ");
    let output = Output { json: command.json };
    match done(command.what, output) {
        Ok(code) => code,
        // The reader has closed the pipe: `sondage members 5 | head`.
        Err(why) if why.kind() == ErrorKind::BrokenPipe => 0,
        Err(why) => {
            output.fail(&why, &words::of::<Command>(&arguments));
            if why.kind() == ErrorKind::InvalidInput { 2 } else { 1 }
        }
    }
}

#[cfg(not(feature = "mcp"))]
const WITHOUT_MCP: &str = "This command was built without the server for assistants. Nothing was sent. Use a published \
    package of sondage, or build with the feature `mcp`.";

/// Runs a command, and returns the exit code.
fn done(command: CliCommand, output: Output) -> io::Result<u8> {
    match command {
        CliCommand::Sandbox(arguments) => return sandbox::run(&arguments, output),
        CliCommand::Login(arguments) => login::run(&arguments, output),
        CliCommand::Logout => login::logout(output),
        CliCommand::Surveys(arguments) => lists::surveys(&arguments, output),
        CliCommand::Survey(arguments) => survey::columns(&arguments, output),
        CliCommand::Codebook(arguments) => survey::codebook(&arguments, output),
        CliCommand::FieldReport(arguments) => field_report::run(&arguments, output),
        CliCommand::Distribution(arguments) => field_report::distribution(&arguments, output),
        CliCommand::Templates(arguments) => lists::templates(&arguments, output),
        CliCommand::Distributors(arguments) => lists::distributors(&arguments, output),
        CliCommand::Panel(arguments) => lists::panel(&arguments, output),
        CliCommand::Members(arguments) => lists::members(&arguments, output),
        CliCommand::Export(arguments) => export::run(&arguments, output),
        CliCommand::Sync(arguments) => sync::run(&arguments, output),
        CliCommand::Results(arguments) => results::run(&arguments, output),
        CliCommand::Archive(arguments) => archive::run(&arguments, output),
        CliCommand::Import(arguments) => import::run(&arguments, output),
        CliCommand::Invite(arguments) => invite::run(&arguments, output),
        CliCommand::CreateAndInvite(arguments) => newcomers::run(&arguments, output),
        CliCommand::Person(arguments) => person::run(&arguments, output),
        CliCommand::Budget(arguments) => budget::run(&arguments, output),
        #[cfg(feature = "mcp")]
        CliCommand::Mcp(arguments) => output.none("mcp").and_then(|()| mcp::run(&arguments)),
        #[cfg(not(feature = "mcp"))]
        CliCommand::Mcp { .. } => Err(io::Error::new(ErrorKind::InvalidInput, WITHOUT_MCP)),
        CliCommand::Compare(arguments) => return compare::run(&arguments, output),
        CliCommand::Doctor(arguments) => return doctor::run(&arguments, output),
        CliCommand::Reconcile(arguments) => return reconcile::run(&arguments, output),
        CliCommand::Remind(arguments) => remind::run(&arguments, output),
        CliCommand::Journal(arguments) => journal::run(&arguments, output),
        CliCommand::Webhooks(arguments) => webhooks::run(&arguments, output),
        CliCommand::Types(arguments) => types::run(&arguments, output),
        CliCommand::Call(arguments) => call::run(&arguments, output),
        CliCommand::Completions(arguments) => {
            output.none("completions").and_then(|()| about::completions::<Command>(&arguments))
        }
        CliCommand::Man(arguments) => output.none("man").and_then(|()| about::man::<Command>(&arguments)),
    }?;
    Ok(0)
}
