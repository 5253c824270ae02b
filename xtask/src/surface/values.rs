//! The texts that the core accepts and returns: they are the same in every language.

use super::methods::rows;
use super::prelude::*;
use super::structs::OF_THE_SANDBOX;
use super::webhooks::{ENTITIES, EVENT, Shape};
use crate::{files, workspace};
use std::collections::HashSet;
use std::fs;

/// The sources whose texts reach a caller.
const SOURCES: [&str; 5] = ["sondage", "sondage-data", "sondage-jobs", "sondage-ffi", "sondage-sandbox"];

/// Every text of the core: the texts in its sources, the values of enumerations, and the API's names.
pub fn of_the_core() -> HashSet<String> {
    let mut values = HashSet::new();
    for name in SOURCES {
        let folder = workspace::root().join("crates").join(name).join("src");
        for text in files::all(&folder).into_iter().flatten().flat_map(fs::read_to_string) {
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            values.extend(code.flat_map(|line| line.split('"').skip(1).step_by(2)).map(str::to_owned));
        }
    }
    let reports = all_reports().chain(*OF_THE_SANDBOX).chain([&EVENT.schema]);
    let words = types::words(reports, sondage_jobs::options_of_all_crates()).flat_map(|words| words.texts);
    let catalogue = Catalogue::of_the_table();
    let words = words.chain(catalogue.enums.iter().flat_map(|schema| schema.values)).copied();
    let names = operations::ALL.iter().map(|row| row.name).chain(rows().map(|row| row.name));
    values.extend(words.chain(names).map(str::to_owned).chain(ENTITIES.iter().map(Shape::kind)));
    values
}
