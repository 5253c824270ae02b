//! The console of the sandbox and the site in a real browser: Chromium, driven by Playwright.

use crate::stage::Stage;
use crate::toolchain::{self, on_path};
use crate::{Result, files, process, python, site, workspace};
use std::fs;
use std::path::Path;

pub const STAGES: &[Stage] = &[
    Stage::check("browser", "console in a browser", || tell("story.py")),
    Stage::check("browser", "ten minutes of a stranger", ten_minutes),
    Stage::check("browser", "site in a browser", site),
];

const REQUIREMENTS: &str = "tests/browser/requirements.txt";

/// The names of the browser's program on different systems.
const PROGRAMS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Terminals for programs.
pub fn tmux() -> Result {
    toolchain::debian("tmux, for terminals.", || toolchain::works("tmux", &["-V"]), &["tmux"])
}

/// The story with two terminals and a browser.
fn ten_minutes() -> Result {
    tmux()?;
    tell("ten_minutes.py")
}

fn site() -> Result {
    let chromium = find()?;
    site::run(false)?;
    watch("site.py", &workspace::target()?.join("site"), &chromium)
}

/// Runs a program that uses the command and Chromium.
fn tell(program: &str) -> Result {
    let chromium = find()?;
    // The `sondage` command from the crate's own tests. Built for itself, cargo would choose other features for its crates,
    // and build them again.
    process::run(workspace::cargo().args(["test", "--workspace", "--no-run", "--test", "it"]))?;
    watch(program, &workspace::built("debug/sondage")?, &chromium)
}

/// The environment with Playwright.
pub fn ready() -> Result<python::VirtualEnvironment> {
    python::environment(&workspace::target()?.join("browser"), REQUIREMENTS)
}

fn watch(program: &str, seen: &Path, chromium: &str) -> Result {
    let environment = ready()?;
    let pictures = workspace::target()?.join("console-pictures").join(program.trim_end_matches(".py"));
    files::fresh(&pictures)?;
    let mut story = environment.python();
    story.arg(Path::new("tests/browser").join(program)).arg(seen).arg(chromium).arg(pictures);
    process::within_deadline(story.current_dir(workspace::root()))
}

/// `cargo xtask pictures`: runs the notebooks and stores their outputs, and makes the pictures of the README and the site.
pub fn pictures() -> Result {
    let chromium = find()?;
    python::install()?;
    let tested = python::ready()?;
    process::run(tested.python().args([python::NOTEBOOKS, "--write"]).current_dir(workspace::root()))?;
    process::run(workspace::cargo().args(["build", "-p", "sondage-cli"]))?;
    let target = workspace::target()?;
    let demo = tested.python().arg("examples/demo.py").current_dir(workspace::root()).output()?;
    let said = target.join("demo.txt");
    fs::write(&said, demo.stdout)?;
    let environment = python::environment(&target.join("pictures"), "tests/browser/pictures.txt")?;
    let mut pictures = environment.python();
    pictures.arg("tests/browser/pictures.py").arg(workspace::built("debug/sondage")?);
    pictures.arg(chromium).arg(said).arg("docs/pictures");
    process::within_deadline(pictures.current_dir(workspace::root()))
}

/// The path of Chromium; in CI it is installed. Playwright's own browser is never downloaded.
pub fn find() -> Result<String> {
    let find = || PROGRAMS.into_iter().find_map(on_path).map(|file| file.display().to_string());
    toolchain::debian("Chromium, for the console.", || find().is_some(), &["chromium"])?;
    find().ok_or_else(|| "there is no Chromium".into())
}
