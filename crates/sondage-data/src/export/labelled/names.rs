//! Names of columns.

use std::collections::HashSet;

use super::changes::{Change, Changes};
use super::limits::Limits;

/// A name for each column, different for the program. A name that it allows is kept, whatever becomes of the others.
pub(super) fn of<'a>(
    columns: impl Iterator<Item = &'a str> + Clone,
    limits: &Limits,
    changes: &mut Changes,
) -> Vec<String> {
    let mut names = HashSet::new();
    let mut is_unchanged = Vec::new();
    for name in columns.clone() {
        is_unchanged.push(valid(name, limits) == name && names.insert(compared(name, limits)));
    }
    let name = |(column, is_unchanged): (&str, bool)| {
        if is_unchanged {
            return column.to_owned();
        }
        let name = unique(&valid(column, limits), limits, &mut names);
        changes.note(Change::Name, format!("`{}` is `{name}`", column.escape_debug()), 1);
        name
    };
    columns.zip(is_unchanged).map(name).collect()
}

fn unique(name: &str, limits: &Limits, taken: &mut HashSet<String>) -> String {
    let mut unique = name.to_owned();
    let mut number = 1;
    while !taken.insert(compared(&unique, limits)) {
        number += 1;
        let end = format!("_{number}");
        unique = format!("{}{end}", limits.unit.cut(name, limits.name - end.len()));
    }
    unique
}

/// A name as the program compares it with others.
fn compared(name: &str, limits: &Limits) -> String {
    if limits.has_case { name.to_owned() } else { name.to_lowercase() }
}

/// Letters, digits and a few other characters; the first is a letter or one of fewer characters, and the last is not a period.
fn valid(name: &str, limits: &Limits) -> String {
    let is_allowed = |sign: char| sign.is_alphanumeric() || limits.signs.contains(sign);
    let mut valid: String = name.chars().map(|sign| if is_allowed(sign) { sign } else { '_' }).collect();
    if !valid.starts_with(|sign: char| sign.is_alphabetic() || limits.first_signs.contains(sign)) {
        valid.insert(0, 'v');
    }
    let mut valid = limits.unit.cut(&valid, limits.name).trim_end_matches('.').to_owned();
    if (limits.is_reserved)(&compared(&valid, limits)) {
        valid.push('_');
    }
    valid
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::{dta, sav};

    fn named(columns: &[&str]) -> (Vec<String>, Vec<String>) {
        named_in(&sav::LIMITS, columns)
    }

    fn named_in(limits: &'static Limits, columns: &[&str]) -> (Vec<String>, Vec<String>) {
        let mut changes = Changes::new(limits);
        let names = of(columns.iter().copied(), limits, &mut changes);
        (names, changes.warnings().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_name_begins_as_the_program_allows() {
        let columns = ["_x", "_all", "_n", "_", "@a", "#a", "$a", "str12", "strL"];
        let (names, _) = named_in(&dta::LIMITS, &columns);
        assert_eq!(names, ["_x", "_all_", "_n_", "_", "_a", "_a_2", "_a_3", "str12_", "strL_"]);
        let (names, _) = named(&columns);
        assert_eq!(names, ["v_x", "v_all", "v_n", "v_", "@a", "v#a", "v$a", "str12", "strL"]);
    }

    #[test]
    fn an_innocent_column_is_never_renamed() {
        let columns = ["Q-1", "Q_1", "Q_1_2", "q_1", "TO", "2nd", "größe", "", "a.b.", "ß"];
        let (names, messages) = named(&columns);
        let expected = ["Q_1_3", "Q_1", "Q_1_2", "q_1_4", "TO_", "v2nd", "größe", "v", "a.b", "ß"];
        assert_eq!(names, expected);
        assert!(
            messages[0].starts_with("6 columns have another name")
                && messages[0].contains("`Q-1` is `Q_1_3`"),
            "{messages:?}"
        );
    }

    #[test]
    fn every_name_fits_and_differs() {
        let long = "ü".repeat(40);
        let columns: Vec<String> = (0..300).map(|number| format!("{long}{number}")).collect();
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let (names, _) = named(&columns);
        assert!(names.iter().all(|name| name.len() <= 64 && valid(name, &sav::LIMITS) == *name));
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), 300);
    }
}
