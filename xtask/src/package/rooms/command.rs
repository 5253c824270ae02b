//! The command in a clean room: as the only file of a system, emulated, or run by wine.

use super::Debian;
use super::windows::Windows;
use crate::package::fresh;
use crate::package::platform::Platform;
use crate::toolchain::is_root;
use crate::{Result, process};
use serde_json::Value;
use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::process::{Command, Stdio};

/// Whether the command ran in a room: its sandbox, and a list of surveys from it.
pub fn command(platform: &Platform, file: &Path) -> Result<bool> {
    if platform.libc == Some("musl") && platform.triple.starts_with(std::env::consts::ARCH) && is_root()? {
        // It is linked statically, so an otherwise empty system suffices.
        let room = fresh("rooms/cli")?;
        fs::copy(file, room.join("sondage"))?;
        let alone = || {
            let mut alone = Command::new("chroot");
            alone.arg(&room).arg("/sondage").env_clear().env("PATH", "/usr/sbin:/usr/bin");
            alone
        };
        return first_calls(&alone).map(|()| true);
    }
    if platform.os == "win32" {
        let Some(windows) = Windows::find()? else { return Ok(false) };
        let copy = windows.room.join("sondage.exe");
        fs::copy(file, &copy)?;
        windows.complete(&windows.room)?;
        return first_calls(&|| windows.run(&copy)).map(|()| true);
    }
    let Some(debian) = Debian::find(platform)? else { return Ok(false) };
    if debian.is_native {
        return Ok(false);
    }
    let room = debian.room()?;
    let copy = room.join("sondage");
    fs::copy(file, &copy)?;
    first_calls(&|| debian.emulated(&copy))?;
    fs::remove_dir_all(room)?;
    Ok(true)
}

fn first_calls(command: &dyn Fn() -> Command) -> Result {
    process::run(command().arg("--version"))?;
    let mut sandbox = command().args(["sandbox", "--json"]).stdout(Stdio::piped()).spawn()?;
    let result =
        list(command, &mut BufReader::new(sandbox.stdout.take().ok_or("the sandbox prints nothing")?));
    sandbox.kill()?;
    sandbox.wait()?;
    result
}

/// Lists the surveys of the sandbox, which the environment names.
fn list(command: &dyn Fn() -> Command, sandbox: &mut dyn std::io::BufRead) -> Result {
    let mut line = String::new();
    sandbox.read_line(&mut line)?;
    let facts: Value = serde_json::from_str(&line)?;
    let mut surveys = command();
    for name in ["auth_url", "base_url", "client_id", "client_secret", "data_center", "tenant"] {
        let value = facts[name].as_str().ok_or_else(|| format!("the sandbox does not say its {name}"))?;
        surveys.env(format!("SONDAGE_{}", name.to_uppercase()), value);
    }
    let printed = process::output(surveys.arg("surveys"))?;
    if printed.lines().count() < 2 {
        return Err(format!("the sandbox has two surveys, and the command listed\n{printed}").into());
    }
    Ok(())
}
