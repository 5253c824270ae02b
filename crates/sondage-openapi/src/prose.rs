//! Rust documentation text, converted for other languages.

/// The paragraphs of a documentation text, each on one line, without Rust's link brackets.
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

/// A documentation text on one line.
pub fn line(docs: &str) -> String {
    paragraphs(docs).join(" ")
}

/// A link such as `[crate::auth]` becomes its last word.
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
