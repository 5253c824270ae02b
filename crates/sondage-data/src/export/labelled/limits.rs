//! What the format of a program can hold.

/// The limits of a format.
#[derive(Debug)]
pub(in crate::export) struct Limits {
    /// The program whose format it is.
    pub(in crate::export) program: &'static str,
    /// In what names and labels of columns are measured.
    pub(in crate::export) unit: Unit,
    /// The longest name of a column.
    pub(in crate::export) name: usize,
    /// The signs of names beside letters and digits.
    pub(in crate::export) signs: &'static str,
    /// Those of them with which a name can begin.
    pub(in crate::export) first_signs: &'static str,
    /// Whether a name is another one than the same in capitals.
    pub(in crate::export) has_case: bool,
    /// Whether a name, in lower case unless there is a difference, is a word of the program.
    pub(in crate::export) is_reserved: fn(&str) -> bool,
    /// The longest label of a column, and what stays of its question at least.
    pub(in crate::export) label: usize,
    pub(in crate::export) question: usize,
    /// The longest label of a value in bytes.
    pub(in crate::export) value_label: usize,
    /// Whether texts have labels as numbers do.
    pub(in crate::export) labels_texts: bool,
    /// Whether a number can have a label.
    pub(in crate::export) has_label: fn(f64) -> bool,
    /// The longest text in bytes.
    pub(in crate::export) text: usize,
    /// The most columns.
    pub(in crate::export) columns: usize,
}

/// The unit of a length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::export) enum Unit {
    Bytes,
    Characters,
}

impl Unit {
    /// The length of a text.
    pub(super) fn length(self, text: &str) -> usize {
        match self {
            Unit::Bytes => text.len(),
            Unit::Characters => text.chars().count(),
        }
    }

    /// The beginning of a text, at most this long, with whole characters.
    pub(in crate::export) fn cut(self, text: &str, most: usize) -> &str {
        match self {
            Unit::Bytes => cut(text, most),
            Unit::Characters => text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end]),
        }
    }

    /// The end of a text, at most this long, with whole characters.
    pub(super) fn end(self, text: &str, most: usize) -> &str {
        let mut starts = text.char_indices().map(|(start, _)| start);
        let fits = |start: &usize| self.length(&text[*start..]) <= most;
        starts.find(fits).map_or("", |start| &text[start..])
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Unit::Bytes => "bytes",
            Unit::Characters => "characters",
        }
    }
}

/// The beginning of a text, at most this many bytes, with whole characters.
pub(in crate::export) fn cut(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(0)]
}

/// Programs end a text at a NUL, so it is replaced by the character for what cannot be shown.
pub(super) fn without_nul(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}
