//! Other processes of the campaign's program, which work until they are killed.

use std::ffi::OsStr;
use std::io::Read as _;
use std::process::{Child, Command, Stdio};

/// A process that works until it is killed.
pub struct Worker {
    pub name: String,
    child: Child,
}

impl Worker {
    /// Starts this program with a command for workers, the worker's name, and what else it needs.
    pub fn start(command: &str, name: String, arguments: &[&OsStr]) -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut process = Command::new(program);
        process.args([command, &name]).args(arguments).stdin(Stdio::piped());
        Ok(Self { child: process.spawn().map_err(|error| error.to_string())?, name })
    }

    /// Kills it, and waits until it has ended and released its locks. Returns whether it had ended by itself.
    pub fn kill(&mut self) -> bool {
        let has_ended = !matches!(self.child.try_wait(), Ok(None));
        let _ = self.child.kill();
        let _ = self.child.wait();
        has_ended
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// In a worker: ends this process when the campaign that started it is gone.
pub fn end_with_parent() {
    std::thread::spawn(|| {
        let _ = std::io::stdin().read(&mut [0]);
        std::process::exit(1)
    });
}
