//! Names of variables.

use std::collections::HashSet;

use super::changes::{Change, Changes};
use super::cut;

/// The longest name in bytes.
const LONGEST: usize = 64;
/// The longest text in bytes that can be declared as missing.
pub(super) const SHORT: usize = 8;

const RESERVED: [&str; 13] =
    ["all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"];

/// A name for each column, different regardless of case. A name that SPSS allows is kept, whatever becomes of the others.
pub(super) fn of<'a>(columns: impl Iterator<Item = &'a str> + Clone, changes: &mut Changes) -> Vec<String> {
    let mut names = HashSet::new();
    let is_unchanged: Vec<bool> =
        columns.clone().map(|name| is_valid(name) && names.insert(name.to_lowercase())).collect();
    let name = |(column, is_unchanged): (&str, bool)| {
        if is_unchanged {
            return column.to_owned();
        }
        let name = unique(&valid(column), &mut names);
        changes.note(Change::Name, format!("`{}` is `{name}`", column.escape_debug()), 1);
        name
    };
    columns.zip(is_unchanged).map(name).collect()
}

fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let mut unique = name.to_owned();
    let mut number = 1;
    while !taken.insert(unique.to_lowercase()) {
        number += 1;
        let end = format!("_{number}");
        unique = format!("{}{end}", cut(name, LONGEST - end.len()));
    }
    unique
}

fn is_valid(name: &str) -> bool {
    valid(name) == name
}

/// Letters, digits and a few other characters, at most 64 bytes; the first is a letter, and the last is not a period.
fn valid(name: &str) -> String {
    let allowed = |sign: char| if sign.is_alphanumeric() || "._$#@".contains(sign) { sign } else { '_' };
    let mut valid: String = name.chars().map(allowed).collect();
    if !valid.starts_with(char::is_alphabetic) {
        valid.insert(0, 'v');
    }
    let mut valid = cut(&valid, LONGEST).trim_end_matches('.').to_owned();
    if RESERVED.contains(&valid.to_lowercase().as_str()) {
        valid.push('_');
    }
    valid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_innocent_column_is_never_renamed() {
        let columns = ["Q-1", "Q_1", "Q_1_2", "q_1", "TO", "2nd", "größe", "", "a.b.", "ß"];
        let mut changes = Changes::default();
        let names = of(columns.into_iter(), &mut changes);
        let expected = ["Q_1_3", "Q_1", "Q_1_2", "q_1_4", "TO_", "v2nd", "größe", "v", "a.b", "ß"];
        assert_eq!(names, expected);
        let message = changes.warnings()[0].to_string();
        assert!(
            message.starts_with("6 columns have another name") && message.contains("`Q-1` is `Q_1_3`"),
            "{message}"
        );
    }

    #[test]
    fn every_name_fits_and_differs() {
        let long = "ü".repeat(40);
        let columns: Vec<String> = (0..300).map(|number| format!("{long}{number}")).collect();
        let names = of(columns.iter().map(String::as_str), &mut Changes::default());
        assert!(names.iter().all(|name| name.len() <= LONGEST && is_valid(name)));
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), 300);
    }
}
