//! A stage of a test run, and how its tests are counted.

use crate::{Result, process, workspace};
use std::error::Error;
use std::fmt;
use std::ops::AddAssign;
use std::process::Command;

pub struct Stage {
    /// The group on the command line that includes it.
    pub group: &'static str,
    /// Its name in the summary.
    pub name: &'static str,
    work: Work,
}

enum Work {
    /// A check that does not consist of tests.
    Check(fn() -> Result),
    /// Tests, which are counted.
    Tests(fn() -> Result<TestCounts>),
}

impl Stage {
    pub const fn check(group: &'static str, name: &'static str, check: fn() -> Result) -> Self {
        Self { group, name, work: Work::Check(check) }
    }

    pub const fn tests(group: &'static str, name: &'static str, tests: fn() -> Result<TestCounts>) -> Self {
        Self { group, name, work: Work::Tests(tests) }
    }

    pub fn run(&self) -> Result<TestCounts> {
        match self.work {
            Work::Check(check) => check().map(|()| TestCounts::PASSED),
            Work::Tests(tests) => tests(),
        }
    }
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

    /// Runs a program with tests, shows its output, and counts by its closing lines.
    pub fn run(tests: &mut Command) -> Result<Self> {
        let (output, succeeded) = process::watch(tests)?;
        Self::read(&output, succeeded)
    }

    /// Reads the closing lines of a runner. Cargo writes one for each program; of the others the last one is the sum.
    pub fn read(output: &str, succeeded: bool) -> Result<Self> {
        let (mut tally, mut last) = (Self::default(), Self::default());
        for line in output.lines().map(str::trim) {
            let pairs = || pairs(line, 1);
            if line.starts_with("test result:") {
                tally += pairs();
            } else if line.starts_with('=') && line.contains(" in ") || is_plain(line) {
                last = pairs();
            } else if let Some(rest) = line.strip_prefix("Executed ") {
                let Self { failed, skipped, .. } = pairs();
                let run = rest.split(' ').next().and_then(|run| run.parse().ok()).unwrap_or(0usize);
                last = Self { passed: run.saturating_sub(failed + skipped), failed, skipped };
            } else if let Some((_, rest)) = line.split_once("Tests run:")
                && !line.contains("Time elapsed")
            {
                let run = rest.split(',').next().and_then(|run| run.trim().parse().ok()).unwrap_or(0usize);
                let Self { failed, skipped, .. } = self::pairs(line, -1);
                last = Self { passed: run.saturating_sub(failed + skipped), failed, skipped };
            } else if line.starts_with('\u{2139}') {
                last += self::pairs(line, -1);
            }
        }
        tally += last;
        match (succeeded, tally) {
            // Nothing was tested.
            (true, Self { passed: 0, .. }) => Err("no test ran".into()),
            // Whatever it printed.
            (false, Self { failed: 0, .. }) => Ok(Self { failed: 1, ..tally }),
            _ => Ok(tally),
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

/// The closing line of a campaign, or of the stages that run in a process of their own.
fn is_plain(line: &str) -> bool {
    let number = line.trim_start_matches("campaign: ").split_once(" passed, ").map(|(number, _)| number);
    number.is_some_and(|number| number.parse::<usize>().is_ok())
}

/// The numbers beside words that count: before the word, or after it.
fn pairs(line: &str, offset: isize) -> TestCounts {
    let words: Vec<&str> =
        line.split([' ', ',', ';', ':', '=']).filter(|word| !word.is_empty() && *word != "tests").collect();
    let mut counts = TestCounts::default();
    for (at, word) in words.iter().enumerate() {
        let number = at.checked_add_signed(-offset).and_then(|at| words.get(at)?.parse().ok()).unwrap_or(0);
        match word.to_ascii_lowercase().as_str() {
            "passed" | "pass" => counts.passed += number,
            "failed" | "fail" | "failure" | "failures" | "error" | "errors" => counts.failed += number,
            "ignored" | "skipped" | "todo" | "xfailed" => counts.skipped += number,
            _ => {}
        }
    }
    counts
}

/// A tool that is missing on this machine. The message is shown, and the stage counts as skipped; in CI it fails.
#[derive(Debug)]
pub struct Missing(String);

/// The error about a missing tool: what is needed and why, and the command that installs it.
pub fn missing(what: &str, install: impl fmt::Display) -> Box<dyn Error> {
    Missing(format!("MISSING: {what}\n         install it with: {install}")).into()
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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
    fn counts_what_each_runner_says() {
        for (output, counts) in [
            (
                "test result: ok. 3 passed; 0 failed; 1 ignored\ntest result: ok. 2 passed; 1 failed; 0 ignored",
                [5, 1, 1],
            ),
            (
                "Executed 9 tests, with 0 failures\nExecuted 32 tests, with 2 tests skipped and 1 failure (0 unexpected)",
                [29, 1, 2],
            ),
            (
                "=== test session starts ===\n=== 1 failed, 7 passed, 2 skipped, 3 warnings, 1 error in 9.1s ===",
                [7, 2, 2],
            ),
            (
                "[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in A\n\
                 [WARNING] Tests run: 9, Failures: 1, Errors: 1, Skipped: 2",
                [5, 2, 2],
            ),
            (
                "\u{2139} tests 8\n\u{2139} pass 5\n\u{2139} fail 1\n\u{2139} skipped 1\n\u{2139} todo 1",
                [5, 1, 2],
            ),
            ("x\ncampaign: 12 passed, 3 failed\n", [12, 3, 0]),
            ("Swift  9 passed, 0 failed\n12 passed, 3 failed\n", [12, 3, 0]),
        ] {
            let TestCounts { passed, failed, skipped } = TestCounts::read(output, false).unwrap();
            assert_eq!([passed, failed, skipped], counts, "{output}");
        }
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
        let counts = TestCounts { passed: 2, failed: 1, skipped: 3 };
        assert_eq!(counts.to_string(), "2 passed, 1 failed, 3 skipped");
    }
}
