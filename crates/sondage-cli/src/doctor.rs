//! `sondage doctor`: examines the set-up, and says how to correct what is wrong.

use crate::account;
use crate::look::{ASIDE, BAD, GOOD, NOTE};
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
    output.show(|| diagnosis.to_json(), text(&diagnosis, io::stdout().is_terminal()))?;
    Ok(u8::from(!diagnosis.healthy))
}

/// A line for each check, with a mark on a terminal, and a summary.
fn text(diagnosis: &Diagnosis, is_terminal: bool) -> String {
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
    if !is_terminal {
        return format!("{diagnosis}\n{summary}");
    }
    let mut text = String::new();
    for check in &diagnosis.checks {
        let (mark, style) = match check.state {
            HealthState::Passed => ("✓", GOOD),
            HealthState::Warning => ("!", NOTE),
            HealthState::Failed => ("✗", BAD),
            _ => ("-", ASIDE),
        };
        let name = check.check.as_str().replace('_', " ");
        let _ = writeln!(text, "{style}{mark}{style:#} {name}: {}", check.found);
        if let Some(cure) = &check.cure {
            let _ = writeln!(text, "  {cure}");
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
        let plain = |is_terminal| anstream::adapter::strip_str(&text(&diagnosis, is_terminal)).to_string();
        assert!(
            plain(true).starts_with("✗ settings: ") && plain(true).ends_with("\n1 problem"),
            "{}",
            plain(true)
        );
        assert!(plain(false).starts_with("failed   settings: ") && plain(false).ends_with("\n1 problem"));
    }
}
