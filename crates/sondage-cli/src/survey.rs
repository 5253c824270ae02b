//! `sondage survey` and `sondage codebook`: the questions and columns of a survey.

use crate::account;
use crate::filters::InterviewFilter;
use crate::look::Listing;
use crate::output::{Output, failed, refused};
use crate::progress;
use crate::values;
use clap::Args;
use serde_json::{Value, json};
use sondage::internals::runtime::block_on;
use sondage_data::{Codebook, CodebookColumn, Interviews, Table, Tables as _};
use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(after_help = "Example: sondage survey 1004")]
pub struct SurveyColumnsArgs {
    /// The id of the survey.
    #[arg(value_parser = values::id)]
    survey: i64,
    /// The language of the texts. Default: that of the code plan.
    #[arg(long)]
    language: Option<String>,
    /// The columns of the service, too, such as `State` and `EndDate`.
    #[arg(long)]
    all: bool,
}

#[derive(Args)]
#[command(
    after_help = "Example: sondage codebook 1004 codebook.html --frequencies --where 'State = Completed'"
)]
pub struct CodebookArgs {
    /// The id of the survey.
    #[arg(value_parser = values::id)]
    survey: i64,
    /// The file, a page of HTML (.html) or Markdown (.md), which is replaced. Default: Markdown on standard output.
    file: Option<PathBuf>,
    /// How often each answer was given: all interviews are downloaded.
    #[arg(long)]
    frequencies: bool,
    /// A column whose numbers weight the frequencies.
    #[arg(long, value_name = "COLUMN", requires = "frequencies")]
    weight: Option<String>,
    #[command(flatten)]
    filter: InterviewFilter,
    /// The language of the texts. Default: that of the code plan.
    #[arg(long)]
    language: Option<String>,
}

/// Choices of a column that a line shows.
const CHOICES: usize = 6;

/// Characters of a question that a terminal shows.
const TEXT: usize = 100;

pub fn columns(arguments: &SurveyColumnsArgs, output: Output) -> io::Result<()> {
    let query = query(arguments.survey, arguments.language.as_deref())?;
    let codebook = description(query)?.codebook();
    let mut out = anstream::stdout().lock();
    let mut listing = Listing::new(&["Column", "Type", "Text", "Answers"]);
    let is_shown = |column: &CodebookColumn<'_>| arguments.all || column.is_described;
    for column in codebook.columns().filter(is_shown) {
        if output.json {
            progress::end();
            writeln!(out, "{}", as_json(&column))?;
            continue;
        }
        let text = if io::stdout().is_terminal() { beginning(&column.text) } else { column.text.clone() };
        listing.row(&mut out, &[column.name, &column.types, &text, &choices(&column)])?;
    }
    if output.json { Ok(()) } else { listing.end(&mut out) }
}

pub fn codebook(arguments: &CodebookArgs, output: Output) -> io::Result<()> {
    let page = arguments.file.as_deref().map_or(Ok(Page::Markdown), Page::of_name)?;
    let filter = arguments.filter.expression()?;
    if filter.is_some() && !arguments.frequencies {
        return Err(refused("`--where` selects what is counted: give `--frequencies`, too"));
    }
    let mut query = query(arguments.survey, arguments.language.as_deref())?;
    if let Some(filter) = filter {
        query = query.filter(filter);
    }
    let codebook = if arguments.frequencies {
        let table = block_on(async move { query.table().await }).map_err(failed)?;
        table.codebook_with_frequencies(arguments.weight.as_deref()).map_err(failed)?
    } else {
        description(query)?.codebook()
    };
    let text = page.text(&codebook);
    let Some(path) = &arguments.file else {
        return output.none("codebook").and_then(|()| output.show(|| Value::Null, text.trim_end()));
    };
    fs::write(path, text)?;
    let facts = || json!({ "path": path, "columns": codebook.len() });
    output.show(facts, format!("{}: {} columns", path.display(), codebook.len()))
}

/// How a codebook is written.
#[derive(Clone, Copy)]
enum Page {
    Html,
    Markdown,
}

impl Page {
    fn of_name(path: &Path) -> io::Result<Self> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("html" | "htm") => Ok(Self::Html),
            Some("md") => Ok(Self::Markdown),
            _ => Err(refused("a codebook is a file that ends with .html or .md")),
        }
    }

    fn text(self, codebook: &Codebook) -> String {
        match self {
            Self::Html => codebook.to_html(),
            Self::Markdown => codebook.to_markdown(),
        }
    }
}

fn query(survey: i64, language: Option<&str>) -> io::Result<Interviews> {
    let query = progress::connect_async(&account::builder())?.interviews(survey);
    Ok(match language {
        Some(language) => query.language(language),
        None => query,
    })
}

/// A survey's columns, by one call.
pub fn described(survey: i64) -> io::Result<Table> {
    description(query(survey, None)?)
}

/// One interview at most, with the columns of all: one call.
fn description(query: Interviews) -> io::Result<Table> {
    block_on(async move { query.page(1, 1).await }).map(|(table, _)| table).map_err(failed)
}

/// A text, or its first words.
fn beginning(text: &str) -> String {
    if text.chars().count() <= TEXT {
        return text.to_owned();
    }
    let beginning: String = text.chars().take(TEXT).collect();
    let words = beginning.rsplit_once(' ').map_or(beginning.as_str(), |(words, _)| words);
    format!("{words} …")
}

/// The first choices in a line.
fn choices(column: &CodebookColumn<'_>) -> String {
    let shown = column
        .values
        .iter()
        .take(CHOICES)
        .map(|(code, label)| if label.is_empty() { code.to_string() } else { format!("{code} {label}") });
    let mut choices = shown.collect::<Vec<_>>().join(", ");
    if let Some(more) = column.values.len().checked_sub(CHOICES).filter(|more| *more > 0) {
        choices.extend([format!(", … {more} more")]);
    }
    choices
}

fn as_json(column: &CodebookColumn<'_>) -> Value {
    let values: Vec<Value> =
        column.values.iter().map(|(code, label)| json!({ "code": code, "label": label })).collect();
    json!({
        "name": column.name,
        "text": column.text,
        "types": column.types,
        "section": column.section,
        "values": values,
    })
}
