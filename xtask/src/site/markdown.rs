//! Renders a document as a page.

use super::PICTURES;
use super::check::Link;
use super::pages::{SitePlace, is_document, output};
use crate::Result;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use std::collections::HashMap;

/// The base address of files that are not pages.
const REPOSITORY: &str = "https://github.com/sondage/sondage/blob/main/";

/// A page, without the frame that all pages share.
#[derive(Debug)]
pub struct SitePage {
    pub place: SitePlace,
    pub title: String,
    /// The first paragraph, or item of a list.
    pub description: String,
    /// The source of the document.
    pub source: String,
    pub body: String,
    /// The anchors of headings, and their texts.
    pub headings: Vec<(String, String)>,
    pub links: Vec<Link>,
    /// Blocks of code: the language, whether a tested file is shown, and the first line.
    pub programs: Vec<(String, bool, String)>,
}

impl SitePage {
    /// Parses a document.
    pub fn new(place: SitePlace, source: &str) -> Result<Self> {
        let mut page = Self {
            place,
            title: String::new(),
            description: String::new(),
            source: source.to_owned(),
            body: String::new(),
            headings: Vec::new(),
            links: Vec::new(),
            programs: Vec::new(),
        };
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
        let mut events: Vec<Event<'_>> = Parser::new_ext(source, options).collect();
        page.headings(&mut events);
        page.read(&mut events);
        html::push_html(&mut page.body, events.into_iter());
        page.body = page.body.replace("<table>", "<div class=\"scroll\" tabindex=\"0\"><table>");
        page.body = page.body.replace("</table>", "</table></div>");
        if page.title.is_empty() || page.description.is_empty() {
            return Err(format!("{} has no title or no first paragraph", page.place.path).into());
        }
        Ok(page)
    }

    /// Gives each heading the anchor that the repository's web view gives it.
    fn headings(&mut self, events: &mut [Event<'_>]) {
        let mut seen: HashMap<String, usize> = HashMap::new();
        for at in 0..events.len() {
            let Event::Start(Tag::Heading { level, .. }) = &events[at] else { continue };
            let level = *level;
            let text = text_until(&events[at + 1..], |end| matches!(end, TagEnd::Heading(_)));
            let mut anchor = anchor(&text);
            let often = seen.entry(anchor.clone()).or_default();
            *often += 1;
            if *often > 1 {
                anchor = format!("{anchor}-{}", *often - 1);
            }
            if let Event::Start(Tag::Heading { id, .. }) = &mut events[at] {
                *id = Some(anchor.clone().into());
            }
            if level == HeadingLevel::H1 && self.title.is_empty() {
                self.title.clone_from(&text);
            }
            self.headings.push((anchor, text));
        }
    }

    fn read(&mut self, events: &mut [Event<'_>]) {
        let mut shows = false;
        for at in 0..events.len() {
            match &events[at] {
                Event::Start(Tag::Paragraph | Tag::Item) if self.description.is_empty() => {
                    let text =
                        text_until(&events[at + 1..], |end| matches!(end, TagEnd::Paragraph | TagEnd::Item));
                    self.description = text.split_whitespace().collect::<Vec<_>>().join(" ");
                }
                Event::Html(text) if text.trim_start().starts_with("<!--") => {
                    shows = text.contains("<!-- shows ");
                    events[at] = Event::Html(CowStr::Borrowed(""));
                    continue;
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    let language = match kind {
                        pulldown_cmark::CodeBlockKind::Fenced(word) => word.to_string(),
                        pulldown_cmark::CodeBlockKind::Indented => String::new(),
                    };
                    let text = text_until(&events[at + 1..], |end| *end == TagEnd::CodeBlock);
                    let first = text.lines().next().unwrap_or_default().to_owned();
                    self.programs.push((language, shows, first));
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    let (link, address) = Link::read(&self.place.path, dest_url);
                    if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) =
                        &mut events[at]
                    {
                        *dest_url = address.into();
                    }
                    if let (Link::Page { path, .. }, Some(Event::Text(text))) = (&link, events.get(at + 1))
                        && path.ends_with(text.trim_start_matches("../"))
                        && let Some(name) = named(text)
                    {
                        events[at + 1] = Event::Text(name.into());
                    }
                    self.links.push(link);
                }
                Event::End(TagEnd::HtmlBlock) => continue,
                _ => {}
            }
            // The comment applies to the block that follows it.
            shows = false;
        }
    }
}

impl Link {
    /// Converts a link of a document to the address of the page.
    fn read(from: &str, target: &str) -> (Self, String) {
        if target.starts_with("https://") || target.starts_with("http://") || target.starts_with("mailto:") {
            return (Self::Outside(target.to_owned()), target.to_owned());
        }
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let path = if file.is_empty() { from.to_owned() } else { resolved(from, file) };
        if path.starts_with(PICTURES) {
            return (Self::File(path), target.to_owned());
        }
        if !is_document(&path) {
            return (Self::File(path.clone()), format!("{REPOSITORY}{path}"));
        }
        let mut address = if file.is_empty() { String::new() } else { output(file) };
        if !anchor.is_empty() {
            address = format!("{address}#{anchor}");
        }
        (Self::Page { path, anchor: anchor.to_owned() }, address)
    }
}

/// The text of a link that shows the name of a file in the repository: `docs/spec-notes.md` becomes `spec notes`.
fn named(file: &str) -> Option<String> {
    let name = file.strip_suffix(".md")?.rsplit('/').next()?;
    Some(name.replace('-', " "))
}

/// A path that a document names, from the root of the repository.
fn resolved(from: &str, file: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in file.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn text_until(events: &[Event<'_>], ends: impl Fn(&TagEnd) -> bool) -> String {
    let mut text = String::new();
    for event in events {
        match event {
            Event::End(end) if ends(end) => break,
            Event::Text(part) | Event::Code(part) => text.push_str(part),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            _ => {}
        }
    }
    text
}

/// The anchor of a heading: its words in lower case, joined by hyphens.
pub fn anchor(text: &str) -> String {
    let kept = text.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> SitePage {
        let place = SitePlace { path: "docs/a.md".to_owned(), part: "Guides" };
        SitePage::new(place, text).unwrap()
    }

    #[test]
    fn headings_have_the_anchors_of_the_repository() {
        let page = page("# Of `sondage`\nText.\n## Bad input\n## Bad input\n## What's new?\n");
        let anchors: Vec<_> = page.headings.iter().map(|(anchor, _)| anchor.as_str()).collect();
        assert_eq!(anchors, ["of-sondage", "bad-input", "bad-input-1", "whats-new"]);
        assert_eq!((page.title.as_str(), page.description.as_str()), ("Of sondage", "Text."));
    }

    #[test]
    fn links_between_documents_lead_to_pages() {
        let page = page("# A\n[b](b.md#c) [readme](../README.md) [code](../examples/first.py) [here](#a)\n");
        for address in ["\"b.html#c\"", "\"../index.html\"", "blob/main/examples/first.py\"", "\"#a\""] {
            assert!(page.body.contains(address), "{address}: {}", page.body);
        }
    }

    #[test]
    fn a_page_is_called_by_its_name_and_not_by_that_of_its_file() {
        let page = page(
            "# A\nSee [docs/spec-notes.md](docs/spec-notes.md), [b.md](docs/b.md) and [the rest](docs/b.md).\n",
        );
        for link in [">spec notes</a>", ">b</a>", ">the rest</a>"] {
            assert!(page.body.contains(link), "{}", page.body);
        }
    }

    #[test]
    fn a_block_that_shows_a_file_is_told_from_others() {
        let page = page("# A\nText.\n\n<!-- shows x.py -->\n```python\na\n```\n\n```js\nb\n```\n");
        let of = |language: &str| page.programs.iter().find(|(found, ..)| found == language).unwrap().1;
        assert_eq!((of("python"), of("js")), (true, false));
        assert!(!page.body.contains("shows"), "{}", page.body);
    }
}
