//! The words of this server: operations have the names of their tools, and arguments those of the schemas.

use sondage::error::{Wording, camel};
use sondage::operations;
use std::sync::OnceLock;

/// Sentences about methods that this server does not have.
const ELSEWHERE: [&str; 2] =
    ["`members` reads panels of any size", "For a table of any size use `interviews`"];

/// The words of errors.
pub fn of_errors() -> &'static Wording {
    static WORDING: OnceLock<Wording> = OnceLock::new();
    WORDING.get_or_init(|| {
        let names: Vec<_> = operations::ALL.iter().map(|row| (row.method, row.name)).collect();
        Wording { camel: true, idioms: Vec::leak(names), explains: false }
    })
}

/// A description in the words of this server.
pub fn of_docs(text: &str) -> String {
    let sentences = text.split(". ").filter(|text| !ELSEWHERE.iter().any(|other| text.contains(other)));
    let text = sentences.collect::<Vec<_>>().join(". ");
    let mut worded: Vec<String> = text.split('`').map(str::to_owned).collect();
    // What is between backticks are the pieces with odd numbers.
    for name in worded.iter_mut().skip(1).step_by(2) {
        let operation = operations::ALL.iter().find(|row| row.method == name);
        let is_name = name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
        *name = match operation {
            Some(row) => row.name.to_owned(),
            None if is_name => camel(name),
            None => continue,
        };
    }
    worded.join("`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_and_arguments_have_the_names_of_this_server() {
        let docs = "Check `read_panel` first. For a table of any size use `interviews`. Without `member_ids` everybody.";
        assert_eq!(of_docs(docs), "Check `ReadPanel` first. Without `memberIds` everybody.");
    }
}
