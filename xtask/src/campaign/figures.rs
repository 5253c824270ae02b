//! Runs the long form, and writes its figures into `docs/reliability.md`.

use super::{RunResult, languages, rust};
use crate::stage::TestCounts;
use crate::{Result, workspace};
use std::fs;
use std::time::{Duration, Instant};

const FILE: &str = "docs/reliability.md";
const BEGIN: &str = "<!-- figures of the campaign: `cargo xtask campaign` writes them -->\n";
const END: &str = "<!-- end of the figures -->";

type CampaignPart = (&'static str, fn(&[&str]) -> Result<RunResult>);

const PARTS: [CampaignPart; 5] = [
    ("Rust", rust),
    ("Python", languages::python),
    ("Node.js", languages::node),
    ("Kotlin", languages::kotlin),
    ("Swift", languages::swift),
];

/// Runs the long form through one client, or through all, and writes its results if no promise was broken.
pub fn long(only: Option<&str>) -> Result {
    let wanted =
        |language: &str| only.is_none_or(|only| language.to_lowercase().starts_with(&only.to_lowercase()));
    let parts: Vec<&CampaignPart> = PARTS.iter().filter(|(language, _)| wanted(language)).collect();
    if parts.is_empty() {
        return Err("campaign --long rust, python, node, kotlin or swift".into());
    }
    for (language, run) in parts {
        let begin = Instant::now();
        let said = run(&["--long"])?;
        let TestCounts { passed, failed, .. } = said.tally;
        if failed > 0 {
            return Err(format!("promises were broken in {language}: its figures are not written").into());
        }
        let mut figures = Figures::read()?;
        figures.row(language, &format!("{} | {passed} | {failed} | {}", origin()?, minutes(begin.elapsed())));
        if *language == "Rust" {
            figures.families = table(&said.text);
        }
        figures.write()?;
    }
    Ok(())
}

/// Writes how many defects were detected. All must be.
pub fn defects(count: usize, time: Duration) -> Result {
    let mut figures = Figures::read()?;
    figures.row(
        "Rust, with a defect",
        &format!("{} | {count} defects | {count} | {}", origin()?, minutes(time)),
    );
    figures.write()
}

fn minutes(time: Duration) -> String {
    format!("{} min", time.as_secs().div_ceil(60))
}

/// The day and the machine of a run, and the client.
fn origin() -> Result<String> {
    let mut git = std::process::Command::new("git");
    git.args(["rev-parse", "--short", "HEAD"]).current_dir(workspace::root());
    let revision = crate::process::output(&mut git)?;
    let day = sondage::model::Timestamp::now().to_string();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(format!("{} | {} | {cores} cores, {}", &day[..10], revision.trim(), std::env::consts::OS))
}

/// The text between the two markers: a row for each client, and the families in Rust.
struct Figures {
    before: String,
    rows: Vec<(String, String)>,
    families: String,
    after: String,
}

const HEAD: &str =
    "| client | day | revision | machine | cells | broken | time |\n|---|---|---|---|---|---|---|\n";
const FAMILIES: &str = "| in Rust | cells |\n|---|---|\n";

impl Figures {
    fn read() -> Result<Self> {
        Self::of(&fs::read_to_string(workspace::root().join(FILE))?)
    }

    fn of(text: &str) -> Result<Self> {
        let (before, rest) =
            text.split_once(BEGIN).ok_or("docs/reliability.md has no marker for the start of the figures")?;
        let (figures, after) =
            rest.split_once(END).ok_or("docs/reliability.md has no marker for the end of the figures")?;
        let (clients, families) = figures.split_once(FAMILIES).unwrap_or((figures, ""));
        let row = |line: &str| {
            let (name, rest) = line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | ")?;
            (name != "client").then(|| (name.to_owned(), rest.to_owned()))
        };
        Ok(Self {
            before: before.to_owned(),
            rows: clients.lines().filter_map(row).collect(),
            families: if families.is_empty() {
                String::new()
            } else {
                format!("{FAMILIES}{}", families.trim_end())
            },
            after: after.to_owned(),
        })
    }

    /// Replaces the row with this name.
    fn row(&mut self, name: &str, figures: &str) {
        self.rows.retain(|(known, _)| known != name);
        self.rows.push((name.to_owned(), figures.to_owned()));
        let order = |name: &str| PARTS.iter().position(|(part, _)| *part == name).unwrap_or(PARTS.len());
        self.rows.sort_by_key(|(name, _)| order(name));
    }

    fn text(&self) -> String {
        let rows: Vec<String> =
            self.rows.iter().map(|(name, figures)| format!("| {name} | {figures} |\n")).collect();
        let rows = rows.concat();
        let Self { before, families, after, .. } = self;
        format!("{before}{BEGIN}\n{HEAD}{rows}\n{}\n{END}{after}", families.trim_end())
    }

    fn write(&self) -> Result {
        fs::write(workspace::root().join(FILE), self.text())?;
        println!("{FILE} is written");
        Ok(())
    }
}

/// The families of a run, from its output, and its totals.
fn table(text: &str) -> String {
    let mut rows = FAMILIES.to_owned();
    for line in text.lines().filter(|line| line.len() == 46 && !line.starts_with(' ')) {
        if let Ok(cells) = line[40..].trim().parse::<usize>() {
            rows.extend(["| ", line[..40].trim(), " | ", &cells.to_string(), " |\n"]);
        }
    }
    let sum = text.lines().rev().find(|line| line.contains(" cells, ")).unwrap_or_default();
    format!("{rows}\n{sum}.\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_replaces_its_own_figures() {
        let page = format!("before\n{BEGIN}{END}\nafter\n");
        let mut figures = Figures::of(&page).unwrap();
        figures.row("Swift", "a | 1 | 0");
        figures.row("Rust", "b | 2 | 0");
        figures.families = format!("{FAMILIES}| x | 1 |\n\n1 cells, 0 broken.\n");
        let page = figures.text();
        let mut again = Figures::of(&page).unwrap();
        assert_eq!(again.text(), page, "nothing is lost");
        again.row("Rust", "c | 3 | 0");
        let text = again.text();
        assert!(text.contains("| Rust | c | 3 | 0 |\n| Swift | a | 1 | 0 |\n") && !text.contains("| b |"));
        assert!(text.starts_with("before\n") && text.ends_with("\nafter\n"));
    }

    #[test]
    fn finds_the_families() {
        let line = format!("{:<40}{:>6}", "request cut", 144);
        let text =
            format!("BROKEN in nothing\n{line}\n\n144 cells, 0 broken; 3 requests arrived completely\n");
        let table = table(&text);
        assert!(
            table.contains("| request cut | 144 |")
                && table.ends_with("144 cells, 0 broken; 3 requests arrived completely.\n")
        );
    }
}
