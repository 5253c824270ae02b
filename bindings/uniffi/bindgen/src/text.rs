//! Checked text replacement: the text must be the expected one.

use crate::Result;
use regex::Regex;

/// A generated text.
pub struct Text(String);

/// How often a change must apply.
#[derive(Clone, Copy, Debug)]
pub enum Times {
    /// Exactly this often.
    Exactly(usize),
    /// Once or more.
    Often,
}

impl Text {
    pub fn new(text: String) -> Self {
        Self(text)
    }

    pub fn finish(self) -> String {
        self.0
    }

    /// The text as it is now.
    pub fn whole(&self) -> &str {
        &self.0
    }

    /// Adds a text at the end.
    pub fn append(&mut self, more: &str) {
        self.0.push_str(more);
    }

    /// The client classes. The library for phones has no blocking one.
    pub fn clients(&self) -> &'static [&'static str] {
        if self.0.contains("class BlockingClient") { &["Client", "BlockingClient"] } else { &["Client"] }
    }

    /// How often a text occurs.
    pub fn count(&self, part: &str) -> usize {
        self.0.matches(part).count()
    }

    /// Replaces a text by another.
    pub fn replace(&mut self, old: &str, new: &str, times: Times) -> Result {
        let count = self.0.matches(old).count();
        check(old, count, times)?;
        self.0 = self.0.replace(old, new);
        Ok(())
    }

    /// Replaces what a pattern matches. `^` and `$` are the ends of lines, and a dot matches a line's end only after `(?s)`.
    pub fn rewrite(&mut self, pattern: &str, new: &str, times: Times) -> Result {
        let regex = Regex::new(&format!("(?m){pattern}"))?;
        check(pattern, regex.find_iter(&self.0).count(), times)?;
        self.0 = regex.replace_all(&self.0, new).into_owned();
        Ok(())
    }

    /// Replaces the first `old` after `mark`.
    pub fn replace_after(&mut self, mark: &str, old: &str, new: &str) -> Result {
        check(mark, self.0.matches(mark).count(), Times::Exactly(1))?;
        let start = self.0.find(mark).unwrap_or_default();
        let Some(at) = self.0[start..].find(old) else {
            return Err(unexpected(old, 0, Times::Exactly(1)));
        };
        self.0.replace_range(start + at..start + at + old.len(), new);
        Ok(())
    }

    /// Checks that nothing matches a pattern any more.
    pub fn no_more(&self, pattern: &str) -> Result {
        let regex = Regex::new(&format!("(?m){pattern}"))?;
        match regex.find(&self.0) {
            Some(left) => Err(format!("the generated text still holds `{}`", left.as_str()).into()),
            None => Ok(()),
        }
    }

    /// The first group of each match of a pattern.
    pub fn find_all(&self, pattern: &str) -> Result<Vec<String>> {
        let regex = Regex::new(&format!("(?m){pattern}"))?;
        let names: Vec<String> = regex.captures_iter(&self.0).map(|found| found[1].to_owned()).collect();
        check(pattern, names.len(), Times::Often)?;
        Ok(names)
    }

    /// Changes every line of documentation.
    pub fn each_comment(&mut self, begins_with: &str, change: impl Fn(&str) -> String) {
        let line = |line: &str| {
            if line.trim_start().starts_with(begins_with) { change(line) } else { line.to_owned() }
        };
        self.0 = self.0.split('\n').map(line).collect::<Vec<_>>().join("\n");
    }
}

fn check(what: &str, found: usize, times: Times) -> Result {
    let fine = match times {
        Times::Exactly(times) => found == times,
        Times::Often => found > 0,
    };
    if fine { Ok(()) } else { Err(unexpected(what, found, times)) }
}

fn unexpected(what: &str, found: usize, times: Times) -> Box<dyn std::error::Error> {
    format!(
        "uniffi writes another text than the one that is adapted here: expected {times:?} of\n{what}\nand found {found}"
    )
    .into()
}

/// Documentation comes from Rust: `safe_to_retry` is `safeToRetry` in Kotlin and Swift, and `None` is `null` or `nil`
/// there. A value is written with quotation marks and stays as it is: `"hard_stop"`.
pub fn in_words_of(nothing: &str, line: &str) -> String {
    let mut out = String::new();
    for (number, part) in line.split('`').enumerate() {
        if number > 0 {
            out.push('`');
        }
        let code = number % 2 == 1;
        if code && part == "None" {
            out.push_str(nothing);
        } else if code && is_snake(part) {
            out.push_str(&camel(part));
        } else {
            out.push_str(part);
        }
    }
    out
}

fn is_snake(word: &str) -> bool {
    word.contains('_')
        && word.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_')
}

fn camel(snake: &str) -> String {
    let mut upper = false;
    let mut out = String::new();
    for letter in snake.chars() {
        if letter == '_' {
            upper = true;
        } else if std::mem::take(&mut upper) {
            out.push(letter.to_ascii_uppercase());
        } else {
            out.push(letter);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_that_does_not_apply_is_an_error() {
        let mut text = Text::new("one two two".to_owned());
        assert!(text.replace("three", "3", Times::Often).is_err());
        assert!(text.replace("two", "2", Times::Exactly(1)).is_err());
        assert!(text.replace_after("one", "three", "3").is_err());
        assert!(text.rewrite("^two", "2", Times::Often).is_err());
        assert!(text.no_more("t.o").is_err());
        text.replace("two", "2", Times::Exactly(2)).unwrap();
        text.replace_after("one", "2", "3").unwrap();
        assert_eq!(text.finish(), "one 3 2");
    }

    #[test]
    fn documentation_uses_the_words_of_the_language() {
        assert_eq!(
            in_words_of("null", "/// `safe_to_retry`, `None`, `Id`, `\"hard_stop\"` and some_words"),
            "/// `safeToRetry`, `null`, `Id`, `\"hard_stop\"` and some_words"
        );
    }
}
