//! Checks for empty selections in writes.
//!
//! Programs build filters as `conditions = [c for c in wanted if c]`. If the list ends up empty, the service reads "no
//! filter" and reaches everybody. So an empty list that selects people is never sent, by no operation that sends, changes
//! or deletes, and neither is a call that would write nothing.
//!
//! A variable that holds nothing by mistake is as frequent: `memberIds: ids.get(wave)`. So a selection that is present
//! without a value is refused where a language can tell it from one that was left out.

use crate::error::{Error, Result, Text};
use crate::operation::{Effect, OperationInfo};
use crate::schema::{FieldSchema, Role};
use crate::text;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Unexpected, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

/// A larger body is not parsed if it has no empty list anywhere: it takes as long as building it from rows.
const LARGE: usize = 16 << 10;

/// Refuses a body by the roles of its lists. It checks the JSON text that is about to be sent, so that bodies without a
/// model are covered too.
pub(crate) fn check(info: &OperationInfo, body: &[u8]) -> Result<()> {
    if matches!(info.effect, Effect::Read | Effect::Token) {
        return Ok(());
    }
    let in_role = |role| info.request.fields.iter().filter(move |field| field.role == role);
    if in_role(Role::Selects).chain(in_role(Role::Changes)).next().is_none() {
        return Ok(());
    }
    if body.len() > LARGE && !has_empty_list(body) && memchr::memmem::find(body, b"null").is_none() {
        return Ok(());
    }
    let body: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_slice(body).map_err(|e| {
        Error::invalid_argument(format!("the body of the request is not a JSON object ({e})"))
    })?;
    let empty = |field: &FieldSchema| body.get(field.wire).map(|text| is_empty(text));
    if let Some(field) = in_role(Role::Selects).find(|field| empty(field) == Some(true)) {
        let name = Text::from(field.name);
        let hint = if field.required {
            text!("Name at least one in `{name}`, or leave the call out when there is nobody.")
        } else {
            text!("Leave `{name}` out if you mean everybody; leave the call out if you mean nobody.")
        };
        return Err(
            Error::invalid_argument(text!("`{name}` is an empty list, which selects nobody")).with_hint(hint)
        );
    }
    let nothing = |field: &&FieldSchema| body.get(field.wire).is_some_and(|text| text.get() == "null");
    if let Some(field) = in_role(Role::Selects).find(nothing) {
        let absent =
            field.absent.map_or(Text::default(), |absent| text!(": leave it out if you mean {absent}"));
        return Err(Error::invalid_argument(text!("`{}` is null{absent}", Text::from(field.name))));
    }
    let selections: Vec<_> =
        in_role(Role::Changes).filter_map(|field| Some((field.name, empty(field)?))).collect();
    if !selections.is_empty() && selections.iter().all(|(_, empty)| *empty) {
        let mut names = Text::default();
        for (number, (name, _)) in selections.iter().enumerate() {
            names.append(&text!("{}`{}`", if number > 0 { " and " } else { "" }, Text::from(*name)));
        }
        let are = if selections.len() == 1 { "is an empty list" } else { "are empty lists" };
        return Err(Error::invalid_argument(text!("{names} {are}: the call would change nothing"))
            .with_hint("Leave the call out when there is nothing to write."));
    }
    Ok(())
}

/// Whether there is an empty list anywhere, or a text that looks like one.
fn has_empty_list(body: &[u8]) -> bool {
    memchr::memchr_iter(b']', body)
        .any(|end| body[..end].iter().rev().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'['))
}

/// `[]`, with or without blanks.
fn is_empty(text: &RawValue) -> bool {
    let inside = text.get().strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inside.is_some_and(|inside| inside.bytes().all(|byte| byte.is_ascii_whitespace()))
}

/// Reads an optional field that selects. It may be absent, but not `null`.
#[derive(Debug)]
pub struct Selection<T> {
    absent: &'static str,
    of: PhantomData<T>,
}

impl<T> Selection<T> {
    /// `absent`: what it means to leave the field out.
    pub fn of(absent: &'static str) -> Self {
        Self { absent, of: PhantomData }
    }
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Selection<T> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<Option<T>, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Selection<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "left out if you mean {}", self.absent)
    }

    fn visit_none<E: serde::de::Error>(self) -> std::result::Result<Option<T>, E> {
        Err(E::invalid_type(Unexpected::Unit, &self))
    }

    fn visit_unit<E: serde::de::Error>(self) -> std::result::Result<Option<T>, E> {
        self.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<Option<T>, D::Error> {
        T::deserialize(deserializer).map(Some)
    }
}
