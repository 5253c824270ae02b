//! Interviews that may not be worth counting: planted among ordinary ones.

use crate::support::planned;
use sondage::arguments::QualityOptions;
use sondage::reports::Quality;
use sondage_data::{Picture, Table};
use std::collections::BTreeSet;

const PEOPLE: usize = 600;
/// How many of them are planted for each check.
const PLANTED: usize = 30;
const ITEMS: usize = 8;
const CHECKS: [&str; 4] = ["speeding", "straight_lining", "duplicate_text", "not_available"];

fn plan() -> String {
    let item = |number: usize| {
        format!(
            r#"{{"code":"m_{number}","questionCode":"m","type":"Matrix","dataType":"Number","question":"How much?","row":"Item {number}",
                "values":[{{"id":"1","value":"a"}},{{"id":"2","value":"b"}},{{"id":"3","value":"c"}},{{"id":"4","value":"d"}},{{"id":"5","value":"e"}},{{"id":"9999999","value":"n/a"}}]}}"#
        )
    };
    let items: Vec<String> = (0..ITEMS).map(item).collect();
    format!(
        r#"[{},{{"code":"why","questionCode":"why","type":"OpenQuestion","dataType":"Text","question":"Why?"}}]"#,
        items.join(",")
    )
}

/// Interviews: the planted ones first, `PLANTED` for each check.
fn interviews() -> Table {
    let mut random = fastrand::Rng::with_seed(11);
    let person = |number: usize| {
        let kind = CHECKS.get(number / PLANTED).copied().unwrap_or_default();
        // Ordinary people take eight minutes, give or take (log-normal, sigma 0.4); those in a hurry less than two and a half.
        let seconds = if kind == "speeding" { random.u32(30..150) } else { usual_seconds(&mut random) };
        let opinion = random.u32(1..=5);
        let items = (0..ITEMS).map(|item| {
            let answer = match kind {
                "straight_lining" => opinion.to_string(),
                "not_available" if item >= 2 => "9999999".to_owned(),
                // People differ less from item to item than from each other.
                _ => (opinion + random.u32(0..3)).clamp(2, 6).saturating_sub(1).to_string(),
            };
            format!(r#""m_{item}":{answer}"#)
        });
        let items: Vec<String> = items.collect();
        let why = match kind {
            "duplicate_text" => {
                ["It was a good service overall.", "it was a  good service OVERALL"][number % 2].to_owned()
            }
            _ if random.bool() => "good".to_owned(),
            _ => format!("My reason number {number} is of my own"),
        };
        format!(
            r#"{{"Id":"00000000-0000-0000-0000-{number:012}","State":"Completed","StartDate":"2026-05-01T10:00:00Z","EndDate":"2026-05-01T10:{:02}:{:02}Z",{},"why":"{why}"}}"#,
            seconds / 60,
            seconds % 60,
            items.join(",")
        )
    };
    let mut rows: Vec<String> = (0..PEOPLE).map(person).collect();
    for (number, last) in [(PEOPLE, 3), (PEOPLE + 1, 3), (PEOPLE + 2, 0)] {
        let items: Vec<String> = (0..last).map(|item| format!(r#""m_{item}":2,"#)).collect();
        rows.push(format!(r#"{{{}"Id":"{number}","State":"InProgress"}}"#, items.concat()));
    }
    rows.push(r#"{"Id":"x","State":"Screenout"}"#.to_owned());
    planned(&rows.join(","), &plan())
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // some minutes
fn usual_seconds(random: &mut fastrand::Rng) -> u32 {
    let normal = (0..12).map(|_| random.f64()).sum::<f64>() - 6.0;
    (480.0 * (0.4 * normal).exp()).min(3_599.0) as u32
}

fn marked(quality: &Quality, check: &str) -> BTreeSet<u64> {
    let of = |one: &&sondage::reports::MarkedInterview| one.checks.iter().any(|name| name == check);
    quality.interviews.iter().filter(of).map(|one| one.row).collect()
}

/// Recall and precision of each check on the planted interviews.
#[test]
#[allow(clippy::cast_precision_loss)]
fn planted_interviews_are_found() {
    let quality = interviews().quality(&QualityOptions::new()).unwrap();
    assert_eq!((quality.rows, quality.complete, quality.broken_off), (604, 600, 3));
    for (place, check) in CHECKS.into_iter().enumerate() {
        let planted: BTreeSet<u64> = (place * PLANTED..(place + 1) * PLANTED).map(|row| row as u64).collect();
        let found = marked(&quality, check);
        let both = found.intersection(&planted).count() as f64;
        let (recall, precision) = (both / planted.len() as f64, both / found.len().max(1) as f64);
        println!("{check}: recall {recall:.2}, precision {precision:.2}, {} marked", found.len());
        assert!(recall >= 0.95, "{check}: recall {recall}");
        assert!(precision >= 0.7, "{check}: precision {precision}");
        let told = quality.checks.iter().find(|told| told.name == check).unwrap();
        assert_eq!(told.marked, found.len() as u64, "{check}");
    }
    let ordinary = quality.interviews.iter().filter(|one| one.row >= (4 * PLANTED) as u64).count();
    println!("{ordinary} of {} ordinary interviews are marked", PEOPLE - 4 * PLANTED);
    assert!(ordinary * 25 <= PEOPLE, "{ordinary}");
    let drop_out: Vec<_> = quality.drop_out.iter().map(|place| (place.column.as_deref(), place.n)).collect();
    assert_eq!(drop_out, [(None, 1), (Some("m_2"), 2)]);
    assert!(quality.to_text().contains("speeding") && quality.to_svg().starts_with("<svg"));
    assert_eq!(quality.to_table().unwrap().num_rows(), quality.interviews.len());
}

#[test]
fn thresholds_are_parameters() {
    let table = interviews();
    let marked_with = |change: &dyn Fn(&mut QualityOptions)| {
        let mut options = QualityOptions::new();
        change(&mut options);
        table.quality(&options).map(|quality| CHECKS.map(|check| marked(&quality, check).len()))
    };
    let usual = marked_with(&|_| {}).unwrap();
    assert!(marked_with(&|options| options.speeder_percent = 80).unwrap()[0] > 2 * usual[0]);
    assert_eq!(marked_with(&|options| options.matrix_rows = ITEMS + 1).unwrap()[1], 0);
    assert_eq!(marked_with(&|options| options.text_length = 200).unwrap()[2], 0);
    assert!(marked_with(&|options| options.text_length = 1).unwrap()[2] > usual[2]);
    assert_eq!(marked_with(&|options| options.not_available_percent = 90).unwrap()[3], 0);
    for (change, name) in [
        (
            &(|options: &mut QualityOptions| options.speeder_percent = 100) as &dyn Fn(&mut QualityOptions),
            "speeder_percent",
        ),
        (&|options| options.matrix_rows = 1, "matrix_rows"),
        (&|options| options.text_length = 0, "text_length"),
        (&|options| options.not_available_percent = 101, "not_available_percent"),
        (&|options| options.duration = Some("nothing".to_owned()), "duration"),
    ] {
        assert!(marked_with(change).unwrap_err().to_string().contains(name), "{name}");
    }
}
