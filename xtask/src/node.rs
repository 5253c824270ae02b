//! Node.js: a folder of its own under the target directory that holds the package and what its tests need, and the tests.

use crate::package::node as npm;
use crate::stage::{Stage, TestCounts, missing};
use crate::{Result, files, platform, process, toolchain, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

pub const STAGES: &[Stage] = &[
    Stage::check("node", "Node.js package", install),
    Stage::tests("node", "Node.js tests", tests),
    Stage::check("demo", "demo in Node.js", demo),
];

/// Builds the package as it would be published, but unoptimised, and puts it where the tests and the examples find it:
/// `node_modules` at the root is a link to a folder under the target directory.
pub fn install() -> Result {
    static INSTALLED: OnceLock<()> = OnceLock::new();
    if INSTALLED.get().is_some() {
        return Ok(());
    }
    let folder = ready()?;
    put(&folder, &workspace::PUBLISHED, &[])?;
    link(&folder, &workspace::root().join("node_modules"))?;
    INSTALLED.get_or_init(|| ());
    Ok(())
}

/// Builds the packages, with these cargo arguments and this environment, and puts them into a folder `node_modules`.
pub fn put(modules: &Path, words: &[&str], settings: &[(&str, &str)]) -> Result {
    let mut cargo = workspace::cargo();
    cargo.args(["build", "--package", "sondage-node"]).args(words);
    process::run(cargo.envs(settings.iter().copied()))?;
    let platform = platform::here()?;
    let profile = if words.contains(&"--release") { "release" } else { "debug" };
    let library = workspace::target()?.join(profile).join(platform.library("sondage_node"));
    npm::write_main(&modules.join("sondage"))?;
    npm::write_platform(&modules.join("@sondage").join(platform.npm), platform, &library)
}

pub fn demo() -> Result {
    install()?;
    process::within_deadline(node().arg("examples/demo.mjs"))
}

fn tests() -> Result<TestCounts> {
    install()?;
    if workspace::is_ci() {
        // Elsewhere the test that needs it is left out, and says so.
        toolchain::postgresql()?;
    }
    let mut files = files::all(&workspace::root().join("tests/node"))?;
    files.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    files.sort();
    // More files at the same time than processors, because most of them wait for a service.
    TestCounts::run(node().args(["--test", "--test-concurrency=4", "--test-reporter=spec"]).args(files))
}

/// The folder `node_modules` with the packages that `tests/node/package-lock.json` names.
pub fn ready() -> Result<PathBuf> {
    if !toolchain::works("node", &["-e", "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)"]) {
        let (what, install) = (
            "Node.js 20 or newer, with npm.",
            "apt-get install nodejs npm (Debian, Ubuntu), brew install node (macOS), winget install OpenJS.NodeJS (Windows)",
        );
        return Err(missing(what, install));
    }
    let folder = workspace::target()?.join("node");
    let (stamp, source) = (folder.join("packages-installed"), workspace::root().join("tests/node"));
    let wanted = fs::read_to_string(source.join("package-lock.json"))?;
    if fs::read_to_string(&stamp).ok().as_ref() != Some(&wanted) || !folder.join("node_modules").exists() {
        println!("installing tests/node/package-lock.json into {}", folder.display());
        fs::create_dir_all(&folder)?;
        for name in ["package.json", "package-lock.json"] {
            fs::copy(source.join(name), folder.join(name))?;
        }
        let mut npm = program("npm");
        npm.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]);
        process::run(npm.current_dir(&folder))?;
        fs::write(stamp, wanted)?;
    }
    Ok(folder.join("node_modules"))
}

/// Node.js, at the root of the repository.
pub fn node() -> Command {
    let mut node = program("node");
    node.current_dir(workspace::root()).stdin(Stdio::null());
    node
}

/// On Windows npm is a script.
pub fn program(name: &str) -> Command {
    if cfg!(windows) && name == "npm" { Command::new("npm.cmd") } else { Command::new(name) }
}

fn link(folder: &Path, link: &Path) -> Result {
    if fs::read_link(link).is_ok_and(|leads_to| leads_to == folder) {
        return Ok(());
    }
    if let Ok(found) = fs::symlink_metadata(link) {
        if !found.is_symlink() {
            let what = "must be a link to the packages under the target directory: remove it";
            return Err(format!("{} {what}", link.display()).into());
        }
        fs::remove_file(link)?;
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder, link)?;
    #[cfg(windows)]
    std::os::windows::fs::symlink_dir(folder, link)?;
    Ok(())
}
