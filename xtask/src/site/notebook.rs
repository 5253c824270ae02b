//! Converts a notebook to a document: its texts, its cells as programs, and their outputs. The tests run it.

use crate::Result;
use serde_json::Value;
use std::fmt::Write;

/// The Markdown of a notebook.
pub fn markdown(notebook: &str) -> Result<String> {
    let notebook: Value = serde_json::from_str(notebook)?;
    let cells = notebook["cells"].as_array().ok_or("a notebook has cells")?;
    let mut text = String::new();
    for cell in cells {
        let source = joined(&cell["source"]);
        if cell["cell_type"] == "markdown" {
            let _ = write!(text, "{source}\n\n");
            continue;
        }
        let _ = write!(text, "```python\n{source}\n```\n\n");
        for output in cell["outputs"].as_array().into_iter().flatten() {
            let shown = joined(if output["text"].is_null() {
                &output["data"]["text/plain"]
            } else {
                &output["text"]
            });
            let _ = write!(text, "```text\n{}\n```\n\n", shown.trim_end());
        }
    }
    Ok(text)
}

/// A text that a notebook stores as a string or as a list of lines.
fn joined(value: &Value) -> String {
    let lines = value.as_array().into_iter().flatten();
    value.as_str().map_or_else(|| lines.filter_map(Value::as_str).collect(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::markdown;

    #[test]
    fn texts_programs_and_what_they_show() {
        let notebook = r##"{"cells": [
            {"cell_type": "markdown", "source": ["# A\n", "Text."]},
            {"cell_type": "code", "source": ["1 + 1"], "outputs": [{"data": {"text/plain": ["2"], "text/html": ["<b>2</b>"]}}]}
        ]}"##;
        let text = "# A\nText.\n\n```python\n1 + 1\n```\n\n```text\n2\n```\n\n";
        assert_eq!(markdown(notebook).unwrap(), text);
    }
}
