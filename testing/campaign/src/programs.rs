//! Runs other programs: this one with other arguments, a driver in another language, cargo and git.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the repository from which this program was built.
pub fn root() -> &'static Path {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap_or(manifest)
}

/// Cargo's target directory: this program is in its folder `debug`.
pub fn target() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    Ok(program.ancestors().nth(2).ok_or("this program is in no target directory")?.to_owned())
}

/// Shows the output of a program line by line, and returns it.
pub fn watch(command: &mut Command) -> Result<String, String> {
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| failed(command, error))?;
    let mut text = String::new();
    for line in child.stdout.take().into_iter().flat_map(|stdout| BufReader::new(stdout).lines()) {
        let line = line.map_err(|error| failed(command, error))?;
        println!("{line}");
        text += &line;
        text.push('\n');
    }
    child.wait().map_err(|error| failed(command, error))?;
    Ok(text)
}

/// The output of a program that must succeed.
pub fn output(command: &mut Command) -> Result<String, String> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| failed(command, error))?;
    if !output.status.success() {
        return Err(failed(command, output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| failed(command, error))
}

fn failed(command: &Command, why: impl std::fmt::Display) -> String {
    format!("{command:?}: {why}")
}

/// Passed and failed, from the closing line: `campaign: 12 passed, 0 failed`.
pub fn closing(text: &str) -> Result<[usize; 2], String> {
    let line = text.lines().rev().find_map(|line| line.strip_prefix("campaign: ")).unwrap_or_default();
    let numbers: Vec<usize> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().map_err(|_| "the campaign did not finish".to_owned())
}

/// Runs a driver next to `serve`, which ends when its standard input is closed.
pub fn drive(long: bool, driver: &[String]) -> Result<(), String> {
    let (program, words) = driver.split_first().ok_or("drive: which driver?")?;
    let mut service = Command::new(std::env::current_exe().map_err(|error| error.to_string())?);
    service.arg("serve").args(long.then_some("--long")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = service.spawn().map_err(|error| failed(&service, error))?;
    let mut lines = BufReader::new(child.stdout.take().ok_or("the campaign has no output")?).lines();
    let address = lines.next().and_then(Result::ok).ok_or("the campaign did not start")?;
    let ended = Command::new(program).args(words).env("CAMPAIGN_CONTROL", address).status();
    drop(child.stdin.take());
    let mut text = String::new();
    for line in lines.map_while(Result::ok) {
        // The closing line follows, with the driver's own failure.
        if !line.starts_with("campaign: ") {
            println!("{line}");
        }
        text += &line;
        text.push('\n');
    }
    child.wait().map_err(|error| failed(&service, error))?;
    let [passed, mut failed] = closing(&text)?;
    if !ended.is_ok_and(|status| status.success()) {
        println!("the driver failed");
        failed += 1;
    }
    println!("campaign: {passed} passed, {failed} failed");
    if failed == 0 { Ok(()) } else { Err("the campaign found broken promises: see above".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::closing;

    #[test]
    fn reads_the_closing_line() {
        assert_eq!(closing("x\ncampaign: 12 passed, 3 failed\n"), Ok([12, 3]));
        assert!(closing("campaign: no\n").is_err());
    }
}
