//! A record for every model, an enumeration for every open enumeration, and their conversions at the FFI boundary.

use super::super::Generated;
use super::super::catalogue::{self, Catalogue};
use super::super::prose;
use super::types::{self, rust};
use super::{docs, generated};
use heck::ToLowerCamelCase;
use sondage::internals::schema::{EnumSchema, FieldSchema, Kind, ModelSchema, Type};
use std::fmt::Write;

/// The records and enumerations of one module of the core.
pub fn file(catalogue: &Catalogue, module: &str) -> Generated {
    let enums: Vec<_> =
        catalogue.enums.iter().filter(|schema| catalogue::last(schema.module) == module).collect();
    let models: Vec<_> = catalogue.models_of(module).collect();
    let mut body = String::from("use super::prelude::*;\n");
    for schema in enums {
        body.push_str(&enumeration(schema));
    }
    for model in models {
        body.push_str(&record(model));
    }
    let home = format!("crates/sondage/src/model/{module}.rs");
    generated(format!("bindings/uniffi/src/models/{module}.rs"), &home, &body)
}

/// What lists of `SwiftUI` need of rows: which models have an `id`.
pub fn identifiable(catalogue: &Catalogue) -> Generated {
    let mut body = String::from("// For `ForEach` and `List` of SwiftUI.\n\n");
    for module in catalogue.homes() {
        for model in catalogue.models_of(module) {
            if model.fields.iter().any(|field| field.name == "id") {
                let _ = writeln!(body, "extension {}: Identifiable {{}}", types::in_swift(model.name));
            }
        }
    }
    generated("swift/Sources/Sondage/Identifiable.swift", "crates/sondage/src/model/", &body)
}

/// The service's words for the values of an enumeration, by which they are also encoded.
pub fn words(catalogue: &Catalogue) -> Generated {
    let mut body =
        String::from("// The service's word for each value: how values are encoded, and made from texts.\n");
    for schema in &catalogue.enums {
        let (mut texts, mut values) = (String::new(), String::new());
        for value in schema.values {
            let case = value.to_lower_camel_case();
            let _ = writeln!(texts, "        case .{case}: return \"{value}\"");
            let _ = writeln!(values, "        case \"{value}\": self = .{case}");
        }
        let _ = write!(
            body,
            "\nextension {}: RawRepresentable {{\n    public var rawValue: String {{\n        switch self {{\n{texts}        \
             case .unknown(let value): return value\n        }}\n    }}\n\n    \
             public init(rawValue: String) {{\n        switch rawValue {{\n{values}        \
             default: self = .unknown(rawValue)\n        }}\n    }}\n}}\n",
            types::in_swift(schema.name)
        );
    }
    generated("swift/Sources/Sondage/Words.swift", "crates/sondage/src/model/", &body)
}

fn record(model: &'static ModelSchema) -> String {
    let name = model.name;
    let mut out = format!("\n{}#[derive(Debug, uniffi::Record)]\n", docs(&prose::paragraphs(model.docs), 0));
    let _ = writeln!(out, "pub struct {name} {{");
    for field in in_order(model) {
        out.push_str(&docs(&field_docs(field), 4));
        if let Some(default) = default(field) {
            let _ = writeln!(out, "    #[uniffi({default})]");
        }
        let _ = writeln!(out, "    pub {}: {},", types::name(field.name), rust(field.ty));
    }
    out.push_str(
        "    /// Fields that this version of the library does not know, as JSON texts by their names.\n",
    );
    out.push_str("    #[uniffi(default)]\n    pub extra: Map<String>,\n}\n");
    let fields: Vec<String> = model.fields.iter().map(|field| types::name(field.name)).collect();

    let _ = writeln!(out, "\nimpl IntoFfi<{name}> for core::{name} {{");
    let _ = writeln!(out, "    fn into_ffi(self) -> {name} {{\n        {name} {{");
    for field in fields.iter().map(String::as_str).chain(["extra"]) {
        let _ = writeln!(out, "            {field}: self.{field}.into_ffi(),");
    }
    out.push_str("        }\n    }\n}\n");
    if model.kind == Kind::Value {
        let _ = writeln!(out, "\nimpl TryFromFfi<core::{name}> for {name} {{");
        let _ = writeln!(out, "    fn try_from_ffi(self) -> Result<core::{name}, ConversionError> {{");
        let (absent, needed): (Vec<_>, Vec<_>) =
            model.fields.iter().partition(|field| matches!(field.ty, Type::Optional(_)));
        let _ = writeln!(out, "        let mut value = core::{name}::exact(");
        for field in needed {
            let _ = writeln!(out, "            {},", taken(&types::name(field.name)));
        }
        out.push_str("        );\n");
        for field in absent.into_iter().map(|field| types::name(field.name)).chain(["extra".to_owned()]) {
            let _ = writeln!(out, "        value.{field} = {};", taken(&field));
        }
        out.push_str("        Ok(value)\n    }\n}\n");
    }
    out
}

fn taken(field: &str) -> String {
    let plain = field.trim_start_matches("r#");
    format!("self.{field}.try_from_ffi().map_err(|wrong| wrong.in_field(\"{plain}\"))?")
}

/// Required fields come first, as in every call of Kotlin and Swift.
pub fn in_order(model: &'static ModelSchema) -> impl Iterator<Item = &'static FieldSchema> {
    let mut fields: Vec<_> = model.fields.iter().collect();
    fields.sort_by_key(|field| default(field).is_some());
    fields.into_iter()
}

/// The default of an absent field when a user makes the record: a fake response in a test, or a part of a request.
fn default(field: &FieldSchema) -> Option<&'static str> {
    match field.ty {
        Type::Optional(_) => Some("default = None"),
        Type::List(_) | Type::Map(_) if !field.required => Some("default"),
        _ => None,
    }
}

fn field_docs(field: &FieldSchema) -> Vec<String> {
    let mut paragraphs = prose::paragraphs(field.docs);
    if types::holds_json(field.ty) {
        paragraphs.push("It is a JSON text.".into());
    }
    paragraphs
}

fn enumeration(schema: &'static EnumSchema) -> String {
    let name = schema.name;
    let mut out = format!("\n{}#[derive(Debug, uniffi::Enum)]\n", docs(&prose::paragraphs(schema.docs), 0));
    let _ = writeln!(out, "pub enum {name} {{");
    for value in schema.values {
        let _ = writeln!(out, "    /// `{value}`\n    {value},");
    }
    out.push_str("    /// A value that this version of the library does not know.\n    Unknown {\n");
    out.push_str(
        "        /// The value as it came, or as it is to be sent.\n        value: String,\n    },\n}\n",
    );

    let _ = writeln!(out, "\nimpl IntoFfi<{name}> for core::{name} {{");
    let _ = writeln!(out, "    fn into_ffi(self) -> {name} {{\n        match self {{");
    for value in schema.values {
        let _ = writeln!(out, "            Self::{value} => {name}::{value},");
    }
    let _ = writeln!(
        out,
        "            unknown => {name}::Unknown {{ value: unknown.as_str().to_owned() }},\n        }}\n    }}\n}}"
    );

    let _ = writeln!(out, "\nimpl TryFromFfi<core::{name}> for {name} {{");
    let _ = writeln!(
        out,
        "    fn try_from_ffi(self) -> Result<core::{name}, ConversionError> {{\n        Ok(match self {{"
    );
    for value in schema.values {
        let _ = writeln!(out, "            Self::{value} => core::{name}::{value},");
    }
    // A text that is a known value becomes that value.
    let _ = writeln!(out, "            Self::Unknown {{ value }} => value.into(),\n        }})\n    }}\n}}");
    out
}
