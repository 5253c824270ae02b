//! A picture as SVG: rectangles and texts, without scripts and without anything from elsewhere.

use super::shortened;
use std::fmt::Write as _;

/// Colours that people with colour blindness tell apart (Okabe and Ito), and whether text on them is white.
const COLOURS: [(&str, bool); 8] = [
    ("#0072b2", true),
    ("#e69f00", false),
    ("#009e73", false),
    ("#cc79a7", false),
    ("#56b4e9", false),
    ("#d55e00", false),
    ("#f0e442", false),
    ("#999999", false),
];

/// Where a text begins, has its middle, or ends.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

pub(super) struct Svg {
    width: f64,
    body: String,
}

impl Svg {
    pub(super) fn new(width: f64) -> Self {
        Self { width, body: String::new() }
    }

    /// A text; `colour` is the number of the colour below it, if there is one.
    pub(super) fn text(&mut self, at: (f64, f64), anchor: Anchor, colour: Option<usize>, text: &str) {
        self.text_of(at, anchor, colour, text, None);
    }

    /// A text of at most so many characters. A longer one is shown whole when it is pointed at.
    pub(super) fn short_text(&mut self, at: (f64, f64), anchor: Anchor, text: &str, most: usize) {
        let short = shortened(text, most);
        self.text_of(at, anchor, None, &short, (short != text).then_some(text));
    }

    fn text_of(
        &mut self,
        (x, y): (f64, f64),
        anchor: Anchor,
        colour: Option<usize>,
        text: &str,
        whole: Option<&str>,
    ) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let fill = match colour.map(|colour| COLOURS[colour % COLOURS.len()].1) {
            Some(true) => " style=\"fill:#fff\"",
            Some(false) => " style=\"fill:#000\"",
            None => "",
        };
        let text = escaped(text);
        let title = whole.map_or_else(String::new, |whole| format!("<title>{}</title>", escaped(whole)));
        let _ = write!(
            self.body,
            r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}"{fill}>{title}{text}</text>"#
        );
    }

    /// A rectangle in one of the colours, with a text that is shown when it is pointed at.
    pub(super) fn bar(
        &mut self,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        colour: usize,
        title: &str,
    ) {
        let fill = COLOURS[colour % COLOURS.len()].0;
        let title = escaped(title);
        let _ = write!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{fill}"><title>{title}</title></rect>"#
        );
    }

    /// The picture.
    pub(super) fn end(self, height: f64, title: &str, description: &str) -> String {
        let (title, description) = (escaped(title), escaped(description));
        let Self { width, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sondage\" role=\"img\" width=\"{width}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width} {height:.0}\" aria-label=\"{title}\"><title>{title}</title><desc>{description}</desc>\
             <style>svg.sondage text{{font:12px system-ui,sans-serif;fill:#1b1b1b}}\
             @media (prefers-color-scheme:dark){{svg.sondage text{{fill:#e8e8e8}}}}</style>{body}</svg>"
        )
    }
}

/// A text in which nothing is markup, and every character is one of XML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_whole_in_its_title() {
        let mut svg = Svg::new(10.0);
        svg.short_text((0.0, 0.0), Anchor::End, "as short as this", 16);
        svg.short_text((0.0, 0.0), Anchor::End, "a <long> text of a label", 8);
        let picture = svg.end(10.0, "t", "d");
        assert!(picture.contains(">as short as this</text>"), "{picture}");
        assert!(
            picture.contains("<title>a &lt;long&gt; text of a label</title>a &lt;long…</text>"),
            "{picture}"
        );
    }

    #[test]
    fn texts_are_no_markup() {
        let mut svg = Svg::new(10.0);
        svg.text((0.0, 0.0), Anchor::Start, None, "<script>&\u{1}\u{ffff}");
        svg.bar((0.0, 0.0), (1.0, 1.0), 9, "a < \"b\"");
        let picture = svg.end(10.0, "'t'", "</desc><script>");
        assert!(picture.contains("&lt;script&gt;&amp;\u{fffd}\u{fffd}</text>"), "{picture}");
        assert!(picture.contains("a &lt; &quot;b&quot;") && picture.contains("&#39;t&#39;"));
        assert!(!picture.contains("<script") && picture.matches("</desc>").count() == 1, "{picture}");
    }
}
