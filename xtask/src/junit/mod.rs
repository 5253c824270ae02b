//! Reads test reports in `JUnit`'s XML: from pytest, Surefire and Node.js.
//!
//! Swift has no such report. `swift test --xunit-output` writes nothing when tests run sequentially, and with
//! `--parallel` it reports a skipped test as passed (Swift 6.0).

use crate::stage::TestCounts;
use crate::{Result, process};
use roxmltree::{Document, Node};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs tests that write their reports to this folder, which is emptied before, and counts them. Skipped tests are shown
/// with their reasons.
pub fn run(tests: &mut Command, folder: &Path) -> Result<TestCounts> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let succeeded = process::succeeds(tests)?;
    let mut tally = TestCounts::default();
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "xml") {
            let report = read(&fs::read_to_string(&path)?);
            let report = report.map_err(|error| format!("{}: {error}", path.display()))?;
            report.skipped.iter().for_each(|line| println!("skipped: {line}"));
            tally += report.tally;
        }
    }
    tally.ended(succeeded)
}

struct JunitReport {
    tally: TestCounts,
    /// Each skipped test, with the reason.
    skipped: Vec<String>,
}

/// Counts the test cases. The totals in a report differ from runner to runner.
fn read(text: &str) -> Result<JunitReport> {
    let document = Document::parse(text)?;
    let mut report = JunitReport { tally: TestCounts::default(), skipped: Vec::new() };
    for case in document.descendants().filter(|node| node.has_tag_name("testcase")) {
        let child = |name| case.children().find(|node| node.has_tag_name(name));
        if child("failure").or_else(|| child("error")).is_some() {
            report.tally.failed += 1;
        } else if let Some(skipped) = child("skipped") {
            report.tally.skipped += 1;
            let name = case.attribute("name").unwrap_or_default();
            report.skipped.push(format!("{name}: {}", reason(skipped)));
        } else {
            report.tally.passed += 1;
        }
    }
    Ok(report)
}

/// Surefire puts the reason into the text of a failed assumption.
fn reason(skipped: Node<'_, '_>) -> String {
    let first = || skipped.text().and_then(|text| text.trim().lines().next());
    skipped.attribute("message").or_else(first).unwrap_or("no reason").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(text: &str) -> ((usize, usize, usize), Vec<String>) {
        let JunitReport { tally: TestCounts { passed, failed, skipped }, skipped: reasons } =
            read(text).unwrap();
        ((passed, failed, skipped), reasons)
    }

    #[test]
    fn reads_what_pytest_writes() {
        let (counted, skipped) = counts(include_str!("samples/pytest.xml"));
        assert_eq!(counted, (1, 3, 2), "an error of a fixture fails its test");
        assert_eq!(skipped, ["test_skipped: needs <fork>", "test_xfail: known"]);
    }

    #[test]
    fn reads_what_node_writes() {
        let (counted, skipped) = counts(include_str!("samples/node.xml"));
        assert_eq!(counted, (3, 2, 3));
        let reasons = ["is skipped: needs a <browser>", "skipped without a reason: true", "is to do: later"];
        assert_eq!(skipped, reasons);
    }

    #[test]
    fn reads_what_surefire_writes() {
        let (counted, skipped) = counts(include_str!("samples/surefire.xml"));
        assert_eq!(counted, (1, 2, 2));
        let aborted = "org.opentest4j.TestAbortedException: Assumption failed: no network here";
        assert_eq!(skipped, [format!("assumes: {aborted}"), "disabled: needs a <device>".to_owned()]);
    }

    #[test]
    fn what_is_cut_off_is_an_error() {
        assert!(read("<testsuites><testcase name=\"a\"/>").is_err());
    }
}
