//! Names of Rust as JavaScript writes them.

/// Words of OAuth, which are values and no names of ours.
const OAUTH: [&str; 4] = ["access_token", "api_token", "client_credentials", "refresh_token"];

/// `client_secret` as `clientSecret`.
pub fn camel(snake: &str) -> String {
    let mut words = snake.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (initial, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        name + &initial.to_uppercase() + rest
    })
}

/// A text of the core in which the names between backticks are those of JavaScript.
pub fn in_javascript(text: &str) -> String {
    let is_name = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    let word = |(i, word): (usize, &str)| {
        if i % 2 == 1 && is_name(word) && !OAUTH.contains(&word) { camel(word) } else { word.to_owned() }
    };
    text.split('`').enumerate().map(word).collect::<Vec<_>>().join("`")
}
