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
    let decoded = decoded(&bare);
    let mut plain = String::with_capacity(decoded.len());
    for word in decoded.split(char::is_whitespace).filter(|word| !word.is_empty()) {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.push_str(word);
    }
    Cow::Owned(plain)
}

/// The text with its entities as characters.
fn decoded(text: &str) -> Cow<'_, str> {
    let bare = with_windows_references(text);
    match html_escape::decode_html_entities(&bare) {
        Cow::Borrowed(_) => bare,
        Cow::Owned(decoded) => Cow::Owned(decoded),
    }
}

/// Replaces numeric references to 0x80 to 0x9F, which browsers read as bytes of Windows-1252: `&#150;` is a dash.
fn with_windows_references(text: &str) -> Cow<'_, str> {
    if !text.contains("&#") {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(start) = rest.find("&#") {
        let number = &rest[start + 2..];
        let (digits, radix) = match number.strip_prefix(['x', 'X']) {
            Some(digits) => (digits, 16),
            None => (number, 10),
        };
        let length = digits.find(|sign: char| !sign.is_digit(radix)).unwrap_or(digits.len());
        let byte =
            u8::from_str_radix(&digits[..length], radix).ok().filter(|byte| (0x80..=0x9f).contains(byte));
        let end = start + 2 + (number.len() - digits.len()) + length;
        if let Some(byte) = byte {
            out.push_str(&rest[..start]);
            out.push_str(&encoding_rs::WINDOWS_1252.decode_without_bom_handling(&[byte]).0);
            rest = rest[end..].strip_prefix(';').unwrap_or(&rest[end..]);
        } else {
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

const NORMAL: &str = "0123456789+-\u{2212}=()ni";
const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ";
const LOWERED: &str = "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎";

/// A raised or lowered text in the characters that are; an exponent that has none stays one: `10^x`. `None`: it can stand as it is.
fn raised(inner: &str, is_raised: bool, before: &str) -> Option<String> {
    let text = without_tags(inner);
    let text = decoded(&text);
    let text = text.trim();
    let signs = if is_raised { RAISED } else { LOWERED };
    let place = |sign| NORMAL.chars().position(|normal| normal == sign);
    let moved: Option<String> = text.chars().map(|sign| signs.chars().nth(place(sign)?)).collect();
    let is_exponent = is_raised
        && before.ends_with(|sign: char| sign.is_ascii_digit())
        && text.contains(|sign: char| sign.is_ascii_digit());
    let exponent = || is_exponent.then(|| format!("^({text})"));
    moved.filter(|moved| !moved.is_empty()).or_else(exponent)
}

/// Whether a text has a picture, a film or a sound, so that readers see something although no [plain text](plain_text) is left of it.
pub fn has_media(text: &str) -> bool {
    text.match_indices('<').any(|(start, _)| {
        let tag = &text[start..];
        tag_end(tag).is_some() && MEDIA.contains(&tag_name(tag).as_str())
    })
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
        } else if ["sup", "sub"].contains(&name.as_str()) && !tag.starts_with("</") {
            let closing = format!("</{name}");
            let mut parts = rest.as_bytes().windows(closing.len());
            let close = parts.position(|part| part.eq_ignore_ascii_case(closing.as_bytes()));
            // One that is never closed ends with what it stands in, so that 10 to the 6 is not 106.
            let close = close.unwrap_or_else(|| rest.find('<').unwrap_or(rest.len()));
            if let Some(moved) = raised(&rest[..close], name == "sup", &bare) {
                bare.push_str(&moved);
                rest = &rest[close..];
            }
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

/// Tags that show something without a text.
const MEDIA: [&str; 9] = ["img", "svg", "picture", "video", "audio", "iframe", "object", "embed", "canvas"];

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
    tag_bracket(text).or_else(|| text.find('>')).filter(|_| begins).map(|at| at + 1)
}

/// Where a tag is closed: not in the value of an attribute, which follows `=` in quotation marks.
fn tag_bracket(text: &str) -> Option<usize> {
    let (mut quote, mut before) = (None, ' ');
    for (at, sign) in text.char_indices() {
        match (quote, sign) {
            (Some(mark), _) if sign == mark => quote = None,
            (None, '>') => return Some(at),
            (None, '"' | '\'') if before == '=' => quote = Some(sign),
            _ => {}
        }
        if !sign.is_whitespace() {
            before = sign;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{has_media, plain_text};

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
            ("<span title='a>b'>T</span>", "T"),
            ("<span title = \"x > y\">Frage</span>", "Frage"),
            ("<b title='open>T</b> it's", "T it's"),
            ("10<sup>6</sup> km<SUP>2</SUP>, 10<sup>&minus;3</sup>", "10⁶ km², 10⁻³"),
            ("H<sub>2</sub>O CO<sub><b>2</b></sub> x<sub>max</sub>", "H₂O CO₂ xmax"),
            ("1<sup>st</sup> 10<sup>2x</sup> A<sup>®</sup> 5<sup></sup>", "1st 10^(2x) A® 5"),
            ("10 &#150; 20 &#x96; &#128; &#8211; &#x1F642; &#;&#x;", "10 – 20 – € – 🙂 &#;&#x;"),
            ("10<sup>6", "10⁶"),
            ("<p>10<sup>6</p><p>5</p>", "10⁶ 5"),
            ("H<sub>2O and more", "H2O and more"),
        ] {
            assert_eq!(plain_text(text), plain, "{text:?}");
        }
    }
    #[test]
    fn a_text_of_blank_tags_has_no_media() {
        for text in ["<undefined> </undefined>", "&nbsp;", "<p><br></p>", "", "2 <img", "<imgs>"] {
            assert!(!has_media(text), "{text:?}");
        }
        for text in ["<img src='a.png'>", "<p><IMG/></p>", "a < b <video src=x></video>"] {
            assert!(has_media(text), "{text:?}");
        }
    }
}
