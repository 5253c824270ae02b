//! Adapts our texts, which spell names as in Rust and Python, to another language.

use std::borrow::Cow;

/// How a language spells what our texts put between backticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wording {
    /// Whether names are camelCase: `clientSecret`, not `client_secret`.
    pub camel: bool,
    /// Replacements for text that is not a name: `|` is `.or()` in JavaScript.
    pub idioms: &'static [(&'static str, &'static str)],
    /// Whether the language has `config.explain()`.
    pub explains: bool,
}

impl Wording {
    /// The original spelling, for Rust and Python.
    pub const RUST: Self = Self { camel: false, idioms: &[], explains: true };

    pub(super) fn of<'a>(&self, ours: &'a str) -> Cow<'a, str> {
        // A call of which only the name is ours: `question("` and a value.
        if let Some((name, arguments)) = ours.split_once("(\"") {
            return Cow::Owned(format!("{}(\"{arguments}", self.of(name)));
        }
        let idiom = self.idioms.iter().find(|(here, _)| *here == ours);
        match idiom {
            Some((_, there)) => Cow::Borrowed(there),
            None if self.camel && is_name(ours) => Cow::Owned(camel(ours)),
            None => Cow::Borrowed(ours),
        }
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// A Rust name in camelCase, for JavaScript, Kotlin and Swift: `client_secret` becomes `clientSecret`.
pub fn camel(snake: &str) -> String {
    let mut parts = snake.trim_start_matches("r#").split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, word| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().collect::<String>());
        name + &first.unwrap_or_default() + letters.as_str()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_users_write_them() {
        assert_eq!(camel("some_long_name"), "someLongName");
        assert_eq!(camel("r#type"), "type");
        let kotlin = Wording { camel: true, idioms: &[("|", "or")], explains: false };
        assert_eq!(kotlin.of("read_panel(\""), "readPanel(\"");
        for (here, there) in [("auth_url", "authUrl"), ("|", "or"), ("Title_2", "Title_2"), ("a b", "a b")] {
            assert_eq!(kotlin.of(here), there);
            assert_eq!(Wording::RUST.of(here), here);
        }
    }
}
