//! Texts of questionnaires without their markup.

use std::borrow::Cow;

/// The text as a reader sees it: tags removed, entities decoded, and each run of blanks, with non-breaking ones, is one blank.
///
/// `2 < 3` has no tag: a tag begins with a letter, a slash or an exclamation mark, and ends.
pub fn plain_text(text: &str) -> Cow<'_, str> {
    let has_markup = text.contains(['<', '&', '\u{a0}']);
    if !has_markup && !has_loose_blanks(text) {
        return Cow::Borrowed(text);
    }
    let bare = without_tags(text);
    let decoded = html_escape::decode_html_entities(&bare);
    let mut plain = String::with_capacity(decoded.len());
    for word in decoded.split(char::is_whitespace).filter(|word| !word.is_empty()) {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.push_str(word);
    }
    Cow::Owned(plain)
}

fn has_loose_blanks(text: &str) -> bool {
    let is_loose = |pair: &[u8]| pair[0].is_ascii_whitespace() && pair[1].is_ascii_whitespace();
    text.trim().len() != text.len()
        || text.contains(['\n', '\r', '\t'])
        || text.as_bytes().windows(2).any(is_loose)
}

/// Replaces each tag by a blank where it separates words on the page, and removes what a browser does not show.
fn without_tags(text: &str) -> String {
    let (mut bare, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(start) = rest.find('<') {
        bare.push_str(&rest[..start]);
        let tag = &rest[start..];
        let Some(end) = tag_end(tag) else {
            bare.push('<');
            rest = &tag[1..];
            continue;
        };
        let name = tag_name(tag);
        rest = &tag[end..];
        if ["style", "script"].contains(&name.as_str()) && !tag.starts_with("</") {
            let closing = format!("</{name}");
            let close = rest
                .as_bytes()
                .windows(closing.len())
                .position(|part| part.eq_ignore_ascii_case(closing.as_bytes()));
            rest = close.map_or("", |at| &rest[at..]);
        } else if SEPARATES.contains(&name.as_str()) {
            bare.push(' ');
        }
    }
    bare.push_str(rest);
    bare
}

/// Tags that begin or end a line.
const SEPARATES: [&str; 17] =
    ["br", "p", "div", "li", "ul", "ol", "tr", "td", "th", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr"];

fn tag_name(tag: &str) -> String {
    let name = tag[1..].trim_start_matches('/');
    name.chars().take_while(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

/// The length of the tag or comment at the beginning; `None` if there is none.
fn tag_end(text: &str) -> Option<usize> {
    if text.starts_with("<!--") {
        return text.find("-->").map(|at| at + 3);
    }
    let begins =
        text[1..].starts_with(|first: char| first.is_ascii_alphabetic() || first == '/' || first == '!');
    text.find('>').filter(|_| begins).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::plain_text;

    #[test]
    fn markup_goes_and_the_words_stay() {
        for (text, plain) in [
            ("Yes", "Yes"),
            ("", ""),
            ("2 < 3 & 4 > 1", "2 < 3 & 4 > 1"),
            ("a<b", "a<b"),
            ("<strong>Very</strong> good", "Very good"),
            ("one<br>two<BR/>three", "one two three"),
            ("<p style=\"color: red\">a</p><p>b</p>", "a b"),
            ("wo<em>r</em>d", "word"),
            ("  a&nbsp;&ndash;  b\u{a0}c \n", "a – b c"),
            ("&lt;b&gt; &amp;amp; &#233;&#x1F642;", "<b> &amp; é🙂"),
            ("a<!-- <b>hidden</b> -->b<style>.x{}</style><SCRIPT>alert(1)</script>c", "abc"),
            ("an < that ends <nowhere", "an < that ends <nowhere"),
            ("R&D and AT&T", "R&D and AT&T"),
        ] {
            assert_eq!(plain_text(text), plain, "{text:?}");
        }
    }
}
