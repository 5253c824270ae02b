//! Spells types in Rust for uniffi, in Kotlin and in Swift.

use sondage::arguments::ArgumentType;
use sondage::internals::schema::{FieldSchema, ModelSchema, Type};

/// A type in Rust for uniffi, in Kotlin, and in Swift.
fn spelt(ty: &'static Type) -> [String; 3] {
    let plain = match ty {
        Type::Bool => ["bool", "Boolean", "Bool"],
        Type::Int => ["i64", "Long", "Int64"],
        Type::Float => ["f64", "Double", "Double"],
        Type::Text | Type::Json => ["String"; 3],
        Type::Secret => ["Secret"; 3],
        Type::Timestamp => ["SystemTime", "java.time.Instant", "Date"],
        Type::FieldValue => ["FieldValue"; 3],
        Type::Enum(schema) => [schema.name, schema.name, in_swift(schema.name)],
        Type::Model(schema) => [schema().name, schema().name, in_swift(schema().name)],
        Type::Optional(inner) => return around(["Option<@>", "@?", "@?"], &spelt(inner)),
        Type::List(inner) => return around(["Vec<@>", "List<@>", "[@]"], &spelt(inner)),
        Type::Map(inner) => return around(["Map<@>", "Map<String, @>", "[String: @]"], &spelt(inner)),
    };
    plain.map(str::to_owned)
}

fn around(outer: [&str; 3], inner: &[String; 3]) -> [String; 3] {
    std::array::from_fn(|language| outer[language].replace('@', &inner[language]))
}

pub fn rust(ty: &'static Type) -> String {
    spelt(ty)[0].clone()
}

pub fn kotlin(ty: &'static Type) -> String {
    spelt(ty)[1].clone()
}

pub fn swift(ty: &'static Type) -> String {
    spelt(ty)[2].clone()
}

/// The type of an option, in the same languages.
pub fn of_option(ty: ArgumentType) -> [&'static str; 3] {
    match ty {
        ArgumentType::Bool => ["bool", "Boolean", "Bool"],
        ArgumentType::Int | ArgumentType::Count => ["i64", "Long", "Int64"],
        ArgumentType::Text | ArgumentType::Path | ArgumentType::Journal | ArgumentType::Word(_) => {
            ["String"; 3]
        }
        ArgumentType::Texts => ["Vec<String>", "List<String>", "[String]"],
        ArgumentType::Ints => ["Vec<i64>", "List<Long>", "[Int64]"],
        ArgumentType::Timestamp => ["SystemTime", "java.time.Instant", "Date"],
        ArgumentType::Time => ["Duration", "java.time.Duration", "TimeInterval"],
        ArgumentType::Filter => ["Arc<Filter>", "Filter", in_swift("Filter")],
        ArgumentType::Rows => {
            ["Vec<Map<FieldValue>>", "List<Map<String, FieldValue>>", "[[String: FieldValue]]"]
        }
        ArgumentType::Blocks => {
            ["Map<Map<String>>", "Map<String, Map<String, String>>", "[String: [String: String]]"]
        }
        ArgumentType::Codes => ["Map<Vec<String>>", "Map<String, List<String>>", "[String: [String]]"],
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

/// Whether a JSON text is somewhere in a value.
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
