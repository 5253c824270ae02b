//! Compares the decoder with a plain JSON reader on random documents, split at random places.

use crate::support;
use crate::support::document::DataSet;
use crate::support::random::Random;
use crate::support::{everything, page, page_in_pieces, texts};
use arrow_schema::DataType;
use serde_json::Value;
use sondage_data::{PayloadLayout, Table, TableBuilder};

const FORMS: [PayloadLayout; 3] = [PayloadLayout::Compact, PayloadLayout::Structured, PayloadLayout::Members];

/// The expected type of a column with these values, determined the slow way.
fn expected_type(values: &[&str]) -> DataType {
    let values: Vec<&str> = values.iter().copied().filter(|value| *value != "null").collect();
    let is_number = |value: &str| value.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    let is_int = |value: &str| value.parse::<i64>().is_ok();
    let small = |value: &str| value.parse::<i64>().is_ok_and(|value| value.unsigned_abs() <= 1 << 53);
    // The generator's decimals have either at most 17 digits, all kept, or more than any float keeps.
    let decimal =
        |value: &str| is_number(value) && value.contains(['.', 'e']) && value.len() < 20 && value != "1e999";
    if values.is_empty() {
        DataType::Null
    } else if values.iter().all(|value| *value == "true" || *value == "false") {
        DataType::Boolean
    } else if values.iter().all(|value| is_int(value)) {
        DataType::Int64
    } else if values.iter().all(|value| decimal(value) || small(value)) {
        DataType::Float64
    } else {
        DataType::Utf8
    }
}

/// Whether a cell of the table equals the document's value.
fn same(cell: Option<&str>, raw: Option<&str>, data_type: &DataType) -> bool {
    let (cell, raw) = match (cell, raw) {
        (None, None | Some("null")) => return true,
        (Some(cell), Some(raw)) if raw != "null" => (cell, raw),
        _ => return false,
    };
    if raw.starts_with('"') {
        return serde_json::from_str::<String>(raw).expect("a string") == cell;
    }
    if raw.starts_with(['[', '{']) {
        let plain = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        return plain(cell) == plain(raw);
    }
    if raw == "true" || raw == "false" || raw.parse::<i64>().is_ok() && *data_type != DataType::Float64 {
        return cell == raw;
    }
    // A number that no float can represent is kept digit by digit.
    cell == raw
        || raw.len() < 20
            && cell.parse::<f64>().expect("a number").to_bits()
                == raw.parse::<f64>().expect("a number").to_bits()
}

fn compare(table: &Table, set: &DataSet, context: &str) {
    assert_eq!(table.num_rows(), set.rows.len(), "{context}");
    let mut keys: Vec<&str> = set.rows.iter().flatten().map(|(key, _)| key.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(table.num_columns(), keys.len(), "{context}");
    for key in keys {
        let column: Vec<Option<&str>> = set
            .rows
            .iter()
            .map(|row| row.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str()))
            .collect();
        let there: Vec<&str> = column.iter().copied().flatten().collect();
        let data_type = support::type_of(table, key);
        assert_eq!(data_type, expected_type(&there), "{context}, column {key}: {there:?}");
        for (row, (cell, raw)) in texts(table, key).iter().zip(column).enumerate() {
            assert!(
                same(cell.as_deref(), raw, &data_type),
                "{context}, column {key}, row {row}: {cell:?} for {raw:?}"
            );
        }
    }
}

#[test]
fn every_cell_equals_a_plain_readers() {
    for seed in 0..1_200 {
        let random = &mut Random::new(seed);
        let set = DataSet::random(random);
        for form in FORMS {
            let answer = set.answer(form, 0..set.rows.len(), random);
            let oracle: Value =
                serde_json::from_str(&answer.replace("1e999", "1e99")).expect("the generator writes JSON");
            assert_eq!(oracle[form.rows_key()].as_array().expect("rows").len(), set.rows.len());
            let mut builder = TableBuilder::new(form);
            builder
                .append(page(form, &answer).unwrap_or_else(|error| panic!("seed {seed}: {error}")))
                .expect("fits");
            compare(&builder.finish().expect("a table"), &set, &format!("seed {seed}, {form:?}"));
        }
    }
}

#[test]
fn the_table_does_not_depend_on_cuts_or_key_order() {
    for seed in 0..400 {
        let random = &mut Random::new(seed ^ 0xABCD_0000);
        let set = DataSet::random(random);
        let form = *random.pick(&FORMS);
        let whole = {
            let mut builder = TableBuilder::new(form);
            builder
                .append(page(form, &set.answer(form, 0..set.rows.len(), random)).expect("a page"))
                .expect("fits");
            everything(&builder.finish().expect("a table"))
        };
        for _ in 0..4 {
            let set = if random.chance(50) { set.shuffled(random) } else { set.clone() };
            let mut builder = TableBuilder::new(form);
            let mut from = 0;
            while from < set.rows.len() || from == 0 {
                let to = (from + 1 + random.below(12)).min(set.rows.len());
                let answer = set.answer(form, from..to, random);
                let sizes: Vec<usize> = (0..7).map(|_| 1 + random.below(40)).collect();
                let page = page_in_pieces(form, answer.as_bytes(), &sizes);
                builder.append(page.unwrap_or_else(|error| panic!("seed {seed}: {error}"))).expect("fits");
                from = to.max(from + 1);
            }
            assert_eq!(everything(&builder.finish().expect("a table")), whole, "seed {seed}, {form:?}");
        }
    }
}

#[test]
fn one_byte_at_a_time_is_as_good_as_all_at_once() {
    for seed in 0..60 {
        let random = &mut Random::new(seed ^ 0x5555);
        let set = DataSet::random(random);
        for form in FORMS {
            let answer = format!("\u{feff} {} \n", set.answer(form, 0..set.rows.len(), random));
            let mut builder = TableBuilder::new(form);
            builder.append(page_in_pieces(form, answer.as_bytes(), &[1]).expect("a page")).expect("fits");
            compare(&builder.finish().expect("a table"), &set, &format!("seed {seed}, {form:?}"));
        }
    }
}

#[test]
fn rows_dropped_by_id_leave_the_others_untouched() {
    for seed in 0..200 {
        let random = &mut Random::new(seed ^ 0x7777_0000);
        let set = DataSet::random(random);
        let keep: Vec<bool> = set.rows.iter().map(|_| random.chance(60)).collect();
        let kept =
            set.rows.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(row, _)| row.clone()).collect();
        let mut page =
            page(PayloadLayout::Compact, &set.answer(PayloadLayout::Compact, 0..set.rows.len(), random))
                .expect("a page");
        page.retain_rows(&keep);
        assert_eq!(page.rows(), keep.iter().filter(|keep| **keep).count());
        let mut builder = TableBuilder::new(PayloadLayout::Compact);
        builder.append(page).expect("fits");
        let table = builder.finish().expect("a table");
        for (key, _, cells) in everything(&table) {
            let data_type = support::type_of(&table, &key);
            let kept: &Vec<Vec<(String, String)>> = &kept;
            for (cell, row) in cells.iter().zip(kept) {
                let raw = row.iter().find(|(name, _)| *name == key).map(|(_, value)| value.as_str());
                assert!(
                    same(cell.as_deref(), raw, &data_type),
                    "seed {seed}, column {key}: {cell:?} for {raw:?}"
                );
            }
        }
    }
}
