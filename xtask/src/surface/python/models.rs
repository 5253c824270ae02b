//! A class for every model that callers use, names for annotations, and keywords of the helpers for questionnaires.

use super::{attribute, braces, imports, safe_name, signature, tuple};
use crate::surface::prelude::*;
use sondage::arguments::InterviewState;

/// Models with hand-written additions in `python/sondage/_mixins.py`.
const MIXED: [&str; 3] = ["Member", "MemberChange", "NewMember"];

const LOOK_UP: &str = r#"if not TYPE_CHECKING:  # a type checker is to see the names above and no others

    def __getattr__(name: str) -> object:
        if name not in HOME:
            raise AttributeError(f"there is no model {name}")
        from importlib import import_module

        model = getattr(import_module(f"{__name__}.{HOME[name]}"), name)
        globals()[name] = model
        return model
"#;

const TYPES: &str = r#""""Names for annotations.

Enumerations are open: the service may use words that this version does not know, so any text is fine.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal, TypeAlias

FieldValue: TypeAlias = str | int | float | bool | Decimal | list[Any] | dict[str, Any] | None
"""The value of a member's field: text, a number, a boolean or nothing. A number with more digits than a
float holds is a `Decimal`; lists and mappings are unusual."""
"#;

/// What only `element` takes: the other helpers have parameters of these names, or set them.
const OF_ELEMENTS: [&str; 6] = ["code", "text", "choices", "rows", "from", "to"];

/// Keywords of helpers (PEP 692), for type checkers only: the class, the one that it extends, the model, and which of its fields it
/// has.
type KeywordClass = (&'static str, &'static str, &'static str, fn(&str) -> bool);
const KEYWORDS: [KeywordClass; 4] = [
    ("QuestionFields", "TypedDict", "SurveyElement", |field| {
        !["id", "element_type"].contains(&field) && !OF_ELEMENTS.contains(&field)
    }),
    ("ElementFields", "QuestionFields", "SurveyElement", |field| OF_ELEMENTS.contains(&field)),
    ("ChoiceFields", "TypedDict", "Choice", |field| !["id", "code", "text"].contains(&field)),
    ("DefinitionFields", "TypedDict", "SurveyDefinition", |field| {
        !["languages", "sections", "survey_end_text"].contains(&field)
    }),
];

/// A file for each module, their index, the types, and the keywords.
pub fn files(catalogue: &Catalogue) -> Vec<Generated> {
    let (mut index, mut homes) = (String::new(), String::new());
    let mut files = vec![types_file(catalogue), keywords(catalogue)];
    for module in catalogue.modules() {
        for model in catalogue.models_of(module) {
            put!(index, "    from .{module} import {0} as {0}\n", model.name);
            put!(homes, "    \"{}\": \"{module}\",\n", model.name);
        }
        files.push(file(catalogue, module));
    }
    let body = format!(
        "\"\"\"Where each model lives; it is imported when it is first asked for.\"\"\"\n\n\
         from __future__ import annotations\n\nTYPE_CHECKING = False\nif TYPE_CHECKING:\n\
         {index}\nHOME = {{\n{homes}}}\n\n{LOOK_UP}"
    );
    files.push(generated("python/sondage/_models/__init__.py", "crates/sondage/src/model/", &body));
    files
}

/// `python/sondage/types.py`.
fn types_file(catalogue: &Catalogue) -> Generated {
    let effects = [Effect::Read, Effect::IdempotentWrite, Effect::Create, Effect::SchemaChange, Effect::Send];
    let effects = quoted(effects.map(Effect::as_str), '"', ", ");
    let states = quoted(InterviewState::KNOWN, '"', ", ");
    let mut body = format!(
        "{TYPES}\nEffect: TypeAlias = Literal[{effects}]\n\"\"\"The effect of a call. It decides whether the call may be retried.\"\"\"\n\
         \nInterviewState: TypeAlias = Literal[{states}]\n\"\"\"The state of an interview, for `state`. Another one needs a filter by the column `State`.\"\"\"\n"
    );
    for EnumSchema { name, docs, values, .. } in catalogue.enums.iter().copied() {
        let values: Vec<String> = values.iter().map(|value| format!("\"{value}\"")).collect();
        body += "\n";
        body += &on_lines(["", "    "], &format!("{name}: TypeAlias = Literal["), &values, "] | str\n");
        body += &docstring(&paragraphs(docs), 0);
    }
    generated("python/sondage/types.py", "crates/sondage/src/model/", &body)
}

/// `python/sondage/_models/_fields.py`.
fn keywords(catalogue: &Catalogue) -> Generated {
    let mut classes = String::new();
    for (name, base, model, has) in KEYWORDS {
        put!(classes, "\n\nclass {name}({base}, total=False):\n");
        let model = catalogue.models.iter().find(|schema| schema.name == model);
        for field in model.map_or(&[][..], |schema| schema.fields).iter().filter(|field| has(field.name)) {
            let ty = types::taken(field.ty, PYTHON);
            put!(classes, "    {}: {ty}\n", safe_name(field.name));
        }
        if base == "TypedDict" {
            classes += "    extra: Mapping[str, Any] | None\n";
        }
    }
    let body = format!(
        "\"\"\"Keywords of the helpers for questionnaires, for type checkers.\"\"\"\n\nfrom __future__ import annotations\n\n\
         from typing import TypedDict\n\n{}\n    from typing_extensions import Unpack as Unpack\n{classes}",
        imports(&classes, catalogue, Some("_fields"))
    );
    generated("python/sondage/_models/_fields.py", "crates/sondage/src/model/survey.rs", &body)
}

fn file(catalogue: &Catalogue, module: &str) -> Generated {
    let classes: String = catalogue.models_of(module).map(class).collect();
    let mixed = catalogue.models_of(module).filter(|model| MIXED.contains(&model.name));
    let mixed = join(mixed.map(|model| format!("{}Mixin", model.name)), ", ");
    let mixins = if mixed.is_empty() { mixed } else { format!("from .._mixins import {mixed}\n") };
    let body = format!(
        "\"\"\"Models of the area `{module}`.\"\"\"\n\nfrom __future__ import annotations\n\n\
         {mixins}from .._model import Model\n\n{}{classes}",
        imports(&classes, catalogue, Some(module))
    );
    let home = format!("crates/sondage/src/model/{module}.rs");
    generated(format!("python/sondage/_models/{module}.py"), &home, &body)
}

fn class(model: &'static ModelSchema) -> String {
    let name = model.name;
    let bases = if MIXED.contains(&name) { format!("{name}Mixin, Model") } else { "Model".into() };
    let mut out = format!("\n\nclass {name}({bases}):\n{}\n", docstring(&paragraphs(model.docs), 4));
    let fields = || model.fields.iter().map(|field| (safe_name(field.name), field));
    let names = tuple(&fields().map(|(name, _)| name).collect::<Vec<_>>());
    let slots = slots(fields().map(|(name, field)| (name, field.docs)));
    put!(out, "    __match_args__ = {names}\n{slots}");
    if !model.fields.is_empty() {
        let wires = fields().map(|(_, field)| field.wire.to_owned());
        put!(out, "    _wire = {}\n", tuple(&wires.collect::<Vec<_>>()));
    }
    let nested = fields().filter_map(|(name, field)| Some(format!("\"{name}\": {}", shape(field.ty)?)));
    let nested: Vec<String> = nested.collect();
    if !nested.is_empty() {
        put!(out, "    _nested = {}\n", braces(&nested, 4));
    }
    if model.kind == Kind::Value {
        out += "    _sparse = True\n";
    }
    let secret = fields().filter(|(_, field)| is_secret(field.ty)).map(|(name, _)| name);
    let secret: Vec<String> = secret.collect();
    if !secret.is_empty() {
        put!(out, "    _secret = {}\n", tuple(&secret));
    }
    out += "\n";
    for (name, field) in fields() {
        out += &attribute(&name, &types::held(field.ty, PYTHON), field.docs);
    }
    out += if model.fields.is_empty() { "" } else { "\n" };
    out += &constructor(model);
    let row = operations::ALL.iter().find(|row| row.response.name == name);
    if let Some(rows) = row.and_then(|row| pages(row)) {
        let ty = types::held(rows.ty, PYTHON);
        put!(out, "\n    @property\n    def _rows(self) -> {ty}:\n        return self.{}\n", rows.name);
    }
    out
}

fn constructor(model: &'static ModelSchema) -> String {
    let (required, optional): (Vec<_>, Vec<_>) =
        model.fields.iter().partition(|field| default(field).is_none());
    let mut parameters = vec!["self".to_owned(), "*".to_owned()];
    for field in required.into_iter().chain(optional) {
        let ty = types::taken(field.ty, PYTHON);
        let default = default(field).map(|value| format!(" = {value}")).unwrap_or_default();
        parameters.push(format!("{}: {ty}{default}", safe_name(field.name)));
    }
    parameters.push("extra: Mapping[str, Any] | None = None".to_owned());
    let head = signature("def __init__", &parameters, "None");
    format!("{head}        self._fill(locals())\n")
}

/// What an absent argument means: `None` if the model has no required fields, an empty list in a response.
fn default(field: &FieldSchema) -> Option<&'static str> {
    match field.ty {
        Type::Optional(_) => Some("None"),
        Type::List(_) if !field.required => Some("()"),
        Type::Map(_) if !field.required => Some("{}"),
        _ => None,
    }
}

/// How `from_dict` reads a value that plain JSON cannot express: a path to a model or a time.
fn shape(ty: &'static Type) -> Option<String> {
    match ty {
        Type::Optional(inner) => shape(inner),
        Type::List(inner) => Some(format!("[{}]", shape(inner).unwrap_or_default())),
        Type::Map(inner) => Some(format!("{{\"\": {}}}", shape(inner).unwrap_or_else(|| "None".into()))),
        Type::Model(schema) => Some(format!("\"{}\"", schema().name)),
        Type::Timestamp => Some("\"datetime\"".into()),
        _ => None,
    }
}

fn is_secret(ty: &Type) -> bool {
    matches!(ty, Type::Secret | Type::Optional(Type::Secret))
}

/// The attributes of a class with their documentation, which `help` shows.
pub fn slots(fields: impl Iterator<Item = (String, &'static str)>) -> String {
    let literal = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let slot = |(name, docs): (String, &str)| {
        let docs = line(docs);
        let one = format!("        \"{name}\": {},", literal(&docs));
        if one.len() <= WIDTH {
            return one;
        }
        let lines = wrap(&docs, 12, 0);
        let text = |(number, line): (usize, &String)| {
            let space = if number + 1 == lines.len() { "" } else { " " };
            format!("            {}", literal(&format!("{}{space}", line.trim_start())))
        };
        format!("        \"{name}\": (\n{}\n        ),", join(lines.iter().enumerate().map(text), "\n"))
    };
    match join(fields.map(slot), "\n") {
        slots if slots.is_empty() => "    __slots__ = ()\n".into(),
        slots => format!("    __slots__ = {{\n{slots}\n    }}\n"),
    }
}
