//! A class for every model that callers use.

use super::super::Generated;
use super::super::catalogue::Catalogue;
use super::super::prose;
use super::names::{self, Imports};
use super::{braces, docstring, generated};
use sondage::internals::schema::{FieldSchema, Kind, ModelSchema, Type};
use sondage::operations;
use std::fmt::Write;

/// Models with hand-written additions in `python/sondage/_mixins.py`.
const MIXED: [&str; 3] = ["Member", "MemberChange", "NewMember"];

/// The module of a model's class, so that it is imported on first use.
pub fn index(catalogue: &Catalogue) -> Generated {
    let mut body =
        String::from("\"\"\"Where each model lives; it is imported when it is first asked for.\"\"\"\n\n");
    body.push_str("from __future__ import annotations\n\nTYPE_CHECKING = False\nif TYPE_CHECKING:\n");
    for module in catalogue.modules() {
        for model in catalogue.models_of(module) {
            let _ = writeln!(body, "    from .{module} import {0} as {0}", model.name);
        }
    }
    body.push_str("\nHOME = {\n");
    for module in catalogue.modules() {
        for model in catalogue.models_of(module) {
            let _ = writeln!(body, "    \"{}\": \"{module}\",", model.name);
        }
    }
    body.push_str("}\n\n");
    body.push_str(LOOK_UP);
    generated("python/sondage/_models/__init__.py", "crates/sondage/src/model/", &body)
}

const LOOK_UP: &str = r#"if not TYPE_CHECKING:  # a type checker is to see the names above and no others

    def __getattr__(name: str) -> object:
        if name not in HOME:
            raise AttributeError(f"there is no model {name}")
        from importlib import import_module

        model = getattr(import_module(f"{__name__}.{HOME[name]}"), name)
        globals()[name] = model
        return model
"#;

/// The classes of one area.
pub fn file(catalogue: &Catalogue, module: &str) -> Generated {
    let mut imports = Imports::default();
    let classes: Vec<String> = catalogue.models_of(module).map(|model| class(model, &mut imports)).collect();
    let mixed: Vec<String> = catalogue
        .models_of(module)
        .filter(|model| MIXED.contains(&model.name))
        .map(|model| format!("{}Mixin", model.name))
        .collect();
    let mut body =
        format!("\"\"\"Models of the area `{module}`.\"\"\"\n\nfrom __future__ import annotations\n\n");
    if !mixed.is_empty() {
        let _ = writeln!(body, "from .._mixins import {}", mixed.join(", "));
    }
    body.push_str("from .._model import Model\n\n");
    body.push_str(&imports.block(Some(module)));
    for class in classes {
        let _ = write!(body, "\n\n{class}");
    }
    let home = format!("crates/sondage/src/model/{module}.rs");
    generated(format!("python/sondage/_models/{module}.py"), &home, &body)
}

fn class(model: &'static ModelSchema, imports: &mut Imports) -> String {
    let bases =
        if MIXED.contains(&model.name) { format!("{}Mixin, Model", model.name) } else { "Model".into() };
    let mut out = format!("class {}({bases}):\n", model.name);
    out.push_str(&docstring(&prose::paragraphs(model.docs), 4));
    out.push('\n');
    let names: Vec<String> = model.fields.iter().map(|field| names::name(field.name)).collect();
    let _ = writeln!(out, "    __match_args__ = {}", tuple(&names));
    out.push_str(&slots(model.fields.iter().map(|field| (names::name(field.name), field.docs))));
    if !names.is_empty() {
        let wires: Vec<String> = model.fields.iter().map(|field| field.wire.to_owned()).collect();
        let _ = writeln!(out, "    _wire = {}", tuple(&wires));
    }
    let nested: Vec<String> = model
        .fields
        .iter()
        .filter_map(|f| Some(format!("\"{}\": {}", names::name(f.name), shape(f.ty)?)))
        .collect();
    if !nested.is_empty() {
        let _ = writeln!(out, "    _nested = {}", braces(&nested, 4));
    }
    if model.kind == Kind::Value {
        out.push_str("    _sparse = True\n");
    }
    let secret: Vec<String> =
        model.fields.iter().filter(|f| is_secret(f.ty)).map(|f| names::name(f.name)).collect();
    if !secret.is_empty() {
        let _ = writeln!(out, "    _secret = {}", tuple(&secret));
    }
    out.push('\n');
    for field in model.fields {
        let _ = writeln!(out, "    {}: {}", names::name(field.name), imports.held(field.ty));
        out.push_str(&docstring(&prose::paragraphs(field.docs), 4));
    }
    if !model.fields.is_empty() {
        out.push('\n');
    }
    out.push_str(&constructor(model, imports));
    if let Some(rows) = page(model) {
        let held = imports.held(rows.ty);
        let _ = write!(
            out,
            "\n    @property\n    def _rows(self) -> {held}:\n        return self.{}\n",
            rows.name
        );
    }
    out
}

/// The list in a response that is one page of a list.
fn page(model: &'static ModelSchema) -> Option<&'static FieldSchema> {
    let row = operations::ALL.iter().find(|row| row.response.name == model.name)?;
    model.fields.iter().find(|field| Some(field.name) == row.pages)
}

fn constructor(model: &'static ModelSchema, imports: &mut Imports) -> String {
    let (required, optional): (Vec<_>, Vec<_>) =
        model.fields.iter().partition(|field| default(field).is_none());
    imports.abc.insert("Mapping");
    imports.any = true;
    let mut parameters = vec!["self".to_owned(), "*".to_owned()];
    for field in required.into_iter().chain(optional) {
        let ty = imports.taken(field.ty);
        let default = default(field).map(|value| format!(" = {value}")).unwrap_or_default();
        parameters.push(format!("{}: {ty}{default}", names::name(field.name)));
    }
    parameters.push("extra: Mapping[str, Any] | None = None".into());
    let head = super::operations::signature("def __init__", &parameters, "None");
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
    match ty {
        Type::Secret => true,
        Type::Optional(inner) => is_secret(inner),
        _ => false,
    }
}

/// The attributes of a class with their documentation, which `help` shows.
pub fn slots(fields: impl Iterator<Item = (String, &'static str)>) -> String {
    let literal = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let slots: Vec<String> = fields
        .map(|(name, docs)| {
            let docs = prose::paragraphs(docs).join(" ");
            let lines = prose::wrap(&docs, 12, 0);
            let one = format!("        \"{name}\": {},", literal(&docs));
            if one.len() <= prose::WIDTH {
                return one;
            }
            let last = lines.len().saturating_sub(1);
            let text = |(at, line): (usize, &String)| {
                let space = if at == last { "" } else { " " };
                format!("            {}", literal(&format!("{}{space}", line.trim_start())))
            };
            let texts: Vec<String> = lines.iter().enumerate().map(text).collect();
            format!("        \"{name}\": (\n{}\n        ),", texts.join("\n"))
        })
        .collect();
    if slots.is_empty() {
        return "    __slots__ = ()\n".into();
    }
    format!("    __slots__ = {{\n{}\n    }}\n", slots.join("\n"))
}

/// A tuple of texts, on several lines if needed.
pub fn tuple(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    match quoted.as_slice() {
        [] => "()".into(),
        [one] => format!("({one},)"),
        many if many.iter().map(|name| name.len() + 2).sum::<usize>() < 88 => {
            format!("({})", many.join(", "))
        }
        many => {
            format!("(\n{}    )", prose::lines(many, "        "))
        }
    }
}
