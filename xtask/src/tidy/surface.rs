//! A rule about the public API of the crates: every name in the snapshot still exists. Removing or renaming an item breaks
//! programs, so it must be visible in the snapshot, which `cargo xtask api` writes.

use super::{File, Problems};
use std::collections::HashSet;

/// If more names than this are missing, the API was changed on purpose, and they are not listed one by one.
const SHOWN: usize = 5;

pub fn rules(files: &[File]) -> Problems {
    let snapshots = files.iter().filter(|file| file.path.ends_with("/public-api.txt"));
    snapshots.filter_map(|snapshot| gone(snapshot, files)).collect()
}

fn gone(snapshot: &File, files: &[File]) -> Option<String> {
    let folder = snapshot.path.strip_suffix("public-api.txt")?;
    let sources = files.iter().filter(|file| {
        let of_crate = file.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with("src/"));
        file.extension() == "rs" && (of_crate || file.path.starts_with("crates/sondage-macros/src/"))
    });
    let words: HashSet<&str> = sources.flat_map(|file| file.text.split(|c: char| !is_word(c))).collect();
    let mut names: Vec<&str> = snapshot.text.lines().filter_map(name).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| !words.contains(name) && !is_default(name, &words));
    if names.is_empty() {
        return None;
    }
    Some(format!(
        "{}: {} of its names are no longer in the crate, {}: see whether programs may lose them, and run `cargo xtask api`",
        snapshot.path,
        names.len(),
        names[..names.len().min(SHOWN)].join(", ")
    ))
}

/// Whether a constant is the default of an option: the `#[options]` macro derives its name from the field.
fn is_default(name: &str, words: &HashSet<&str>) -> bool {
    name.strip_prefix("DEFAULT_").is_some_and(|field| words.contains(field.to_lowercase().as_str()))
}

/// The last name of the path of an item: `new` of `pub fn sondage::Client::new(config: Config) -> Self`.
fn name(line: &str) -> Option<&str> {
    let path = line.strip_prefix("pub ")?.split(' ').find(|word| word.contains("::"))?;
    let last = cut(path).rsplit("::").next()?.trim_start_matches("r#");
    (!last.is_empty() && last.chars().all(is_word)).then_some(last)
}

/// The path up to its arguments, parameters, or type.
fn cut(path: &str) -> &str {
    let end = path.find(['(', '<', '{', '!']).unwrap_or(path.len());
    path[..end].trim_end_matches([':', ',', ';'])
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    #[test]
    fn names_are_the_last_of_their_paths() {
        for (line, expected) in [
            ("pub mod sondage::auth", Some("auth")),
            ("pub fn sondage::Client::new(config: sondage::config::Config) -> Self", Some("new")),
            ("pub struct sondage::paging::Pages<O: sondage::operation::Paged>", Some("Pages")),
            ("pub sondage::config::Limits::answer_bytes: u64", Some("answer_bytes")),
            ("pub sondage::FieldValue::Text(alloc::string::String)", Some("Text")),
            ("pub async fn sondage::Client::logout(&self) -> sondage::Result<()>", Some("logout")),
            ("pub const sondage::config::SETTINGS: &[sondage::config::SettingInfo]", Some("SETTINGS")),
            ("impl sondage::Client", None),
        ] {
            assert_eq!(name(line), expected, "{line}");
        }
    }

    #[test]
    fn a_name_that_is_gone_is_a_problem() {
        let snapshot = |text: &str| file("crates/x/public-api.txt", text);
        let source = file("crates/x/src/lib.rs", "pub struct Kept { pub field: u8 }");
        let fine =
            snapshot("pub struct x::Kept\npub x::Kept::field: u8\npub const x::Kept::DEFAULT_FIELD: u8\n");
        assert_eq!(rules(&[fine, file(&source.path, &source.text)]), Problems::new());
        let stale = snapshot("pub struct x::Kept\npub fn x::Kept::taken(&self)\n");
        let problems = rules(&[stale, source]);
        assert!(
            problems.len() == 1 && problems[0].contains("1 of its names are no longer in the crate, taken:")
        );
    }
}
