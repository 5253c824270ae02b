//! `cargo xtask package deploying`: runs the commands of docs/deploying.md with the packages of the tests.

use super::{fresh, node};
use crate::node::program;
use crate::{Result, process, workspace};
use std::fs;
use std::process::Command;

const PAGE: &str = "docs/deploying.md";
const RUN: &str = "<!-- run -->\n```sh\n";

pub fn run() -> Result {
    let (main, platform) = node::packed(&fresh("deploying")?)?;
    let room = fresh("rooms/deploying")?;
    let files = workspace::root().join("tests/packages/deploying");
    for name in ["package.json", "webpack.config.mjs"] {
        fs::copy(files.join(name), room.join(name))?;
    }
    fs::copy(workspace::root().join("examples/first.mjs"), room.join("first.mjs"))?;
    fs::create_dir(room.join("pnpm"))?;
    fs::write(room.join("pnpm/package.json"), "{ \"private\": true }\n")?;
    let mut npm = program("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]);
    process::run(npm.arg(&main).arg(&platform).current_dir(&room))?;
    let page = fs::read_to_string(workspace::root().join(PAGE))?;
    let blocks: Vec<&str> =
        page.split(RUN).skip(1).filter_map(|rest| Some(rest.split_once("```")?.0)).collect();
    if blocks.is_empty() {
        return Err(format!("{PAGE} has no commands").into());
    }
    for block in blocks {
        println!("\n{block}");
        let mut shell = Command::new("sh");
        shell.args(["-eu", "-c", block]).env("MAIN", &main).env("PLATFORM", &platform);
        process::run(shell.current_dir(&room))?;
    }
    Ok(())
}
