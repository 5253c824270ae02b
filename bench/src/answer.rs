//! Responses of the service with a given size.

use crate::random::Random;
use crate::survey::{self, ColumnKind};
use sondage_data::PayloadLayout;
use std::fmt::Write as _;

/// A response and its dimensions.
pub struct BenchAnswer {
    pub form: PayloadLayout,
    pub text: String,
    pub rows: u64,
    /// Rows times columns.
    pub cells: u64,
}

/// A response of about this many bytes.
pub fn of_size(form: PayloadLayout, columns: usize, bytes: usize, seed: u64) -> BenchAnswer {
    let random = &mut Random::new(seed);
    let mut text = String::with_capacity(bytes + 100_000);
    let mut rows = 0;
    if form == PayloadLayout::Members {
        text.push_str("{\"members\":[");
        while text.len() < bytes {
            separate(rows, &mut text);
            member(rows, random, &mut text);
            rows += 1;
        }
        finish(rows, &mut text);
        return BenchAnswer { form, text, rows, cells: rows * 18 };
    }
    let survey = survey::columns(columns, seed);
    text.push_str(
        r#"{"surveyName":"Kundenzufriedenheit 2024","surveyDefaultLanguage":"de","surveyLanguages":["de","fr"],"interviews":["#,
    );
    while text.len() < bytes {
        separate(rows, &mut text);
        let route = random.next();
        text.push_str(if form == PayloadLayout::Structured { "{\"columns\":[" } else { "{" });
        let mut first = true;
        for column in &survey {
            if !column.there(route, random) {
                continue;
            }
            if !std::mem::take(&mut first) {
                text.push(',');
            }
            let name = &column.name;
            let written = match form {
                PayloadLayout::Structured => write!(text, "{{\"id\":\"{name}\",\"value\":"),
                _ => write!(text, "\"{name}\":"),
            };
            written.expect("a String takes everything");
            column.value(rows, random, &mut text);
            if form == PayloadLayout::Structured {
                text.push('}');
            }
        }
        text.push_str(if form == PayloadLayout::Structured { "]}" } else { "}" });
        rows += 1;
    }
    finish(rows, &mut text);
    BenchAnswer { form, text, rows, cells: rows * columns as u64 }
}

/// Interviews without their ids and braces.
pub fn rows_without_id(columns: usize, rows: u64) -> Vec<String> {
    let (survey, random) = (survey::columns(columns, 7), &mut Random::new(7));
    let row = |row| {
        let mut text = String::new();
        let route = random.next();
        for column in survey.iter().filter(|column| !matches!(column.kind, ColumnKind::InterviewId)) {
            if column.there(route, random) {
                separate(text.len() as u64, &mut text);
                write!(text, "\"{}\":", column.name).expect("a String takes everything");
                column.value(row, random, &mut text);
            }
        }
        text
    };
    (0..rows).map(row).collect()
}

fn separate(rows: u64, text: &mut String) {
    if rows > 0 {
        text.push(',');
    }
}

fn finish(rows: u64, text: &mut String) {
    let written =
        write!(text, "],\"totalCount\":{rows},\"isSuccess\":true,\"errorMessage\":null,\"errorCode\":null}}");
    written.expect("a String takes everything");
}

const FIELDS: [(&str, &str); 12] = [
    ("Email", "String"),
    ("FirstName", "String"),
    ("LastName", "String"),
    ("Language", "String"),
    ("Gender", "Number"),
    ("CellPhoneNumber", "Number"),
    ("Division", "String"),
    ("City", "String"),
    ("BirthYear", "Number"),
    ("CustomerNo", "String"),
    ("Score", "Number"),
    ("Remark", "String"),
];
const FIRST: [&str; 8] = ["Anna", "Jürg", "Léa", "Zoë", "Ömer", "Chloé", "Søren", "Łukasz"];

fn member(row: u64, random: &mut Random, text: &mut String) {
    let free = survey::columns(60, 0).into_iter().find(|column| matches!(column.kind, ColumnKind::Free));
    let write = |text: &mut String, part: std::fmt::Arguments<'_>| {
        text.write_fmt(part).expect("a String takes everything")
    };
    write(text, format_args!("{{\"id\":{},\"fields\":{{", 1_000_000 + row));
    for (i, (name, kind)) in FIELDS.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        write(
            text,
            format_args!("{comma}\"{name}\":{{\"name\":\"{name}\",\"fieldType\":\"{kind}\",\"value\":"),
        );
        match *name {
            "Email" => write(
                text,
                format_args!("\"user{row}.{}@example{}.com\"", random.below(1_000_000), random.below(50)),
            ),
            "FirstName" => write(text, format_args!("\"{}\"", random.pick(&FIRST))),
            "LastName" => write(text, format_args!("\"{}son\"", random.pick(&FIRST))),
            "Language" => write(text, format_args!("\"{}\"", random.pick(&["de", "fr", "en"]))),
            "Gender" => write(text, format_args!("{}", random.below(3))),
            "CellPhoneNumber" if random.chance(30) => text.push_str("null"),
            "CellPhoneNumber" => write(text, format_args!("{}", 41_790_000_000 + random.below(9_999_999))),
            "Division" => write(text, format_args!("\"{}\"", random.pick(&["Sales", "R&D", "Ops", "HR"]))),
            "City" => write(
                text,
                format_args!(
                    "\"{}\"",
                    random.pick(&["Zürich", "Genève", "Bern", "Köln", "München", "Paris"])
                ),
            ),
            "BirthYear" => write(text, format_args!("{}", 1940 + random.below(65))),
            "CustomerNo" => write(text, format_args!("\"C-{row:07}\"")),
            "Score" if random.chance(10) => text.push_str("null"),
            "Score" => write(text, format_args!("{}.{:02}", random.below(10), random.below(100))),
            _ => match &free {
                Some(column) => column.value(row, random, text),
                None => text.push_str("null"),
            },
        }
        text.push('}');
    }
    let updated = random.below(1000);
    write(
        text,
        format_args!(
            "}},\"createdAt\":\"2024-03-0{}T10:11:12.{updated:03}Z\",\"createdBy\":\"import\",\"updatedAt\":null,\"updatedBy\":null,\"interviews\":[]}}",
            1 + updated % 9
        ),
    );
}
