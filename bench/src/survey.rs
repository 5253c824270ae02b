//! Realistic surveys: a few system columns, then questions of all types in typical proportions, with routing gaps,
//! umlauts and free text.

use crate::random::Random;
use std::fmt::Write as _;

/// The type of a column.
#[derive(Clone, Copy)]
pub enum ColumnKind {
    InterviewId,
    State,
    Time {
        optional: bool,
    },
    Language,
    Duration,
    Member,
    Email,
    Device,
    /// One of ten codes.
    Single,
    /// One column of a multiple choice, 0 or 1.
    Multi,
    /// A row of a grid, 1 to 5.
    Grid,
    Decimal,
    /// A code that is text.
    Word,
    Free,
    /// A follow-up that few respondents get.
    Sparse,
    Truth,
}

pub struct SurveyColumn {
    pub name: String,
    pub kind: ColumnKind,
    /// Columns of one routed block are missing together.
    block: usize,
}

const OWN: [(&str, ColumnKind); 10] = [
    ("InterviewId", ColumnKind::InterviewId),
    ("State", ColumnKind::State),
    ("StartDate", ColumnKind::Time { optional: false }),
    ("EndDate", ColumnKind::Time { optional: true }),
    ("UpdatedAt", ColumnKind::Time { optional: false }),
    ("Language", ColumnKind::Language),
    ("Duration", ColumnKind::Duration),
    ("PanelMemberId", ColumnKind::Member),
    ("Email", ColumnKind::Email),
    ("Device", ColumnKind::Device),
];

/// Types of questions, how many of a hundred columns they have, and the maximum number of columns per question.
const QUESTIONS: [(ColumnKind, u64, u64, &str); 9] = [
    (ColumnKind::Single, 38, 1, ""),
    (ColumnKind::Multi, 60, 9, "_"),
    (ColumnKind::Decimal, 67, 1, ""),
    (ColumnKind::Word, 75, 1, ""),
    (ColumnKind::Free, 81, 1, "_text"),
    (ColumnKind::Grid, 89, 9, "_r"),
    (ColumnKind::Sparse, 94, 1, "_other"),
    (ColumnKind::Truth, 97, 1, ""),
    (ColumnKind::Time { optional: true }, 100, 1, "_date"),
];

/// A survey of this many columns.
pub fn columns(count: usize, seed: u64) -> Vec<SurveyColumn> {
    let random = &mut Random::new(seed);
    let own = OWN.iter().map(|(name, kind)| SurveyColumn { name: (*name).to_owned(), kind: *kind, block: 0 });
    let mut columns: Vec<SurveyColumn> = own.collect();
    let mut question = 0;
    while columns.len() < count {
        question += 1;
        let share = random.below(100);
        let (kind, _, most, suffix) =
            QUESTIONS.iter().find(|(_, until, ..)| share < *until).expect("all hundred");
        let parts = if *most > 1 { 4 + random.below(most - 3) } else { 1 };
        for part in 1..=parts {
            let name =
                if *most > 1 { format!("Q{question}{suffix}{part}") } else { format!("Q{question}{suffix}") };
            // About every tenth question begins a block that a filter may skip.
            let block = if question % 10 == 7 { question } else { 0 };
            columns.push(SurveyColumn { name, kind: *kind, block });
        }
    }
    columns.truncate(count);
    columns
}

impl SurveyColumn {
    /// Whether the row has the column.
    pub fn there(&self, route: u64, random: &mut Random) -> bool {
        let routed_around = self.block > 0 && (route >> (self.block % 60)) & 3 == 0;
        !routed_around && (!matches!(self.kind, ColumnKind::Sparse) || random.chance(15))
    }

    /// Writes a value as JSON.
    pub fn value(&self, row: u64, random: &mut Random, out: &mut String) {
        let nulls = match self.kind {
            ColumnKind::Single => 12,
            ColumnKind::Multi | ColumnKind::Word => 10,
            ColumnKind::Grid | ColumnKind::Decimal => 15,
            ColumnKind::Free => 55,
            ColumnKind::Truth | ColumnKind::Time { optional: true } => 20,
            _ => 0,
        };
        if random.chance(nulls) {
            out.push_str("null");
            return;
        }
        let written = match self.kind {
            ColumnKind::InterviewId => {
                let (a, b) = (random.next(), random.next());
                write!(
                    out,
                    "\"{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}\"",
                    a >> 32,
                    (a >> 16) & 0xFFFF,
                    a & 0xFFF,
                    b >> 52,
                    b & 0xFFFF_FFFF_FFFF
                )
            }
            ColumnKind::State => write!(
                out,
                "\"{}\"",
                random.pick(&["Completed", "Completed", "Completed", "InProgress", "ScreenedOut"])
            ),
            ColumnKind::Time { .. } => {
                let (month, day, hour) = (1 + random.below(12), 1 + random.below(28), random.below(24));
                let (minute, second, milli) = (random.below(60), random.below(60), random.below(1000));
                write!(out, "\"2024-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z\"")
            }
            ColumnKind::Language => write!(out, "\"{}\"", random.pick(&["de", "fr", "en", "it"])),
            ColumnKind::Duration => write!(out, "{}", random.below(3600)),
            ColumnKind::Member => write!(out, "{}", 1_000_000 + row),
            ColumnKind::Email => {
                write!(out, "\"user{row}.{}@example{}.com\"", random.below(1_000_000), random.below(50))
            }
            ColumnKind::Device => write!(out, "\"{}\"", random.pick(&["Desktop", "Mobile", "Tablet"])),
            ColumnKind::Single => write!(out, "{}", 1 + random.below(10)),
            ColumnKind::Multi => write!(out, "{}", u8::from(random.chance(30))),
            ColumnKind::Grid => write!(out, "{}", 1 + random.below(5)),
            ColumnKind::Decimal => write!(out, "{}.{:03}", random.below(100), random.below(1000)),
            ColumnKind::Word => write!(
                out,
                "\"{}\"",
                random.pick(&["A", "B", "C", "D", "never", "often", "weiß nicht", "k. A."])
            ),
            ColumnKind::Free => {
                let words = 1 + random.below(22);
                sentence(words, random, out);
                Ok(())
            }
            ColumnKind::Sparse => {
                sentence(1, random, out);
                Ok(())
            }
            ColumnKind::Truth => write!(out, "{}", random.chance(50)),
        };
        written.expect("a String takes everything");
    }
}

const WORDS: [&str; 40] = [
    "sehr",
    "gut",
    "zufrieden",
    "Service",
    "Bestellung",
    "Lieferung",
    "schnell",
    "freundlich",
    "Qualität",
    "Preis",
    "über",
    "Zürich",
    "Größe",
    "für",
    "möchte",
    "würde",
    "gerne",
    "the",
    "product",
    "was",
    "delivered",
    "late",
    "but",
    "support",
    "helped",
    "me",
    "très",
    "bien",
    "merci",
    "déjà",
    "reçu",
    "même",
    "problème",
    "avec",
    "l'application",
    "顧客",
    "\\\"quoted\\\"",
    "and\\nnewline",
    "end",
    "😀",
];

fn sentence(words: u64, random: &mut Random, out: &mut String) {
    out.push('"');
    for i in 0..words {
        if i > 0 {
            out.push(' ');
        }
        out.push_str(random.pick::<&str>(&WORDS));
    }
    out.push('"');
}
