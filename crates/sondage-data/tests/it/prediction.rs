//! The predictor against the ordinary decoder: the same pages and the same errors, for any bytes split anywhere.

use crate::support;
use crate::support::document::DataSet;
use crate::support::everything;
use crate::support::random::Random;
use sondage_data::{DecodeError, PageDecoder, PayloadLayout, TableBuilder};

const FORMS: [PayloadLayout; 3] = [PayloadLayout::Compact, PayloadLayout::Structured, PayloadLayout::Members];

type Seen = (Vec<(String, arrow_schema::DataType, Vec<Option<String>>)>, Vec<String>, u64);

/// All observable results of decoding a response.
fn read(
    decoder: PageDecoder,
    form: PayloadLayout,
    bytes: &[u8],
    sizes: &[usize],
) -> Result<Seen, DecodeError> {
    let mut decoder = decoder;
    let mut rest = bytes;
    for size in sizes.iter().cycle() {
        let (piece, after) = rest.split_at((*size).min(rest.len()));
        decoder.feed(piece)?;
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    let page = decoder.finish()?;
    let print = page.fingerprint();
    let mut builder = TableBuilder::new(form);
    builder.append(page)?;
    let table = builder.finish()?;
    Ok((everything(&table), support::warnings(&table), print))
}

fn compare(form: PayloadLayout, bytes: &[u8], sizes: &[usize], context: &str) -> bool {
    let ordinary = read(PageDecoder::new(form).without_prediction(), form, bytes, &[bytes.len().max(1)]);
    let predicted = read(PageDecoder::new(form), form, bytes, sizes);
    assert_eq!(predicted, ordinary, "{context}, in pieces of {sizes:?}: {}", String::from_utf8_lossy(bytes));
    ordinary.is_ok()
}

#[test]
fn random_answers() {
    for seed in 0..600 {
        let random = &mut Random::new(seed ^ 0x0DD0_0000);
        let set = DataSet::random(random);
        for form in FORMS {
            let answer = set.answer(form, 0..set.rows.len(), random);
            let sizes: Vec<usize> = (0..5).map(|_| 1 + random.below(900)).collect();
            assert!(compare(form, answer.as_bytes(), &sizes, &format!("seed {seed}, {form:?}")));
        }
    }
}

/// A timestamp in one of many formats.
fn moment(random: &mut Random) -> String {
    let day = random.pick(&["2024-02-29", "1969-12-31", "0001-01-01", "9999-12-31"]);
    let fraction = &".12345678"[..*random.pick(&[0, 0, 2, 4, 4, 4, 7, 8, 9])];
    let zone = random.pick(&["Z", "Z", "Z", "", "+01:30", "z"]);
    let sign = random.pick(&["T", "T", "T", "T", " "]);
    format!("\"{day}{sign}{:02}:{:02}:07{fraction}{zone}\"", random.below(24), random.below(60))
}

/// Values of a timestamp column: most columns hold nothing else.
fn time(column: usize, random: &mut Random) -> String {
    if random.chance(10) {
        return "null".to_owned();
    }
    match column % 4 {
        0 if random.chance(2) => moment(random),
        1 if random.chance(2) => {
            (*random.pick(&["7", "\"2024-02-30T00:00:00Z\"", "\"\"", "\"2024-02-29\"", "[]", "\"\\u0032\""]))
                .to_owned()
        }
        2 => {
            format!("\"2024-05-{:02}T12:34:56{}Z\"", 1 + random.below(28), &".123456"[..2 + random.below(6)])
        }
        _ => format!("\"2024-05-01T12:34:56.{:03}Z\"", random.below(1000)),
    }
}

/// Rows as a service writes them: keys in one order, some omitted, no white space. Occasionally one differs from the
/// others.
fn regular(form: PayloadLayout, random: &mut Random) -> String {
    let columns = 1 + random.below(30);
    let mut rows = Vec::new();
    for row in 0..random.below(60) {
        let odd = random.chance(4);
        let mut cells = Vec::new();
        for column in 0..columns {
            if random.chance(10) {
                continue;
            }
            let kind = if odd { random.below(12) } else { column % 8 };
            let value = match kind {
                0 => random.below(11).to_string(),
                1 => format!("-{}.{}", random.below(1000), random.below(100_000)),
                2 => (random.next() >> random.below(64)).to_string(),
                3 => format!("\"{}\"", "wörd 顧客 \\n\\u00fc ".repeat(random.below(5))),
                4 => format!("\"{}\"", &"abcdefghijklmnopqrstuvwxyz0123456789"[..random.below(37)]),
                5 => (*random.pick(&["true", "false"])).to_owned(),
                6 => "null".to_owned(),
                7 => (*random.pick(&["[]", "[1,2]", "{}", "[ \"]\" ]"])).to_owned(),
                8 => format!("1e{}", random.below(30)),
                9 => "-0".to_owned(),
                10 => format!("{}.5", random.next()),
                _ => moment(random),
            };
            let service = form != PayloadLayout::Members && matches!(column, 6 | 11 | 12);
            let (name, value) = if service {
                (["StartDate", "UPDATEDAT", "EndDate"][column % 3].to_owned(), time(column, random))
            } else {
                (format!("Q{column}_{}", "x".repeat(column % 20)), value)
            };
            cells.push(match form {
                PayloadLayout::Compact => format!("\"{name}\":{value}"),
                PayloadLayout::Structured => format!("{{\"id\":\"{name}\",\"value\":{value}}}"),
                PayloadLayout::Members => {
                    let kind = if random.chance(1) { "Number" } else { "String" };
                    format!("\"{name}\":{{\"name\":\"{name}\",\"fieldType\":\"{kind}\",\"value\":{value}}}")
                }
            });
        }
        if odd && random.chance(50) {
            random.shuffle(&mut cells);
        }
        if odd && random.chance(20) && !cells.is_empty() {
            cells.push(cells[0].clone());
        }
        let cells = cells.join(",");
        rows.push(match form {
            PayloadLayout::Compact => format!("{{{cells}}}"),
            PayloadLayout::Structured => format!("{{\"columns\":[{cells}]}}"),
            PayloadLayout::Members => {
                let (created, updated) = (time(columns, random), time(columns + 1, random));
                format!(
                    "{{\"id\":{row},\"fields\":{{{cells}}},\"createdAt\":{created},\"updatedAt\":{updated},\"interviews\":[]}}"
                )
            }
        });
    }
    format!("{{\"{}\":[{}],\"isSuccess\":true}}", form.rows_key(), rows.join(","))
}

#[test]
fn regular_answers_with_odd_rows() {
    for seed in 0..150 {
        let random = &mut Random::new(seed ^ 0x7E57_0000);
        for form in FORMS {
            let answer = regular(form, random);
            let sizes: Vec<usize> = (0..5).map(|_| 1 + random.below(3_000)).collect();
            assert!(compare(form, answer.as_bytes(), &sizes, &format!("seed {seed}, {form:?}")));
        }
    }
}

#[test]
fn damaged_answers() {
    let (mut read, mut refused) = (0, 0);
    for seed in 0..1_500 {
        let random = &mut Random::new(seed ^ 0xDA3A_6ED0);
        let form = *random.pick(&FORMS);
        let mut bytes = regular(form, random).into_bytes();
        for _ in 0..=random.below(2) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = *random.pick(b"{}[]\",:\\0123456789eE+-.tfn \n\t\x00\x01\xc3\xa9\xff\x80u"),
                1 => drop(bytes.drain(at..(at + 1 + random.below(6)).min(bytes.len()))),
                2 => bytes.insert(at, *random.pick(b"{}[]\",:\\0159eE+-. truefalsn\xc3\xa9\x80")),
                _ => {
                    let copy = bytes[at..(at + 1 + random.below(60)).min(bytes.len())].to_vec();
                    let to = random.below(bytes.len());
                    bytes.splice(to..to, copy);
                }
            }
            bytes.push(b' ');
        }
        if compare(form, &bytes, &[1 + random.below(2_000)], &format!("seed {seed}, {form:?}")) {
            read += 1;
        } else {
            refused += 1;
        }
    }
    assert!(read > 60 && refused > 600, "{read} read, {refused} refused");
}
