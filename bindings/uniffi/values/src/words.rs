//! The names of the core in the words of Kotlin and Swift.

use sondage::config::SETTINGS;
use sondage::operations;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Comparisons that the advice about a filter names.
const COMPARISONS: [&str; 5] = ["is_empty", "is_equal_to", "is_in", "is_not_empty", "is_not_in"];

/// The names that an error may speak of: operations, their arguments, settings, comparisons, and an error's own fields.
static NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let operations = operations::ALL.iter().map(|row| row.method);
    let arguments = operations::ALL.iter().flat_map(|row| row.request.fields).map(|field| field.name);
    let settings = SETTINGS.iter().map(|setting| setting.name);
    let others = COMPARISONS.into_iter().chain(["retry_after", "token_provider"]);
    operations.chain(arguments).chain(settings).chain(others).collect()
});

/// A text of the core in which names between backticks are written as users write them: `auth_url` is `authUrl`.
pub fn in_camel_case(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, part) in text.split('`').enumerate() {
        if number > 0 {
            out.push('`');
        }
        if number % 2 == 1 && NAMES.contains(part) { out.push_str(&camel(part)) } else { out.push_str(part) }
    }
    out
}

/// The name in Kotlin and Swift of a name in Rust.
pub fn camel(snake: &str) -> String {
    let mut words = snake.trim_start_matches("r#").split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
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
        let text = "Set `auth_url` or ask again after `retry_after`; `my_own` and auth_url stay.";
        let there = "Set `authUrl` or ask again after `retryAfter`; `my_own` and auth_url stay.";
        assert_eq!(in_camel_case(text), there);
    }
}
