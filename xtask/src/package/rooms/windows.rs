//! Programs for Windows on Linux: wine runs them.

use crate::package::{folder, tools};
use crate::{Result, process, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An empty folder, separate from wine's own files.
pub struct Windows {
    pub room: PathBuf,
    prefix: PathBuf,
}

impl Windows {
    /// The room. Fails with the reason if this machine cannot provide one.
    pub fn find() -> Result<Option<Self>> {
        if !super::provides(&["wine"], &["wine", "wine64"])? {
            println!("!! no room for win32-x64-gnu: it needs apt-get install wine wine64");
            return Ok(None);
        }
        let (room, prefix) = (crate::package::fresh("rooms/windows")?, folder("wine")?);
        let windows = Self { room, prefix };
        // The first start creates the folders of a Windows installation.
        process::output(windows.run(Path::new("cmd.exe")).args(["/c", "ver"]))?;
        Ok(Some(windows))
    }

    /// A program for Windows.
    pub fn run(&self, program: &Path) -> Command {
        let mut wine = Command::new("wine");
        wine.arg(program).current_dir(&self.room).env_clear();
        wine.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        wine.env("WINEPREFIX", &self.prefix).env("WINEDEBUG", "-all").env("HOME", &self.room);
        // wine identifies itself as an older Windows than Node.js requires.
        wine.env("NODE_SKIP_PLATFORM_CHECK", "1");
        wine
    }

    /// Puts a library that old versions of wine lack next to a program.
    pub fn complete(&self, programs: &Path) -> Result {
        let source = workspace::root().join("tests/packages/bcryptprimitives.c");
        let made = self.room.join("bcryptprimitives.dll");
        let mut zig = Command::new(tools()?.program("python"));
        zig.args(["-m", "ziglang", "cc", "-target", "x86_64-windows-gnu", "-shared", "-Os", "-ladvapi32"]);
        process::run(zig.arg(source).arg("-o").arg(&made))?;
        let place = programs.join("bcryptprimitives.dll");
        if place != made {
            fs::copy(made, place)?;
        }
        Ok(())
    }
}
