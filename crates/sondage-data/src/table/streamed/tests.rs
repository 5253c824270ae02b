//! A table that is read from disk page by page equals the table built in memory, for any data.

use super::*;
use crate::support::document::DataSet;
use crate::support::random::Random;
use crate::support::{array_texts, everything, page};
use crate::{CodePlan, Table};

const WORDS: [&str; 9] =
    ["Number", "Integer", "Real", "String", "Boolean", "Date", "DateTime", "Matrix", "Single"];

/// Pages that were written to disk and read again.
struct Kept(Vec<Vec<u8>>);

impl PageSource for Kept {
    fn pages(&self) -> impl Iterator<Item = io::Result<Page>> {
        self.0.iter().map(|bytes| spool::read(bytes.as_slice()).map_err(io::Error::other))
    }
}

fn plan(data: &DataSet, random: &mut Random) -> CodePlan {
    let names: HashSet<&String> = data.rows.iter().flatten().map(|(name, _)| name).collect();
    let mut names: Vec<&String> = names.into_iter().collect();
    names.sort();
    let entry = |name: &&String| {
        let (word, values) = (*random.pick(&WORDS), [("1", "one"), ("true", "yes"), ("", "nothing")]);
        let values: Vec<_> =
            values.iter().map(|(id, value)| serde_json::json!({"id": id, "value": value})).collect();
        let values = if random.chance(50) { values } else { Vec::new() };
        serde_json::json!({"code": name, "dataType": word, "values": values})
    };
    let plan: Vec<_> = names.iter().map(entry).chain([serde_json::json!({"code": "Never"})]).collect();
    CodePlan::from_json(&serde_json::Value::from(plan).to_string()).expect("a plan").0
}

/// How a table is read: its form, the code that is not available, and the code plan.
type Form<'a> = (PayloadLayout, Option<i64>, Option<&'a CodePlan>);

fn builder((form, code, plan): Form<'_>) -> TableBuilder {
    let builder = TableBuilder::new(form).not_available(code);
    match plan {
        Some(plan) => builder.code_plan(plan.clone()),
        None => builder,
    }
}

fn in_memory(answers: &[String], form: Form<'_>, labels: Labels) -> Table {
    let mut builder = builder(form);
    for answer in answers {
        builder.append(page(form.0, answer).expect("a page")).expect("it fits");
    }
    builder.finish().expect("a table").with_labels(labels)
}

fn from_disk(answers: &[String], form: Form<'_>, labels: Labels) -> (Streamed, Vec<RecordBatch>) {
    let pages = answers.iter().map(|answer| {
        let mut bytes = Vec::new();
        spool::write(page(form.0, answer).expect("a page"), &mut bytes).expect("written");
        bytes
    });
    let pages = Kept(pages.collect());
    let table = Streamed::new(builder(form), &pages, labels).expect("a table");
    let mut batches = Vec::new();
    let took = table.for_each(&pages, |batch, _| {
        batches.push(batch);
        Ok(())
    });
    took.expect("rows");
    (table, batches)
}

#[test]
fn the_table_is_the_same() {
    let mut random = Random::new(2_024);
    for round in 0..400 {
        let data = DataSet::random(&mut random);
        let plan = random.chance(75).then(|| plan(&data, &mut random));
        let form = *random.pick(&[PayloadLayout::Compact, PayloadLayout::Structured, PayloadLayout::Members]);
        let labels = *random.pick(&[Labels::Codes, Labels::Labels, Labels::Both]);
        let size = 1 + random.below(data.rows.len() + 2);
        let cuts = (0..data.rows.len()).step_by(size);
        let answers: Vec<String> = cuts
            .map(|from| data.answer(form, from..(from + size).min(data.rows.len()), &mut random))
            .collect();
        let code = *random.pick(&[None, Some(9_999_999), Some(0), Some(1)]);
        let read = (form, code, plan.as_ref());
        let whole = in_memory(&answers, read, labels);
        let (streamed, batches) = from_disk(&answers, read, labels);
        let mut ours: Vec<_> = streamed
            .schema()
            .fields()
            .iter()
            .enumerate()
            .map(|(place, field)| {
                let texts =
                    batches.iter().flat_map(|batch| array_texts(batch.column(place))).collect::<Vec<_>>();
                (field.name().clone(), field.data_type().clone(), texts)
            })
            .collect();
        ours.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(ours, everything(&whole), "round {round}, {form:?}, {labels:?}, pages of {size}");
        if !answers.is_empty() {
            assert_eq!(streamed.schema(), whole.schema(), "round {round}: metadata and order");
        }
    }
}

#[test]
fn times_find_one_unit_and_dates_do_not_mix_with_them() {
    let plan = r#"[{"code":"At","dataType":"DateTime"}]"#;
    let plan = CodePlan::from_json(plan).expect("a plan").0;
    let cases: [&[&str]; 5] = [
        &["2024-01-01T00:00:00Z", "2024-01-01T00:00:00.1234567Z"],
        &["1500-01-01T00:00:00Z", "2024-01-01T00:00:00.1234567Z"],
        &["2024-01-01", "2024-01-02"],
        &["2024-01-01", "2024-01-02T00:00:00Z"],
        &["2024-01-01T00:00:00Z", "later"],
    ];
    for values in cases {
        let answer = |value: &&str| format!(r#"{{"interviews":[{{"At":"{value}"}}],"isSuccess":true}}"#);
        let answers: Vec<String> = values.iter().map(answer).collect();
        let read = (PayloadLayout::Compact, None, Some(&plan));
        let whole = in_memory(&answers, read, Labels::Codes);
        let (streamed, batches) = from_disk(&answers, read, Labels::Codes);
        let texts: Vec<_> = batches.iter().flat_map(|batch| array_texts(batch.column(0))).collect();
        assert_eq!(streamed.schema(), whole.schema(), "{values:?}");
        assert_eq!(everything(&whole)[0].2, texts, "{values:?}");
        assert_eq!(streamed.warnings.len(), whole.warnings().count(), "{values:?}");
    }
}
