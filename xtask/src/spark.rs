//! The Spark data source: Spark itself comes from the package index, Java from the machine.

use crate::stage::{Stage, TestCounts, missing};
use crate::{Result, python, toolchain};

pub const STAGES: &[Stage] = &[Stage::tests("spark", "Spark tests", tests)];

fn tests() -> Result<TestCounts> {
    if !toolchain::works("java", &["-version"]) {
        let (what, install) =
            ("Java 17 or newer, for Spark.", "apt-get install openjdk-17-jre-headless (Debian, Ubuntu)");
        return Err(missing(what, install));
    }
    python::install()?;
    // Half a gigabyte: installed only for the Spark tests.
    python::ready()?.add("tests/spark/requirements.txt", "spark-installed")?;
    python::pytest("tests/spark")
}
