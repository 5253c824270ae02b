//! A stage of a test run, and how its tests are counted.

use crate::{Result, workspace};
use std::error::Error;
use std::fmt;
use std::ops::AddAssign;

/// One stage.
pub struct Stage {
    /// The group on the command line that includes it.
    pub group: &'static str,
    /// Its name in the summary.
    pub name: &'static str,
    /// Its function.
    pub run: fn() -> Result<TestCounts>,
}

/// How many tests passed, failed and were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TestCounts {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
}

impl TestCounts {
    /// A check that does not consist of tests, and succeeded.
    pub const PASSED: Self = Self { passed: 1, failed: 0, skipped: 0 };
    /// A check that failed, or tests that never ran.
    pub const FAILED: Self = Self { passed: 0, failed: 1, skipped: 0 };

    /// Reads the totals in the closing lines of cargo test or `XCTest`, which write no report.
    pub fn read(output: &str, succeeded: bool) -> Result<Self> {
        let mut tally = Self::default();
        for line in output.lines().filter(|line| line.starts_with("test result:")) {
            let words: Vec<&str> = line.split([' ', ';']).filter(|word| !word.is_empty()).collect();
            for pair in words.windows(2) {
                let count = pair[0].parse().unwrap_or(0);
                match pair[1] {
                    "passed" => tally.passed += count,
                    "failed" => tally.failed += count,
                    "ignored" => tally.skipped += count,
                    _ => {}
                }
            }
        }
        tally += output.lines().filter_map(xctest).next_back().unwrap_or_default();
        tally.ended(succeeded)
    }

    /// The result of a runner with known counts.
    ///
    /// A failed run counts as at least one failure, whatever it printed; a successful run without tests is an error,
    /// because nothing was tested.
    pub fn ended(self, succeeded: bool) -> Result<Self> {
        match (succeeded, self) {
            (true, Self { passed: 0, .. }) => Err("no test ran".into()),
            (false, Self { failed: 0, .. }) => Ok(Self { failed: 1, ..self }),
            _ => Ok(self),
        }
    }
}

impl AddAssign for TestCounts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for TestCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 { write!(f, ", {} skipped", self.skipped) } else { Ok(()) }
    }
}

/// `Executed 32 tests, with 2 tests skipped and 1 failure (0 unexpected) in 4.7 seconds`. The last such line is the sum.
fn xctest(line: &str) -> Option<TestCounts> {
    let rest = line.trim().strip_prefix("Executed ")?;
    let words: Vec<&str> = rest.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let before = |word: &str| {
        let at = words.iter().position(|other| other.starts_with(word))?;
        words[..at].iter().rev().find_map(|word| word.parse::<usize>().ok())
    };
    let (run, failed, skipped) = (before("test")?, before("failure")?, before("skipped").unwrap_or(0));
    Some(TestCounts { passed: run.saturating_sub(failed + skipped), failed, skipped })
}

/// A tool that is missing on this machine.
///
/// The message is shown, and the stage counts as skipped; in CI it fails.
#[derive(Debug)]
pub struct Missing {
    /// What is needed, and why.
    pub what: &'static str,
    /// The command that installs it.
    pub install: &'static str,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MISSING: {}\n         install it with: {}", self.what, self.install)
    }
}

impl Error for Missing {}

/// The counts of a stage that ended with an error.
pub fn tally_of(error: &(dyn Error + 'static)) -> TestCounts {
    if error.is::<Missing>() && !workspace::is_ci() {
        TestCounts { skipped: 1, ..TestCounts::default() }
    } else {
        TestCounts::FAILED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_cargo_says() {
        let cargo = "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s\n\
                     test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s";
        assert_eq!(TestCounts::read(cargo, true).unwrap(), TestCounts { passed: 5, failed: 0, skipped: 1 });
    }

    #[test]
    fn counts_what_xctest_says() {
        let said = "\t Executed 9 tests, with 0 failures (0 unexpected) in 1.4 (1.4) seconds\n\
                    \t Executed 32 tests, with 2 tests skipped and 1 failure (0 unexpected) in 4.7 (4.7) seconds";
        assert_eq!(TestCounts::read(said, false).unwrap(), TestCounts { passed: 29, failed: 1, skipped: 2 });
    }

    #[test]
    fn a_runner_that_fails_or_tests_nothing_never_counts_as_success() {
        assert_eq!(TestCounts::read("error: could not compile", false).unwrap(), TestCounts::FAILED);
        assert!(TestCounts::read("", true).is_err());
        assert!(TestCounts::read("test result: ok. 0 passed; 0 failed; 0 ignored", true).is_err());
    }

    #[test]
    fn the_last_line_is_the_plain_one() {
        assert_eq!(TestCounts::PASSED.to_string(), "1 passed, 0 failed");
        assert_eq!(
            TestCounts { passed: 2, failed: 1, skipped: 3 }.to_string(),
            "2 passed, 1 failed, 3 skipped"
        );
    }
}
