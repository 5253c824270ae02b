//! Programs that open the files: those of statistics, and an office suite.

use crate::Result;
use crate::python::{install, pytest};
use crate::stage::{Stage, TestCounts};
use crate::toolchain::{debian, works};

pub const STAGES: &[Stage] =
    &[Stage::tests("programs", "R and PSPP", statistics), Stage::tests("office", "LibreOffice", office)];

/// With `SONDAGE_GENERATED_SURVEYS=300`: its long form.
fn statistics() -> Result<TestCounts> {
    let packages =
        ["pspp", "r-base-core", "r-cran-haven", "r-cran-foreign", "r-cran-readstata13", "r-cran-survey"];
    let is_there = || {
        let loads = "for (name in c('haven', 'foreign', 'readstata13', 'survey')) loadNamespace(name)";
        works("pspp", &["--version"]) && works("Rscript", &["--vanilla", "-e", loads])
    };
    debian("PSPP and R with haven, foreign, readstata13 and survey.", is_there, &packages)?;
    install()?;
    pytest(&["tests/programs/test_statistics.py"])
}

fn office() -> Result<TestCounts> {
    debian("LibreOffice Calc.", || works("soffice", &["--version"]), &["libreoffice-calc-nogui"])?;
    install()?;
    pytest(&["tests/programs/test_office.py"])
}
