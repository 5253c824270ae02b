//! Items that must be present in several places, which no compiler checks. A missing one is reported by name; the recipes are
//! in CONTRIBUTING.md.

use super::{File, Problems};

/// A kind of item, and a place that must contain it.
struct RequiredPlace {
    /// `the setting`, `the format`, ...
    kind: &'static str,
    /// The file or folder.
    path: &'static str,
    /// The required text, `@` being the name.
    text: &'static str,
}

const fn place(kind: &'static str, path: &'static str, text: &'static str) -> RequiredPlace {
    RequiredPlace { kind, path, text }
}

const PLACES: [RequiredPlace; 7] = [
    place("setting", "crates/sondage/src/config/", "settings.@"),
    place("format", "xtask/src/surface/python/exports.rs", "\"@\""),
    place("format", "node/types/downloads.d.ts", "'@'"),
    place("format", "crates/sondage-cli/src/export.rs", ".@"),
    place("format", "docs/tables.md", "to_@"),
    place("event", "docs/api/webhooks.md", "@"),
    place("event", "crates/sondage-sandbox/src/", "@"),
];

/// Settings that say where the other settings are; they are read first.
const BEFORE: [&str; 2] = ["profile", "profile_file"];

pub fn rules(files: &[File]) -> Problems {
    let mut problems = Problems::new();
    for (kind, name) in names(files) {
        for place in PLACES.iter().filter(|place| place.kind == kind) {
            let wanted = place.text.replace('@', name);
            let there = |file: &File| file.path.starts_with(place.path) && stands_in(&file.text, &wanted);
            if !files.iter().any(there) {
                problems.push(format!("{}: the {kind} `{name}` is missing (`{wanted}`)", place.path));
            }
        }
    }
    problems.extend(languages(files));
    problems
}

/// The existing items, by kind, as listed in the core.
fn names(files: &[File]) -> Vec<(&'static str, &str)> {
    let lines =
        |path: &str| files.iter().find(|file| file.path == path).map_or("", |file| &file.text).lines();
    let settings = lines("crates/sondage/src/config/table.rs")
        .filter_map(|line| line.trim().split_once(" \"SONDAGE_"))
        .map(|(name, _)| name)
        .filter(|name| !name.contains(' ') && !BEFORE.contains(name));
    let formats = lines("crates/sondage-data/src/export/mod.rs")
        .filter(|line| line.contains("=> FileFormat::"))
        .filter_map(|line| line.split('"').nth(1));
    let events = lines("crates/sondage/src/model/web_hook.rs")
        .skip_while(|line| !line.starts_with("    EventType {"))
        .skip(1)
        .take_while(|line| line.trim() != "}")
        .flat_map(|line| line.split([',', ' ']))
        .filter(|name| !name.is_empty());
    let settings = settings.map(|name| ("setting", name));
    settings.chain(formats.map(|name| ("format", name))).chain(events.map(|name| ("event", name))).collect()
}

/// Whether the text contains these words, as whole words.
fn stands_in(text: &str, wanted: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(wanted).any(|(at, _)| !text[at + wanted.len()..].starts_with(part_of_word))
}

/// The document shows the example program of every language.
fn languages(files: &[File]) -> Problems {
    let mut problems = Problems::new();
    let page = files.iter().find(|file| file.path == "docs/languages.md").map_or("", |file| &file.text);
    for file in files {
        if file.path.starts_with("examples/invite_members.") && !page.contains(&file.path) {
            problems.push(format!("docs/languages.md: {} is not shown", file.path));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    fn repository(table: &str, events: &str) -> Vec<File> {
        vec![
            file("crates/sondage/src/config/table.rs", table),
            file("crates/sondage/src/config/resolve.rs", "let a = settings.deadline;"),
            file(
                "crates/sondage/src/model/web_hook.rs",
                &format!("open_enum! {{\n    EventType {{\n        {events}\n    }}\n}}\n"),
            ),
            file("crates/sondage-sandbox/src/a.rs", "\"Approved\""),
            file("docs/api/webhooks.md", "- `Approved`"),
        ]
    }

    #[test]
    fn a_new_name_is_missed_where_it_is_not_known() {
        let row = "            deadline \"SONDAGE_DEADLINE\": Duration = \"600 s\";\n";
        assert!(rules(&repository(row, "Approved,")).is_empty());
        let more = format!("{row}            deadline_of_day \"SONDAGE_DEADLINE_OF_DAY\": Duration;\n");
        assert_eq!(rules(&repository(&more, "Approved,")).len(), 1);
        assert_eq!(rules(&repository(row, "Approved, Renewed,")).len(), 2);
    }

    #[test]
    fn a_language_has_an_example_that_is_shown() {
        assert_eq!(rules(&[file("examples/invite_members.rb", "")]).len(), 1);
    }
}
