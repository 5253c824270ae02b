//! A generated part of a file, between two markers.

use std::io::{Error, Result};

/// The text with a new part between the markers.
pub fn replace(text: &str, begin: &str, end: &str, part: &str) -> Result<String> {
    match text.split_once(begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1))) {
        Some((before, after)) => Ok(format!("{before}{begin}{part}{end}{after}")),
        None => Err(Error::other(format!("the markers `{}` and `{end}` are missing", begin.trim_end()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_between_the_markers_changes() {
        let text = "a\n<!-- x -->\nold\n<!-- end of x -->\nb\n";
        let replaced = |begin: &str| replace(text, begin, "<!-- end of x -->", "new\n");
        assert_eq!(replaced("<!-- x -->\n").unwrap(), text.replace("old", "new"));
        assert!(replaced("<!-- y -->\n").is_err());
    }
}
