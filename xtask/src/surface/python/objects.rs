//! Classes of the objects that methods return: plans, and reports with tables.

use super::exports;
use super::reports::maker;
use super::without_await::blocking;
use crate::surface::methods;
use crate::surface::prelude::*;
use crate::surface::webhooks::is_of_events;

const BASES_HEAD: &str = r#""""What classes of this package have that needs nothing of Python's own."""

from __future__ import annotations

from os import fsencode

from ._convert import several
from ._warned import saved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime
    from typing import Any

    from ._async_client import AsyncClient
    from ._blocking_client import Client
    from ._files import MissingCodes, Path
    from ._native import Handle
    from ._table import Codebook, Table
    from .types import EventType
    from .webhooks import Hook
"#;

/// For tables: how files get codes that mean a missing answer.
const DECLARING: &str = r#"
    if TYPE_CHECKING:

        def _declaring(self, missing: MissingCodes | None) -> Handle:
            """The native table, with these codes as missing answers."""
"#;

/// How Python represents the result of a row.
pub struct Made {
    pub class: String,
    /// The module of its class, and the name there.
    pub home: Option<(&'static str, String)>,
    /// The function that converts the native result, and its module.
    maker: Option<(&'static str, String)>,
    /// Whether it is a list of converted results.
    several: bool,
}

pub fn made(row: &MethodRow) -> Made {
    let of = |schema: &ReportSchema| {
        let name = schema.name.to_owned();
        let (home, from) =
            if is_of_events(schema) { ("_entities", "_events") } else { ("_reports", "_reports") };
        let maker = Some((from, maker(&name)));
        Made { class: name.clone(), home: Some((home, name)), maker, several: false }
    };
    let plain = |class: &str| Made { class: class.to_owned(), home: None, maker: None, several: false };
    match row.given() {
        Given::Nothing => plain("None"),
        Given::Report(schema) => of(schema),
        Given::Reports(schema) => {
            Made { class: format!("list[{}]", schema.name), several: true, ..of(schema) }
        }
        Given::Object(name) => {
            let home = match name {
                "Codebook" | "Table" => "_table",
                "Hook" => "webhooks",
                "Client" => "_async_client",
                _ => "_objects",
            };
            let twin = home == "_objects" && has_twin(&name.to_snake_case());
            let class = if twin || name == "Client" { format!("Async{name}") } else { name.to_owned() };
            let home = Some((home, class.clone()));
            Made { maker: home.clone(), home, ..plain(&class) }
        }
        Given::Value(ty) => plain(types::of_method(&ty, PYTHON)),
    }
}

impl Made {
    /// The statements that return it to the caller.
    pub fn given(&self, told: &str, indent: usize) -> String {
        let pad = " ".repeat(indent);
        match &self.maker {
            _ if self.class == "None" => format!("{pad}{told}\n"),
            Some(("_async_client", maker)) => format!("{pad}return {maker}._of({told})\n"),
            Some((_, maker)) if self.several => format!("{pad}return [{maker}(one) for one in {told}]\n"),
            Some((_, maker)) => format!("{pad}return {maker}({told})\n"),
            None => format!("{pad}told: {} = {told}\n{pad}return told\n", self.class),
        }
    }

    /// The line in a method that imports what converts it.
    pub fn import(&self) -> String {
        let line = |(home, maker): &(_, _)| format!("        from .{home} import {maker}\n");
        self.maker.as_ref().map(line).unwrap_or_default()
    }
}

pub fn file() -> Generated {
    let mut body = String::new();
    let (mut used, mut types, mut all) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for (object, about) in objects() {
        let name = pascal(object);
        let (facts, rows): (Vec<_>, Vec<_>) = rows_of(object).partition(|row| row.name == "facts");
        used.insert(facts[0].result.to_owned());
        for made in rows.iter().map(|row| made(row)) {
            used.extend(made.maker.filter(|(home, _)| *home == "_reports").map(|(_, maker)| maker));
            types.extend(made.home);
        }
        let (calls, properties): (Vec<&MethodRow>, Vec<_>) =
            rows.into_iter().partition(|row| row.kind == "Call");
        let twin = has_twin(object);
        let shared = if twin { format!("_{name}") } else { name.clone() };
        let docs = if twin { String::new() } else { docstring(&paragraphs(about), 4) + "\n" };
        put!(
            body,
            "\n\nclass {shared}({}):\n{docs}    __slots__ = (\"_native\",)\n\n    def __init__(self, native: Handle) -> None:\n        \
             self._native = native\n        self._read(native.method(\"facts\"))\n\n    \
             def __repr__(self) -> str:\n        return self.text\n\n    \
             def _repr_html_(self) -> str:\n        from ._pictures import drawn_facts\n\n        \
             return drawn_facts(self, {})\n{}",
            facts[0].result,
            facts[0].result,
            length(&name)
        );
        body.extend(properties.into_iter().map(property_of));
        if !twin {
            all.push(format!("\"{name}\""));
            continue;
        }
        let calls: String = calls.into_iter().map(call).collect();
        for (class, more, calls) in [
            (name.clone(), None, blocking(&calls)),
            (format!("Async{name}"), Some("For asyncio.".into()), calls),
        ] {
            let docs = docstring(&paragraphs(about).into_iter().chain(more).collect::<Vec<_>>(), 4);
            put!(body, "\n\nclass {class}({shared}):\n{docs}\n    __slots__ = ()\n{calls}");
            all.push(format!("\"{class}\""));
        }
    }
    types.retain(|(home, name)| *home != "_reports" || !used.contains(name));
    let mut head = format!(
        "\"\"\"What methods give that has methods of its own.\"\"\"\n\nfrom __future__ import annotations\n\n\
         from ._reports import (\n{})\n\nTYPE_CHECKING = False\nif TYPE_CHECKING:\n    from ._native import Handle\n",
        lines(&used.into_iter().collect::<Vec<_>>(), "    ")
    );
    for (home, name) in types {
        put!(head, "    from .{home} import {name}\n");
    }
    let all = format!("\n\n__all__ = [\n{}]\n", lines(&all, "    "));
    generated("python/sondage/_objects.py", FROM_METHODS, &(head + &body + &all))
}

/// The length of a class. A value is true even if it is 0.
fn length(class: &str) -> String {
    let (attribute, docs) = match class {
        "ImportReport" => ("length", "The number of rows."),
        "SendPlan" => ("count", "The number of messages, vouchers or transitions."),
        "UpdatePlan" => {
            return "\n    def __bool__(self) -> bool:\n        \"\"\"Whether there is something to do.\"\"\"\n        return self.members > 0\n".into();
        }
        _ => return String::new(),
    };
    format!(
        "\n    def __len__(self) -> int:\n        \"\"\"{docs}\"\"\"\n        return self.{attribute}\n\n    \
         def __bool__(self) -> bool:\n        return True\n"
    )
}

fn property_of(row: &MethodRow) -> String {
    method("    @property\n    def ", row.name, row, true, |made, work| made.given(work, 8))
}

/// Base classes of hand-written classes.
pub fn bases() -> Generated {
    let mut body = String::from(BASES_HEAD);
    for (class, rows) in methods::bases(PYTHON) {
        put!(
            body,
            "\n\nclass {class}Methods:\n    \"\"\"Methods of `{class}` that the compiled part does alone.\"\"\"\n\n    __slots__ = (\"_native\",)\n\n    \
             def __init__(self, native: Handle) -> None:\n        self._native = native\n"
        );
        body.extend(rows.into_iter().map(|(name, row)| direct(name, row)));
        if class == "Table" {
            body += DECLARING;
            body += &exports::methods(false);
        }
    }
    generated("python/sondage/_bases.py", FROM_METHODS, &body)
}

/// A method that awaits work.
pub fn work(name: &str, row: &MethodRow) -> String {
    // The address may hold a code, which the frame must not keep when the work fails.
    let forgotten = if row.named == "address" { "        del address\n" } else { "" };
    method("    async def ", name, row, false, |made, work| {
        format!("        work = {work}\n{forgotten}{}", made.given("await work.start()", 8))
    })
}

/// A method that passes its argument on unchanged. A login's work exists for asyncio too.
fn direct(name: &str, row: &MethodRow) -> String {
    if row.kind == "Call" {
        let twin = if row.object == "login" { work(&format!("{name}_async"), row) } else { String::new() };
        return blocking(&work(name, row)) + &twin;
    }
    let head = if row.is_property() { "    @property\n    def " } else { "    def " };
    // The method `label` returns the description of a column.
    let name = if name == "metadata" { "_metadata" } else { name };
    method(head, name, row, false, |made, work| made.given(work, 8))
}

fn call(row: &MethodRow) -> String {
    method("    async def ", row.name, row, true, |made, work| {
        let begun = format!("await {work}.start()");
        if !is_told(row) {
            return made.given(&begun, 8);
        }
        format!(
            "        from asyncio import CancelledError\n\n        from ._interrupted import interrupted\n\n        \
             try:\n{}        except (KeyboardInterrupt, CancelledError) as stop:\n            \
             raise interrupted(stop, self.report)\n",
            made.given(&begun, 12)
        )
    })
}

/// A method with at most one argument, and a body that does its work. `of_object`: its file has imported the results, and the argument
/// has to be named.
fn method(
    head: &str,
    name: &str,
    row: &MethodRow,
    of_object: bool,
    body: impl Fn(&Made, &str) -> String,
) -> String {
    let made = made(row);
    let (taken, handed) = match (row.named, row.argument.replace(' ', "").as_str()) {
        ("", _) => (String::new(), String::new()),
        (name, "Vec<String>") => (format!(", {name}: Iterable[str]"), format!(", several({name})")),
        (_, "Profile") => (", profile: Mapping[str, Any]".to_owned(), ", profile".to_owned()),
        ("event_type", _) => (", event_type: EventType".to_owned(), ", event_type".to_owned()),
        ("timeout", _) => (", timeout: float = 30.0".to_owned(), ", timeout".to_owned()),
        (name, ty) => {
            let star = if of_object { ", *" } else { "" };
            (format!("{star}, {name}: {}", types::of_method(ty, PYTHON)), format!(", {name}"))
        }
    };
    let home = made.maker.as_ref().map(|(home, _)| *home);
    let is_imported = home.is_none() || of_object && home == Some("_reports");
    let import = if is_imported { String::new() } else { made.import() + "\n" };
    let docs = docstring(&paragraphs(row.docs), 8);
    let body = body(&made, &format!("self._native.method(\"{}\"{handed})", row.name));
    format!("\n{head}{name}(self{taken}) -> {}:\n{docs}{import}{body}", made.class)
}
