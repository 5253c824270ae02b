//! `sondage doctor`: examines the set-up, and says how to correct what is wrong.

use crate::account;
use crate::look::{self, ASIDE, BAD, GOOD, NOTE};
use crate::output::{Output, failed};
use crate::progress;
use clap::Args;
use sondage::arguments::DoctorOptions;
use sondage::doctor::{Diagnosis, HealthState};
use sondage::reports::Report as _;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 nothing is wrong; 1 something is.\n\nExample: sondage doctor --state webhook.json"
)]
pub struct DoctorArgs {
    /// The state file of a webhook: whether the service still has the registration, and when it expires.
    #[arg(long)]
    state: Option<PathBuf>,
}

pub fn run(arguments: &DoctorArgs, output: Output) -> io::Result<u8> {
    let diagnosis = match account::builder().build_blocking() {
        Ok(client) => {
            progress::show_waits(client.as_async());
            progress::say_when_interrupted(client.as_async());
            let mut options = DoctorOptions::new();
            options.state = arguments.state.clone().map(Into::into);
            client.doctor(options).map_err(failed)?
        }
        Err(error) => Diagnosis::of_settings(&error),
    };
    output.show(
        || diagnosis.to_json(),
        text(&diagnosis, io::stdout().is_terminal().then(|| look::width().into())),
    )?;
    Ok(u8::from(!diagnosis.healthy))
}

/// The width of a mark and a blank.
const INDENT: usize = 2;

/// A line for each check, and a summary. On a terminal of a width, with a mark.
fn text(diagnosis: &Diagnosis, width: Option<usize>) -> String {
    let count = |of: HealthState| diagnosis.checks.iter().filter(|check| check.state == of).count();
    let problems = diagnosis.complaints().count();
    let (good, bad) = (GOOD, BAD);
    let mut summary = match problems {
        0 => format!("{good}No problem{good:#}"),
        1 => format!("{bad}1 problem{bad:#}"),
        many => format!("{bad}{many} problems{bad:#}"),
    };
    for (state, word) in [(HealthState::Passed, "passed"), (HealthState::Skipped, "skipped")] {
        if count(state) > 0 {
            let _ = write!(summary, ", {} {word}", count(state));
        }
    }
    let Some(width) = width else { return format!("{diagnosis}\n{summary}") };
    let mut text = String::new();
    for check in &diagnosis.checks {
        let (mark, style) = match check.state {
            HealthState::Passed => ("✓", GOOD),
            HealthState::Warning => ("!", NOTE),
            HealthState::Failed => ("✗", BAD),
            _ => ("-", ASIDE),
        };
        let name = check.check.as_str().replace('_', " ");
        let found = look::wrapped(&format!("{name}: {}", check.found), INDENT, width);
        let _ = writeln!(text, "{style}{mark}{style:#} {found}");
        if let Some(cure) = &check.cure {
            let _ = writeln!(text, "{:INDENT$}{}", "", look::wrapped(cure, INDENT, width));
        }
    }
    text + &summary
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_marks_and_everybody_a_summary() {
        let wrong = sondage::Client::builder().set("deadline", "soon").and_then(|builder| builder.build());
        let diagnosis = Diagnosis::of_settings(&wrong.expect_err("a wrong setting"));
        let plain = |width| anstream::adapter::strip_str(&text(&diagnosis, width)).to_string();
        assert!(
            plain(Some(80)).starts_with("✗ settings: ") && plain(Some(80)).ends_with("\n1 problem"),
            "{}",
            plain(Some(80))
        );
        assert!(plain(None).starts_with("failed   settings: ") && plain(None).ends_with("\n1 problem"));
        let narrow = plain(Some(30));
        assert!(narrow.lines().count() > plain(Some(80)).lines().count(), "{narrow}");
        assert!(
            narrow.lines().all(|line| line.chars().count() <= 30 || !line.trim().contains(' ')),
            "{narrow}"
        );
    }
}
