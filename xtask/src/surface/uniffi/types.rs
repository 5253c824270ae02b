//! Spells types in Rust for uniffi, in Kotlin and in Swift.

use sondage::internals::schema::{FieldSchema, ModelSchema, Type};

/// A type in Rust, for uniffi.
pub fn rust(ty: &'static Type) -> String {
    match ty {
        Type::Bool => "bool".into(),
        Type::Int => "i64".into(),
        Type::Float => "f64".into(),
        Type::Text | Type::Json => "String".into(),
        Type::Secret => "Secret".into(),
        Type::Timestamp => "SystemTime".into(),
        Type::FieldValue => "FieldValue".into(),
        Type::Optional(inner) => format!("Option<{}>", rust(inner)),
        Type::List(inner) => format!("Vec<{}>", rust(inner)),
        Type::Map(inner) => format!("Map<{}>", rust(inner)),
        Type::Enum(schema) => schema.name.into(),
        Type::Model(schema) => schema().name.into(),
    }
}

/// A type in Kotlin.
pub fn kotlin(ty: &'static Type) -> String {
    match ty {
        Type::Bool => "Boolean".into(),
        Type::Int => "Long".into(),
        Type::Float => "Double".into(),
        Type::Text | Type::Json => "String".into(),
        Type::Secret => "Secret".into(),
        Type::Timestamp => "java.time.Instant".into(),
        Type::FieldValue => "FieldValue".into(),
        Type::Optional(inner) => format!("{}?", kotlin(inner)),
        Type::List(inner) => format!("List<{}>", kotlin(inner)),
        Type::Map(inner) => format!("Map<String, {}>", kotlin(inner)),
        Type::Enum(schema) => schema.name.into(),
        Type::Model(schema) => schema().name.into(),
    }
}

/// A type in Swift.
pub fn swift(ty: &'static Type) -> String {
    match ty {
        Type::Bool => "Bool".into(),
        Type::Int => "Int64".into(),
        Type::Float => "Double".into(),
        Type::Text | Type::Json => "String".into(),
        Type::Secret => "Secret".into(),
        Type::Timestamp => "Date".into(),
        Type::FieldValue => "FieldValue".into(),
        Type::Optional(inner) => format!("{}?", swift(inner)),
        Type::List(inner) => format!("[{}]", swift(inner)),
        Type::Map(inner) => format!("[String: {}]", swift(inner)),
        Type::Enum(schema) => in_swift(schema.name).into(),
        Type::Model(schema) => in_swift(schema().name).into(),
    }
}

/// The name of a type in Swift, where Apple's modules have types of some names.
pub fn in_swift(name: &'static str) -> &'static str {
    const SETTINGS: &str = include_str!("../../../../bindings/uniffi/uniffi.toml");
    let table = SETTINGS.split("[bindings.swift.rename]\n").nth(1).unwrap_or_default();
    let rows = table.lines().map_while(|line| line.split_once(" = "));
    let renamed = rows.into_iter().find(|(old, _)| *old == name);
    renamed.map_or(name, |(_, new)| new.trim_matches('"'))
}

/// The default of a type.
pub fn holds_json(ty: &Type) -> bool {
    match ty {
        Type::Json => true,
        Type::Optional(inner) | Type::List(inner) | Type::Map(inner) => holds_json(inner),
        _ => false,
    }
}

/// The arguments of a request: required ones, and optional ones, with those last that the client fills in.
pub fn arguments(request: &'static ModelSchema) -> (Vec<&'static FieldSchema>, Vec<&'static FieldSchema>) {
    let (mut optional, needed): (Vec<_>, Vec<_>) =
        request.fields.iter().partition(|field| matches!(field.ty, Type::Optional(_)));
    optional.sort_by_key(|field| field.filled_in);
    (needed, optional)
}

/// The conditions among the fields of a request, which a filter can replace.
pub fn conditions(fields: &[&'static FieldSchema]) -> Option<&'static FieldSchema> {
    let of = |ty: &'static Type| match ty {
        Type::Model(schema) => schema().name == "Condition",
        _ => false,
    };
    let many = |ty: &'static Type| matches!(ty, Type::List(inner) if of(inner));
    let found = |field: &&&'static FieldSchema| matches!(field.ty, Type::Optional(inner) if many(inner));
    fields.iter().find(found).copied()
}

/// The documentation of the filter that replaces conditions.
pub fn filter_docs(conditions: &FieldSchema) -> String {
    format!("- `where`: The same as a filter, instead of `{}`.", conditions.wire)
}

/// A field's name in Rust, which cannot be `type`.
pub fn name(field: &str) -> String {
    const KEYWORDS: [&str; 12] =
        ["type", "ref", "use", "move", "match", "loop", "in", "as", "where", "for", "if", "fn"];
    if KEYWORDS.contains(&field) { format!("r#{field}") } else { field.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::in_swift;

    #[test]
    fn names_of_apple_are_not_used_in_swift() {
        assert_eq!(
            [in_swift("Section"), in_swift("Settings"), in_swift("Member")],
            ["SurveySection", "ClientSettings", "Member"]
        );
    }
}
