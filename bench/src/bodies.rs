//! Converts columns of members to request bodies. `bench/members.py` makes the same rows, and the same bytes.

use crate::process::{forget_peak, memory, thread_cpu};
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray};
use sondage_data::Tables;
use std::sync::Arc;
use std::time::{Duration, Instant};

const CITIES: [&str; 4] = ["Zürich", "Genève", "Bern", "München"];

/// Members with twelve fields.
pub fn members(rows: i64) -> RecordBatch {
    let texts = |value: &dyn Fn(i64) -> Option<String>| -> ArrayRef {
        Arc::new((0..rows).map(value).collect::<StringArray>())
    };
    let whole = |value: &dyn Fn(i64) -> Option<i64>| -> ArrayRef {
        Arc::new((0..rows).map(value).collect::<Int64Array>())
    };
    let city = |row: i64| CITIES[row.unsigned_abs() as usize % 4];
    let columns: [(&str, ArrayRef); 12] = [
        ("Email", texts(&|row| Some(format!("user{row}@example.com")))),
        ("FirstName", texts(&|row| Some(format!("Zoë{row}")))),
        ("LastName", texts(&|row| Some(format!("Müller{}", row % 1000)))),
        ("Language", texts(&|row| Some(["de", "fr", "en"][row.unsigned_abs() as usize % 3].to_owned()))),
        ("City", texts(&|row| Some(city(row).to_owned()))),
        ("Division", texts(&|row| Some(format!("R&D {}", row % 7)))),
        ("CustomerNo", texts(&|row| Some(format!("C-{row:07}")))),
        ("Remark", texts(&|row| (row % 2 == 0).then(|| format!("said \"{row}\"\nin {}", city(row))))),
        ("BirthYear", whole(&|row| Some(1940 + row % 65))),
        ("Gender", whole(&|row| Some(row % 3))),
        ("CellPhoneNumber", whole(&|row| (row % 10 != 0).then_some(41_790_000_000 + row))),
        ("Score", Arc::new((0..rows).map(|row| Some((row % 1000) as f64 + 0.25)).collect::<Float64Array>())),
    ];
    RecordBatch::try_from_iter(columns).expect("columns of one length")
}

/// Makes the bodies several times; returns their size in bytes, the CPU and wall seconds of the best run, and the peak
/// memory above the columns.
pub fn measure(rows: i64, times: usize) {
    let batch = members(rows);
    let client = crate::download::client("1", 1000);
    let (mut cpu, mut wall, mut bytes) = (Duration::MAX, Duration::MAX, 0);
    forget_peak();
    let before = memory("VmRSS:");
    for _ in 0..times {
        let rows = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
        let (began, began_cpu) = (Instant::now(), thread_cpu());
        let bodies = client.create_members_from(1).bodies(rows).expect("columns of members");
        bytes = bodies.map(|body| body.expect("a body").len()).sum();
        cpu = cpu.min(thread_cpu() - began_cpu);
        wall = wall.min(began.elapsed());
    }
    let peak = memory("VmHWM:").saturating_sub(before);
    println!("{bytes} {} {} {peak}", cpu.as_secs_f64(), wall.as_secs_f64());
}
