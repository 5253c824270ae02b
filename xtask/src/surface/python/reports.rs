//! Classes of results, of events and of their entities, and the functions that convert results.
//!
//! A class whose name ends in `Facts` is the base of a class with more: tables, or methods that continue the work.

use super::models::slots;
use super::{attribute, tuple};
use crate::surface::prelude::*;
use crate::surface::structs::{FACTS, OF_THE_SANDBOX, PICTURES};
use crate::surface::webhooks::{ENTITIES, EVENT, REPORTS, is_of_events};
use sondage::reports::CROSSTAB_MEASURES;

const HEAD: &str = r#""""What methods tell, and how it is read from what the compiled part tells."""

from __future__ import annotations

from typing import NamedTuple

from ._error import error_of
from ._report_docs import DOCS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any, Literal, TypeVar

    import pandas

    from ._error import SondageError
    from ._progress import Progress
    from ._table import Table
    from .types import DistributionChannel, EventType

    Facts = TypeVar("Facts", bound="ImportFacts")
"#;

const EVENTS: &str = r#""""Events of webhooks, and what they are about."""

from __future__ import annotations

from ._model import Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any, Literal, TypeAlias

    from ._models.panel import MemberField
"#;

const UNION: &str = r#"

class Unknown(Model):
    """Something that this version cannot read: see the event's `raw`."""

    __slots__ = ()
    kind: Literal["unknown"] = "unknown"


if TYPE_CHECKING:
    Entity: TypeAlias = Interview | Member | Bounce | OptOut | Survey | Unknown
else:
    Entity = (Interview, Member, Bounce, OptOut, Survey, Unknown)
"#;

const LEDGER: &str = r#""""What a sandbox has written down."""

from __future__ import annotations

from ._model import Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Literal
"#;

const DOCUMENTED: &str = r#""""What help() says of the fields of a result, in their order: a named tuple has no docstrings of its own."""

from __future__ import annotations

DOCS: dict[str, tuple[str, ...]] = {
"#;

const DOCUMENT: &str = r"

for _name, _docs in DOCS.items():
    for _field, _doc in zip(globals()[_name]._fields, _docs):
        getattr(globals()[_name], _field).__doc__ = _doc
";

/// The results of methods, the events, and what a sandbox records.
pub fn files() -> [Generated; 4] {
    let mut body = String::from(HEAD);
    let (mut all, mut documented) = (Vec::new(), String::from(DOCUMENTED));
    for schema in all_reports().filter(|schema| !is_of_events(schema)) {
        if schema.name.ends_with("Facts") {
            body += &facts(schema);
        } else {
            body += &class(schema);
            documented += &docs_of_fields(schema);
            all.push(format!("\"{}\"", schema.name));
        }
    }
    body += DOCUMENT;
    let measures: Vec<String> =
        CROSSTAB_MEASURES.iter().map(|(name, field)| format!("{name:?}: {field:?}")).collect();
    put!(body, "\n\nCROSSTAB_MEASURES = {{\n{}}}\n", lines(&measures, "    "));
    put!(body, "\n\n__all__ = [\n{}]\n", lines(&all, "    "));
    [
        generated("python/sondage/_reports.py", "crates/sondage/src/reports/mod.rs", &body),
        generated(
            "python/sondage/_report_docs.py",
            "crates/sondage/src/reports/mod.rs",
            &(documented.trim_end().to_owned() + "\n}\n"),
        ),
        generated("python/sondage/_entities.py", "crates/sondage/src/webhook/shapes.rs", &events()),
        generated("python/sondage/_ledger.py", "crates/sondage-sandbox/src", &ledger()),
    ]
}

fn class(schema: &ReportSchema) -> String {
    let name = schema.name;
    let mut out = format!("\n\nclass {name}(NamedTuple):\n{}\n", docstring(&paragraphs(schema.docs), 4));
    out += &attributes(schema);
    let (mut values, mut import) = (String::new(), "");
    for field in schema.fields {
        put!(values, "        {}={},\n", field.name, read(field));
        if matches!(field.ty, ReportType::Named("Progress")) {
            import = "    from ._progress import Progress\n\n";
        }
    }
    if name.ends_with("Progress") {
        out += "    seconds: float = 0.0\n    \"\"\"Seconds since it began.\"\"\"\n";
        values += "        seconds=told.get(\"seconds\", 0.0),\n";
    }
    out += &raise(schema);
    out += &hidden(schema);
    out += &picture(schema);
    let maker = maker(name);
    put!(
        out,
        "\n\ndef {maker}(told: dict[str, Any]) -> {name}:\n{import}    return {name}(\n{values}    )\n"
    );
    out
}

const PICTURE: &str = r#"
    def to_svg(self) -> str:
        """A picture as SVG, without scripts, with a title and a description for screen readers, readable in light and dark."""
        from ._pictures import drawn

        return drawn(self, "svg")

    def to_table(self) -> Table:
        """The result as a table in long form."""
        from ._pictures import tabulated

        return tabulated(self)
"#;

const PRINTED: &str = r#"
    def __str__(self) -> str:
        """{about}"""
        from ._pictures import drawn

        return drawn(self, "text")

    def _repr_html_(self) -> str:
        from ._pictures import drawn

        return drawn(self, "html")
"#;

/// Whether a result is printed as its fields: it is one of the core's or has no picture, is no part of another, and has no secret.
fn is_printed(schema: &ReportSchema) -> bool {
    let all = || sondage::reports::ALL.iter().chain(sondage_jobs::reports::ALL);
    let is_part = |part: &ReportType| match part {
        ReportType::Report(of) => of().name == schema.name,
        ReportType::List(inner) | ReportType::Optional(inner) => match inner {
            ReportType::Report(of) | ReportType::List(ReportType::Report(of)) => of().name == schema.name,
            _ => false,
        },
        _ => false,
    };
    (all().any(|known| known.name == schema.name) || ["Comparison", "SyncReport"].contains(&schema.name))
        && !schema.name.ends_with("Progress")
        && hidden(schema).is_empty()
        && !all().any(|other| other.fields.iter().any(|field| is_part(field.ty)))
}

const FRAME: &str = r#"
    def to_pandas(self) -> pandas.DataFrame:
        """The result as a data frame in long form."""
        return self.to_table().to_pandas()
"#;

const CROSSTAB_FRAME: &str = r#"
    def to_pandas(self, show: str | None = None, *, margins: bool = False) -> pandas.DataFrame:
        """The cells as `pandas.crosstab` has them; `to_table().to_pandas()` has them in long form.

        Args:
            show: `"n"`, `"weighted"`, `"row%"`, `"col%"`, `"total%"` or `"expected"`. Default: the first of `show`.
            margins: Whether there are a row and a column of totals.
        """
        from ._pictures import crosstab_frame

        return crosstab_frame(self, show, margins)
"#;

/// What a result that can be drawn or printed has besides its fields.
fn picture(schema: &ReportSchema) -> String {
    let printed = |about| PRINTED.replace("{about}", about);
    if !PICTURES.contains(&schema.name) {
        let about = "Its fields as aligned text of at most 24 lines; `repr` has everything.";
        return if is_printed(schema) { printed(about) } else { String::new() };
    }
    let frame = if schema.name == "Crosstab" { CROSSTAB_FRAME } else { FRAME };
    format!("{frame}{PICTURE}{}", printed("Aligned text of at most 24 lines."))
}

/// Secrets are not displayed.
fn hidden(schema: &ReportSchema) -> String {
    let is_secret = |field: &FieldOfReport| {
        matches!(field.ty, ReportType::Secret | ReportType::Optional(ReportType::Secret))
    };
    if !schema.fields.iter().any(is_secret) {
        return String::new();
    }
    let shown = schema.fields.iter().map(|field| match (field.name, is_secret(field)) {
        (name, true) => format!("{name}={{None if self.{name} is None else '***'!r}}"),
        (name, false) => format!("{name}={{self.{name}!r}}"),
    });
    format!(
        "\n    def __repr__(self) -> str:\n        \"\"\"Its fields, but for what is secret.\"\"\"\n        \
         return f\"{}({})\"\n",
        schema.name,
        join(shown, ", ")
    )
}

fn facts(schema: &ReportSchema) -> String {
    let names: Vec<String> = schema.fields.iter().map(|field| format!("\"{}\"", field.name)).collect();
    let mut out = format!(
        "\n\nclass {}:\n{}\n    __slots__ = (\n{}    )\n{}\n    def _read(self, told: dict[str, Any]) -> None:\n",
        schema.name,
        docstring(&paragraphs(schema.docs), 4),
        lines(&names, "        "),
        attributes(schema)
    );
    for field in schema.fields {
        put!(out, "        self.{} = {}\n", field.name, read(field));
    }
    out + &raise(schema)
}

fn attributes(schema: &ReportSchema) -> String {
    let of = |field: &FieldOfReport| attribute(field.name, &types::of_report(field.ty, PYTHON), field.docs);
    schema.fields.iter().map(of).collect()
}

fn docs_of_fields(schema: &ReportSchema) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let texts = schema.fields.iter().map(|field| quoted(&line(field.docs)));
    format!("    \"{}\": (\n{}    ),\n", schema.name, lines(&texts.collect::<Vec<_>>(), "        "))
}

/// A result with a `stopped` error can be raised as an exception.
fn raise(schema: &ReportSchema) -> String {
    if !schema.fields.iter().any(|field| field.name == "stopped") {
        return String::new();
    }
    let (this, owner) =
        if schema.name.ends_with("Facts") { ("self: Facts", "Facts") } else { ("self", schema.name) };
    format!(
        "\n    def raise_if_stopped({this}) -> {owner}:\n        \
         \"\"\"The report, or the error that stopped the work.\"\"\"\n        \
         if self.stopped is not None:\n            raise self.stopped\n        return self\n"
    )
}

/// The name of the function that converts a native result.
pub fn maker(name: &str) -> String {
    format!("{}_of", name.to_snake_case())
}

/// How a field is read from the native result.
fn read(field: &FieldOfReport) -> String {
    let value = format!("told[\"{}\"]", camel(field.name));
    match field.ty {
        ReportType::Error | ReportType::Optional(ReportType::Error) => format!("error_of({value})"),
        ReportType::Named("Progress") => format!("Progress(**{value})"),
        ReportType::Report(schema) => format!("{}({value})", maker(schema().name)),
        ReportType::Optional(ReportType::Report(schema)) => {
            format!("None if {value} is None else {}({value})", maker(schema().name))
        }
        ReportType::List(ReportType::Report(schema)) => {
            format!("[{}(one) for one in {value}]", maker(schema().name))
        }
        _ => value,
    }
}

fn events() -> String {
    let mut body = String::from(EVENTS);
    for shape in ENTITIES {
        let kind = shape.kind();
        body += &model(&shape.schema, &format!("    kind: Literal[\"{kind}\"] = \"{kind}\"\n"));
    }
    body += UNION;
    // Both words of an event are open.
    let open = [("source: Literal[\"delivered\", \"reconciled\"]", "source: str"), ("EventType |", "str |")];
    body += &replaced(&model(&EVENT.schema, ""), &open);
    let body = body.replace(": Fields |", ": dict[str, MemberField] |");
    body + &join(REPORTS.map(|schema| model(schema, "")), "")
}

/// The records of a sandbox's ledger, and the data needed to connect to a sandbox.
fn ledger() -> String {
    let mut body = String::from(LEDGER);
    for schema in OF_THE_SANDBOX.iter() {
        // The time of the next attempt has the sandbox's format.
        body += &model(schema, "").replace("next: datetime", "next: str");
    }
    body += "\n\nclass SandboxFacts:\n    \"\"\"What a program needs to connect to a sandbox.\"\"\"\n\n";
    for field in FACTS.iter() {
        body += &attribute(field.name, &types::of_report(field.ty, PYTHON), field.docs);
    }
    body
}

/// A class with attributes that have two names.
fn model(schema: &ReportSchema, kind: &str) -> String {
    let names: Vec<String> = schema.fields.iter().map(|field| field.name.to_owned()).collect();
    let wires: Vec<String> = names.iter().map(|name| camel(name)).collect();
    format!(
        "\n\nclass {}(Model):\n{}\n    __match_args__ = {}\n{}    _wire = {}\n{kind}{}",
        schema.name,
        docstring(&paragraphs(schema.docs), 4),
        tuple(&names),
        slots(schema.fields.iter().map(|field| (field.name.to_owned(), field.docs))),
        tuple(&wires),
        attributes(schema)
    )
}
