//! Files from queries and tables: a method for each format.

use super::methods::{LABELS, parameter};
use super::objects::work;
use super::without_await::blocking;
use crate::surface::methods::{field, options};
use crate::surface::prelude::*;

/// The formats: the name of each, its documentation, and its options beside those of every format.
const FORMATS: [(&str, &str, &[&str]); 4] = [
    ("parquet", "a Parquet file", &[]),
    (
        "csv",
        "a CSV file. A missing answer is an empty cell, an empty text is `\"\"`",
        &["spreadsheet", "separator", "decimal", "bom"],
    ),
    ("jsonl", "a file with a JSON object on each line", &[]),
    (
        "xlsx",
        "an Excel workbook with the sheets data, questions, values and frequencies. Times are those of the table's time zone; text \
         beyond 32,767 characters is cut, with a `DataWarning`",
        &[],
    ),
];
/// The formats that keep codes, labels and missing codes apart, the same way.
const LABELLED: [(&str, &str, &str); 2] = [
    (
        "sav",
        "an SPSS file: codes with variable labels, value labels and measures",
        "What SPSS cannot hold is changed, and a `DataWarning` says where: names, labels beyond 256 or 120 bytes, texts beyond 32,766 \
     bytes, more missing codes, lists (a text, and a column for each choice). Times are whole seconds.",
    ),
    (
        "dta",
        "a Stata file (version 118): codes with variable labels and value labels",
        "Missing codes become the missing values .a to .z with their labels, and \"not available\" .n. What Stata cannot hold is changed, and a \
     `DataWarning` says where: names, labels beyond 80 characters, labels of texts and fractions, more missing codes, lists (a text, \
     and a column for each choice).",
    ),
];
const MISSING: &str =
    "missing: Codes that mean a missing answer, as `Table.with_missing` takes them: `{\"Q1\": [99, -9]}`.";
const QUERIES: &str = "It needs constant memory. The file is written completely or not at all. Until then, pages are stored in the folder \
                       `<path>.part`; after an error, a cancelled task or a crash the same export resumes after the last stored page, \
                       within a day.";
const TABLES: &str = "The file has the table in its current view, and is written completely or not at all. Returns its size in bytes.";

/// The frames of other packages: the name of each, its type, and its documentation.
const FRAMES: [(&str, &str, &str); 3] = [
    ("arrow", "pyarrow.Table", "a `pyarrow.Table`"),
    (
        "pandas",
        "pandas.DataFrame",
        "a pandas data frame: integers with gaps stay integers (`Int64`), labels are ordered categories. Without `nullable`, \
         numbers are `float64`, and everything else but categories and times is `object`",
    ),
    (
        "polars",
        "polars.DataFrame",
        "a polars data frame: labels are an `Enum` of all choices that were offered, in their order",
    ),
];

const HEAD: &str = r#""""Tables, files and counts of a query, for asyncio."""

from __future__ import annotations

from ._query import Query

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import pandas
    import polars
    import pyarrow

    from ._files import MissingCodes, Path
    from ._reports import Estimate, ExportReport, Frequencies
    from ._table import Codebook, Labels, Table


class AsyncExports(Query):
    """Tables, files and counts, for asyncio."""

    __slots__ = ()

    async def table(self) -> Table:
        """Downloads all rows: complete, or an error. Each call reads them anew; what keeps rows is the table."""
        with self._observed() as told:
            return self._shown(await told.finish(self._query().method("table", None, told.watch)))

    async def _labelled(self, labels: Labels | None) -> Table:
        table = await self.table()
        return table if labels is None else table.with_labels(labels)

    async def _export(self, path: Path, kind: str, labels: Labels | None, **how: Any) -> ExportReport:
        from ._files import exported

        with self._observed() as told:
            return exported(path, await told.finish(self._exporting(path, kind, labels, how, told)))

    async def codebook(self, *, frequencies: bool = False, weight: str | None = None) -> Codebook:
        """Downloads all rows, because they decide the types, and returns the codebook: questions, codes and labels, and on request
        how often each code was answered. `table.codebook()` needs no call."""
        return (await self.table()).codebook(frequencies=frequencies, weight=weight)

    async def frequencies(self, variable: str, *, weight: str | None = None, missing: bool = False) -> Frequencies:
        """Downloads all rows, and counts how often each answer was given: see `Table.frequencies`, which needs no call."""
        return (await self.table()).frequencies(variable, weight=weight, missing=missing)
"#;

/// Those of queries.
pub fn files() -> [Generated; 2] {
    let mut text = HEAD.to_owned();
    for row in rows_of("query").filter(|row| ["estimate", "count"].contains(&row.name)) {
        text += &work(row.name, row).replace("self._native", "self._query()");
    }
    for (name, class, docs) in FRAMES {
        let docs = docstring(&[format!("Downloads all rows as {docs}.")], 8);
        // The option of pandas' frames, and how it is passed on.
        let (option, value) =
            if name == "pandas" { (", *, nullable: bool = True", "nullable=nullable") } else { ("", "") };
        put!(
            text,
            "\n    async def to_{name}(self, labels: Labels | None = None{option}) -> {class}:\n{docs}        \
             return (await self._labelled(labels)).to_{name}({value})\n"
        );
    }
    text += &methods(true);
    let from = "xtask/src/surface/python/exports.rs";
    [
        generated("python/sondage/_async_exports.py", from, &text),
        generated("python/sondage/_blocking_exports.py", from, &blocking(&text)),
    ]
}

/// The methods of queries, for asyncio, or those of tables.
pub fn methods(query: bool) -> String {
    let mut text = String::new();
    for (format, docs, own) in FORMATS {
        let usual = if query { &["resume", "shared"][..] } else { &["shared"] };
        let option = |name: &&str| field(options("ExportOptions"), name);
        let fields: Vec<&ArgumentSchema> = usual.iter().chain(own).map(option).collect();
        let mut positional = vec![("path: Path".to_owned(), "path: The file.".to_owned())];
        positional.extend(query.then(|| ("labels: Labels | None = None".to_owned(), LABELS.to_owned())));
        let about = |field: &&ArgumentSchema| format!("{}: {}", field.name, field.docs.trim());
        let parameters = [positional, fields.iter().map(|field| (parameter(field), about(field))).collect()];
        let names = fields.iter().map(|field| field.name);
        let (head, result, verb, more, body) = if query {
            let handed = join(names.map(|name| format!(", {name}={name}")), "");
            let call = format!("return await self._export(path, \"{format}\", labels{handed})");
            ("async def", "ExportReport", "Downloads to", QUERIES, call)
        } else {
            let handed = join(names.map(|name| format!(", \"{name}\": {name}")), "");
            let body = format!(
                "given = {{\"path\": fsencode(path), \"format\": \"{format}\"{handed}}}\n        \
                 return saved(self._native.method(\"save\", given).wait())"
            );
            ("def", "int", "Writes", TABLES, body)
        };
        let docs = vec![format!("{verb} {docs}."), more.to_owned()];
        let head = super::method(&format!("{head} to_{format}"), parameters, result, docs, vec![]);
        put!(text, "\n{head}        {body}\n");
    }
    text.extend(LABELLED.map(|format| labelled(query, format)));
    text
}

/// A method for a format that keeps codes, labels and missing codes apart.
fn labelled(query: bool, (format, docs, limits): (&str, &str, &str)) -> String {
    let usual = if query { &["resume", "shared"][..] } else { &["shared"] };
    let fields: Vec<&ArgumentSchema> =
        usual.iter().map(|name| field(options("ExportOptions"), name)).collect();
    let positional = vec![("path: Path".to_owned(), "path: The file.".to_owned())];
    let about = |field: &&ArgumentSchema| format!("{}: {}", field.name, field.docs.trim());
    let mut named: Vec<(String, String)> =
        fields.iter().map(|field| (parameter(field), about(field))).collect();
    let cost = if query { " To find them, the whole table is in memory." } else { "" };
    named.push(("missing: MissingCodes | None = None".to_owned(), format!("{MISSING}{cost}")));
    let (head, result, docs, body) = if query {
        let docs = vec![format!("Downloads to {docs}."), limits.to_owned(), QUERIES.to_owned()];
        let call = format!(
            "from ._files import declared\n\n        \
             return await self._export(path, \"{format}\", False, resume=resume, shared=shared, **declared(missing))"
        );
        ("async def", "ExportReport", docs, call)
    } else {
        let view = "The file is written completely or not at all. Returns its size in bytes.".to_owned();
        let docs = vec![format!("Writes {docs}, whatever the view is."), limits.to_owned(), view];
        let call = format!(
            "given = {{\"path\": fsencode(path), \"format\": \"{format}\", \"shared\": shared}}\n        \
             return saved(self._declaring(missing).method(\"save\", given).wait())"
        );
        ("def", "int", docs, call)
    };
    let head = super::method(&format!("{head} to_{format}"), [positional, named], result, docs, vec![]);
    format!("\n{head}        {body}\n")
}
