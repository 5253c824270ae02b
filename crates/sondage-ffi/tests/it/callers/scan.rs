//! Finds calls of methods in Python and JavaScript: their names, and the keys of their arguments.

use std::fs;
use std::ops::Range;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    JavaScript,
}

/// A file, with comments and documentation blanked out.
#[derive(Clone)]
pub struct Source {
    pub path: String,
    pub text: String,
    pub language: Language,
}

/// A call of a method.
#[derive(Debug)]
pub struct Site {
    pub line: usize,
    /// Its names: several if an expression selects one. Empty if it is not a literal.
    pub names: Vec<String>,
    pub name_spans: Vec<(usize, usize)>,
    /// The keys of its argument; `None` if it is not a literal.
    pub keys: Option<Vec<String>>,
    pub key_spans: Vec<(usize, usize)>,
}

impl Language {
    pub fn folders(self) -> &'static [&'static str] {
        match self {
            Self::Python => &["python/sondage"],
            Self::JavaScript => &["node/lib", "node/types"],
        }
    }

    fn reads(self, name: &str) -> bool {
        let ending = name.rsplit('.').next().unwrap_or_default();
        match self {
            Self::Python => ending == "py",
            Self::JavaScript => ending == "js" || name.ends_with(".d.ts"),
        }
    }

    /// A Rust name in this language's spelling.
    pub fn name(self, snake: &str) -> String {
        if self == Self::Python { snake.to_owned() } else { camel(snake) }
    }
}

pub fn camel(snake: &str) -> String {
    let mut words = snake.split('_');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        name.extend(word.chars().take(1).map(|first| first.to_ascii_uppercase()));
        name.push_str(word.get(1..).unwrap_or_default());
    }
    name
}

/// The files of a folder, without subfolders, which contain generated files.
pub fn read(root: &Path, folder: &str, language: Language) -> Vec<Source> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_file() && language.reads(&name) {
            let text = fs::read_to_string(entry.path()).unwrap();
            found.push(Source::new(&format!("{folder}/{name}"), &text, language));
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

impl Source {
    pub fn new(path: &str, text: &str, language: Language) -> Self {
        Self { path: path.to_owned(), text: without_prose(text, language), language }
    }

    /// The same source with a replaced range.
    pub fn with(&self, start: usize, end: usize, text: &str) -> Self {
        let text = [&self.text[..start], text, &self.text[end..]].concat();
        Self { text, ..self.clone() }
    }
}

/// Blanks out comments and documentation, keeping all offsets.
fn without_prose(text: &str, language: Language) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, prose) = match language {
            Language::Python if rest.starts_with("\"\"\"") => {
                (rest[3..].find("\"\"\"").map_or(rest.len(), |end| end + 6), true)
            }
            Language::Python if first == '#' => (rest.find('\n').unwrap_or(rest.len()), true),
            Language::JavaScript if rest.starts_with("/*") => {
                (rest.find("*/").map_or(rest.len(), |end| end + 2), true)
            }
            Language::JavaScript if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), true),
            _ if first == '"' || first == '\'' => (literal(rest).unwrap_or(1), false),
            _ => (first.len_utf8(), false),
        };
        let (this, after) = rest.split_at(length);
        if prose {
            out.extend(this.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        } else {
            out.push_str(this);
        }
        rest = after;
    }
    out
}

/// The length of the string literal at the start of a text. An unclosed quote starts none.
fn literal(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The calls of a file.
pub fn sites(source: &Source) -> Vec<Site> {
    let text = &source.text;
    let calls = |callee: &'static str| text.match_indices(callee).map(move |(at, _)| at + callee.len());
    let begins = |at: usize| text[at..].trim_start().starts_with(['"', '\'']);
    // `make` is a common name: it counts only with a literal argument.
    let makes = calls("make(").filter(|at| begins(*at));
    let declared = |at: &usize| text[..*at].trim_end_matches(".method(").ends_with("def ");
    let mut found: Vec<usize> = calls(".method(").filter(|at| !declared(at)).chain(makes).collect();
    found.sort_unstable();
    found.into_iter().map(|at| site(source, at)).collect()
}

fn site(source: &Source, at: usize) -> Site {
    let text = &source.text;
    let mut arguments = split(text, at).into_iter();
    let name = arguments.next().unwrap_or(at..at);
    let name_spans = strings(text, name);
    let names = name_spans.iter().map(|(start, end)| text[*start..*end].to_owned()).collect();
    let key_spans = arguments.next().map_or(Some(Vec::new()), |argument| keys_of(source, argument));
    let keys = key_spans
        .as_ref()
        .map(|spans| spans.iter().map(|(start, end)| text[*start..*end].to_owned()).collect());
    let line = text[..at].lines().count();
    Site { line, names, name_spans, keys, key_spans: key_spans.unwrap_or_default() }
}

/// The keys of an argument: of a literal in the call, or of one assigned to a variable before.
fn keys_of(source: &Source, argument: Range<usize>) -> Option<Vec<(usize, usize)>> {
    let text = &source.text;
    let shown = text[argument.clone()].trim();
    if matches!(shown, "None" | "undefined" | "") {
        return Some(Vec::new());
    }
    if let Some(brace) = text[argument.clone()].find('{') {
        return Some(keys_in(source, argument.start + brace));
    }
    // A variable alone, or in a call such as `*with_rows(choices, rows)`.
    let words = shown.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    words.into_iter().find_map(|word| given(source, word, argument.start))
}

/// The keys of the literal last assigned to a variable before an offset.
fn given(source: &Source, name: &str, before: usize) -> Option<Vec<(usize, usize)>> {
    let earlier = &source.text[..before];
    let places = earlier.rmatch_indices(name).map(|(at, _)| at);
    let mut whole = places.filter(|at| {
        let outside = |c: Option<char>| c.is_none_or(|c| !(c.is_alphanumeric() || "_.#".contains(c)));
        outside(earlier[..*at].chars().next_back()) && outside(earlier[*at + name.len()..].chars().next())
    });
    whole.find_map(|at| {
        let line = earlier[at + name.len()..].lines().next().unwrap_or_default();
        let (kind, _) = line.split_once("= {")?;
        let typed = kind.trim().is_empty() || kind.trim_start().starts_with(':');
        let brace = at + name.len() + kind.len() + "= ".len();
        typed.then(|| keys_in(source, brace))
    })
}

/// The keys of the literal, the call or the interface after each match.
pub fn keys_after(source: &Source, begin: &str) -> Vec<String> {
    let text = &source.text;
    let mut found = Vec::new();
    for (at, _) in text.match_indices(begin) {
        let last = begin.trim_end().chars().next_back();
        let open = match last {
            Some('{' | '(') => at + begin.trim_end().len() - 1,
            _ => at + begin.find('{').unwrap_or_default(),
        };
        found.extend(keys_in(source, open).into_iter().map(|(start, end)| text[start..end].to_owned()));
    }
    found
}

/// The keys of the brackets that open at an offset, without nested ones.
fn keys_in(source: &Source, open: usize) -> Vec<(usize, usize)> {
    let text = &source.text;
    let mut keys = Vec::new();
    for part in split_by(text, open + 1, [',', ';']) {
        let start = part.start + text[part.clone()].len() - text[part.clone()].trim_start().len();
        let shown = text[part.clone()].trim();
        if let Some(length) = literal(shown) {
            if shown[length..].trim_start().starts_with(':') {
                keys.push((start + 1, start + length - 1));
            }
            continue;
        }
        let word = shown.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(shown.len());
        let after = shown[word..].trim_start();
        let named = match source.language {
            // A keyword argument of a call.
            Language::Python => after.starts_with('=') && !after.starts_with("=="),
            Language::JavaScript => after.is_empty() || after.starts_with(':') || after.starts_with("?:"),
        };
        if word > 0 && named {
            keys.push((start, start + word));
        }
    }
    keys
}

/// The arguments of a call whose bracket opened before an offset.
fn split(text: &str, from: usize) -> Vec<Range<usize>> {
    split_by(text, from, [',', ','])
}

/// The parts between separators, up to the closing bracket.
fn split_by(text: &str, from: usize, separators: [char; 2]) -> Vec<Range<usize>> {
    let (mut parts, mut depth, mut start, mut at) = (Vec::new(), 0_usize, from, from);
    while let Some(c) = text[at..].chars().next() {
        match c {
            '"' | '\'' => {
                at += literal(&text[at..]).unwrap_or(1);
                continue;
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            c if depth == 0 && separators.contains(&c) => {
                parts.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
        at += c.len_utf8();
    }
    if !text[start..at].trim().is_empty() {
        parts.push(start..at);
    }
    parts
}

/// The content of the string literals in a part.
fn strings(text: &str, part: Range<usize>) -> Vec<(usize, usize)> {
    let (mut found, mut at) = (Vec::new(), part.start);
    while at < part.end {
        match literal(&text[at..]) {
            Some(length) => {
                found.push((at + 1, at + length - 1));
                at += length;
            }
            None => at += text[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
    found
}
