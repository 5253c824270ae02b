//! The measuring programs. They are optimised, but not across crates like the published artefacts, because that takes
//! longer than all measurements.

use crate::{Result, node, process, python, workspace};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// One profile for all, so that they share their dependencies.
pub const SETTINGS: [(&str, &str); 4] = [
    ("CARGO_PROFILE_RELEASE_LTO", "false"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only"),
    ("CARGO_PROFILE_RELEASE_STRIP", "none"),
];

pub struct Tools {
    program: PathBuf,
    python: PathBuf,
    /// Where `node_modules` is.
    node: PathBuf,
    pub folder: PathBuf,
}

impl Tools {
    /// Builds the programs; those of other languages if they are wanted.
    pub fn ready(languages: bool) -> Result<Self> {
        let target = workspace::target()?;
        let folder = target.join("bench");
        fs::create_dir_all(&folder)?;
        let program = program()?;
        let (python, node) = if languages { (python(&folder)?, node(&folder)?) } else { Default::default() };
        Ok(Self { program, python, node, folder })
    }

    /// The Rust program.
    pub fn program(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words);
        command
    }

    /// A Python script.
    pub fn python(&self, script: &str, words: &[&str]) -> Command {
        let mut command = Command::new(&self.python);
        command.env_remove("PYTHONPATH").env_remove("PYTHONHOME");
        command.arg(workspace::root().join("bench").join(script)).args(words);
        command
    }

    /// The Node.js script.
    pub fn node(&self, script: &str, words: &[&str]) -> Command {
        let mut command = Command::new("node");
        command.arg(self.node.join(script)).args(words);
        command
    }

    /// Starts the service.
    pub fn service(&self, megabytes: usize) -> Result<BenchService> {
        BenchService::start(&self.program, megabytes)
    }
}

/// Builds the Rust program.
pub fn program() -> Result<PathBuf> {
    let target = workspace::target()?;
    let mut build = workspace::cargo();
    build.args(["build", "--release"]).env("CARGO_TARGET_DIR", &target);
    process::run(build.envs(SETTINGS).current_dir(workspace::root().join("bench")))?;
    Ok(target.join("release/sondage-bench").with_extension(std::env::consts::EXE_EXTENSION))
}

/// The service, until it is dropped.
pub struct BenchService {
    child: Child,
    pub port: String,
    /// The number of interviews in its large response.
    pub rows: String,
}

impl BenchService {
    pub fn start(program: &Path, megabytes: usize) -> Result<Self> {
        let mut service = Command::new(program);
        let mut child = service.args(["serve", &megabytes.to_string()]).stdout(Stdio::piped()).spawn()?;
        let stdout = child.stdout.take().ok_or("the service has no output")?;
        let mut said = String::new();
        BufReader::new(stdout).read_line(&mut said)?;
        let mut words = said.split_whitespace().map(str::to_owned);
        let (Some(port), Some(rows)) = (words.next(), words.next()) else {
            return Err(format!("the service said {said:?}").into());
        };
        Ok(Self { child, port, rows })
    }
}

impl Drop for BenchService {
    fn drop(&mut self) {
        // The process may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An environment with the wheel and the libraries that it is compared with.
fn python(folder: &Path) -> Result<PathBuf> {
    let environment = folder.join("python");
    let python = environment.join(if cfg!(windows) { "Scripts/python" } else { "bin/python" });
    if !python.exists() {
        process::run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    }
    let install = || {
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        pip
    };
    let wanted = fs::read_to_string(workspace::root().join("bench/requirements.txt"))?;
    let stamp = environment.join("requirements-installed");
    if fs::read_to_string(&stamp).ok().as_ref() != Some(&wanted) {
        process::run(install().arg("--requirement").arg(workspace::root().join("bench/requirements.txt")))?;
        fs::write(stamp, wanted)?;
    }
    let wheel = python::wheel(&folder.join("wheel"), &RELEASE, &SETTINGS)?;
    process::run(install().args(["--force-reinstall", "--no-deps", "--no-index"]).arg(wheel))?;
    Ok(python)
}

/// As the packages are published.
const RELEASE: [&str; 3] = ["--release", workspace::PUBLISHED[0], workspace::PUBLISHED[1]];

/// A folder with the package and the libraries that it is compared with.
fn node(folder: &Path) -> Result<PathBuf> {
    let (folder, source) = (folder.join("node"), workspace::root().join("bench"));
    fs::create_dir_all(&folder)?;
    let (wanted, there) = (fs::read(source.join("package.json"))?, folder.join("package.json"));
    if fs::read(&there).ok().as_ref() != Some(&wanted) || !folder.join("node_modules/undici").exists() {
        fs::write(&there, wanted)?;
        let mut npm = node::program("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]);
        process::run(npm.current_dir(&folder))?;
    }
    fs::copy(source.join("calls.mjs"), folder.join("calls.mjs"))?;
    node::put(&folder.join("node_modules"), &RELEASE, &SETTINGS)?;
    Ok(folder)
}
