//! `sondage results`: how often each answer was given, of one question or of one by another.

use crate::account;
use crate::filters::InterviewFilter;
use crate::look::{self, BOLD, Listing};
use crate::output::{Output, failed, refused};
use crate::progress;
use crate::values;
use clap::Args;
use serde_json::Value;
use sondage::arguments::{CrosstabOptions, FrequenciesOptions, InterviewState, InterviewsOptions};
use sondage::error::Text;
use sondage::internals::runtime::block_on;
use sondage::internals::spelling::did_you_mean;
use sondage::reports::{CROSSTAB_MEASURES, Report};
use sondage::{Client, Error, ErrorKind};
use sondage_data::{Picture, Query};
use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(after_help = "Example: sondage results 1004 vote --by PID --svg vote.svg")]
pub struct ResultArgs {
    /// The id of the survey.
    #[arg(value_parser = values::id)]
    survey: i64,
    /// The column, or the code of a question of several choices.
    column: String,
    /// The column by which it is broken down.
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    /// The column of the weights.
    #[arg(long, value_name = "COLUMN")]
    weight: Option<String>,
    /// The language of questions and labels.
    #[arg(long)]
    language: Option<String>,
    /// Only interviews in this state.
    #[arg(long, value_parser = values::state())]
    state: Option<InterviewState>,
    #[command(flatten)]
    filter: InterviewFilter,
    /// With --by: what is shown, separated by commas.
    #[arg(long, value_delimiter = ',', value_parser = CROSSTAB_MEASURES.map(|(name, _)| name), requires = "by")]
    show: Option<Vec<String>>,
    /// Also the reasons for which answers are missing.
    #[arg(long)]
    missing: bool,
    /// Writes a picture to this file, as SVG; `-` is standard output, in place of the result.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub fn run(arguments: &ResultArgs, output: Output) -> io::Result<()> {
    let filter = arguments.filter.expression()?;
    let client = progress::connect_async(&account::builder())?;
    let mut options = InterviewsOptions::new(arguments.survey);
    options.language.clone_from(&arguments.language);
    options.state.clone_from(&arguments.state);
    options.filter = filter;
    let query = Query::interviews(&client, options);
    if let Some(by) = &arguments.by {
        let mut options = CrosstabOptions::new(&arguments.column, by);
        (options.weight, options.show) = (arguments.weight.clone(), arguments.show.clone());
        options.missing = arguments.missing;
        let found = block_on(async move { Box::pin(query.crosstab(&options)).await })
            .map_err(|error| explained(error, arguments, &client))?;
        return show(&found, arguments.svg.as_deref(), output);
    }
    let mut options = FrequenciesOptions::new(&arguments.column);
    (options.weight, options.missing) = (arguments.weight.clone(), arguments.missing);
    let found = block_on(async move { query.frequencies(&options).await })
        .map_err(|error| explained(error, arguments, &client))?;
    show(&found, arguments.svg.as_deref(), output)
}

/// A result as text with bars, as cells, as JSON, and as a picture.
pub fn show<T: Picture + Report>(found: &T, svg: Option<&Path>, output: Output) -> io::Result<()> {
    if svg == Some(Path::new("-")) {
        if output.json {
            return Err(refused("--svg - and --json: standard output can have one of them"));
        }
        return output.show(|| Value::Null, found.to_svg());
    }
    if let Some(path) = svg {
        fs::write(path, found.to_svg())
            .map_err(|error| io::Error::new(error.kind(), format!("--svg: {}: {error}", path.display())))?;
    }
    if output.json {
        return output.show(|| found.to_json(), "");
    }
    if io::stdout().is_terminal() {
        let text = found.to_text_within(look::width().into());
        let mut lines = text.lines();
        let title = lines.next().unwrap_or_default();
        let rest: Vec<&str> = lines.collect();
        return output.show(|| Value::Null, format!("{BOLD}{title}{BOLD:#}\n{}", rest.join("\n")));
    }
    let mut out = anstream::stdout().lock();
    let cells = found.cells();
    let mut rows = cells.iter().map(|row| row.iter().map(String::as_str).collect::<Vec<_>>());
    let mut listing = Listing::with_names(&mut out, &rows.next().unwrap_or_default())?;
    rows.try_for_each(|row| listing.row(&mut out, &row))?;
    listing.end(&mut out)?;
    // They are sentences, no cells: a program that reads the rows does not get them.
    found.to_grid().notes.iter().for_each(|note| eprintln!("note: {}", Text::from(note.clone())));
    Ok(())
}

/// The error of a column that does not exist names those that were probably meant, and is one of wrong arguments.
fn explained(error: Error, arguments: &ResultArgs, client: &Client) -> io::Error {
    if error.kind() != ErrorKind::InvalidArgument && error.status() != Some(400) {
        return failed(error);
    }
    let Ok(all) = block_on(all_columns(arguments.survey, client.clone())) else { return failed(error) };
    let known: Vec<&str> = all.iter().map(String::as_str).collect();
    let wanted = [Some(&arguments.column), arguments.by.as_ref(), arguments.weight.as_ref()];
    let unknown = wanted.into_iter().flatten().find(|name| !known.contains(&name.as_str()));
    let Some(name) = unknown else { return failed(error) };
    let hint = did_you_mean(name, &known).unwrap_or_else(|| {
        let listed = known.iter().take(30).copied().collect::<Vec<_>>().join(", ");
        let more = if known.len() > 30 { format!(" and {} more", known.len() - 30) } else { String::new() };
        format!("Its columns are {listed}{more}.")
    });
    let what = format!("the survey {} has no question or column {name:?}. {hint}", arguments.survey);
    io::Error::new(io::ErrorKind::InvalidInput, what)
}

/// The columns of the survey, and the codes of its questions.
async fn all_columns(survey: i64, client: Client) -> sondage::Result<Vec<String>> {
    let table = Query::interviews(&client, InterviewsOptions::new(survey)).head(1).await?;
    let mut names: Vec<String> = table.schema().fields().iter().map(|field| field.name().clone()).collect();
    let plan = table.code_plan().into_iter().flat_map(sondage_data::CodePlan::variables);
    for code in plan.filter_map(|variable| variable.question_code.clone()) {
        if !names.contains(&code) {
            names.push(code);
        }
    }
    Ok(names)
}
