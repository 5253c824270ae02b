//! What callers pass to the sandbox and get from it as one of a few kinds: causes of events, faults, outcomes of deliveries. They are
//! enumerations of the sandbox, parsed from its source text, and the same in every language.

use super::prelude::*;
use super::structs::{about, docs, enumeration, has, held, outer, text_of, word_of};
use syn::{Field, ItemEnum, Variant};

const FROM: &str = "crates/sondage-sandbox/src";

/// An enumeration: its file, its name there, and its name in other languages.
const SETS: [(&str, &str, &str); 5] = [
    ("builder/mod.rs", "Content", "Content"),
    ("delivery/cause.rs", "Cause", "Cause"),
    ("delivery/log.rs", "Outcome", "AttemptOutcome"),
    ("fault/mod.rs", "FaultAction", "FaultAction"),
    ("fault/mod.rs", "CutPoint", "CutPoint"),
];

/// The literals of Python: an enumeration, the name of the literal, and values that have arguments of their own.
const LITERALS: [(&str, &str, &str, &[&str]); 5] = [
    ("builder/mod.rs", "Content", "Content", &[]),
    ("delivery/cause.rs", "Cause", "Cause", &[]),
    ("delivery/fault.rs", "DeliveryAction", "DeliveryAction", &[]),
    ("fault/mod.rs", "CutPoint", "CutPoint", &[]),
    (
        "fault/mod.rs",
        "FaultAction",
        "FaultAction",
        &["delay", "status", "cut", "totalCount", "notSuccess", "body"],
    ),
];

pub fn files() -> [Generated; 3] {
    let mut kotlin = String::from("package sondage.testing\n");
    let mut swift = String::from("import Foundation\n");
    for (file, name, shown) in SETS {
        let item = item(file, name);
        kotlin += &in_kotlin(&item, shown);
        swift += &in_swift(&item, shown);
    }
    [
        generated("kotlin/src/testing/kotlin/sondage/testing/Kinds.kt", FROM, &kotlin),
        generated("swift/Sources/SondageTesting/Kinds.swift", FROM, &swift),
        generated("python/sondage/_kinds.py", FROM, &in_python()),
    ]
}

fn item(file: &str, name: &str) -> ItemEnum {
    let path = format!("{FROM}/{file}");
    let found = enumeration(&parsed(&path), name).cloned();
    found.unwrap_or_else(|| panic!("{path} has no enumeration {name} any more"))
}

/// A field of a variant.
struct Part {
    name: String,
    docs: String,
    /// Its type in Kotlin, and in Swift.
    types: [String; 2],
    /// What it is when left out, in Kotlin and in Swift; nothing if it is required.
    absent: Option<[&'static str; 2]>,
    is_word: bool,
    is_optional: bool,
}

impl Part {
    fn of(field: &Field) -> Self {
        let name = camel(&field.ident.as_ref().map(ToString::to_string).unwrap_or_default());
        let text = text_of(&field.ty);
        let optional = outer(&text).0 == "Option";
        let (known, suffix) = if optional { (outer(outer(&text).1).0, "?") } else { (outer(&text).0, "") };
        let (types, absent) = match known {
            "bool" => (["Boolean", "Bool"], ["false", "false"]),
            "u16" | "usize" => (["Int", "Int"], ["0", "0"]),
            "i64" | "u64" => (["Long", "Int64"], ["0", "0"]),
            "String" => (["String", "String"], ["\"\"", "\"\""]),
            "Map" => (["Map<String, Any?>", "[String: Any]"], ["emptyMap()", "[:]"]),
            "BTreeMap" => (["Map<String, String>", "[String: String]"], ["emptyMap()", "[:]"]),
            "Value" => (["Any?", "Any?"], ["null", "nil"]),
            word => ([word; 2], ["", ""]),
        };
        let absent = if optional { ["null", "nil"] } else { absent };
        Self {
            docs: line(&docs(&field.attrs)),
            types: types.map(|ty| format!("{ty}{suffix}")),
            absent: (optional || has(&field.attrs, "default")).then_some(absent),
            is_word: SETS.iter().any(|(_, name, _)| *name == known),
            is_optional: types[1].ends_with('?') || optional,
            name,
        }
    }
}

fn parts(variant: &Variant) -> Vec<Part> {
    variant.fields.iter().map(Part::of).collect()
}

fn is_plain(item: &ItemEnum) -> bool {
    item.variants.iter().all(|variant| variant.fields.is_empty())
}

fn kdoc(text: &[String], indent: &str) -> String {
    let lines: Vec<String> = text.iter().flat_map(|text| wrap(text, indent.len() + 3, 0)).collect();
    if let [one] = lines.as_slice() {
        return format!("{indent}/** {} */\n", one.trim());
    }
    let inner = lines.iter().map(|line| format!("{indent} * {}", line.trim()).trim_end().to_owned() + "\n");
    format!("{indent}/**\n{}{indent} */\n", inner.collect::<String>())
}

fn in_kotlin(item: &ItemEnum, shown: &str) -> String {
    let mut out = format!("\n{}", kdoc(&[about(&item.attrs)], ""));
    if is_plain(item) {
        put!(out, "public enum class {shown}(internal val word: String) {{\n");
        let variant = |variant: &Variant| {
            let name = variant.ident.to_string().to_snake_case().to_uppercase();
            format!("{}    {name}(\"{}\"),\n", kdoc(&[about(&variant.attrs)], "    "), word_of(variant))
        };
        return out + &join(item.variants.iter().map(variant), "\n") + "}\n";
    }
    put!(
        out,
        "public sealed class {shown}(internal val kind: String, internal val facts: Map<String, Any?> = emptyMap()) {{\n"
    );
    let variant = |variant: &Variant| {
        let (name, word, parts) = (&variant.ident, word_of(variant), parts(variant));
        let mut text = vec![about(&variant.attrs)];
        if parts.is_empty() {
            return format!("{}    public data object {name} : {shown}(\"{word}\")\n", kdoc(&text, "    "));
        }
        text.push(String::new());
        text.extend(parts.iter().map(|part| format!("@param {} {}", part.name, part.docs)));
        let given = parts.iter().map(|part| {
            let absent = part.absent.map_or_else(String::new, |absent| format!(" = {}", absent[0]));
            format!("        val {}: {}{absent},\n", part.name, part.types[0])
        });
        let given: String = given.collect();
        let fields = parts
            .iter()
            .map(|part| format!("\"{0}\" to {0}{1}", part.name, if part.is_word { ".word" } else { "" }));
        let fields = join(fields, ", ");
        format!(
            "{}    public data class {name}(\n{given}    ) : {shown}(\"{word}\", mapOf({fields}))\n",
            kdoc(&text, "    ")
        )
    };
    out + &join(item.variants.iter().map(variant), "\n") + "}\n"
}

fn in_swift(item: &ItemEnum, shown: &str) -> String {
    let comment = |text: &str, indent: &str| -> String {
        let lines = wrap(text, indent.len() + 4, 0);
        lines.iter().flat_map(|line| [indent, "/// ", line.trim(), "\n"]).collect()
    };
    let mut out = format!("\n{}", comment(&about(&item.attrs), ""));
    if is_plain(item) {
        put!(out, "public enum {shown}: String, Sendable {{\n");
        for variant in &item.variants {
            put!(out, "{}    case {}\n", comment(&about(&variant.attrs), "    "), word_of(variant));
        }
        return out + "}\n";
    }
    let all: Vec<_> =
        item.variants.iter().map(|variant| (variant, word_of(variant), parts(variant))).collect();
    let any = all.iter().flat_map(|(.., parts)| parts).any(|part| part.types[1].contains("Any"));
    put!(out, "public enum {shown}{} {{\n", if any { "" } else { ": Sendable" });
    let mut fields = String::new();
    for (variant, word, parts) in &all {
        // `.status(503)`: the only thing that an action needs has no label, unlike the id of a member.
        let alone = parts.iter().filter(|part| part.absent.is_none()).count() == 1 && shown == "FaultAction";
        let label = |part: &Part| {
            if alone && part.absent.is_none() { String::new() } else { format!("{}: ", part.name) }
        };
        let given = parts.iter().map(|part| {
            let absent = part.absent.map_or_else(String::new, |absent| format!(" = {}", absent[1]));
            format!("{}{}{absent}", label(part), part.types[1])
        });
        let given = join(given, ", ");
        let taken = join(parts.iter().map(|part| format!("let {}", part.name)), ", ");
        let [given, taken] =
            [given, taken].map(|text| if text.is_empty() { text } else { format!("({text})") });
        put!(out, "{}    case {word}{given}\n", comment(&about(&variant.attrs), "    "));
        let values = parts.iter().map(|part| {
            let value = if part.is_word {
                ".rawValue"
            } else if part.is_optional {
                " ?? NSNull()"
            } else {
                ""
            };
            format!(", \"{0}\": {0}{value}", part.name)
        });
        put!(fields, "        case .{word}{taken}: return [\"kind\": \"{word}\"{}]\n", join(values, ""));
    }
    put!(out, "\n    var fields: [String: Any] {{\n        switch self {{\n{fields}        }}\n    }}\n}}\n");
    out
}

/// Literals for type checkers, and the fields of causes.
fn in_python() -> String {
    let mut out = String::from(
        "\"\"\"The kinds of what a sandbox is asked for: for type checkers only.\"\"\"\n\nfrom __future__ import annotations\n\n\
         from collections.abc import Mapping\nfrom typing import Any, Literal, TypedDict\n\n",
    );
    for (file, name, literal, apart) in LITERALS {
        let item = item(file, name);
        let words: Vec<String> = item.variants.iter().map(word_of).collect();
        for word in apart {
            assert!(words.iter().any(|known| known == word), "{name} has no `{word}` any more");
        }
        let words = words.iter().filter(|word| !apart.contains(&word.as_str()));
        let entries: Vec<String> = words.map(|word| format!("\"{word}\"")).collect();
        put!(out, "{}\n", on_lines(["", "    "], &format!("{literal} = Literal["), &entries, "]"));
    }
    let cause = item("delivery/cause.rs", "Cause");
    let mut fields: Vec<(String, String)> = Vec::new();
    for field in cause.variants.iter().flat_map(|variant| &variant.fields) {
        let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
        let other = |name: &str| ReportType::Named(if name == "Map" { "Mapping[str, Any]" } else { "Any" });
        let ty = match held(&field.ty, &other) {
            ReportType::Optional(inner) => types::of_report(inner, PYTHON),
            ty => types::of_report(ty, PYTHON),
        };
        if fields.iter().all(|(known, _)| *known != name) {
            fields.push((name, ty));
        }
    }
    out += "\n\nclass Facts(TypedDict, total=False):\n    \"\"\"The fields of causes, by their names in Python.\"\"\"\n\n";
    out.extend(fields.iter().map(|(name, ty)| format!("    {name}: {ty}\n")));
    out
}
