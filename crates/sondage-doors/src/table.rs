//! What can be done with a table beside handing over its rows, and with its codebook.

use crate::bytes::Place;
use crate::cells::Rows;
use crate::given::Call;
use crate::language::Language;
use crate::outcome::{Done, Gift, Outcome};
use crate::thing::Verbs;
use arrow_array::cast::AsArray;
use arrow_schema::Field;
use indexmap::IndexMap;
use serde::Deserialize;
use sondage::{Error, Result};
use sondage_data::{Codebook, FileFormat, FileOptions, Labels, Table};
use std::path::Path;

/// A part of a table as plain values.
#[derive(Deserialize)]
struct Part {
    first: usize,
    count: usize,
    named: bool,
}

#[derive(Deserialize)]
struct ToFile {
    path: Place,
    format: String,
    #[serde(default)]
    shared: bool,
    #[serde(default)]
    spreadsheet: bool,
}

impl<L: Language> Verbs<L> for Table {
    fn call(&self, call: Call<'_, L>) -> Done<L> {
        let table = self.clone();
        match call.verb {
            "length" => Outcome::value(self.num_rows()),
            "columns" => {
                let schema = self.schema();
                let names = schema.fields().iter().map(|field| field.name().clone());
                Outcome::value(names.collect::<Vec<_>>())
            }
            // What was kept without loss, but not as the survey promised.
            "warnings" => Outcome::value(self.warnings().map(ToString::to_string).collect::<Vec<_>>()),
            // What a column means, by the words of the Arrow field's metadata.
            "metadata" => {
                let metadata = self.field(&call.read_as::<String>("column")?).map(Field::metadata);
                let pairs = metadata.into_iter().flatten();
                Outcome::value(
                    pairs.map(|(key, value)| (key.clone(), value.clone())).collect::<IndexMap<_, _>>(),
                )
            }
            "categories" => Outcome::value(categories(self)),
            "rows" => {
                let Part { first, count, named } = call.read()?;
                Outcome::value(Rows { table, first, count, named })
            }
            "withLabels" => {
                let labels = labels_of::<L>(&call.read_as::<String>("labels")?)?;
                Outcome::here(move || Ok(Gift::thing(table.with_labels(labels))))
            }
            "select" => {
                let chosen = self.select(&call.read_as::<Vec<String>>("columns")?);
                Outcome::thing(chosen.map_err(|error| Error::invalid_argument(error.to_string()))?)
            }
            // Multiple choice questions as one column of lists.
            "withLists" => Outcome::here(move || Ok(Gift::thing(table.with_lists()))),
            "inTimeZone" => {
                let table = self.in_time_zone(&call.read_as::<String>("time_zone")?);
                Outcome::thing(table.map_err(|error| Error::invalid_argument(error.to_string()))?)
            }
            // Nothing when it is UTC.
            "timeZone" => Outcome::value(self.time_zone().map(ToOwned::to_owned)),
            "save" => {
                let ToFile { path, format, shared, spreadsheet } = call.read()?;
                let options = FileOptions::default().shared(shared).spreadsheet(spreadsheet);
                Outcome::later(async move { table.save_with(path.0, format_of(&format)?, options) })
            }
            "codebook" => Outcome::thing(self.codebook()),
            _ => Err(call.unknown()),
        }
    }
}

impl<L: Language> Verbs<L> for Codebook {
    fn call(&self, call: Call<'_, L>) -> Done<L> {
        match call.verb {
            // A page to read.
            "toMarkdown" => Outcome::value(self.to_markdown()),
            _ => Err(call.unknown()),
        }
    }
}

/// Of each column of labels: all that it can say, in order.
fn categories(table: &Table) -> IndexMap<String, Vec<String>> {
    let schema = table.schema();
    let Some(batch) = table.batches().first() else { return IndexMap::new() };
    let labelled = schema.fields().iter().zip(batch.columns()).filter_map(|(field, column)| {
        let values = column.as_any_dictionary_opt()?.values().as_string_opt::<i32>()?;
        let values = values.iter().map(|value| value.unwrap_or_default().to_owned());
        Some((field.name().clone(), values.collect()))
    });
    labelled.collect()
}

/// The labels with this name.
pub fn labels_of<L: Language>(word: &str) -> Result<Labels> {
    match word {
        "codes" => Ok(Labels::Codes),
        "labels" => Ok(Labels::Labels),
        "both" => Ok(Labels::Both),
        other => {
            let [yes, no] = L::TRUTH;
            let what = format!("labels must be {yes}, {no} or \"both\", not {other:?}");
            Err(Error::invalid_argument(what))
        }
    }
}

/// The format with this name.
pub fn format_of(word: &str) -> Result<FileFormat> {
    FileFormat::of_path(Path::new(&format!("file.{word}"))).ok_or_else(|| {
        Error::invalid_argument("a file is parquet, csv or jsonl; name it so, or say its format")
    })
}
