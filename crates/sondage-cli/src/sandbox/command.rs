//! A command that runs with the variables of the sandbox: `sondage sandbox -- pytest`.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::process::{Child, Command, ExitStatus};

/// Settings that would lead a client past the sandbox, or contradict its credentials.
const OTHER_ACCOUNTS: [&str; 18] = [
    "SONDAGE_ACCOUNT",
    "SONDAGE_AUTHORIZE_PATH",
    "SONDAGE_CLIENT_ID",
    "SONDAGE_CONFIG",
    "SONDAGE_DATA_CENTER",
    "SONDAGE_GRANT",
    "SONDAGE_IDENTITY",
    "SONDAGE_PANEL_ID",
    "SONDAGE_PASSWORD",
    "SONDAGE_PROFILE",
    "SONDAGE_REDIRECT_URI",
    "SONDAGE_REFRESH_TOKEN",
    "SONDAGE_SANDBOX_SECRET",
    "SONDAGE_TOKEN",
    "SONDAGE_TOKEN_FILE",
    "SONDAGE_TOKEN_KEYRING",
    "SONDAGE_TOKEN_PATH",
    "SONDAGE_USERNAME",
];

/// The exit codes of shells.
const NOT_EXECUTABLE: u8 = 126;
const NOT_FOUND: u8 = 127;
#[cfg(unix)]
const KILLED: i32 = 128;

/// Why a command cannot be run, and the exit code for that.
pub struct NotStarted {
    pub why: io::Error,
    pub exit_code: u8,
}

/// Runs a command until it ends, and returns its exit code.
pub fn run(command: &[OsString], variables: &[(&str, &str)]) -> io::Result<Result<u8, NotStarted>> {
    let Some((program, arguments)) = command.split_first() else { return Ok(Ok(0)) };
    let mut prepared = Command::new(program);
    prepared.args(arguments);
    for name in OTHER_ACCOUNTS {
        prepared.env_remove(name);
    }
    prepared.envs(variables.iter().copied());
    // Before the command starts: a signal that arrives earlier must reach it, too.
    let signals = ForwardedSignals::listen()?;
    match prepared.spawn() {
        Ok(child) => signals.wait(child).map(|status| Ok(exit_code(status))),
        Err(why) => {
            let exit_code = if why.kind() == ErrorKind::NotFound { NOT_FOUND } else { NOT_EXECUTABLE };
            let what =
                format!("cannot run `{}`: {why}; check the name of the command", program.to_string_lossy());
            Ok(Err(NotStarted { why: io::Error::new(why.kind(), what), exit_code }))
        }
    }
}

/// As a shell reports it: 128 and the signal for a command that was killed by one.
fn exit_code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| KILLED + signal);
    #[cfg(not(unix))]
    let signal = None;
    status.code().or(signal).and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// The signals that end this program: the command gets them instead, and this program ends when it has ended.
#[cfg(unix)]
struct ForwardedSignals {
    wake: std::os::unix::net::UnixStream,
    arrived: Vec<(rustix::process::Signal, std::sync::Arc<std::sync::atomic::AtomicBool>)>,
}

#[cfg(unix)]
impl ForwardedSignals {
    fn listen() -> io::Result<Self> {
        use rustix::process::Signal;
        use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
        let (wake, sender) = std::os::unix::net::UnixStream::pair()?;
        let mut arrived = Vec::new();
        for (number, signal) in [(SIGHUP, Signal::HUP), (SIGINT, Signal::INT), (SIGTERM, Signal::TERM)] {
            let flag = std::sync::Arc::default();
            signal_hook::flag::register(number, std::sync::Arc::clone(&flag))?;
            arrived.push((signal, flag));
        }
        // After the flags: whoever is woken by a signal sees its flag.
        for number in [SIGHUP, SIGINT, SIGTERM, SIGCHLD] {
            signal_hook::low_level::pipe::register(number, sender.try_clone()?)?;
        }
        Ok(Self { wake, arrived })
    }

    /// The command is waited for only here, so that its process id cannot belong to another process when it is signalled.
    fn wait(mut self, mut child: Child) -> io::Result<ExitStatus> {
        use std::io::{IsTerminal as _, Read as _};
        use std::sync::atomic::Ordering;
        // A terminal sends Ctrl-C to both programs, and many commands end at once when it arrives twice.
        let has_terminal = io::stdin().is_terminal() || io::stderr().is_terminal();
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            for (signal, flag) in &self.arrived {
                let from_terminal = has_terminal && *signal != rustix::process::Signal::TERM;
                if flag.swap(false, Ordering::SeqCst) && !from_terminal {
                    let _ = rustix::process::kill_process(rustix::process::Pid::from_child(&child), *signal);
                }
            }
            match self.wake.read(&mut [0; 64]) {
                Err(why) if why.kind() != ErrorKind::Interrupted => return Err(why),
                _ => {}
            }
        }
    }
}

/// Ctrl-C reaches every program of a console: this one only waits for the command.
#[cfg(not(unix))]
struct ForwardedSignals;

#[cfg(not(unix))]
impl ForwardedSignals {
    fn listen() -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        std::thread::spawn(move || {
            runtime.block_on(async { while tokio::signal::ctrl_c().await.is_ok() {} })
        });
        Ok(Self)
    }

    fn wait(self, mut child: Child) -> io::Result<ExitStatus> {
        child.wait()
    }
}
