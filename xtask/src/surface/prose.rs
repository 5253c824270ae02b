//! Documentation, brought from Rust to other languages.

/// The widest line of a generated file.
pub const WIDTH: usize = 110;

/// The paragraphs of a documentation text, each on one line, without the brackets of Rust's links.
pub fn paragraphs(docs: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in docs.lines().map(str::trim) {
        match paragraphs.last_mut() {
            Some(last) if !line.is_empty() => {
                if !last.is_empty() {
                    last.push(' ');
                }
                last.push_str(line);
            }
            _ => paragraphs.push(String::new()),
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs.iter().map(|paragraph| without_links(paragraph)).collect()
}

/// All of a documentation text on one line.
pub fn line(docs: &str) -> String {
    paragraphs(docs).join(" ")
}

/// Breaks a paragraph into lines, each after `indent` spaces; lines after the first get `hang` more.
pub fn wrap(text: &str, indent: usize, hang: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut current = " ".repeat(indent);
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && current.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut current, " ".repeat(indent + hang)));
            empty = true;
        }
        if !empty {
            current.push(' ');
        }
        current.push_str(word);
        empty = false;
    }
    lines.push(current);
    lines
}

/// The entries of a list, a line each.
pub fn lines(entries: &[String], indent: &str) -> String {
    let mut out = String::new();
    for entry in entries {
        out.push_str(indent);
        out.push_str(entry);
        out.push_str(",\n");
    }
    out
}

/// "[`crate::auth`]" becomes "`auth`".
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[`") {
        let Some((link, tail)) = after.split_once("`]") else { break };
        out.push_str(before);
        out.push('`');
        out.push_str(link.rsplit("::").next().unwrap_or(link));
        out.push('`');
        rest = tail;
    }
    out + rest
}
