//! Error text that knows which of its parts are our own words: those are literals in this source; everything else is a
//! value. A language binding rewrites names in our words (`client_secret` is `clientSecret` in JavaScript), but never in a
//! value: a field of a panel may be called `client_secret` as well.

use super::foreign::visible;
use super::redact::Redactor;
use super::wording::Wording;
use std::borrow::Cow;
use std::fmt::{self, Display};
use std::ops::Range;

/// A longer value is truncated.
const LONGEST: usize = 2_000;

/// Our words with values in them. [`text!`](crate::text!) makes one as `format!` makes a string; a `&'static str` counts as
/// our words, and a `String`, whose origin is unknown, as a value.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Text {
    text: String,
    /// The positions of our words, in order and without overlap.
    ours: Vec<Range<usize>>,
}

impl Text {
    /// Appends our own words.
    pub fn say(&mut self, words: &'static str) {
        self.ours(words);
    }

    /// Appends a value, with every character made visible.
    pub fn value(&mut self, value: impl Display) {
        self.text.push_str(&visible(&value.to_string(), LONGEST));
    }

    /// Appends another text.
    pub fn append(&mut self, other: &Self) {
        let mut at = 0;
        for range in &other.ours {
            self.text.push_str(&other.text[at..range.start]);
            self.ours(&other.text[range.clone()]);
            at = range.end;
        }
        self.text.push_str(&other.text[at..]);
    }

    fn ours(&mut self, words: &str) {
        let start = self.text.len();
        self.text.push_str(words);
        match self.ours.last_mut() {
            Some(last) if last.end == start => last.end = self.text.len(),
            _ => self.ours.push(start..self.text.len()),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text without the secrets that a redactor knows. Our own words contain none.
    pub(super) fn without(&self, redactor: &Redactor) -> Self {
        let mut out = Self::default();
        let mut at = 0;
        for range in self.ours.iter().chain([&(self.text.len()..self.text.len())]) {
            out.text.push_str(&redactor.clean(&self.text[at..range.start]));
            out.ours(&self.text[range.clone()]);
            at = range.end;
        }
        out
    }

    /// The text with names spelled as in the given language.
    pub fn worded(&self, wording: &Wording) -> Cow<'_, str> {
        if *wording == Wording::RUST {
            return Cow::Borrowed(&self.text);
        }
        let (mut out, mut at) = (String::with_capacity(self.text.len()), 0);
        for span in self.quoted() {
            out.push_str(&self.text[at..span.start]);
            out.push_str(&wording.of(&self.text[span.clone()]));
            at = span.end;
        }
        out.push_str(&self.text[at..]);
        Cow::Owned(out)
    }

    /// Names between backticks that lie entirely in our own words, and calls whose first argument is a value: `question("Q1")`.
    fn quoted(&self) -> Vec<Range<usize>> {
        let ticks = self.ours.iter().enumerate().flat_map(|(part, range)| {
            let backticks = self.text[range.clone()].match_indices('`');
            backticks.map(move |(at, _)| (part, range.start + at))
        });
        let ticks: Vec<_> = ticks.collect();
        let spans = ticks.chunks_exact(2).filter_map(|pair| {
            let (start, end) = (pair[0].1 + 1, self.ours[pair[0].0].end);
            let is_call = || self.text[start..end].ends_with("(\"");
            if pair[0].0 == pair[1].0 { Some(start..pair[1].1) } else { is_call().then_some(start..end) }
        });
        spans.collect()
    }
}

impl From<&'static str> for Text {
    fn from(words: &'static str) -> Self {
        let mut text = Self::default();
        text.say(words);
        text
    }
}

impl From<String> for Text {
    fn from(value: String) -> Self {
        let mut text = Self::default();
        text.value(value);
        text
    }
}

impl Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

/// Appends an argument of [`text!`](crate::text!): a text keeps its parts, everything else is a value.
#[doc(hidden)]
pub struct TextArgument<'a, T: ?Sized>(pub &'a T);

impl TextArgument<'_, Text> {
    #[doc(hidden)]
    pub fn put(&self, text: &mut Text) {
        text.append(self.0);
    }
}

impl TextArgument<'_, &Text> {
    #[doc(hidden)]
    pub fn put(&self, text: &mut Text) {
        text.append(self.0);
    }
}

#[doc(hidden)]
pub trait Put {
    fn put(&self, text: &mut Text);
}

impl<T: Display + ?Sized> Put for TextArgument<'_, T> {
    fn put(&self, text: &mut Text) {
        text.value(self.0);
    }
}

/// Makes a [`Text`] as `format!` makes a string: the literal is our own words, and the arguments are values, unless they
/// are texts themselves.
#[macro_export]
macro_rules! text {
    ($($format:tt)*) => { $crate::error::parts_of!($crate, $($format)*) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ours_and_values_are_not() {
        let (field, place) = ("email_address", text!("`{}` (explicit)", Text::from("client_secret")));
        let text =
            text!("set {place}, not `{field}` or `retry_after` {{{}}} {:?} {0:>3}", 7, "own `page_size`");
        let rust = "set `client_secret` (explicit), not `email_address` or `retry_after` {7} \"own `page_size`\"   7";
        assert_eq!(text.as_str(), rust);
        assert_eq!(text.worded(&Wording::RUST), rust);
        let camel = Wording { camel: true, idioms: &[], explains: true };
        let expected = rust.replace("client_secret", "clientSecret").replace("retry_after", "retryAfter");
        assert_eq!(text.worded(&camel), expected);
        assert_eq!(Text::from("no `base_url`".to_owned()).worded(&camel), "no `base_url`");
        assert_eq!(Text::from("no `base_url`").worded(&camel), "no `baseUrl`");
        let borrowed = &Text::from("`base_url`");
        assert_eq!(text!("no {borrowed}, no {}", borrowed).worded(&camel), "no `baseUrl`, no `baseUrl`");
    }

    /// Backticks inside a value do not change what counts as a name after it.
    #[test]
    fn a_value_with_backticks_changes_nothing_around_it() {
        let text = text!("`{}` has no `page_size`: {}", "a`b", "`my_own`");
        let actual = text.worded(&Wording { camel: true, idioms: &[], explains: true }).into_owned();
        assert_eq!(actual, "`a`b` has no `pageSize`: `my_own`");
    }

    #[test]
    fn secrets_leave_values_and_not_our_words() {
        let text = text!("the password was refused: {}", "password=Hunter22\n");
        let clean = text.without(&Redactor::new(["Hunter22", "password"]));
        assert_eq!(clean.as_str(), "the password was refused: ***=***\\n");
    }
}
