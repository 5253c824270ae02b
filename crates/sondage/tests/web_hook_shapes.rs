//! What the languages list of events and their entities, held against the core's own list.

use std::path::Path;

/// The entities, each with its kind and the names of its fields.
macro_rules! listed {
    (
        event from $ways:tt {
            always { $($(#[doc = $doc:literal])* $field:ident: $type:ty;)* }
            maybe { $($(#[doc = $about:literal])* $rare:ident: $Rare:ty;)* }
        }
        $($(#[doc = $text:literal])* $Name:ident $Entity:ident {
            $($(#[doc = $what:literal])* $part:ident: $Part:ty = $read:ident $($wire:literal)+;)*
        })*
    ) => {
        const EVENT: &[&str] = &[$(stringify!($field),)* $(stringify!($rare)),*];
        const ENTITIES: &[(&str, &str, &[&str])] =
            &[$((stringify!($Name), stringify!($Entity), &[$(stringify!($part)),*])),*];
    };
}
sondage::webhook_shapes!(listed);

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
}

/// From a heading to the next line that begins a class, an interface or nothing indented.
fn block<'a>(text: &'a str, heading: &str) -> &'a str {
    let from = text.find(heading).unwrap_or_else(|| panic!("{heading} is missing")) + heading.len();
    let end =
        text[from..].find("\nclass ").or_else(|| text[from..].find("\n}\n")).unwrap_or(text.len() - from);
    &text[from..from + end]
}

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

/// Names of fields: `    survey_id: int | None` in Python, `  surveyId?: Int;` in TypeScript.
fn fields(block: &str, indent: &str) -> Vec<String> {
    let lines = block.lines().filter_map(|line| line.strip_prefix(indent)?.split_once(':'));
    let names = lines.map(|(name, _)| name.trim_end_matches('?').to_owned());
    let mut names: Vec<_> = names
        .filter(|name| name != "kind" && !name.contains(|c: char| !c.is_alphanumeric() && c != '_'))
        .collect();
    names.sort();
    names
}

fn sorted(names: &[&str], written: impl Fn(&str) -> String) -> Vec<String> {
    let mut names: Vec<_> = names.iter().map(|name| written(name)).collect();
    names.sort();
    names
}

#[test]
fn python_has_every_field() {
    let text = read("python/sondage/_events.py");
    for (name, _, parts) in ENTITIES.iter().chain([&("Event", "", EVENT)]) {
        let found = fields(block(&text, &format!("\nclass {name}(Model):")), "    ");
        assert_eq!(found, sorted(parts, str::to_owned), "{name}");
    }
}

#[test]
fn typescript_has_every_field() {
    let (entities, hooks) = (read("node/types/webhook_entities.d.ts"), read("node/types/webhooks.d.ts"));
    for (_, name, parts) in ENTITIES {
        let found = fields(block(&entities, &format!("interface {name} {{")), "  ");
        assert_eq!(found, sorted(parts, camel), "{name}");
    }
    assert_eq!(fields(block(&hooks, "interface Event {"), "  "), sorted(EVENT, camel));
}
