//! Where something is known from, as its documentation says it in brackets.

use sondage::operation::{OperationInfo, Source};

/// `spec 2.4`, `published` or `assumed`, when a documentation says so.
pub fn source(docs: &str) -> Option<String> {
    docs.split('(').skip(1).find_map(|rest| {
        let said = rest.split([')', ':', ';', ',']).next()?.split_whitespace().collect::<Vec<_>>();
        match said[..] {
            ["spec", part, ..] => Some(format!("spec {part}")),
            ["published" | "assumed", ..] => Some(said[0].to_owned()),
            _ => None,
        }
    })
}

/// The same for an operation. The part of the specification stands at its request.
pub fn of(row: &OperationInfo) -> String {
    match row.source {
        Source::Published => "published".to_owned(),
        Source::Spec => source(row.request.docs).filter(|it| it.starts_with("spec")).unwrap_or("spec".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_brackets_of_a_documentation_say_where_it_is_known_from() {
        assert_eq!(source("A field (spec 2.3).").as_deref(), Some("spec 2.3"));
        assert_eq!(source("Rows (of a page) (assumed: not published).").as_deref(), Some("assumed"));
        assert_eq!(source("Which part (published; see below).").as_deref(), Some("published"));
        assert_eq!(source("A number (of rows)."), None);
    }
}
