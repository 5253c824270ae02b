//! Runs other programs. Their output is shown unchanged, and their failure is an error.

use crate::Result;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

pub fn run(command: &mut Command) -> Result {
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    check(command, status)
}

/// Runs a program to its end and returns its output.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| cannot_start(command, &error))?;
    check(command, output.status)?;
    Ok(String::from_utf8(output.stdout)?)
}

/// Runs a program, shows its output line by line, and returns it, even if the program fails.
pub fn watch(command: &mut Command) -> Result<(String, bool)> {
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| cannot_start(command, &error))?;
    let mut text = String::new();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            let line = line?;
            println!("{line}");
            text.push_str(&line);
            text.push('\n');
        }
    }
    Ok((text, child.wait()?.success()))
}

/// Runs the README's first program, which prints what `examples/first.txt` has, maybe after lines of a compiler.
pub fn first_program(command: &mut Command) -> Result {
    let printed = output(command)?.replace("\r\n", "\n");
    let expected = std::fs::read_to_string(crate::workspace::root().join("examples/first.txt"))?;
    if printed.ends_with(&expected) {
        Ok(())
    } else {
        Err(format!("the first program printed\n{printed}").into())
    }
}

/// A service in a process of its own, which ends with this value.
pub struct Service {
    process: Child,
    /// The first line that it has printed.
    pub line: String,
}

impl Service {
    pub fn start(command: &mut Command) -> Result<Self> {
        let process =
            command.stdout(Stdio::piped()).spawn().map_err(|error| cannot_start(command, &error))?;
        let mut service = Self { process, line: String::new() };
        if let Some(stdout) = service.process.stdout.take() {
            BufReader::new(stdout).read_line(&mut service.line)?;
        }
        if service.line.is_empty() {
            Err(format!("{} did not start", name(command)).into())
        } else {
            Ok(service)
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// When a program has failed that should have ended: far above what a slow machine needs. Nothing measures speed with it.
const DEADLINE: Duration = Duration::from_secs(300);

pub fn within_deadline(command: &mut Command) -> Result {
    let mut child = command.spawn().map_err(|error| cannot_start(command, &error))?;
    let end = Instant::now() + DEADLINE;
    while Instant::now() < end {
        if let Some(status) = child.try_wait()? {
            return check(command, status);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill()?;
    child.wait()?;
    Err(format!("{} took more than {} s", name(command), DEADLINE.as_secs()).into())
}

fn check(command: &Command, status: ExitStatus) -> Result {
    if status.success() { Ok(()) } else { Err(format!("{} failed ({status})", name(command)).into()) }
}

fn cannot_start(command: &Command, error: &std::io::Error) -> String {
    format!("cannot start {}: {error}", name(command))
}

/// The command as typed in a shell.
fn name(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    format!("`{}`", words.join(" "))
}
