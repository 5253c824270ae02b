//! Parses the text between two values of a row, to find the next column.
//!
//! The result depends on nothing but the format, the position in the row ([`Context`]) and the text itself, so that from
//! then on the text alone identifies it. Texts whose meaning depends on more are not handled: an element of `columns` whose
//! value precedes its id, for example.

use std::borrow::Cow;

use memchr::memchr2;
use serde::de::IgnoredAny;

use super::template::TemplateStep;
use crate::decode::names::{ColumnNames, ValueLocation};
use crate::decode::page::PayloadLayout;

/// The position of a value in a row, which determines what may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// Before the row's opening brace.
    Start,
    /// In the row itself.
    Row,
    /// In an element of the `columns` of a structured interview.
    Element,
    /// In a field of a member.
    Field,
    /// After the row's closing brace.
    End,
}

impl Context {
    pub(super) const COUNT: usize = 5;
}

/// Parses the text up to the next value or the end of the row. `None` if it is not understood, or leads to a column that
/// is not known yet.
pub(super) fn read<'b>(
    form: PayloadLayout,
    context: Context,
    bytes: &'b [u8],
    names: &ColumnNames,
) -> Option<(TemplateStep, &'b [u8])> {
    let mut reader = SeparatorReader { form, bytes, at: 0, names };
    let (column, to) = reader.read(context)?;
    let text = bytes.get(..reader.at)?;
    std::str::from_utf8(text).ok()?;
    let (column, length) = (u32::try_from(column).ok()?, u32::try_from(reader.at).ok()?);
    Some((TemplateStep { column, length, to }, text))
}

struct SeparatorReader<'a> {
    form: PayloadLayout,
    bytes: &'a [u8],
    at: usize,
    names: &'a ColumnNames,
}

type FoundSeparator = Option<(usize, Context)>;

impl<'a> SeparatorReader<'a> {
    fn read(&mut self, context: Context) -> FoundSeparator {
        match context {
            Context::Start => {
                self.take(b'{')?;
                if self.next()? == b'}' { self.end_of_row() } else { self.key_of_row() }
            }
            Context::Row => self.after_value_of_row(),
            Context::Element => {
                self.close_object(&["id", "value"])?;
                self.after_element()
            }
            Context::Field => {
                self.close_object(&["value", "fieldType"])?;
                self.after_field()
            }
            Context::End => None,
        }
    }

    fn end_of_row(&mut self) -> FoundSeparator {
        self.take(b'}')?;
        Some((0, Context::End))
    }

    fn after_value_of_row(&mut self) -> FoundSeparator {
        if self.next()? == b'}' {
            return self.end_of_row();
        }
        self.take(b',')?;
        self.key_of_row()
    }

    fn key_of_row(&mut self) -> FoundSeparator {
        let key = self.key()?;
        match (self.form, &*key) {
            (PayloadLayout::Structured, "columns") => {
                self.take(b'[')?;
                if self.next()? == b']' { self.after_element() } else { self.element() }
            }
            (PayloadLayout::Members, "fields") => {
                self.take(b'{')?;
                if self.next()? == b'}' { self.after_field() } else { self.field() }
            }
            (_, key) => Some((self.names.find(ValueLocation::Own, key)?, Context::Row)),
        }
    }

    fn element(&mut self) -> FoundSeparator {
        self.take(b'{')?;
        let mut column = None;
        loop {
            match &*self.key()? {
                "value" => return Some((column?, Context::Element)),
                "id" if column.is_some() => return None,
                "id" => column = Some(self.names.find(ValueLocation::Own, &self.string()?)?),
                _ => self.scalar()?,
            }
            self.take(b',')?;
        }
    }

    fn after_element(&mut self) -> FoundSeparator {
        if self.next()? == b',' {
            self.take(b',')?;
            return self.element();
        }
        self.take(b']')?;
        self.after_value_of_row()
    }

    fn field(&mut self) -> FoundSeparator {
        let column = self.names.find(ValueLocation::Field, &self.key()?)?;
        self.take(b'{')?;
        let mut typed = false;
        loop {
            match &*self.key()? {
                "value" => return Some((column, Context::Field)),
                "fieldType" if typed => return None,
                "fieldType" => {
                    typed = true;
                    self.field_type(column)?;
                }
                _ => self.scalar()?,
            }
            self.take(b',')?;
        }
    }

    /// A type that the column does not know yet must be recorded by the ordinary decoder.
    fn field_type(&mut self, column: usize) -> Option<()> {
        if self.next()? != b'"' {
            return self.scalar();
        }
        let word = self.string()?;
        let name = self.names.list().get(column)?;
        (name.field_type.as_deref() == Some(&*word) || name.field_type.is_some() && name.field_type_varies)
            .then_some(())
    }

    fn after_field(&mut self) -> FoundSeparator {
        if self.next()? == b',' {
            self.take(b',')?;
            return self.field();
        }
        self.take(b'}')?;
        self.after_value_of_row()
    }

    /// The rest of an object after its value, which must not contain any of these keys.
    fn close_object(&mut self, decisive: &[&str]) -> Option<()> {
        while self.next()? != b'}' {
            self.take(b',')?;
            let key = self.key()?;
            if decisive.contains(&&*key) {
                return None;
            }
            self.scalar()?;
        }
        self.take(b'}')
    }

    /// Skips white space and returns the next byte.
    fn next(&mut self) -> Option<u8> {
        while matches!(self.bytes.get(self.at)?, b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, wanted: u8) -> Option<()> {
        (self.next()? == wanted).then(|| self.at += 1)
    }

    /// Reads a key with its colon and the white space after it.
    fn key(&mut self) -> Option<Cow<'a, str>> {
        let key = self.string()?;
        self.take(b':')?;
        self.next()?;
        Some(key)
    }

    fn string(&mut self) -> Option<Cow<'a, str>> {
        let raw = self.raw_string()?;
        if raw.contains(&b'\\') {
            return serde_json::from_slice(raw).ok().map(Cow::Owned);
        }
        serde_json::from_slice(raw).ok().map(Cow::Borrowed)
    }

    fn raw_string(&mut self) -> Option<&'a [u8]> {
        if self.next()? != b'"' {
            return None;
        }
        let start = self.at;
        self.at += 1;
        loop {
            self.at += memchr2(b'"', b'\\', self.bytes.get(self.at..)?)?;
            if self.bytes[self.at] == b'"' {
                self.at += 1;
                return self.bytes.get(start..self.at);
            }
            self.at += 2;
        }
    }

    /// Skips a string, a number, true, false or null.
    fn scalar(&mut self) -> Option<()> {
        let raw = if self.next()? == b'"' {
            self.raw_string()?
        } else {
            let rest = self.bytes.get(self.at..)?;
            let length = rest.iter().position(|byte| matches!(byte, b',' | b'}' | b']'))?;
            self.at += length;
            &rest[..length]
        };
        serde_json::from_slice::<IgnoredAny>(raw).ok().map(|_| ())
    }
}
