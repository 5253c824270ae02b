//! `sondage results`: how often each answer was given, of one question or of one by another.

use crate::account;
use crate::filters::InterviewFilter;
use crate::look::{self, BOLD, Listing};
use crate::output::{Output, failed, refused};
use crate::progress;
use crate::values;
use clap::Args;
use serde_json::{Value, json};
use sondage::arguments::{CrosstabOptions, FrequenciesOptions, InterviewState, InterviewsOptions};
use sondage::error::Text;
use sondage::internals::runtime::block_on;
use sondage::internals::spelling::did_you_mean;
use sondage::reports::{CROSSTAB_MEASURES, Report};
use sondage::{Client, Error, ErrorKind};
use sondage_data::{Comparison, Grid, NumberGroup, NumberGroups, Picture, Query};
use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(after_help = "Example: sondage results 1004 vote --by PID --svg vote.svg")]
pub struct ResultArgs {
    /// The id of the survey.
    #[arg(value_parser = values::id)]
    survey: i64,
    /// The column, or a question of several choices by its code, or by the name of its row in a matrix.
    column: String,
    /// The column by which it is broken down: answers in a crosstab, numbers by their mean, median and spread in each group.
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
    /// With --by: what a crosstab shows, separated by commas, also of numbers.
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
        // A picture and what `--show` names are those of a crosstab.
        let is_crosstab = arguments.show.is_some() || arguments.svg.is_some();
        let compared = async move {
            if is_crosstab {
                let found = Box::pin(query.crosstab(&options)).await?;
                return Ok(Comparison::Choices(Box::new(found)));
            }
            Box::pin(query.groups(&options)).await
        };
        return match block_on(compared).map_err(|error| explained(error, arguments, &client))? {
            Comparison::Numbers(found) => show_groups(&found, output),
            Comparison::Choices(found) => show(&*found, arguments.svg.as_deref(), output),
        };
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
        return titled(&found.to_text_within(look::width().into()), output);
    }
    list(&found.to_grid())
}

/// The numbers of each group, in the same forms.
fn show_groups(found: &NumberGroups, output: Output) -> io::Result<()> {
    if output.json {
        let group = |group: &NumberGroup| {
            let all = group.summary.as_ref();
            json!({
                "label": group.label, "n": group.answered, "mean": all.map(|all| all.mean),
                "deviation": all.and_then(|all| all.deviation), "min": all.map(|all| all.min),
                "median": all.map(|all| all.median), "max": all.map(|all| all.max),
            })
        };
        let groups: Vec<Value> = found.groups.iter().map(group).collect();
        return output.show(|| json!({ "variable": found.variable, "by": found.by, "groups": groups }), "");
    }
    if io::stdout().is_terminal() {
        return titled(&found.to_text_within(look::width().into()), output);
    }
    list(&found.to_grid())
}

/// Text whose first line is its title.
fn titled(text: &str, output: Output) -> io::Result<()> {
    let (title, rest) = text.split_once('\n').unwrap_or((text, ""));
    output.show(|| Value::Null, format!("{BOLD}{title}{BOLD:#}\n{rest}"))
}

/// Cells for another program.
fn list(grid: &Grid) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let names: Vec<&str> = grid.columns.iter().map(|column| column.name.as_str()).collect();
    let mut listing = Listing::with_names(&mut out, &names)?;
    for row in &grid.rows {
        listing.row(&mut out, &row.cells.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    listing.end(&mut out)?;
    // They are sentences, no cells: a program that reads the rows does not get them.
    grid.notes.iter().for_each(|note| progress::note(Text::from(note.clone())));
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

/// The columns of the survey, and the names of its questions.
async fn all_columns(survey: i64, client: Client) -> sondage::Result<Vec<String>> {
    let table = Query::interviews(&client, InterviewsOptions::new(survey)).head(1).await?;
    let mut names: Vec<String> = table.schema().fields().iter().map(|field| field.name().clone()).collect();
    for name in table.code_plan().map(sondage_data::CodePlan::names).unwrap_or_default() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}
