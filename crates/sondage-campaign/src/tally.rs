//! What the cells came to.

use crate::cells::Cell;
use crate::judge::Verdict;
use std::collections::BTreeMap;

/// How many breaks of one promise are shown whole.
const SHOWN: usize = 3;

#[derive(Default)]
pub struct Tally {
    pub cells: usize,
    pub whole: usize,
    pub careful: usize,
    pub succeeded: usize,
    /// Cells in which some promise was broken.
    pub bad: usize,
    /// By family: cells, and those in which some promise was broken.
    families: BTreeMap<String, (usize, usize)>,
    /// By finding.
    pub findings: BTreeMap<String, usize>,
    broken: BTreeMap<&'static str, Vec<String>>,
}

impl Tally {
    pub fn add(&mut self, cell: &Cell, result: Result<Verdict, String>) {
        self.cells += 1;
        let family = self.families.entry(cell.family.clone()).or_default();
        family.0 += 1;
        let mut say = |rule, detail: &str| {
            self.broken.entry(rule).or_default().push(format!("{}\n        {detail}", cell.name()));
        };
        match result {
            Ok(verdict) => {
                self.whole += verdict.whole;
                self.careful += usize::from(verdict.careful);
                self.succeeded += usize::from(verdict.succeeded);
                if verdict.broken.is_empty() {
                    return;
                }
                verdict.broken.iter().for_each(|broken| say(broken.rule, &broken.detail));
            }
            Err(error) => say("the campaign itself", &error),
        }
        family.1 += 1;
        self.bad += 1;
        if let Some(finding) = &cell.shows {
            *self.findings.entry(finding.clone()).or_default() += 1;
        }
    }

    pub fn broken(&self) -> usize {
        self.bad
    }

    pub fn print(&self) {
        for (rule, cells) in &self.broken {
            println!("\nBROKEN in {} cells: {rule}", cells.len());
            for cell in cells.iter().take(SHOWN) {
                println!("    {cell}");
            }
        }
        for (family, (cells, bad)) in &self.families {
            let bad = if *bad > 0 { format!("  {bad} broken") } else { String::new() };
            println!("{family:<40}{cells:>6}{bad}");
        }
        println!(
            "\n{} cells, {} broken; {} requests came whole, {} calls succeeded, {} were called unknown and had not arrived",
            self.cells, self.bad, self.whole, self.succeeded, self.careful
        );
        for (finding, cells) in &self.findings {
            println!("{finding}: {cells} cells");
        }
    }
}
