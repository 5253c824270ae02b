//! What `cargo xtask bench` runs: `write` makes an answer, `measure` reads it one way and says what that cost, `count` is
//! for callgrind.

use sondage_bench::{answer, ways};
use sondage_data::Form;
use std::time::{Duration, Instant};
use std::{env, fs};

fn form(word: &str) -> Form {
    match word {
        "compact" => Form::Compact,
        "structured" => Form::Structured,
        "members" => Form::Members,
        _ => panic!("no form {word}"),
    }
}

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
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
        _ => panic!("write FORM COLUMNS MB FILE | measure WAY FORM FILE TIMES | count FORM COLUMNS KB"),
    }
}

/// The best of several times, and the memory of the first beyond what was there before.
fn measure(way: &str, form: Form, file: &str, times: usize) {
    let bytes = fs::read(file).expect("the file that `write` made");
    let _ = fs::write("/proc/self/clear_refs", "5");
    let before = memory("VmRSS:");
    let (mut cpu, mut wall, mut peak) = (Duration::MAX, Duration::MAX, 0);
    for i in 0..times {
        let (began, began_cpu) = (Instant::now(), on_cpu());
        let table = ways::run(way, form, &bytes);
        cpu = cpu.min(on_cpu().saturating_sub(began_cpu));
        wall = wall.min(began.elapsed());
        if i == 0 {
            peak = memory("VmHWM:").saturating_sub(before);
        }
        drop(table);
    }
    println!("{} {} {peak}", cpu.as_secs_f64(), wall.as_secs_f64());
}

/// The time that this thread has spent on a processor (Linux; elsewhere nothing).
fn on_cpu() -> Duration {
    let said = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    Duration::from_nanos(said.split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0))
}

/// A line of the process's memory, in bytes (Linux; elsewhere nothing).
fn memory(line: &str) -> u64 {
    let said = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = said.lines().find_map(|text| text.strip_prefix(line));
    line.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}
