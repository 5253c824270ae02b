//! The command, connected to a sandbox.

use sondage_sandbox::Sandbox;
use std::ffi::OsStr;
use std::process::Command;

/// `sondage` with these arguments and the credentials of the sandbox.
pub fn command(sandbox: &Sandbox, arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
    command
        .args(arguments)
        .env("SONDAGE_BASE_URL", sandbox.base_url())
        .env("SONDAGE_AUTH_URL", sandbox.auth_url())
        .env("SONDAGE_TENANT", sandbox.tenant())
        .env("SONDAGE_CLIENT_SECRET", sandbox.client_secret());
    command
}
