//! Files from queries and tables: a method for each format.

use super::super::Generated;
use super::super::methods::{field, options, rows_of};
use super::methods::{LABELS, parameter, with_arguments};
use super::objects::work;
use super::operations::signature;
use super::without_await::blocking;
use super::{docstring, generated};
use sondage::arguments::ArgumentSchema;
use std::fmt::Write;

/// The formats: the name of each, its documentation, and its options beside those of every format.
const FORMATS: [(&str, &str, &[&str]); 3] = [
    ("parquet", "a Parquet file", &[]),
    (
        "csv",
        "a CSV file. A missing answer is an empty cell, an empty text is `\"\"`",
        &["spreadsheet", "separator"],
    ),
    ("jsonl", "a file with a JSON object on each line", &[]),
];
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
        "a pandas data frame: integers with gaps stay integers (`Int64`), labels are ordered categories",
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
    import pandas
    import polars
    import pyarrow

    from ._files import MissingCodes, Path
    from ._reports import Estimate, ExportReport
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

    async def _export(self, path: Path, kind: str, labels: Labels | None, **how: bool | str | None) -> ExportReport:
        from ._files import exported

        with self._observed() as told:
            return exported(path, await told.finish(self._exporting(path, kind, labels, how, told)))

    async def to_sav(
        self, path: Path, *, shared: bool = False, missing: MissingCodes | None = None
    ) -> None:
        """Downloads to an SPSS file: see `Table.to_sav`."""
        from os import fsencode

        from ._native import make

        make("check_spss", fsencode(path))
        (await self.table()).to_sav(path, shared=shared, missing=missing)

    async def codebook(self) -> Codebook:
        """Downloads all rows, because they decide the types, and returns the codebook: questions, codes and labels.
        `table.codebook()` needs no call."""
        return (await self.table()).codebook()
"#;

/// The methods that return the frames of other packages.
fn frames() -> String {
    let mut text = String::new();
    for (name, class, docs) in FRAMES {
        let docs = docstring(&[format!("Downloads all rows as {docs}.")], 8);
        let head = format!("    async def to_{name}(self, labels: Labels | None = None) -> {class}:\n");
        let _ = write!(text, "\n{head}{docs}        return (await self._labelled(labels)).to_{name}()\n");
    }
    text
}

/// Those of queries.
pub fn files() -> [Generated; 2] {
    let mut text = HEAD.to_owned();
    for row in rows_of("query").filter(|row| ["estimate", "count"].contains(&row.name)) {
        text += &work(row.name, row).replace("self._native", "self._query()");
    }
    text += &frames();
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
        let named = |name: &&str| field(options("ExportOptions"), name);
        let fields: Vec<&ArgumentSchema> = usual.iter().chain(own).map(named).collect();
        let mut parameters = vec!["self".to_owned(), "path: Path".to_owned()];
        let mut texts = vec!["path: The file.".to_owned()];
        if query {
            parameters.push("labels: Labels | None = None".to_owned());
            texts.push(LABELS.to_owned());
        }
        parameters.push("*".to_owned());
        parameters.extend(fields.iter().map(|field| parameter(field)));
        texts.extend(fields.iter().map(|field| format!("{}: {}", field.name, field.docs.trim())));
        let handed = |mark: &str, of: &str| -> String {
            let one = |field: &&ArgumentSchema| format!(", {mark}{}{mark}{of}{}", field.name, field.name);
            fields.iter().map(one).collect::<Vec<_>>().concat()
        };
        let (head, answer, verb, more, body) = if query {
            let call = format!("return await self._export(path, \"{format}\", labels{})", handed("", "="));
            ("async def", "ExportReport", "Downloads to", QUERIES, call)
        } else {
            let given =
                format!("{{\"path\": fsencode(path), \"format\": \"{format}\"{}}}", handed("\"", ": "));
            let call = "self._native.method(\"save\", given).wait()\n        return size";
            ("def", "int", "Writes", TABLES, format!("given = {given}\n        size: int = {call}"))
        };
        let docs = with_arguments(vec![format!("{verb} {docs}."), more.to_owned()], texts);
        let head = signature(&format!("{head} to_{format}"), &parameters, answer);
        let _ = write!(text, "\n{head}{}        {body}\n", docstring(&docs, 8));
    }
    text
}
