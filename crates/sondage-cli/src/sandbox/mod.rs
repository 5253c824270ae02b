//! `sondage sandbox`: the sandbox as a server.

mod command;
mod env_file;

use crate::output::{Output, refused};
use crate::values;
use clap::{Args, ValueEnum};
use serde_json::Value;
use sondage::model::Secret;
use sondage_sandbox::{Builder, Content, KeptState, Sandbox};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The variable with the secret of the sandbox: other users of a machine see the arguments of a process.
const SECRET_VARIABLE: &str = "SONDAGE_SANDBOX_SECRET";

/// The initial content of the platform.
#[derive(Clone, Copy, ValueEnum)]
enum Seed {
    /// Three accounts, a panel, and the American National Election Study 1996.
    Demo,
    /// In addition two waves of an invented survey of library visitors (`survey_ids`); the newer one is `survey_id`.
    Waves,
}

impl From<Seed> for Content {
    fn from(seed: Seed) -> Self {
        match seed {
            Seed::Demo => Self::Demo,
            Seed::Waves => Self::Waves,
        }
    }
}

#[derive(Args)]
#[command(
    after_help = "With a COMMAND, its exit code is returned: 128 and the number of the signal if it was killed, 127 if there is no such \
                        command.\n\nExamples:\n  sondage sandbox --data answers.csv --codeplan plan.json\n  \
                        sondage sandbox -- pytest tests"
)]
pub struct SandboxArgs {
    /// The initial content of the platform.
    #[arg(long, value_enum, default_value = "demo")]
    seed: Seed,
    /// The port of the API and the authentication server. Default: a free one.
    #[arg(long)]
    port: Option<u16>,
    /// Adds a generated survey with this many interviews (`generated_survey_id`).
    #[arg(long, value_name = "COUNT")]
    interviews: Option<u64>,
    /// Adds a survey from a CSV file with a row for each interview (`data_survey_id`).
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// The code plan of that survey: JSON with the list `codePlan` of a response of the service.
    #[arg(long, value_name = "FILE", alias = "code-plan", requires = "data")]
    codeplan: Option<PathBuf>,
    /// Adds a survey from a questionnaire in the form of the editor's export, or as `ReadSurvey` returns it: a JSON file. It can be
    /// answered with --fill, or in a browser. May be given several times; the first one is `survey_id`. Its name is that of the file,
    /// with the folder if two files have the same name.
    #[arg(long, value_name = "FILE")]
    survey: Vec<PathBuf>,
    /// Lets this many invented people answer each of these surveys before anything else happens. With --state, the number belongs to
    /// a new folder, like all content: later it may be repeated or left out.
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true, value_parser = values::count::<usize>)]
    fill: Option<usize>,
    /// Adds this many generated members to the panel.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    members: u64,
    /// Keeps the sandbox in this folder: content, credentials, addresses and clock are the same again in the next run. Each change is
    /// written before its response.
    #[arg(long, value_name = "FOLDER")]
    state: Option<PathBuf>,
    /// The client secret of the account, at least 8 characters; also read from `SONDAGE_SANDBOX_SECRET`, which other users of
    /// the machine cannot see. Default: a new one in each run.
    #[arg(long, value_name = "SECRET")]
    secret: Option<String>,
    /// Writes the variables by which programs find the sandbox to this file, which only its owner can read. Lines of the
    /// same variables are replaced, all others are kept.
    #[arg(long, value_name = "FILE")]
    env_file: Option<PathBuf>,
    /// Runs this command with the variables of the sandbox, and ends with it. What the sandbox prints is on standard error.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Questions of a generated survey.
const QUESTIONS: usize = 20;

/// Runs it, and returns the exit code.
pub fn run(arguments: &SandboxArgs, output: Output) -> io::Result<u8> {
    if let Some(file) = &arguments.env_file {
        env_file::ensure_file(file)?;
    }
    let sandbox = start(arguments)?;
    if let Some(file) = &arguments.env_file {
        env_file::write(file, &variables(&sandbox))?;
    }
    if !arguments.command.is_empty() {
        return run_command(&sandbox, &arguments.command, output);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        // Signals are handled before the line is printed: its reader may stop the process immediately.
        let end = Signals::listen()?;
        show(&sandbox, output.json)?;
        end.wait().await;
        Ok::<_, io::Error>(())
    })?;
    sandbox.stop();
    Ok(0)
}

fn start(arguments: &SandboxArgs) -> io::Result<Sandbox> {
    // Port 0 selects any free port, shared by the API and the authentication server like a fixed one.
    let port = arguments.port.unwrap_or(0);
    builder(arguments, port)?.start_blocking().map_err(|why| {
        // Those about a folder say themselves what can be done.
        let is_kept = arguments.state.is_some() && why.kind() != io::ErrorKind::AddrInUse;
        if is_kept || matches!(why.kind(), io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput) {
            return why;
        }
        let hint = "choose another --port, or leave it out";
        io::Error::new(why.kind(), format!("cannot listen on 127.0.0.1:{port}: {why}; {hint}"))
    })
}

fn builder(arguments: &SandboxArgs, port: u16) -> io::Result<Builder> {
    let mut builder =
        Sandbox::builder().content(arguments.seed.into()).port(port).extra_members(arguments.members);
    if let Some(secret) = secret(arguments)? {
        builder = builder.secret(secret);
    }
    if let Some(interviews) = arguments.interviews {
        builder = builder.generated_survey(interviews, QUESTIONS);
    }
    if let Some(data) = &arguments.data {
        builder = builder.data(data);
    }
    if let Some(plan) = &arguments.codeplan {
        builder = builder.code_plan(plan);
    }
    if let Some(folder) = &arguments.state {
        builder = builder.state(folder);
    }
    if let Some(people) = arguments.fill {
        builder = builder.fill(people);
    }
    Ok(arguments.survey.iter().fold(builder, Builder::survey))
}

/// The secret of the option, or of the environment.
fn secret(arguments: &SandboxArgs) -> io::Result<Option<Secret>> {
    if let Some(secret) = &arguments.secret {
        return Ok(Some(secret.as_str().into()));
    }
    let Some(secret) = std::env::var_os(SECRET_VARIABLE) else { return Ok(None) };
    let unreadable = || refused(&format!("{SECRET_VARIABLE} is not text; nothing was started"));
    secret.to_str().map(|secret| Some(secret.into())).ok_or_else(unreadable)
}

/// Runs a command, to which standard output belongs, and returns its exit code.
fn run_command(sandbox: &Sandbox, command: &[OsString], output: Output) -> io::Result<u8> {
    let mut err = io::stderr().lock();
    if output.json {
        writeln!(err, "{}", serde_json::to_value(sandbox.facts())?)?;
    } else {
        writeln!(
            err,
            "The sandbox is running at {}, its console at {}",
            sandbox.base_url(),
            sandbox.console()
        )?;
        show_not_carried_out(sandbox, &mut err)?;
    }
    drop(err);
    match command::run(command, &variables(sandbox))? {
        Ok(code) => Ok(code),
        Err(failure) => {
            output.fail(&failure.why, &sondage::error::Wording::RUST);
            Ok(failure.exit_code)
        }
    }
}

fn show(sandbox: &Sandbox, as_json: bool) -> io::Result<()> {
    let facts = serde_json::to_value(sandbox.facts())?;
    let mut out = io::stdout().lock();
    if as_json {
        writeln!(out, "{facts}")?;
    } else {
        writeln!(out, "The sandbox is running. Ctrl-C ends it.\n")?;
        let is_set = |value: &Value| !value.is_null() && value.as_object().is_none_or(|ids| !ids.is_empty());
        let facts = facts.as_object().into_iter().flatten().filter(|(name, _)| !name.starts_with("state"));
        for (name, value) in facts.filter(|(_, value)| is_set(value)) {
            writeln!(out, "{name:<22}{}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))?;
        }
        show_not_carried_out(sandbox, &mut out)?;
        writeln!(out, "\nTo see it in a browser, open {}", sandbox.console())?;
        writeln!(out, "\nTo use it from another terminal, paste this line there:\n{}", shell_line(sandbox))?;
        writeln!(out, "Then try: sondage doctor")?;
        match sandbox.state() {
            None => writeln!(
                out,
                "\nThe credentials are valid for this run only, the data are invented or in the public domain."
            )?,
            Some(state) => writeln!(out, "\n{}", about_state(state))?,
        }
    }
    out.flush()
}

/// What of the questionnaires is not carried out, if anything is not.
fn show_not_carried_out(sandbox: &Sandbox, out: &mut impl Write) -> io::Result<()> {
    for (name, id) in sandbox.survey_ids() {
        for (number, line) in sandbox.not_carried_out(*id)?.iter().enumerate() {
            if number == 0 {
                writeln!(out, "\nNot carried out when people answer {name}:")?;
            }
            writeln!(out, "- {}", shortened(line))?;
        }
    }
    Ok(())
}

/// A line for a terminal: its first places, and how many more there are.
fn shortened(line: &str) -> String {
    const SHOWN: usize = 5;
    let places: Vec<&str> = line.split(", ").collect();
    // The sentence before the places may have a comma of its own.
    let before = line.split_once(": ").map_or(0, |(problem, _)| problem.matches(", ").count());
    match places.len().saturating_sub(before + SHOWN) {
        0 => line.to_owned(),
        more => format!("{} and {more} more", places[..before + SHOWN].join(", ")),
    }
}

fn about_state(state: &KeptState) -> String {
    let folder = &state.folder;
    let found = match (state.is_new, state.cut_bytes) {
        (true, _) => format!("The state is kept in {folder} from now on"),
        (false, 0) => format!("The state was read from {folder}"),
        (false, bytes) => format!(
            "The state was read from {folder}, without the last {bytes} bytes: a change that was being written when the process ended, and \
             for which nobody got a response"
        ),
    };
    format!("{found}; the credentials are the same in each run.")
}

/// The variables by which every other command and program finds the sandbox.
fn variables(sandbox: &Sandbox) -> [(&'static str, &str); 4] {
    [
        ("SONDAGE_BASE_URL", sandbox.base_url()),
        ("SONDAGE_AUTH_URL", sandbox.auth_url()),
        ("SONDAGE_TENANT", sandbox.tenant()),
        ("SONDAGE_CLIENT_SECRET", sandbox.client_secret()),
    ]
}

/// A shell command that sets the variables.
fn shell_line(sandbox: &Sandbox) -> String {
    // None of these values contains a character that a shell interprets.
    let settings = variables(sandbox);
    if cfg!(windows) {
        settings.map(|(name, value)| format!("$env:{name}='{value}'")).join("; ")
    } else {
        format!("export {}", settings.map(|(name, value)| format!("{name}='{value}'")).join(" "))
    }
}

/// Waits for Ctrl-C, or SIGTERM on Unix.
pub struct Signals {
    #[cfg(unix)]
    arrived: tokio::net::UnixStream,
    /// The number of the signal.
    number: Arc<AtomicUsize>,
}

impl Signals {
    #[cfg(unix)]
    pub fn listen() -> io::Result<Self> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        let (arrived, sender) = std::os::unix::net::UnixStream::pair()?;
        let number = Arc::new(AtomicUsize::new(0));
        for (signal, value) in [(SIGINT, 2), (SIGTERM, 15)] {
            signal_hook::flag::register_usize(signal, Arc::clone(&number), value)?;
            signal_hook::low_level::pipe::register(signal, sender.try_clone()?)?;
        }
        arrived.set_nonblocking(true)?;
        Ok(Self { arrived: tokio::net::UnixStream::from_std(arrived)?, number })
    }

    /// The exit code of a program that the signal ends, as shells report it.
    #[cfg(unix)]
    pub async fn wait(self) -> i32 {
        let _ = self.arrived.readable().await;
        128 + i32::try_from(self.number.load(Ordering::Relaxed)).unwrap_or_default()
    }

    #[cfg(not(unix))]
    #[allow(clippy::unnecessary_wraps)]
    pub fn listen() -> io::Result<Self> {
        Ok(Self { number: Arc::new(AtomicUsize::new(2)) })
    }

    #[cfg(not(unix))]
    pub async fn wait(self) -> i32 {
        let _ = tokio::signal::ctrl_c().await;
        128 + i32::try_from(self.number.load(Ordering::Relaxed)).unwrap_or_default()
    }
}
