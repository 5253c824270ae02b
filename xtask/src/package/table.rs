//! The table in docs/packages.md: how each artefact was checked on this machine.

use crate::{Result, files};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Built only to be measured: it is not published.
pub const MEASURED: &str = "built and measured";
/// Built without what needs Android's linker.
pub const CLASSES: &str = "its classes run with a phone's library; without Android's own, which need the NDK";
/// Built, and checked by the tools of its registry.
pub const CHECKED: &str = "built and checked";
/// Installed into an empty environment as well, where the first program ran.
pub const RUN: &str = "built, checked, installed and run";

const PAGE: &str = "docs/packages.md";
const MARKS: [&str; 2] =
    ["<!-- artefacts: `cargo xtask package` writes them -->\n", "<!-- end of the artefacts -->"];

/// The first lines of the table.
const HEAD: &str = "| artefact | platform | MB | here it was |\n|---|---|--:|---|\n";

/// The row of a file that users install. An error if it has more bytes than it may have.
pub fn row(file: &Path, platform: &str, most: u64, proof: &str) -> Result<String> {
    let (name, bytes) = (file.file_name().unwrap_or_default().to_string_lossy(), fs::metadata(file)?.len());
    if bytes > most {
        return Err(format!("{} has {bytes} bytes, and may have {most}", file.display()).into());
    }
    let (whole, hundredths) = (bytes / 1_000_000, bytes / 10_000 % 100);
    Ok(format!("| `{name}` | {platform} | {whole}.{hundredths:02} | {proof} |\n"))
}

/// Prints rows, and writes them into the table, whose other rows stay.
pub fn write(rows: &[String]) -> Result {
    println!("\n{HEAD}{}", rows.concat());
    files::rewrite(PAGE, MARKS, |earlier| merged(earlier, rows))
}

/// The rows of an earlier table, each replaced by the new one of the same artefact, and the new artefacts.
fn merged(earlier: &str, new: &[String]) -> String {
    let rows = earlier.split_inclusive('\n').filter(|row| row.starts_with("| `"));
    let rows = rows.chain(new.iter().map(String::as_str));
    let rows: BTreeMap<_, _> = rows.map(|row| (row.split('|').nth(1), row)).collect();
    HEAD.to_owned() + &rows.into_values().collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_replaces_its_own_rows_and_no_others() {
        let row = |name: &str, megabytes: u32| format!("| `{name}` | all | {megabytes}.00 | {RUN} |\n");
        let first = merged("\n", &[row("a", 1), row("b", 2)]);
        assert_eq!(first, HEAD.to_owned() + &row("a", 1) + &row("b", 2));
        let second = merged(&first, &[row("b", 3), row("c", 4)]);
        assert_eq!(second, HEAD.to_owned() + &row("a", 1) + &row("b", 3) + &row("c", 4));
    }
}
