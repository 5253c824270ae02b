//! The program behind `cargo xtask bench`: `write` generates a response, `measure` reads it in one way and prints the
//! cost, `count` is for callgrind. `report` runs all of them, and programs with other libraries.

mod report;

use sondage_bench::process::{forget_peak, memory, thread_cpu};
use sondage_bench::{answer, bodies, download, jobs, scale, server, sync, trace, ways};
use sondage_data::PayloadLayout;
use std::time::{Duration, Instant};
use std::{env, fs};

fn form(word: &str) -> PayloadLayout {
    match word {
        "compact" => PayloadLayout::Compact,
        "structured" => PayloadLayout::Structured,
        "members" => PayloadLayout::Members,
        _ => panic!("no form {word}"),
    }
}

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["report", ref words @ ..] => ended(report::run(words)),
        ["cost"] => ended(report::jobs::measure()),
        ["write", word, columns, megabytes, file] => {
            let (columns, megabytes): (usize, usize) =
                (columns.parse().expect("a number"), megabytes.parse().expect("a number"));
            let answer = answer::of_size(form(word), columns, megabytes * 1_000_000, 7);
            fs::write(file, &answer.text).expect("a file");
            println!("{} {} {}", answer.text.len(), answer.rows, answer.cells);
        }
        ["measure", way, word, file, times] => {
            measure(way, form(word), file, times.parse().expect("a number"))
        }
        ["count", word, columns, kilobytes] => {
            let (columns, kilobytes): (usize, usize) =
                (columns.parse().expect("a number"), kilobytes.parse().expect("a number"));
            let answer = answer::of_size(form(word), columns, kilobytes * 1000, 7);
            std::hint::black_box(ways::decode_only(answer.form, answer.text.as_bytes()));
            println!("{}", answer.cells);
        }
        ["scale", columns, cells] => {
            scale::measure(columns.parse().expect("a number"), cells.parse().expect("a number"));
        }
        ["bodies", rows, times] => {
            bodies::measure(rows.parse().expect("a number"), times.parse().expect("a number"));
        }
        ["serve", megabytes, columns] => {
            let number = |word: &str| word.parse().expect("a number");
            server::serve(number(megabytes), number(columns)).expect("a service");
        }
        ["download", what, port, survey, page_size] => {
            let number = |word: &str| word.parse().expect("a number");
            download::download(what, port, number(survey), number(page_size));
        }
        ["sync", place, port, survey, page_size] => {
            let number = |word: &str| word.parse().expect("a number");
            sync::sync(place, port, number(survey), number(page_size));
        }
        ["import", port, rows, times] => {
            jobs::import(port, rows.parse().expect("a number"), times.parse().expect("a number"));
        }
        ["budget", port, calls, times] => {
            jobs::budget(port, calls.parse().expect("a number"), times.parse().expect("a number"));
        }
        ["trace", how, entries, calls] => {
            let run = if how == "count" { trace::count } else { trace::measure };
            run(entries.parse().expect("a number"), calls.parse().expect("a number"));
        }
        _ => panic!(
            "report PYTHON NODE FOLDER [--quick] [PART ...] | cost | write FORM COLUMNS MB FILE | measure WAY FORM FILE TIMES | count FORM COLUMNS KB \
             | scale COLUMNS CELLS | bodies ROWS TIMES | serve MB COLUMNS | download table/batches/FILE PORT SURVEY PAGE_SIZE \
             | sync FILE PORT SURVEY PAGE_SIZE | import PORT ROWS TIMES | budget PORT CALLS TIMES | trace count/measure ENTRIES CALLS"
        ),
    }
}

fn ended(result: Result<(), Box<dyn std::error::Error>>) {
    if let Err(error) = result {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

/// The best of several runs: CPU and wall seconds, the memory of the first run above the initial memory, the bytes of the
/// table, and the seconds after the last byte had arrived.
fn measure(way: &str, form: PayloadLayout, file: &str, times: usize) {
    let bytes = fs::read(file).expect("the file that `write` made");
    forget_peak();
    let before = memory("VmRSS:");
    let (mut cpu, mut wall, mut after) = (Duration::MAX, Duration::MAX, Duration::MAX);
    let (mut peak, mut size) = (0, 0);
    for i in 0..times {
        let (began, began_cpu) = (Instant::now(), thread_cpu());
        let made = ways::run(way, form, &bytes);
        cpu = cpu.min(thread_cpu().saturating_sub(began_cpu));
        wall = wall.min(began.elapsed());
        if i == 0 {
            peak = memory("VmHWM:").saturating_sub(before);
        }
        if let Some((table, late)) = made {
            (size, after) = (ways::size(&table), after.min(late));
        }
    }
    let after = if size == 0 { 0.0 } else { after.as_secs_f64() };
    println!("{} {} {peak} {size} {after}", cpu.as_secs_f64(), wall.as_secs_f64());
}
