//! Classes of the objects that methods return: plans, and reports with tables.

use super::super::methods::{BASES, Given, MethodRow, has_twin, is_told, objects, rows_of};
use super::super::node::words::pascal;
use super::super::{Generated, prose};
use super::exports;
use super::reports::maker;
use super::without_await::blocking;
use super::{docstring, generated};
use heck::ToSnakeCase as _;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Classes with a length: the attribute that holds it, and what it counts. They are true even if it is 0.
const LENGTHS: [(&str, &str, &str); 2] = [
    ("ImportReport", "length", "The number of rows."),
    ("SendPlan", "count", "The number of messages, vouchers or transitions."),
];

const FROM: &str = "the methods.rs of crates/sondage and crates/sondage-data";
const BASES_HEAD: &str = r#""""What classes of this package have that needs nothing of Python's own."""

from __future__ import annotations

from os import fsencode

from ._convert import several

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime
    from typing import Any

    from ._async_client import AsyncClient
    from ._blocking_client import Client
    from ._files import Path
    from ._native import Handle
    from ._table import Codebook, Table
    from .types import EventType
    from .webhooks import Hook
"#;

/// How Python represents the result of a row.
pub struct Made {
    /// Its type.
    pub class: String,
    /// The module of its classes.
    pub types: Vec<(&'static str, String)>,
    /// The function that converts the native result.
    pub maker: Option<(&'static str, String)>,
    /// Whether it is a list of converted results.
    several: bool,
}

pub fn made(row: &MethodRow) -> Made {
    let schema = |name: &'static str, several: bool| {
        let event = ["Confirmation", "MissedEvents"].contains(&name);
        let (types, from) = if event { ("_entities", "_events") } else { ("_reports", "_reports") };
        let class = if several { format!("list[{name}]") } else { name.to_owned() };
        Made { class, types: vec![(types, name.to_owned())], maker: Some((from, maker(name))), several }
    };
    let plain = |class: &str| Made { class: class.to_owned(), types: vec![], maker: None, several: false };
    match row.given() {
        Given::Nothing => plain("None"),
        Given::Report(report) => schema(report.name, false),
        Given::Reports(report) => schema(report.name, true),
        Given::Object(name) => {
            let home = match name {
                "Codebook" | "Table" => "_table",
                "Hook" => "webhooks",
                "Client" => "_async_client",
                _ => "_objects",
            };
            let twin = home == "_objects" && has_twin(&name.to_snake_case());
            let class = if twin || name == "Client" { format!("Async{name}") } else { name.to_owned() };
            Made {
                class: class.clone(),
                types: vec![(home, class.clone())],
                maker: Some((home, class)),
                several: false,
            }
        }
        Given::Value(ty) => plain(scalar(&ty)),
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
}

fn scalar(ty: &str) -> &'static str {
    match ty {
        "bool" => "bool",
        "usize" | "u64" | "i64" => "int",
        "f64" => "float",
        "Vec<String>" => "list[str]",
        "IndexMap<String,String>" => "dict[str, str]",
        "Timestamp" => "datetime",
        "Option<Timestamp>" => "datetime | None",
        "Option<String>" => "str | None",
        _ => "str",
    }
}

pub fn file() -> Generated {
    let mut body = String::new();
    let (mut used, mut types, mut all) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for (object, about) in objects() {
        let name = pascal(object);
        let (facts, rows): (Vec<_>, Vec<_>) = rows_of(object).partition(|row| row.name == "facts");
        let facts = facts[0].result;
        used.insert(facts.to_owned());
        for made in rows.iter().map(|row| made(row)) {
            used.extend(made.maker.filter(|(home, _)| *home == "_reports").map(|(_, maker)| maker));
            types.extend(made.types);
        }
        let twin = has_twin(object);
        let shared = if twin { format!("_{name}") } else { name.clone() };
        let _ = write!(body, "\n\nclass {shared}({facts}):\n");
        if !twin {
            body.push_str(&(docstring(&prose::paragraphs(about), 4) + "\n"));
        }
        body.push_str(
            "    __slots__ = (\"_native\",)\n\n    def __init__(self, native: Handle) -> None:\n        \
             self._native = native\n        self._read(native.method(\"facts\"))\n\n    \
             def __repr__(self) -> str:\n        return self.text\n",
        );
        if let Some((_, attribute, docs)) = LENGTHS.iter().find(|(class, ..)| *class == name) {
            let _ = write!(
                body,
                "\n    def __len__(self) -> int:\n        \"\"\"{docs}\"\"\"\n        return self.{attribute}\n\n    \
                 def __bool__(self) -> bool:\n        return True\n"
            );
        } else if name == "UpdatePlan" {
            body += "\n    def __bool__(self) -> bool:\n        \"\"\"Whether there is something to do.\"\"\"\n        return self.members > 0\n";
        }
        for row in rows.iter().filter(|row| row.kind != "Call") {
            body.push_str(&property(row));
        }
        for (prefix, what) in if twin { &[("", ""), ("Async", "For asyncio.")][..] } else { &[] } {
            let mut docs = prose::paragraphs(about);
            docs.extend((!what.is_empty()).then(|| (*what).to_owned()));
            let _ = write!(
                body,
                "\n\nclass {prefix}{name}({shared}):\n{}\n    __slots__ = ()\n",
                docstring(&docs, 4)
            );
            let calls: String = rows.iter().filter(|row| row.kind == "Call").map(|row| call(row)).collect();
            body += &if prefix.is_empty() { blocking(&calls) } else { calls };
            all.push(format!("\"{prefix}{name}\""));
        }
        if !twin {
            all.push(format!("\"{name}\""));
        }
    }
    let list = |names: BTreeSet<String>| prose::lines(&names.into_iter().collect::<Vec<_>>(), "    ");
    let mut head = String::from(
        "\"\"\"What methods give that has methods of its own.\"\"\"\n\nfrom __future__ import annotations\n\n",
    );
    let _ = write!(head, "from ._reports import (\n{})\n", list(used));
    types.retain(|(home, name)| *home != "_reports" || !head.contains(&format!("    {name},\n")));
    head.push_str("\nTYPE_CHECKING = False\nif TYPE_CHECKING:\n    from ._native import Handle\n");
    for (home, name) in types {
        let _ = writeln!(head, "    from .{home} import {name}");
    }
    let all = format!("\n\n__all__ = [\n{}]\n", prose::lines(&all, "    "));
    generated("python/sondage/_objects.py", FROM, &(head + &body + &all))
}

/// Properties.
fn property(row: &MethodRow) -> String {
    let made = made(row);
    let docs = docstring(&prose::paragraphs(row.docs), 8);
    let import = match &made.maker {
        Some((home, maker)) if *home != "_reports" => format!("        from .{home} import {maker}\n\n"),
        _ => String::new(),
    };
    let told = made.given(&format!("self._native.method(\"{}\")", row.name), 8);
    format!("\n    @property\n    def {}(self) -> {}:\n{docs}{import}{told}", row.name, made.class)
}

/// Base classes of hand-written classes.
pub fn bases() -> Generated {
    let mut body = String::from(BASES_HEAD);
    for base in BASES {
        let _ = write!(
            body,
            "\n\nclass {0}Methods:\n    \"\"\"Methods of `{0}` that the compiled part does alone.\"\"\"\n\n    __slots__ = (\"_native\",)\n\n    \
             def __init__(self, native: Handle) -> None:\n        self._native = native\n",
            base.class
        );
        for (name, row) in base.in_python() {
            body.push_str(&direct(name, row));
        }
        if base.class == "Table" {
            body.push_str(&exports::methods(false));
        }
    }
    generated("python/sondage/_bases.py", FROM, &body)
}

/// How a method that passes its argument on unchanged takes it, and hands it over.
fn passed(row: &MethodRow) -> (String, String) {
    match (row.named, row.argument.replace(' ', "").as_str()) {
        ("", _) => (String::new(), String::new()),
        (name, "Vec<String>") => (format!(", {name}: Iterable[str]"), format!(", several({name})")),
        (_, "Profile") => (", profile: Mapping[str, Any]".to_owned(), ", profile".to_owned()),
        ("event_type", _) => (", event_type: EventType".to_owned(), ", event_type".to_owned()),
        ("timeout", _) => (", timeout: float = 30.0".to_owned(), ", timeout".to_owned()),
        (name, ty) => (format!(", {name}: {}", scalar(ty)), format!(", {name}")),
    }
}

/// A method that awaits work.
pub fn work(name: &str, row: &MethodRow) -> String {
    let made = made(row);
    let (given, handed) = passed(row);
    let docs = docstring(&prose::paragraphs(row.docs), 8);
    let import = match &made.maker {
        Some((home, maker)) => format!("        from .{home} import {maker}\n\n"),
        None => String::new(),
    };
    // The address may hold a code, which the frame must not keep when the work fails.
    let forgotten = if row.named == "address" { "        del address\n" } else { "" };
    format!(
        "\n    async def {name}(self{given}) -> {}:\n{docs}{import}        work = self._native.method(\"{}\"{handed})\n{forgotten}{}",
        made.class,
        row.name,
        made.given("await work.start()", 8)
    )
}

/// A method that passes its argument on unchanged. A login's work exists for asyncio too.
fn direct(name: &str, row: &MethodRow) -> String {
    let made = made(row);
    let (given, handed) = passed(row);
    if row.kind == "Call" {
        let twin = if row.object == "login" { work(&format!("{name}_async"), row) } else { String::new() };
        return blocking(&work(name, row)) + &twin;
    }
    let decorator = if row.is_property() { "    @property\n" } else { "" };
    // The method `label` returns the description of a column.
    let name = if name == "metadata" { "_metadata" } else { name };
    let import = match &made.maker {
        Some((home, maker)) => format!("        from .{home} import {maker}\n\n"),
        None => String::new(),
    };
    let docs = docstring(&prose::paragraphs(row.docs), 8);
    let told = made.given(&format!("self._native.method(\"{}\"{handed})", row.name), 8);
    format!("\n{decorator}    def {name}(self{given}) -> {}:\n{docs}{import}{told}", made.class)
}

/// Objects that make calls.
fn call(row: &MethodRow) -> String {
    let made = made(row);
    let docs = docstring(&prose::paragraphs(row.docs), 8);
    let (given, handed) = match row.argument {
        "" => (String::new(), String::new()),
        ty => (format!(", *, {}: {}", row.named, scalar(ty)), format!(", {}", row.named)),
    };
    let begun = format!("await self._native.method(\"{}\"{handed}).start()", row.name);
    let told = if is_told(row) {
        format!(
            "        from asyncio import CancelledError\n\n        from ._interrupted import interrupted\n\n        \
             try:\n{}        except (KeyboardInterrupt, CancelledError) as stop:\n            \
             raise interrupted(stop, self.report)\n",
            made.given(&begun, 12)
        )
    } else {
        made.given(&begun, 8)
    };
    format!("\n    async def {}(self{given}) -> {}:\n{docs}{told}", row.name, made.class)
}
