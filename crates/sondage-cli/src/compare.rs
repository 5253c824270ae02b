//! `sondage compare`: what has changed between the questions of two surveys.

use crate::account;
use crate::output::{Output, failed};
use crate::progress;
use crate::values;
use clap::Args;
use sondage::error::Text;
use sondage::internals::runtime;
use sondage::reports::{Comparison, Report as _, WaveChange};
use sondage_data::{PictureFormat, Tables as _, draw};
use std::io;

/// The exit code if something has changed in a breaking way.
const BREAKING: u8 = 3;
/// The exit code if nothing breaking was found, but something could not be compared.
const NOT_COMPARED: u8 = 1;

#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 nothing is breaking; 3 something is; 1 an error, or a note says what was not compared; \
                  2 wrong arguments.\n\n\
                  Example: sondage compare 1004 1005"
)]
pub struct CompareArgs {
    /// The id of the earlier survey.
    #[arg(value_parser = values::id)]
    before: i64,
    /// The id of the later survey.
    #[arg(value_parser = values::id)]
    after: i64,
    /// The language in which texts are compared. Default: that of the code plans.
    #[arg(long)]
    language: Option<String>,
    /// Prints a table of HTML, for a page.
    #[arg(long)]
    html: bool,
}

pub fn run(arguments: &CompareArgs, output: Output) -> io::Result<u8> {
    let client = progress::connect_async(&account::builder())?;
    let read = |survey| {
        let mut query = client.interviews(survey).page_size(1);
        if let Some(language) = &arguments.language {
            query = query.language(language);
        }
        runtime::block_on(async move { query.page(1, 1).await.map(|(table, _)| table) }).map_err(failed)
    };
    let comparison = read(arguments.before)?.compare(&read(arguments.after)?);
    let shown = if arguments.html {
        draw("Comparison", &comparison.to_json().to_string(), PictureFormat::Html).map_err(failed)?
    } else {
        text(&comparison)
    };
    output.show(|| comparison.to_json(), shown)?;
    Ok(match (comparison.breaking, comparison.notes.is_empty()) {
        (0, true) => 0,
        (0, false) => NOT_COMPARED,
        _ => BREAKING,
    })
}

fn text(comparison: &Comparison) -> String {
    let mut lines: Vec<String> = comparison.notes.iter().map(|note| format!("note: {note}")).collect();
    lines.extend(comparison.changes.iter().map(line));
    let (changes, breaking) = (comparison.changes.len(), comparison.breaking);
    lines.push(format!(
        "{} columns are the same; {changes} changes, {breaking} of them breaking",
        comparison.identical
    ));
    lines.join("\n")
}

/// `breaking: Q1, code 2: label moved: "no" → "yes"`
fn line(change: &WaveChange) -> String {
    let WaveChange { severity, kind, column, code, before, after, .. } = change;
    let code = code.as_ref().map(|code| format!(", {code}")).unwrap_or_default();
    let shown =
        |text: &Option<String>| text.as_ref().map_or_else(|| "–".to_owned(), |text| format!("{text:?}"));
    let texts = if before.is_none() && after.is_none() {
        String::new()
    } else {
        format!(": {} → {}", shown(before), shown(after))
    };
    // Texts come from the service.
    Text::from(format!("{severity}: {column}{code}: {}{texts}", kind.replace('_', " "))).to_string()
}
