//! Files from queries and tables: a method for each format.

use super::methods::{LABELS, parameter};
use super::objects::work;
use super::without_await::blocking;
use crate::surface::methods::{field, options};
use crate::surface::prelude::*;

/// A format of files.
struct Format {
    name: &'static str,
    docs: &'static str,
    /// Its options beside those of every format.
    options: &'static [&'static str],
    /// Of a format that keeps codes, labels and missing codes apart, whatever the view is: what becomes of what it cannot hold.
    limits: Option<&'static str>,
}

const FORMATS: [Format; 6] = [
    Format { name: "parquet", docs: "a Parquet file", options: &[], limits: None },
    Format {
        name: "csv",
        docs: "a CSV file. A missing answer is an empty cell, an empty text is `\"\"`",
        options: &["spreadsheet", "separator", "decimal", "bom"],
        limits: None,
    },
    Format { name: "jsonl", docs: "a file with a JSON object on each line", options: &[], limits: None },
    Format {
        name: "xlsx",
        docs: "an Excel workbook with the sheets data, questions, values and frequencies. Times are those of the table's time zone; text \
               beyond 32,767 characters is cut, with a `DataWarning`",
        options: &[],
        limits: None,
    },
    Format {
        name: "sav",
        docs: "an SPSS file: codes with variable labels, value labels and measures",
        options: &["weight"],
        limits: Some(
            "What SPSS cannot hold is changed, and a `DataWarning` says where: names, labels beyond 256 or 120 bytes, texts beyond 32,766 \
             bytes, more missing codes, lists (a text, and a column for each choice). Times are whole seconds.",
        ),
    },
    Format {
        name: "dta",
        docs: "a Stata file (version 118): codes with variable labels and value labels",
        options: &[],
        limits: Some(
            "Missing codes become the missing values .a to .z with their labels, and \"not available\" .n. What Stata cannot hold is \
             changed, and a `DataWarning` says where: names, labels beyond 80 characters, labels of texts and fractions, more missing \
             codes, lists (a text, and a column for each choice).",
        ),
    },
];
const MISSING: &str =
    "missing: Codes that mean a missing answer, as `Table.with_missing` takes them: `{\"Q1\": [99, -9]}`.";
const QUERIES: &str = "It needs constant memory. The file is written completely or not at all. Until then, pages are stored in the folder \
                       `<path>.part`; after an error, a cancelled task or a crash the same export resumes after the last stored page, \
                       within a day.";
const TABLES: &str = "The file is written completely or not at all. Returns its size in bytes.";
const VIEW: &str = "The file has the table in its current view, and is written completely or not at all. Returns its size in bytes.";

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

from ._convert import truth
from ._query import Query
from ._table import word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import pandas
    import polars
    import pyarrow

    from ._files import MissingCodes, Path
    from ._reports import Crosstab, Estimate, ExportReport, Frequencies, Quality
    from ._table import Codebook, Labels, Table


class AsyncExports(Query):
    """Tables, files and counts, for asyncio."""

    __slots__ = ()

    async def table(self) -> Table:
        """Downloads all rows: complete, or an error. Each call reads them anew; what keeps rows is the table."""
        with self._observed() as told:
            return self._shown(await told.finish(self._query().method("table", None, told.watch)))

    async def _labelled(self, labels: Labels | None) -> Table:
        if labels is not None:
            word(labels)  # before a download
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
        """Counts how often each answer was given: see `Table.frequencies`, which needs no call. Only the columns that this needs are
        downloaded."""
        from ._reports import frequencies_of

        options = {"variable": variable, "weight": weight, "missing": missing}
        with self._observed() as told:
            return frequencies_of(await told.finish(self._query().method("frequencies", options, told.watch)))

    async def crosstab(
        self, variable: str, *, by: str, weight: str | None = None, show: list[str] | None = None, missing: bool = False
    ) -> Crosstab:
        """Counts how often each pair of answers was given: see `Table.crosstab`, which needs no call. Only the columns that this needs are
        downloaded, in constant memory."""
        from ._reports import crosstab_of

        options = {"variable": variable, "by": by, "weight": weight, "show": show, "missing": missing}
        with self._observed() as told:
            return crosstab_of(await told.finish(self._query().method("crosstab", options, told.watch)))

    async def quality(
        self,
        *,
        duration: str | None = None,
        speeder_percent: int = 40,
        matrix_rows: int = 5,
        text_length: int = 20,
        not_available_percent: int = 50,
    ) -> Quality:
        """Downloads all rows, and marks interviews that may not be worth counting: see `Table.quality`, which needs no call."""
        from ._reports import quality_of

        options = {
            "duration": duration,
            "speederPercent": speeder_percent,
            "matrixRows": matrix_rows,
            "textLength": text_length,
            "notAvailablePercent": not_available_percent,
        }
        with self._observed() as told:
            return quality_of(await told.finish(self._query().method("quality", options, told.watch)))
"#;

/// Those of queries.
pub fn files() -> [Generated; 2] {
    let mut text = HEAD.to_owned();
    for row in rows_of("query").filter(|row| ["estimate", "count"].contains(&row.name)) {
        text += &work(row.name, row).replace("self._native", "self._query()");
    }
    for (name, class, docs) in FRAMES {
        let docs = docstring(&[format!("Downloads all rows as {docs}.")], 8);
        // The option of pandas' frames, how it is checked before a download, and how it is passed on.
        let (option, check, value) = match name {
            "pandas" => {
                (", *, nullable: bool = True", "        truth(\"nullable\", nullable)\n", "nullable=nullable")
            }
            _ => ("", "", ""),
        };
        put!(
            text,
            "\n    async def to_{name}(self, labels: Labels | None = None{option}) -> {class}:\n{docs}{check}        \
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
    FORMATS.iter().map(|format| method(format, query)).collect()
}

fn method(format: &Format, query: bool) -> String {
    let Format { name, docs, options: own, limits } = format;
    let usual = if query { &["resume", "shared"][..] } else { &["shared"] };
    let fields: Vec<&ArgumentSchema> =
        usual.iter().chain(*own).map(|name| field(options("ExportOptions"), name)).collect();
    let mut positional = vec![("path: Path".to_owned(), "path: The file.".to_owned())];
    if query && limits.is_none() {
        positional.push(("labels: Labels | None = None".to_owned(), LABELS.to_owned()));
    }
    let about = |field: &&ArgumentSchema| format!("{}: {}", field.name, field.docs.trim());
    let mut keywords: Vec<_> = fields.iter().map(|field| (parameter(field), about(field))).collect();
    if limits.is_some() {
        let cost = if query { " To find them, the whole table is in memory." } else { "" };
        keywords.push(("missing: MissingCodes | None = None".to_owned(), format!("{MISSING}{cost}")));
    }
    let names = fields.iter().map(|field| field.name);
    let (head, result, first, more, body) = if query {
        let (import, labels, missing) = match limits {
            Some(_) => ("from ._files import declared\n\n        ", "False", ", **declared(missing)"),
            None => ("", "labels", ""),
        };
        let handed = join(names.map(|name| format!(", {name}={name}")), "");
        let call = format!("{import}return await self._export(path, \"{name}\", {labels}{handed}{missing})");
        ("async def", "ExportReport", format!("Downloads to {docs}."), QUERIES, call)
    } else {
        let (view, native, more) = match limits {
            Some(_) => (", whatever the view is", "_declaring(missing)", TABLES),
            None => ("", "_native", VIEW),
        };
        let handed = join(names.map(|name| format!(", \"{name}\": {name}")), "");
        let body = format!(
            "given = {{\"path\": fsencode(path), \"format\": \"{name}\"{handed}}}\n        \
             return saved(self.{native}.method(\"save\", given).wait())"
        );
        ("def", "int", format!("Writes {docs}{view}."), more, body)
    };
    let docs =
        [Some(first), limits.map(str::to_owned), Some(more.to_owned())].into_iter().flatten().collect();
    let head = super::method(&format!("{head} to_{name}"), [positional, keywords], result, docs, vec![]);
    format!("\n{head}        {body}\n")
}
