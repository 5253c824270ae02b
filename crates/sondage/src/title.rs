//! The title of a column of interviews.

/// Question, row of a matrix and choice in one line; `None` if there is no text.
pub fn title<'a>(parts: impl IntoIterator<Item = Option<&'a str>>) -> Option<String> {
    let texts: Vec<&str> = parts.into_iter().flatten().filter(|text| !text.is_empty()).collect();
    (!texts.is_empty()).then(|| texts.join(" – "))
}
