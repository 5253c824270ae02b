//! A real survey, the American National Election Study of 1996, read in both formats and many page sizes, and compared
//! with its file.

use crate::support::random::Random;
use crate::support::{categories, names, page_in_pieces, type_of, values, warnings};
use arrow_schema::DataType;
use sondage_data::{Labels, PayloadLayout, Table, TableBuilder};

const FILE: &str = include_str!("../../../sondage-sandbox/data/anes96.csv");
const PLAN: &str = r#"[
    {"code":"popul","dataType":"Number","question":"Population of the place, in thousands"},
    {"code":"PID","dataType":"Number","question":"Party identification","values":[
        {"id":"0","value":"Strong Democrat"},{"id":"1","value":"Weak Democrat"},{"id":"2","value":"Independent-Democrat"},
        {"id":"3","value":"Independent"},{"id":"4","value":"Independent-Republican"},{"id":"5","value":"Weak Republican"},
        {"id":"6","value":"Strong Republican"}]},
    {"code":"vote","dataType":"Number","question":"Expected vote","values":[
        {"id":"0","value":"Clinton"},{"id":"1","value":"Dole"}]}]"#;

struct File {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

fn file() -> File {
    let split =
        |line: &str| line.split('\t').map(|cell| cell.trim_matches('\'').to_owned()).collect::<Vec<_>>();
    let mut lines = FILE.lines().map(split);
    File { names: lines.next().expect("a header"), rows: lines.collect() }
}

impl File {
    fn answer(&self, form: PayloadLayout, rows: &[Vec<String>], first: usize) -> String {
        let rows: Vec<String> = rows
            .iter()
            .enumerate()
            .map(|(i, row)| {
                let id = (first + i).to_string();
                let cells = std::iter::once(("Id", id.as_str()))
                    .chain(self.names.iter().map(String::as_str).zip(row.iter().map(String::as_str)));
                let cell = |(name, value): (&str, &str)| match form {
                    PayloadLayout::Compact => format!(r#""{name}":{value}"#),
                    _ => format!(r#"{{"id":"{name}","value":{value}}}"#),
                };
                let cells = cells.map(cell).collect::<Vec<_>>().join(",");
                if form == PayloadLayout::Compact {
                    format!("{{{cells}}}")
                } else {
                    format!(r#"{{"columns":[{cells}]}}"#)
                }
            })
            .collect();
        format!(
            r#"{{"surveyName":"ANES 1996","interviews":[{}],"codePlan":{PLAN},"isSuccess":true}}"#,
            rows.join(",")
        )
    }

    fn table(&self, form: PayloadLayout, page_size: usize) -> Table {
        let mut builder = TableBuilder::new(form);
        let mut random = Random::new(page_size as u64);
        for (i, rows) in self.rows.chunks(page_size).enumerate() {
            let answer = self.answer(form, rows, 1 + i * page_size);
            let sizes: Vec<usize> = (0..5).map(|_| 1 + random.below(5_000)).collect();
            builder.append(page_in_pieces(form, answer.as_bytes(), &sizes).expect("a page")).expect("fits");
        }
        builder.finish().expect("a table")
    }
}

#[test]
fn every_cell_of_the_survey() {
    let file = file();
    assert_eq!((file.rows.len(), file.names.len()), (944, 10));
    for form in [PayloadLayout::Compact, PayloadLayout::Structured] {
        for page_size in [1, 7, 100, 943, 1_000] {
            let table = file.table(form, page_size);
            assert_eq!(table.num_rows(), 944);
            for (place, name) in file.names.iter().enumerate() {
                let expected: Vec<&str> = file.rows.iter().map(|row| row[place].as_str()).collect();
                assert_eq!(values(&table, name), expected, "{form:?}, pages of {page_size}, column {name}");
                assert_eq!(type_of(&table, name), DataType::Int64);
            }
            assert_eq!(warnings(&table), [""; 0]);
        }
    }
}

#[test]
fn its_labels_and_their_order() {
    let file = file();
    let table = file.table(PayloadLayout::Compact, 300).with_labels(Labels::Labels);
    assert_eq!(names(&table)[..4], ["Id", "popul", "PID", "vote"], "the plan's order");
    assert_eq!(categories(&table, "vote"), ["Clinton", "Dole"]);
    let votes = values(&table, "vote");
    let place = file.names.iter().position(|name| name == "vote").expect("a vote");
    for (label, row) in votes.iter().zip(&file.rows) {
        assert_eq!(label, if row[place] == "0" { "Clinton" } else { "Dole" });
    }
    assert_eq!(votes.iter().filter(|label| *label == "Clinton").count(), 551);
    assert_eq!(table.survey().name.as_deref(), Some("ANES 1996"));
}
