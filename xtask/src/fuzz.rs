//! `cargo xtask fuzz [SECONDS] [TARGET ...]`: runs the targets of `fuzz/` with cargo-fuzz, one after the other.

use crate::{Result, process, toolchain, workspace};
use std::fs;

/// Seconds per target.
const A_MINUTE: u32 = 60;

pub fn run(words: &[&str]) -> Result {
    let seconds = words.first().and_then(|word| word.parse().ok());
    let named = if seconds.is_some() { &words[1..] } else { words };
    if !toolchain::works("cargo", &["fuzz", "--version"]) {
        return Err("cargo-fuzz is missing: cargo install --locked cargo-fuzz, and a C++ compiler".into());
    }
    let folder = workspace::root().join("fuzz");
    let mut targets = Vec::new();
    for entry in fs::read_dir(folder.join("src/targets"))? {
        targets.extend(entry?.path().file_stem().map(|stem| stem.to_string_lossy().into_owned()));
    }
    targets.retain(|target| target != "mod");
    targets.sort();
    if let Some(unknown) = named.iter().find(|name| !targets.iter().any(|target| target == *name)) {
        return Err(format!("there is no target {unknown}; there are {}", targets.join(", ")).into());
    }
    targets.retain(|target| named.is_empty() || named.contains(&target.as_str()));
    let findings = workspace::target()?.join("fuzz");
    for target in &targets {
        println!("== {target}");
        let corpus = findings.join("corpus").join(target);
        fs::create_dir_all(&corpus)?;
        let mut fuzz = workspace::cargo();
        // The only unsafe code of these crates checks its preconditions: no sanitizer, hence any toolchain.
        fuzz.args(["fuzz", "run", "--sanitizer", "none", "--dev", "--features", "libfuzzer", "--fuzz-dir"]);
        fuzz.arg(&folder).arg("--target-dir").arg(&findings).arg("target").arg(corpus);
        fuzz.arg(folder.join("seeds").join(target)).arg("--");
        fuzz.arg(format!("-dict={}", folder.join("json.dict").display()));
        fuzz.arg(format!("-artifact_prefix={}/{target}-", findings.display()));
        fuzz.arg(format!("-max_total_time={}", seconds.unwrap_or(A_MINUTE)));
        process::run(fuzz.args(["-timeout=20", "-rss_limit_mb=4096"]).env("SONDAGE_FUZZ_TARGET", target))?;
    }
    println!("{} targets without a finding", targets.len());
    Ok(())
}
