//! The text formats of settings, by type.

use super::DataCenter;
use super::grant::Grant;
use crate::budget::{BudgetMode, CountedBytes, DayStart};
use crate::facts::FactsMode;
use crate::model::Secret;
use crate::spelling::distance;
use crate::transport::settings::without_login;
use crate::words::Words;
use std::path::PathBuf;
use std::time::Duration;
use url::Url;

/// The types that the table of settings names.
pub(super) mod types {
    pub(crate) use super::super::DataCenter;
    pub(crate) use super::super::grant::Grant;
    pub(crate) use crate::budget::{BudgetMode, CountedBytes, DayStart};
    pub(crate) use crate::facts::FactsMode;
    pub(crate) use crate::model::Secret;
    pub(crate) use std::path::PathBuf;
    pub(crate) use std::time::Duration;
    pub(crate) use url::Url;

    pub(crate) type String = std::string::String;
    #[allow(non_camel_case_types)]
    pub(crate) type bool = std::primitive::bool;
    #[allow(non_camel_case_types)]
    pub(crate) type u32 = std::primitive::u32;
    #[allow(non_camel_case_types)]
    pub(crate) type u64 = std::primitive::u64;
    #[allow(non_camel_case_types)]
    pub(crate) type i64 = std::primitive::i64;
    #[allow(non_camel_case_types)]
    pub(crate) type f64 = std::primitive::f64;
}

/// How a value may be written in a profile file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// In quotes.
    Text,
    /// As a number.
    Number,
    /// As either.
    Both,
    /// As `true` or `false`.
    Truth,
}

/// The type of a setting.
pub trait Value: Sized {
    /// The parameter type of the builder's method.
    type Given;
    /// The expected format, to complete the sentence "must be ...".
    const SHAPE: &'static str;
    /// How it may be written in a profile file.
    const WRITTEN: Written = Written::Text;
    /// The words of which it is one.
    const CHOICES: Option<&'static Words> = None;
    /// Whether it is masked.
    const SECRET: bool = false;

    /// Whether invalid text looks like an attempt at this type. Any other text may be a misplaced secret, and is not shown.
    fn is_attempt(_: &str) -> bool {
        false
    }

    /// Parses the text.
    fn read(text: &str) -> Option<Self>;

    /// Formats a value that was set in code.
    fn write(given: Self::Given) -> String;

    /// The text to display.
    fn show(&self) -> String;
}

macro_rules! plain {
    ($($Type:ty, $shape:literal, $written:ident, $attempt:expr, $check:expr;)*) => { $(
        impl Value for $Type {
            type Given = $Type;
            const SHAPE: &'static str = $shape;
            const WRITTEN: Written = Written::$written;

            fn is_attempt(text: &str) -> bool {
                $attempt(text)
            }

            fn read(text: &str) -> Option<Self> {
                let check: fn(&$Type) -> bool = $check;
                text.trim().parse().ok().filter(check)
            }

            fn write(given: $Type) -> String {
                given.to_string()
            }

            fn show(&self) -> String {
                self.to_string()
            }
        }
    )* };
}
plain! {
    i64, "an integer", Number, like_a_number, |_| true;
    u32, "an integer of 0 or more", Number, like_a_number, |_| true;
    f64, "a number", Number, like_a_number, |number| number.is_finite();
}

impl Value for bool {
    type Given = bool;
    const SHAPE: &'static str = "`true` or `false`";
    const WRITTEN: Written = Written::Truth;

    /// Variables are often switched on with 1.
    fn read(text: &str) -> Option<Self> {
        match text.trim() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        }
    }

    fn is_attempt(text: &str) -> bool {
        like_a_truth(text)
    }

    fn write(given: bool) -> String {
        given.to_string()
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Value for String {
    type Given = String;
    const SHAPE: &'static str = "a text on one line";

    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty() && !text.contains(char::is_control)).then(|| text.to_owned())
    }

    fn write(given: String) -> String {
        given
    }

    fn show(&self) -> String {
        self.clone()
    }
}

impl Value for Secret {
    type Given = Secret;
    const SHAPE: &'static str = "a text";
    const SECRET: bool = true;

    /// Kept unchanged, including blanks; only a final line break, which `echo` and editors add, is removed.
    fn read(text: &str) -> Option<Self> {
        let text = text.trim_end_matches(['\r', '\n']);
        (!text.is_empty()).then(|| text.into())
    }

    fn write(given: Secret) -> String {
        given.reveal().to_owned()
    }

    fn show(&self) -> String {
        "***".to_owned()
    }
}

impl Value for Url {
    type Given = String;
    const SHAPE: &'static str = "an address such as https://api.example.com";

    fn read(text: &str) -> Option<Self> {
        text.trim().parse().ok()
    }

    fn write(given: String) -> String {
        given
    }

    fn show(&self) -> String {
        without_login(self)
    }
}

impl Value for PathBuf {
    type Given = PathBuf;
    const SHAPE: &'static str = "the path of a file or a folder";

    /// `~` is the folder of the user, as a shell has it: outside of a shell it would be a folder of that name.
    fn read(text: &str) -> Option<Self> {
        if text.is_empty() || text.contains('\0') {
            return None;
        }
        let below =
            text.strip_prefix('~').map(|rest| rest.strip_prefix(std::path::is_separator).unwrap_or(rest));
        match below {
            Some(rest) if rest.len() + 1 < text.len() || rest.is_empty() => {
                let home = std::env::home_dir().filter(|home| home.is_absolute())?;
                Some(if rest.is_empty() { home } else { home.join(rest) })
            }
            _ => Some(text.into()),
        }
    }

    fn write(given: PathBuf) -> String {
        given.to_string_lossy().into_owned()
    }

    fn show(&self) -> String {
        self.display().to_string()
    }
}

/// Settings that are one of a few words.
macro_rules! words {
    ($($Type:ty, |$text:ident| $read:expr;)*) => { $(
        impl Value for $Type {
            type Given = $Type;
            const SHAPE: &'static str = Self::WORDS.listed;
            const CHOICES: Option<&'static Words> = Some(Self::WORDS);

            fn read($text: &str) -> Option<Self> {
                $read
            }

            fn is_attempt(text: &str) -> bool {
                like_one_of(text, Self::ALL.map(Self::as_str))
            }

            fn write(given: $Type) -> String {
                given.to_string()
            }

            fn show(&self) -> String {
                self.to_string()
            }
        }
    )* };
}
words! {
    DataCenter, |text| text.trim().to_ascii_lowercase().parse().ok();
    Grant, |text| Self::of_word(text.trim());
    BudgetMode, |text| Self::of_word(text.trim());
    CountedBytes, |text| Self::of_word(text.trim());
    FactsMode, |text| Self::of_word(text.trim());
}

impl Value for DayStart {
    type Given = DayStart;
    const SHAPE: &'static str = "a time of day such as `00:00Z` or `06:00+01:00`";

    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn is_attempt(text: &str) -> bool {
        let sign = |c: char| c.is_ascii_digit() || matches!(c, ':' | '+' | '-' | 'Z' | 'z' | ' ');
        text.len() <= 20 && text.chars().all(sign) || like_a_number(text)
    }

    fn write(given: DayStart) -> String {
        given.to_string()
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

/// A duration: seconds as a number, or a number with `ms`, `s`, `min` or `h`.
impl Value for Duration {
    type Given = Duration;
    const SHAPE: &'static str = "a time above 0 and at most a day, such as 90, `90 s`, `500 ms` or `2 min`";
    const WRITTEN: Written = Written::Both;

    fn read(text: &str) -> Option<Self> {
        let (number, unit) = split(text)?;
        let seconds = match unit {
            "" | "s" => number,
            "ms" => number / 1e3,
            "min" => number * 60.0,
            "h" => number * 3600.0,
            _ => return None,
        };
        // No duration here sensibly exceeds a day, and this limit keeps sums of durations far from overflowing.
        (seconds <= 86_400.0).then(|| Self::from_secs_f64(seconds)).filter(|time| !time.is_zero())
    }

    fn is_attempt(text: &str) -> bool {
        like_a_number(text)
    }

    fn write(given: Duration) -> String {
        format!("{} s", given.as_secs_f64())
    }

    fn show(&self) -> String {
        Self::write(*self)
    }
}

/// A number with an optional unit.
fn like_a_number(text: &str) -> bool {
    let text = text.trim();
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = (text[..unit].trim_end(), &text[unit..]);
    let sign = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '_' | '-' | '+');
    let unit_like = unit.chars().all(|c| c.is_ascii_alphabetic()) && unit.len() <= 8;
    number.len() <= 20 && number.chars().any(|c| c.is_ascii_digit()) && number.chars().all(sign) && unit_like
        || matches!(text.to_ascii_lowercase().as_str(), "nan" | "inf" | "-inf" | "infinity" | "none" | "off")
}

fn like_a_truth(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    matches!(&*text, "yes" | "no" | "on" | "off" | "y" | "n" | "t" | "f" | "0" | "1")
        || like_one_of(&text, ["true", "false"])
}

/// Tests for a misspelt word.
fn like_one_of<'a>(text: &str, words: impl IntoIterator<Item = &'a str>) -> bool {
    let text = text.trim().to_ascii_lowercase();
    // A text of two letters is not a secret.
    text.len() <= 2 || words.into_iter().any(|word| distance(&text, word) <= word.len() / 3)
}

const UNITS: [(&str, u64); 3] = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)];

/// A size: bytes as a number, or a number with `KiB`, `MiB` or `GiB`.
impl Value for u64 {
    type Given = u64;
    const SHAPE: &'static str = "a size above 0, such as 65536, `64 KiB` or `512 MiB`";
    const WRITTEN: Written = Written::Both;

    fn read(text: &str) -> Option<Self> {
        let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
        let (number, unit) = (text[..split].trim().parse::<u64>().ok()?, text[split..].trim());
        let one = if unit.is_empty() { 1 } else { UNITS.into_iter().find(|(name, _)| *name == unit)?.1 };
        number.checked_mul(one).filter(|bytes| *bytes > 0)
    }

    fn is_attempt(text: &str) -> bool {
        like_a_number(text)
    }

    fn write(given: u64) -> String {
        given.to_string()
    }

    fn show(&self) -> String {
        let unit = UNITS.into_iter().rev().find(|(_, one)| *self >= *one && self.is_multiple_of(*one));
        unit.map_or_else(|| format!("{self} bytes"), |(name, one)| format!("{} {name}", self / one))
    }
}

fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let number: f64 = text[..at].trim().parse().ok()?;
    (number.is_finite() && number >= 0.0).then(|| (number, text[at..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes() {
        for (text, time) in
            [("90", 90_000), ("0.5 s", 500), ("250ms", 250), ("2 min", 120_000), ("1h", 3_600_000)]
        {
            assert_eq!(Duration::read(text), Some(Duration::from_millis(time)), "{text}");
        }
        for text in ["", "s", "-1", "0", "nan", "inf", "1e300", "5 weeks", "1 2", "1 day"] {
            assert_eq!(Duration::read(text), None, "{text}");
        }
        assert_eq!(u64::read("512 MiB"), Some(512 << 20));
        assert_eq!(u64::read("65536").map(|size| size.show()), Some("64 KiB".to_owned()));
        for text in ["", "0", "-1", "1.5 MiB", "5 MB", "99999999999999999999", "18446744073709551615 KiB"] {
            assert_eq!(u64::read(text), None, "{text}");
        }
    }

    #[test]
    fn the_folder_of_the_user_has_a_short_name() {
        let home = std::env::home_dir().expect("a user");
        assert_eq!(PathBuf::read("~/facts/of mine"), Some(home.join("facts/of mine")));
        assert_eq!(PathBuf::read("~"), Some(home));
        for text in ["~ann/x", "a/~", "./~"] {
            assert_eq!(PathBuf::read(text), Some(text.into()));
        }
    }

    #[test]
    fn what_was_given_is_read_back() {
        let time = Duration::from_millis(1234);
        assert_eq!(Duration::read(&Duration::write(time)), Some(time));
        assert_eq!(u64::read(&u64::write(12345)), Some(12345));
        assert_eq!(f64::read(&f64::write(0.1)), Some(0.1));
    }
}
