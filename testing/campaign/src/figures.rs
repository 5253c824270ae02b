//! Records the results of the long form in `docs/reliability.md`.

use crate::programs::{closing, output, root, watch};
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

const FILE: &str = "docs/reliability.md";
const BEGIN: &str = "<!-- figures of the campaign: `cargo xtask campaign` writes them -->\n";
const END: &str = "<!-- end of the figures -->";

/// The order of the rows.
const CLIENTS: [&str; 5] = ["Rust", "Python", "Node.js", "Kotlin", "Swift"];

/// Runs this program with these arguments, and writes the results for a client if no promise was broken.
pub fn record(client: &str, arguments: &[String]) -> Result<(), String> {
    let begin = Instant::now();
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let text = watch(Command::new(program).args(arguments))?;
    let [passed, failed] = closing(&text)?;
    if failed > 0 {
        return Err(format!("promises were broken in {client}: its figures are not written"));
    }
    let mut figures = Figures::read()?;
    figures.row(client, &format!("{} | {passed} | {failed} | {}", origin()?, minutes(begin.elapsed())));
    if client == "Rust" {
        figures.families = table(&text);
    }
    figures.write()
}

/// Writes how many defects were detected. All must be.
pub fn defects(count: usize, time: Duration) -> Result<(), String> {
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
fn origin() -> Result<String, String> {
    let mut git = Command::new("git");
    let revision = output(git.args(["rev-parse", "--short", "HEAD"]).current_dir(root()))?;
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
    fn read() -> Result<Self, String> {
        let text = fs::read_to_string(root().join(FILE)).map_err(|error| format!("{FILE}: {error}"))?;
        Ok(Self::of(&text)?)
    }

    fn of(text: &str) -> Result<Self, &'static str> {
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
        let order = |name: &str| CLIENTS.iter().position(|client| *client == name).unwrap_or(CLIENTS.len());
        self.rows.sort_by_key(|(name, _)| order(name));
    }

    fn text(&self) -> String {
        let rows: Vec<String> =
            self.rows.iter().map(|(name, figures)| format!("| {name} | {figures} |\n")).collect();
        let rows = rows.concat();
        let Self { before, families, after, .. } = self;
        format!("{before}{BEGIN}\n{HEAD}{rows}\n{}\n{END}{after}", families.trim_end())
    }

    fn write(&self) -> Result<(), String> {
        fs::write(root().join(FILE), self.text()).map_err(|error| format!("{FILE}: {error}"))?;
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
