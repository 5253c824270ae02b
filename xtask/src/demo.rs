//! `cargo xtask demo`: a demonstration that needs no account.

use crate::stage::Stage;
use crate::{Result, process, python, workspace};

pub const STAGES: &[Stage] = &[Stage::check("demo", "demo", test)];

pub fn run() -> Result {
    python::install_for_demo()?;
    show()
}

/// The demo, followed by its platform in a browser, until Ctrl-C.
pub fn stay() -> Result {
    python::install_for_demo()?;
    let environment = python::ready()?;
    let mut demo = environment.python();
    process::run(demo.args(["examples/demo.py", "--console"]).current_dir(workspace::root()))
}

fn test() -> Result {
    python::install()?;
    show()
}

fn show() -> Result {
    let environment = python::ready()?;
    process::within_deadline(environment.python().arg("examples/demo.py").current_dir(workspace::root()))
}
