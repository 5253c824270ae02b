//! A record for every model, an enumeration for every open enumeration, and their conversions at the FFI boundary.

use super::{holds_json, name};
use crate::surface::prelude::*;

/// The records and enumerations of one module of the core.
pub fn file(catalogue: &Catalogue, module: &str) -> Generated {
    let mut body = String::from("use super::prelude::*;\n");
    let enums = catalogue.enums.iter().filter(|schema| last(schema.module) == module);
    body.extend(enums.map(|schema| enumeration(schema)));
    body.extend(catalogue.models_of(module).map(record_of));
    let home = format!("crates/sondage/src/model/{module}.rs");
    generated(format!("bindings/uniffi/src/models/{module}.rs"), &home, &body)
}

/// What lists of `SwiftUI` need of rows: which models have an `id`.
pub fn identifiable(catalogue: &Catalogue) -> Generated {
    let mut body = String::from("// For `ForEach` and `List` of SwiftUI.\n\n");
    for model in catalogue.homes().into_iter().flat_map(|module| catalogue.models_of(module)) {
        if model.fields.iter().any(|field| field.name == "id") {
            put!(body, "extension {}: Identifiable {{}}\n", in_swift(model.name));
        }
    }
    generated("swift/Sources/Sondage/Identifiable.swift", "crates/sondage/src/model/", &body)
}

/// The service's words for the values of an enumeration, by which they are also encoded.
pub fn words(catalogue: &Catalogue) -> Generated {
    let mut body =
        String::from("// The service's word for each value: how values are encoded, and made from texts.\n");
    for schema in &catalogue.enums {
        let cases = schema.values.iter().map(|value| (*value, *value));
        body += &raw_values(in_swift(schema.name), cases, true);
    }
    generated("swift/Sources/Sondage/Words.swift", "crates/sondage/src/model/", &body)
}

/// The text of each variant of an enumeration in Swift, and the variant of a text. `open`: there may be other texts.
pub fn raw_values<'a>(name: &str, cases: impl Iterator<Item = (&'a str, &'a str)>, open: bool) -> String {
    let (mut texts, mut values) = (String::new(), String::new());
    for (variant, text) in cases {
        let case = variant.to_lower_camel_case();
        put!(texts, "        case .{case}: return \"{text}\"\n");
        put!(values, "        case \"{text}\": self = .{case}\n");
    }
    let (mark, unknown) = if open { ("", "self = .unknown(rawValue)") } else { ("?", "return nil") };
    texts += if open { "        case .unknown(let value): return value\n" } else { "" };
    format!(
        "\nextension {name}: RawRepresentable {{\n    public var rawValue: String {{\n        switch self {{\n{texts}        }}\n    }}\n\n    \
         public init{mark}(rawValue: String) {{\n        switch rawValue {{\n{values}        default: {unknown}\n        }}\n    }}\n}}\n"
    )
}

/// `into_ffi` of a type of the core.
fn into_ffi(attribute: &str, core: &str, name: &str, body: &str) -> String {
    format!(
        "\n{attribute}impl IntoFfi<{name}> for {core}::{name} {{\n    fn into_ffi(self) -> {name} {{\n{body}        }}\n    }}\n}}\n"
    )
}

/// A field of a record: its name in Rust, its documentation, its default if it has one, its type, and how it is converted.
pub type RecordField = (String, Vec<String>, Option<&'static str>, String, &'static str);

/// A record and its conversion. Required fields come first, as in every call of Kotlin and Swift.
pub fn record(core: &str, name: &str, docs: &str, attribute: &str, mut fields: Vec<RecordField>) -> String {
    let values = fields.iter().map(|(name, .., value)| format!("            {name}: self.{name}.{value},\n"));
    let values = format!("        {name} {{\n{}", join(values, ""));
    fields.sort_by_key(|(_, _, default, ..)| default.is_some());
    let fields = fields.iter().map(|(name, docs, default, ty, _)| {
        let default = default.map(|default| format!("    #[uniffi({default})]\n")).unwrap_or_default();
        format!("{}{default}    pub {name}: {ty},\n", rustdoc(docs, 4))
    });
    let (docs, fields) = (rustdoc(&paragraphs(docs), 0), join(fields, ""));
    format!("\n{docs}{attribute}#[derive(Debug, uniffi::Record)]\npub struct {name} {{\n{fields}}}\n")
        + &into_ffi(attribute, core, name, &values)
}

fn record_of(model: &'static ModelSchema) -> String {
    let field = |field: &'static FieldSchema| {
        let mut docs = paragraphs(field.docs);
        if holds_json(field.ty) {
            docs.push("It is a JSON text.".into());
        }
        (name(field.name), docs, default(field), types::held(field.ty, types::RUST), "into_ffi()")
    };
    let about = "Fields that this version of the library does not know, as JSON texts by their names.";
    let extra = ("extra".into(), vec![about.into()], Some("default"), "Map<String>".into(), "into_ffi()");
    let fields = model.fields.iter().map(field).chain([extra]).collect();
    let (mut out, record) = (record("core", model.name, model.docs, "", fields), model.name);
    let (optional, required): (Vec<_>, Vec<_>) =
        model.fields.iter().partition(|field| matches!(field.ty, Type::Optional(_)));
    let required =
        required.into_iter().map(|field| format!("            {},\n", converted(&name(field.name))));
    let optional = optional.into_iter().map(|field| name(field.name)).chain(["extra".to_owned()]);
    let optional = optional.map(|field| format!("        value.{field} = {};\n", converted(&field)));
    put!(
        out,
        "\nimpl TryFromFfi<core::{record}> for {record} {{\n    \
         fn try_from_ffi(self) -> Result<core::{record}, ConversionError> {{\n        \
         let mut value = core::{record}::exact(\n{}        );\n{}        Ok(value)\n    }}\n}}\n",
        required.collect::<String>(),
        optional.collect::<String>()
    );
    out
}

/// How each record is written as JSON and read, by its name.
pub fn codecs(catalogue: &Catalogue) -> Generated {
    let names: BTreeSet<_> = catalogue.models.iter().map(|model| model.name).collect();
    let mut body = String::from(
        "use super::prelude::*;\nuse crate::json::Codec;\n\n\
         /// How the record of this name is written as JSON and read.\n\
         pub fn codec(name: &str) -> Option<Codec> {\n    Some(match name {\n",
    );
    for name in names {
        put!(body, "        \"{name}\" => Codec::of::<{name}, core::{name}>(),\n");
    }
    body += "        _ => return None,\n    })\n}\n";
    generated("bindings/uniffi/src/codecs.rs", "crates/sondage/src/model/", &body)
}

fn converted(field: &str) -> String {
    let plain = field.trim_start_matches("r#");
    format!("self.{field}.try_from_ffi().map_err(|wrong| wrong.in_field(\"{plain}\"))?")
}

/// Required fields come first.
pub fn in_order(model: &'static ModelSchema) -> Vec<&'static FieldSchema> {
    let mut fields: Vec<_> = model.fields.iter().collect();
    fields.sort_by_key(|field| default(field).is_some());
    fields
}

/// The default of an absent field when a user makes the record: a fake response in a test, or a part of a request.
fn default(field: &FieldSchema) -> Option<&'static str> {
    match field.ty {
        Type::Optional(_) => Some("default = None"),
        Type::List(_) | Type::Map(_) if !field.required => Some("default"),
        _ => None,
    }
}

fn enumeration(schema: &'static EnumSchema) -> String {
    let name = schema.name;
    let (mut variants, mut into, mut from) = (String::new(), String::new(), String::new());
    for value in schema.values {
        put!(variants, "    /// `{value}`\n    {value},\n");
        put!(into, "            Self::{value} => {name}::{value},\n");
        put!(from, "            Self::{value} => core::{name}::{value},\n");
    }
    let unknown =
        format!("            unknown => {name}::Unknown {{ value: unknown.as_str().to_owned() }},\n");
    format!(
        "\n{}#[derive(Debug, uniffi::Enum)]\npub enum {name} {{\n{variants}    \
         /// A value that this version of the library does not know.\n    Unknown {{\n        \
         /// The value as it came, or as it is to be sent.\n        value: String,\n    }},\n}}\n{}\
         \nimpl TryFromFfi<core::{name}> for {name} {{\n    \
         fn try_from_ffi(self) -> Result<core::{name}, ConversionError> {{\n        Ok(match self {{\n{from}            \
         Self::Unknown {{ value }} => value.into(),\n        }})\n    }}\n}}\n",
        rustdoc(&paragraphs(schema.docs), 0),
        into_ffi("", "core", name, &format!("        match self {{\n{into}{unknown}"))
    )
}
