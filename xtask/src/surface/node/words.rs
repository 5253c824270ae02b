//! Spells Rust names and texts for JavaScript.

/// `read_member_list` as `readMemberList`.
pub fn camel(snake: &str) -> String {
    let mut words = snake.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &capital(word))
}

/// `web_hook` as `WebHook`.
pub fn pascal(snake: &str) -> String {
    snake.split('_').map(capital).collect()
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_uppercase() + rest
}

/// A text in which the names between backticks are those of JavaScript. What contains anything but small letters, digits and
/// `_` is left unchanged: a value is written with quotation marks, which `cargo xtask tidy` checks.
pub fn in_javascript(text: &str) -> String {
    let name = |word: &str| match word {
        "None" => "null".to_owned(),
        _ if word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') => camel(word),
        _ => word.to_owned(),
    };
    let parts = text.split('`').enumerate();
    let parts: Vec<String> =
        parts.map(|(i, part)| if i % 2 == 1 { name(part) } else { part.to_owned() }).collect();
    parts.join("`").replace("*/", "* /")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_between_backticks_become_those_of_javascript() {
        let text = "See `validation_issues`, `None`, `Email`, `\"hard_stop\"`, `https://a_b.example` and snake_case.";
        let expected =
            "See `validationIssues`, `null`, `Email`, `\"hard_stop\"`, `https://a_b.example` and snake_case.";
        assert_eq!(in_javascript(text), expected);
        assert_eq!(pascal("web_hook"), "WebHook");
    }
}
