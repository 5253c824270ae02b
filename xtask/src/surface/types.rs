//! How each language spells the types of the tables.

use super::prelude::*;
use sondage::words::Words;

/// The columns of the tables below: Python, TypeScript, Rust for uniffi, and the pages of the reference. The types of Kotlin and
/// Swift follow from those of Rust.
pub const PYTHON: usize = 0;
pub const NODE: usize = 1;
pub const RUST: usize = 2;
pub const PAGE: usize = 3;
pub const KOTLIN: usize = 4;
pub const SWIFT: usize = 5;

/// The type of a model's field, as an attribute.
pub fn held(ty: &'static Type, language: usize) -> String {
    of_field(ty, language, false)
}

/// The type of a model's field, as an argument: in Python any iterable for a list, and a mapping with the API's names for a model.
pub fn taken(ty: &'static Type, language: usize) -> String {
    of_field(ty, language, true)
}

fn of_field(ty: &'static Type, language: usize, sent: bool) -> String {
    if [KOTLIN, SWIFT].contains(&language) {
        return on_phones(&of_field(ty, RUST, sent), language);
    }
    let plain = match ty {
        Type::Bool => ["bool", "boolean", "bool", "boolean"],
        Type::Int => ["int", "Int", "i64", "integer"],
        Type::Float => ["float", "number", "f64", "number"],
        Type::Text => ["str", "string", "String", "text"],
        Type::Secret => ["str", "string", "Secret", "text that is never shown"],
        Type::Json => ["Any", "JsonValue", "String", "any JSON"],
        Type::Timestamp => ["datetime", "Date", "SystemTime", "timestamp, UTC"],
        Type::FieldValue => ["FieldValue", "FieldValue", "FieldValue", "text, number, boolean or nothing"],
        Type::Enum(EnumSchema { name, module, .. }) => return named(name, module, language),
        Type::Model(schema) if sent && language == PYTHON => {
            return format!("{} | Mapping[str, Any]", schema().name);
        }
        Type::Model(schema) => return named(schema().name, schema().module, language),
        Type::Optional(inner) if language == PAGE => return of_field(inner, language, sent),
        Type::Optional(inner) => return optional(of_field(inner, language, sent), language),
        Type::List(inner) => return list(&of_field(inner, language, sent), language, sent),
        Type::Map(inner) => {
            let python = if sent { "Mapping[str, @]" } else { "dict[str, @]" };
            let forms = [python, "Record<string, @>", "Map<@>", "map of @"];
            return forms[language].replace('@', &of_field(inner, language, sent));
        }
    };
    plain[language].to_owned()
}

fn named(name: &str, module: &'static str, language: usize) -> String {
    if language == PAGE {
        format!("[`{name}`]({}.md#{})", last(module), name.to_lowercase())
    } else {
        name.to_owned()
    }
}

/// The type of Kotlin or Swift for one of Rust.
fn on_phones(rust: &str, language: usize) -> String {
    let forms = match rust.strip_suffix('>').and_then(|rust| rust.split_once('<')) {
        Some(("Arc", inner)) => return on_phones(inner, language),
        Some((outer, inner)) => {
            let forms = match outer {
                "Option" => ["@?", "@?"],
                "Vec" => ["List<@>", "[@]"],
                _ => ["Map<String, @>", "[String: @]"],
            };
            return forms[language - KOTLIN].replace('@', &on_phones(inner, language));
        }
        None => match rust {
            "bool" => ["Boolean", "Bool"],
            "i64" => ["Long", "Int64"],
            "f64" => ["Double", "Double"],
            "SystemTime" => ["java.time.Instant", "Date"],
            "Duration" => ["java.time.Duration", "TimeInterval"],
            name => [name, in_swift(name)],
        },
    };
    forms[language - KOTLIN].to_owned()
}

fn optional(ty: String, language: usize) -> String {
    if language == PYTHON && (ty.ends_with("| None") || ty == "Any") {
        return ty;
    }
    ["@ | None", "@ | null", "Option<@>", "@, or nothing"][language].replace('@', &ty)
}

fn list(item: &str, language: usize, sent: bool) -> String {
    let (python, node) = if sent { ("Iterable[@]", "readonly @[]") } else { ("list[@]", "@[]") };
    let node = if item.contains('|') { node.replace('@', "(@)") } else { node.to_owned() };
    [python, &node, "Vec<@>", "list of @"][language].replace('@', item)
}

/// One of these words: an enumeration for uniffi.
fn one_of(words: &Words, language: usize) -> String {
    match language {
        PYTHON => format!("Literal[{}]", quoted(words.texts, '"', ", ")),
        NODE => quoted(words.texts, '\'', " | "),
        PAGE => quoted(words.texts, '`', ", "),
        _ => words.name.to_owned(),
    }
}

/// The type of a field of results: in Python, in TypeScript, in Rust for uniffi, and on a page.
pub fn of_report(ty: &'static ReportType, language: usize) -> String {
    let plain = match ty {
        ReportType::Bool => ["bool", "boolean", "bool", "boolean"],
        ReportType::Int => ["int", "Int", "i64", "integer"],
        ReportType::Count => ["int", "number", "i64", "integer"],
        ReportType::Real => ["float", "number", "f64", "number"],
        ReportType::Text => ["str", "string", "String", "text"],
        ReportType::Path => ["str", "string", "String", "path"],
        ReportType::Secret => ["str", "string", "Secret", "text that is never shown"],
        ReportType::Timestamp => ["datetime", "Date", "SystemTime", "timestamp, UTC"],
        ReportType::Duration => ["float", "number", "Duration", "duration"],
        ReportType::Error => ["SondageError", "SondageError", "SondageError", "error"],
        ReportType::Json => ["Any", "JsonValue", "String", "any JSON"],
        ReportType::Code => {
            ["int | float | str", "number | bigint | string", "String", "integer, number or text"]
        }
        ReportType::Word(words) => return one_of(words, language),
        ReportType::Open(EnumSchema { name, module, .. }) => return named(name, module, language),
        ReportType::Report(schema) if language == PAGE => return report_link(schema(), ""),
        ReportType::Report(schema) => [schema().name; 4],
        ReportType::Named(name) if language == PAGE => return name.to_title_case(),
        ReportType::Named(name) => [*name; 4],
        ReportType::Optional(ReportType::Json) if language == NODE => return "JsonValue".to_owned(),
        ReportType::Optional(inner) => return optional(of_report(inner, language), language),
        ReportType::List(inner) => return list(&of_report(inner, language), language, false),
    };
    plain[language].to_owned()
}

/// The sets of words among results, options and settings.
pub fn words(
    reports: impl Iterator<Item = &'static ReportSchema>,
    options: impl Iterator<Item = &'static OptionsSchema>,
) -> impl Iterator<Item = &'static Words> {
    let options = options.flat_map(|schema| schema.fields).filter_map(|field| match field.ty {
        ArgumentType::Word(words) => Some(words),
        _ => None,
    });
    let fields = reports.flat_map(|schema| schema.fields).filter_map(|field| words_of(field.ty));
    fields.chain(options).chain(SETTINGS.iter().filter_map(|row| row.choices))
}

fn words_of(ty: &'static ReportType) -> Option<&'static Words> {
    match ty {
        ReportType::Word(words) => Some(words),
        ReportType::Optional(inner) | ReportType::List(inner) => words_of(inner),
        _ => None,
    }
}

/// A link to a report on a page.
pub fn report_link(schema: &ReportSchema, page: &str) -> String {
    format!("[`{}`]({page}#{})", schema.name, schema.name.to_lowercase())
}

/// The type of an option.
pub fn of_option(ty: ArgumentType, language: usize) -> String {
    if [KOTLIN, SWIFT].contains(&language) {
        return on_phones(&of_option(ty, RUST), language);
    }
    let spelt = match ty {
        ArgumentType::Bool => ["bool", "boolean", "bool", "boolean"],
        ArgumentType::Int => ["int", "Int", "i64", "integer"],
        ArgumentType::Count => ["int", "number", "i64", "integer"],
        ArgumentType::NotAvailable => ["int | None", "Int | null", "i64", "integer or nothing"],
        ArgumentType::Text => ["str", "string", "String", "text"],
        ArgumentType::Path => ["Path", "string | URL", "String", "path"],
        ArgumentType::Journal => [
            "Path | JournalStore",
            "string | URL | JournalStore",
            "String",
            "path, or in Python, Node.js and Rust an object",
        ],
        ArgumentType::Spreadsheet => ["bool | str", "boolean | string", "String", "boolean or language tag"],
        ArgumentType::Word(words) => return one_of(words, language),
        ArgumentType::Open(EnumSchema { name, module, .. }) => return named(name, module, language),
        ArgumentType::Texts => ["Iterable[str]", "readonly string[]", "Vec<String>", "list of texts"],
        ArgumentType::Ints => ["Iterable[int]", "readonly Int[]", "Vec<i64>", "list of integers"],
        ArgumentType::Timestamp => ["datetime", "Date", "SystemTime", "timestamp"],
        ArgumentType::Time => ["float", "number", "Duration", "seconds; in Node.js milliseconds"],
        ArgumentType::Filter => ["Filter", "Filter", "Arc<Filter>", "filter"],
        ArgumentType::Rows => ["Rows", "Rows", "Vec<Map<FieldValue>>", "rows"],
        ArgumentType::Member => ["NewMember | Mapping[str, Any]", "NewMember", "NewMember", "a `NewMember`"],
        ArgumentType::Blocks => [
            "Mapping[str, Mapping[str, str]]",
            "Readonly<Record<string, Readonly<Record<string, string>>>>",
            "Map<Map<String>>",
            "texts by block and language",
        ],
        ArgumentType::Codes => [
            "Mapping[str, Sequence[float | str]]",
            "AnswerCodes | Readonly<Record<string, AnswerCodes>>",
            "Map<Vec<String>>",
            "lists of codes, by column",
        ],
    };
    spelt[language].to_owned()
}

/// The Rust type of an argument or a result of the second table: in Python, and in TypeScript.
pub fn of_method(ty: &str, language: usize) -> &'static str {
    let spelt = match ty {
        "bool" => ["bool", "boolean"],
        "usize" | "u64" | "i64" => ["int", "number"],
        "f64" => ["float", "number"],
        "Vec<String>" => ["list[str]", "string[]"],
        "IndexMap<String,String>" => ["dict[str, str]", "Record<string, string>"],
        "Timestamp" => ["datetime", "Date"],
        "Option<Timestamp>" => ["datetime | None", "Date | null"],
        "Option<String>" => ["str | None", "string | null"],
        "TableBytes" => ["str", "Buffer"],
        _ => ["str", "string"],
    };
    spelt[language]
}

/// The type of a setting, from the description of its values: in Python, in TypeScript, and in the builder of Kotlin.
pub fn of_setting(row: &SettingInfo, language: usize) -> String {
    if let Some(words) = row.choices {
        return one_of(words, language);
    }
    let [python, node, kotlin] = match row.shape {
        "an integer" => ["int", "Int", "Long"],
        shape if shape.starts_with("an integer") => ["int", "number", "Long"],
        shape if shape.starts_with("a number") => ["float", "number", "Double"],
        // Text has a unit.
        _ if is_duration(row) => ["float | timedelta | str", "number | string", "Duration"],
        shape if shape.starts_with("a size") => ["int | str", "number | string", "Long"],
        shape if shape.contains("true") => ["bool", "boolean", "Boolean"],
        shape if shape.starts_with("the path") => ["str | PathLike[str]", "string", "String"],
        _ if row.secret => ["str", "string", "Secret"],
        _ => ["str", "string", "String"],
    };
    let spelt = match language {
        PYTHON => python,
        NODE => node,
        _ => kotlin,
    };
    spelt.to_owned()
}

/// Whether a setting is a duration. A time of day is none.
pub fn is_duration(row: &SettingInfo) -> bool {
    row.shape.starts_with("a time above")
}
