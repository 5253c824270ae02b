//! Random data sets, and the responses in which a service might send them.

use super::random::Random;
use sondage_data::PayloadLayout;

/// Rows of keys and the JSON texts of their values. Keys may be missing; they are never repeated here.
#[derive(Clone, Debug)]
pub struct DataSet {
    pub rows: Vec<Vec<(String, String)>>,
}

/// The most frequent kind of value in a column.
#[derive(Clone, Copy)]
enum Flavour {
    Int,
    Big,
    Float,
    Bool,
    Text,
    Wide,
    Nested,
    Null,
    Anything,
}

const FLAVOURS: [Flavour; 9] = [
    Flavour::Int,
    Flavour::Big,
    Flavour::Float,
    Flavour::Bool,
    Flavour::Text,
    Flavour::Wide,
    Flavour::Nested,
    Flavour::Null,
    Flavour::Anything,
];

const TEXTS: [&str; 12] = [
    "",
    "1",
    "true",
    "null",
    "Zürich",
    "顧客 😀",
    "a\"b\\c",
    "line\nbreak\ttab",
    "},{\"id\":",
    "007",
    "NaN",
    "  ",
];

const NESTED: [&str; 6] =
    ["[]", "{}", "[1,2.50,\"x\"]", r#"{"a":{"b":[null,true]}}"#, r#"["}],{","\\\""]"#, r#"{"ü":"\u00fc"}"#];

impl DataSet {
    /// Some rows of some columns, most of them of one kind each; some kinds first appear late.
    pub fn random(random: &mut Random) -> Self {
        let columns: Vec<(String, Flavour)> = (0..random.below(9))
            .map(|i| {
                (format!("{}{i}", random.pick(&["Q", "Q\"", "Größe ", "x.y_"])), *random.pick(&FLAVOURS))
            })
            .collect();
        let count = random.below(40);
        let stray = if random.chance(50) { 4 } else { 0 };
        let late = random.below(40);
        let mut rows = Vec::new();
        for i in 0..count {
            let mut row = Vec::new();
            for (place, (name, flavour)) in columns.iter().enumerate() {
                if random.chance(15) || (place % 3 == 2 && i < late) {
                    continue;
                }
                let flavour = if random.chance(stray) { Flavour::Anything } else { *flavour };
                row.push((name.clone(), value(random, flavour)));
            }
            rows.push(row);
        }
        DataSet { rows }
    }

    /// The same rows, each with its keys in another order.
    pub fn shuffled(&self, random: &mut Random) -> Self {
        let mut rows = self.rows.clone();
        for row in &mut rows {
            random.shuffle(row);
        }
        DataSet { rows }
    }

    /// A response with these rows of the set: keys of the envelope in any order, with random white space and escapes.
    pub fn answer(&self, form: PayloadLayout, rows: std::ops::Range<usize>, random: &mut Random) -> String {
        let rows: Vec<String> = self.rows[rows].iter().map(|row| write_row(form, row, random)).collect();
        let mut entries = vec![
            format!("{}:[{}]", key(form.rows_key(), random), rows.join(&gap(random, ","))),
            format!(r#""totalCount":{}"#, random.below(99)),
            r#""isSuccess":true"#.to_owned(),
            r#""errorMessage":null"#.to_owned(),
            r#""later":{"interviews":[{"Q0":"not a row"}]}"#.to_owned(),
        ];
        random.shuffle(&mut entries);
        format!("{{{}}}", entries.join(&gap(random, ",")))
    }
}

fn value(random: &mut Random, flavour: Flavour) -> String {
    if random.chance(12) {
        return "null".to_owned();
    }
    match flavour {
        Flavour::Null => "null".to_owned(),
        Flavour::Int => (i64::try_from(random.below(2001)).expect("small") - 1000).to_string(),
        Flavour::Big => random
            .pick(&["9007199254740993", "-9223372036854775808", "41791234567", "9007199254740992"])
            .to_string(),
        Flavour::Float => random
            .pick(&["0.5", "1.0", "-2.25", "1e3", "3.3333333333333335", "1.10", "0.0", "-0.0"])
            .to_string(),
        Flavour::Bool => random.chance(50).to_string(),
        Flavour::Text => {
            let text = *random.pick(&TEXTS);
            escape(text, random)
        }
        Flavour::Wide => random
            .pick(&[
                "9223372036854775808",
                "12345678901234567890123456789",
                "3.14159265358979323846264",
                "1e999",
            ])
            .to_string(),
        Flavour::Nested => random.pick(&NESTED).to_string(),
        Flavour::Anything => {
            let flavour = *random.pick(&FLAVOURS[..8]);
            value(random, flavour)
        }
    }
}

fn write_row(form: PayloadLayout, row: &[(String, String)], random: &mut Random) -> String {
    let mut cells = Vec::new();
    for (name, value) in row {
        let (name, colon) = (key(name, random), gap(random, ":"));
        cells.push(match form {
            PayloadLayout::Compact => format!("{name}{colon}{value}"),
            PayloadLayout::Structured => {
                let (id, value) = (format!("\"id\"{colon}{name}"), format!("\"value\"{colon}{value}"));
                if random.chance(50) {
                    format!("{{{id},{value}}}")
                } else {
                    format!("{{{value},\"x\":[{{}}],{id}}}")
                }
            }
            PayloadLayout::Members => {
                let mut parts = [
                    format!("\"name\":{name}"),
                    r#""fieldType":"Matrix""#.to_owned(),
                    format!("\"value\"{colon}{value}"),
                ];
                random.shuffle(&mut parts);
                format!("{name}{colon}{{{}}}", parts.join(","))
            }
        });
    }
    let cells = cells.join(&gap(random, ","));
    match form {
        PayloadLayout::Compact => format!("{{{cells}}}"),
        PayloadLayout::Structured => format!(r#"{{"columns":[{cells}]}}"#),
        PayloadLayout::Members => format!(r#"{{"fields":{{{cells}}}}}"#),
    }
}

/// A key, sometimes written with escapes.
fn key(name: &str, random: &mut Random) -> String {
    escape(name, random)
}

fn escape(text: &str, random: &mut Random) -> String {
    if random.chance(70) {
        return serde_json::to_string(text).expect("a text");
    }
    let units: Vec<String> = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
    format!("\"{}\"", units.concat())
}

/// A separator, sometimes with white space around it.
fn gap(random: &mut Random, separator: &str) -> String {
    let blank =
        |random: &mut Random| if random.chance(80) { "" } else { *random.pick(&[" ", "\n", "\t\r\n  "]) };
    format!("{}{separator}{}", blank(random), blank(random))
}
