//! The Spark data source: Spark itself comes from the package index, Java from the machine.

use crate::stage::{Stage, TestCounts, missing};
use crate::{Result, process, python, workspace};
use std::fs;
use std::process::{Command, Stdio};

pub const STAGES: &[Stage] = &[Stage { group: "spark", name: "Spark tests", run: tests }];

const REQUIREMENTS: &str = "tests/spark/requirements.txt";

fn tests() -> Result<TestCounts> {
    let mut java = Command::new("java");
    let found = java.arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        let (what, install) =
            ("Java 17 or newer, for Spark.", "apt-get install openjdk-17-jre-headless (Debian, Ubuntu)");
        return Err(missing(what, install));
    }
    python::install()?;
    let environment = python::ready()?;
    // Half a gigabyte: installed only for the Spark tests.
    let stamp = workspace::target()?.join("python/spark-installed");
    let wanted = fs::read_to_string(workspace::root().join(REQUIREMENTS))?;
    if fs::read_to_string(&stamp).ok().as_ref() != Some(&wanted) {
        println!("installing {REQUIREMENTS}");
        let requirements = workspace::root().join(REQUIREMENTS);
        process::run(environment.pip_install().arg("--requirement").arg(requirements))?;
        fs::write(stamp, wanted)?;
    }
    python::pytest("tests/spark")
}
