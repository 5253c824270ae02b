//! The names of eight bytes that variables have beside their own.

use std::collections::{HashMap, HashSet};

const LONGEST: usize = 8;
const DIGITS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Names that are used, of variables and of the parts of long texts.
#[derive(Debug, Default)]
pub(super) struct ShortNames {
    used: HashSet<String>,
    /// The last number behind a stem.
    numbers: HashMap<String, u64>,
}

impl ShortNames {
    /// A name like this one, different from all others. It has ASCII letters in capitals, digits and underscores.
    pub(super) fn like(&mut self, name: &str) -> String {
        let sign = |sign: char| if sign.is_ascii_alphanumeric() { sign.to_ascii_uppercase() } else { '_' };
        let mut stem: String = name.chars().map(sign).take(LONGEST).collect();
        if !stem.starts_with(|sign: char| sign.is_ascii_alphabetic()) {
            stem.insert(0, 'V');
            stem.truncate(LONGEST);
        }
        if self.used.insert(stem.clone()) {
            return stem;
        }
        let number = self.numbers.entry(stem.clone()).or_default();
        loop {
            *number += 1;
            let end = base_36(*number);
            let name = format!("{}{end}", &stem[..stem.len().min(LONGEST - end.len())]);
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}

fn base_36(mut number: u64) -> String {
    let mut signs = Vec::new();
    while number > 0 {
        signs.push(char::from(DIGITS[(number % 36) as usize]));
        number /= 36;
    }
    signs.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_begin_alike_differ() {
        let mut names = ShortNames::default();
        let first = ["interview_identifier", "interview_identity", "INTERVIE", "größe", "ß", "a.b"];
        let short: Vec<String> = first.iter().map(|name| names.like(name)).collect();
        assert_eq!(short, ["INTERVIE", "INTERVI1", "INTERVI2", "GR__E", "V_", "A_B"]);
        let many: HashSet<String> =
            (0..50_000).map(|number| names.like(&format!("question_{number}"))).collect();
        assert_eq!(many.len(), 50_000);
        assert!(many.iter().all(|name| name.len() <= LONGEST));
    }
}
