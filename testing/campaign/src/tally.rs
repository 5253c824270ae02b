//! The results of the cells.

use crate::cells::CampaignCell;
use crate::judge::CellVerdict;
use std::collections::BTreeMap;

/// How many violations of one promise are printed in full.
const SHOWN: usize = 3;

#[derive(Default)]
pub struct Tally {
    pub cells: usize,
    pub whole: usize,
    pub careful: usize,
    pub succeeded: usize,
    /// Cells in which a promise was broken.
    pub bad: usize,
    /// By family: cells, and those in which a promise was broken.
    pub families: BTreeMap<String, (usize, usize)>,
    /// Counted separately: items of which a cell contains many.
    pub counts: BTreeMap<&'static str, usize>,
    /// By finding.
    pub findings: BTreeMap<String, usize>,
    broken: BTreeMap<&'static str, Vec<String>>,
}

impl Tally {
    pub fn add(&mut self, cell: &CampaignCell, result: Result<CellVerdict, String>) {
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

    /// Adds a result that is not a cell of the matrix.
    pub fn add_named(
        &mut self,
        family: &str,
        name: &str,
        shows: Option<&str>,
        rule: &'static str,
        wrong: Option<String>,
    ) {
        let counts = self.families.entry(family.to_owned()).or_default();
        counts.0 += 1;
        self.cells += 1;
        let Some(wrong) = wrong else { return };
        counts.1 += 1;
        self.bad += 1;
        self.broken.entry(rule).or_default().push(format!("{family}: {name}\n        {wrong}"));
        if let Some(finding) = shows {
            *self.findings.entry(finding.to_owned()).or_default() += 1;
        }
    }

    /// Merges another tally.
    pub fn take_in(&mut self, other: Self) {
        self.cells += other.cells;
        self.whole += other.whole;
        self.careful += other.careful;
        self.succeeded += other.succeeded;
        self.bad += other.bad;
        for (name, (cells, bad)) in other.families {
            let family = self.families.entry(name).or_default();
            *family = (family.0 + cells, family.1 + bad);
        }
        for (name, count) in other.counts {
            *self.counts.entry(name).or_default() += count;
        }
        for (name, count) in other.findings {
            *self.findings.entry(name).or_default() += count;
        }
        for (rule, cells) in other.broken {
            self.broken.entry(rule).or_default().extend(cells);
        }
    }

    /// The cells of a part of the campaign; of the matrix if the name is empty.
    pub fn count(&self, part: &str) -> usize {
        if let Some(count) = self.counts.get(part) {
            return *count;
        }
        let others =
            crate::minimums::PARTS.iter().map(|minimum| minimum.part).filter(|part| !part.is_empty());
        let others: Vec<&str> = others.collect();
        let here = |family: &str| if part.is_empty() { !others.contains(&family) } else { family == part };
        self.families.iter().filter(|(family, _)| here(family)).map(|(_, counts)| counts.0).sum()
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
            "\n{} cells, {} broken; {} requests arrived completely, {} calls succeeded, {} were reported as unknown and had not arrived",
            self.cells, self.bad, self.whole, self.succeeded, self.careful
        );
        for (finding, cells) in &self.findings {
            println!("{finding}: {cells} cells");
        }
    }
}
