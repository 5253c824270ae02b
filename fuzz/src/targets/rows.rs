//! Realistic responses: the bytes select rows, columns and values, so that nearly all responses are valid and the predictor
//! is tested.

use crate::{FORMS, both_ways};
use sondage_data::PayloadLayout;
use std::fmt::Write as _;

/// Choices, as long as there are bytes; then always the first.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn below(&mut self, limit: usize) -> usize {
        match self.0.split_first() {
            None => 0,
            Some((&first, rest)) => {
                self.0 = rest;
                usize::from(first) % limit
            }
        }
    }
}

const VALUES: [&str; 49] = [
    "1",
    "0",
    "7",
    "42",
    "-1",
    "-0",
    "12345678",
    "123456789012345",
    "9007199254740993",
    "9223372036854775808",
    "0.5",
    "1.0",
    "-2.25",
    "1e3",
    "1E-7",
    "12345678.12345678",
    "3.3333333333333335",
    "0.1234567890123456789",
    "1e999",
    "\"\"",
    "\"a\"",
    "\"exactly sixteen!\"",
    "\"a text that is longer than sixteen bytes\"",
    "\"Zürich\"",
    "\"顧客 😀\"",
    "\"a\\\"b\\\\c\"",
    "\"\\u00fc\\ud83d\\ude00\\n\"",
    "\"2024-02-29T12:00:00.123Z\"",
    "\"2024-02-29T12:00:00\"",
    "\"2024-02-29T12:00:00.1234567Z\"",
    "\"2024-02-29T12:00:00.12Z\"",
    "\"2023-02-29T12:00:00.123Z\"",
    "\"2024-02-29 12:00:00+01:00\"",
    "\"2024-02-29\"",
    "\"0000-01-01T00:00:00Z\"",
    "\"},{\\\"id\\\":\"",
    "true",
    "false",
    "null",
    "[]",
    "{}",
    "[1,2]",
    "[\"]\",{\"a\":\"}\"}]",
    "[ 1 ]",
    " 5",
    "null ",
    "\"x\" ",
    "\"half \\ud83d\"",
    "{\"a\":\"\\ude00\"}",
];
const GAPS: [&str; 6] = [",", ",", ",", " ,", ", ", "\n ,\t"];

fn cell(form: PayloadLayout, column: usize, choices: &mut Choices<'_>, out: &mut String) {
    let moment = column == 4 && form != PayloadLayout::Members;
    let usual = VALUES[if moment { 27 } else { column * 7 } % VALUES.len()];
    let value = match choices.below(4) {
        0..=2 => usual,
        _ => VALUES[choices.below(VALUES.len())],
    };
    let name =
        if moment { "StartDate".to_owned() } else { format!("Q{column}{}", "_long".repeat(column % 5)) };
    let odd = choices.below(12);
    let written = match (form, odd) {
        (PayloadLayout::Compact, 1) => write!(out, "\"\\u{:04x}{}\":{value}", name.as_bytes()[0], &name[1..]),
        (PayloadLayout::Compact, _) => write!(out, "\"{name}\":{value}"),
        (PayloadLayout::Structured, 1) => write!(out, "{{\"value\":{value},\"id\":\"{name}\"}}"),
        (PayloadLayout::Structured, 2) => write!(out, "{{\"id\":\"{name}\",\"x\":3,\"value\":{value},\"y\":\"\"}}"),
        (PayloadLayout::Structured, 3) => write!(out, "{{\"id\":\"{name}\"}}"),
        (PayloadLayout::Structured, _) => write!(out, "{{\"id\":\"{name}\",\"value\":{value}}}"),
        (PayloadLayout::Members, 1) => write!(out, "\"{name}\":{{\"value\":{value},\"fieldType\":\"Number\"}}"),
        (PayloadLayout::Members, 2) => write!(out, "\"{name}\":{{\"fieldType\":\"Number\",\"value\":{value}}}"),
        (PayloadLayout::Members, 3) => write!(out, "\"{name}\":null"),
        (PayloadLayout::Members, _) => {
            write!(out, "\"{name}\":{{\"name\":\"{name}\",\"fieldType\":\"String\",\"value\":{value}}}")
        }
    };
    written.expect("a String takes everything");
}

fn answer(form: PayloadLayout, choices: &mut Choices<'_>) -> String {
    let columns = 1 + choices.below(6);
    let mut out = format!("{{\"{}\":[", form.rows_key());
    for row in 0..choices.below(9) {
        if row > 0 {
            out.push_str(GAPS[choices.below(GAPS.len())]);
        }
        out.push_str(match form {
            PayloadLayout::Compact => "{",
            PayloadLayout::Structured => "{\"columns\":[",
            PayloadLayout::Members => "{\"id\":1,\"fields\":{",
        });
        let (mut first, shift) = (true, if choices.below(8) == 1 { choices.below(columns) } else { 0 });
        for column in 0..columns {
            if choices.below(6) == 1 {
                continue;
            }
            if !std::mem::take(&mut first) {
                out.push_str(GAPS[choices.below(GAPS.len())]);
            }
            cell(form, (column + shift) % columns, choices, &mut out);
        }
        out.push_str(match (form, choices.below(4)) {
            (PayloadLayout::Compact, _) => "}",
            (PayloadLayout::Structured, 1) => "],\"Id\":7}",
            (PayloadLayout::Structured, _) => "]}",
            (PayloadLayout::Members, 1) => "},\"createdAt\":\"2024-02-29T12:00:00Z\",\"interviews\":[]}",
            (PayloadLayout::Members, _) => "}}",
        });
    }
    out.push_str("],\"isSuccess\":true}");
    out
}

pub fn run(data: &[u8]) {
    let choices = &mut Choices(data);
    let form = FORMS[choices.below(3)];
    let piece = [usize::MAX, 1, 7, 64, 100, 250, 999][choices.below(7)];
    both_ways(form, answer(form, choices).as_bytes(), piece);
}
