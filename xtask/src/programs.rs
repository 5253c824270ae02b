//! Programs that open the files: those of statistics, and an office suite; and a database that holds a survey.

use crate::Result;
use crate::python::{install, pytest};
use crate::stage::{Stage, TestCounts};
use crate::toolchain::{self, debian, works};

pub const STAGES: &[Stage] = &[
    Stage::tests("programs", "R and PSPP", statistics),
    Stage::tests("programs", "PostgreSQL", postgres),
    Stage::tests("office", "LibreOffice", office),
];

/// The programs of statistics, with the libraries that read their files.
pub fn has_statistics() -> Result {
    let packages =
        ["pspp", "r-base-core", "r-cran-haven", "r-cran-foreign", "r-cran-readstata13", "r-cran-survey"];
    let is_there = || {
        let loads = "for (name in c('haven', 'foreign', 'readstata13', 'survey')) loadNamespace(name)";
        works("pspp", &["--version"]) && works("Rscript", &["--vanilla", "-e", loads])
    };
    debian("PSPP and R with haven, foreign, readstata13 and survey.", is_there, &packages)
}

/// With `SONDAGE_GENERATED_SURVEYS=300`: its long form.
fn statistics() -> Result<TestCounts> {
    has_statistics()?;
    install()?;
    pytest(&["tests/programs/test_statistics.py"])
}

/// With `SONDAGE_SYNC_KILLS=1000`: its long form.
fn postgres() -> Result<TestCounts> {
    toolchain::postgresql()?;
    install()?;
    pytest(&["tests/programs/test_postgres.py", "tests/programs/test_inbox.py"])
}

fn office() -> Result<TestCounts> {
    debian("LibreOffice Calc.", || works("soffice", &["--version"]), &["libreoffice-calc-nogui"])?;
    install()?;
    pytest(&["tests/programs/test_office.py"])
}
