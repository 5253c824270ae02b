//! A call of a method and its arguments.

use crate::handle::Handle;
use crate::language::{ArgContext, ArgResult, Language};
use arrow_array::RecordBatchReader;
use serde::de::DeserializeOwned;
use sondage::Error;
use sondage::arguments::in_unit;

/// A call of a method.
pub struct Call<'a, L: Language> {
    /// The name, as names are written in the language.
    pub method: &'a str,
    /// Its argument.
    pub args: L::Args<'a>,
    /// Arguments that are not values.
    pub with: Attachment<'a, L>,
}

/// What a method takes in addition to its argument.
pub enum Attachment<'a, L: Language> {
    /// Nothing.
    None,
    /// Another handle, such as the watch that receives the progress of a download.
    Handle(&'a Handle<L>),
    /// The rows of a table from the caller.
    Rows(Box<dyn RecordBatchReader + Send>),
}

impl<L: Language> Call<'_, L> {
    /// Whether this is a call of the method with this Rust name.
    pub(crate) fn names(&self, method: &str) -> bool {
        if L::WORDING.camel { is_camel_of(self.method, method) } else { self.method == method }
    }

    /// The argument of a row. `called`: the method's name for callers.
    pub(crate) fn read<T: DeserializeOwned>(&self, called: &str, argument: &str) -> ArgResult<T, L> {
        let argument = match argument.trim_start_matches("r#") {
            "options" => "",
            name => name,
        };
        let context = ArgContext { call: called, argument, request: None };
        in_unit(L::TIME, || L::read(self.args.clone(), &context))
    }

    /// The method does not exist.
    pub(crate) fn unknown(&self) -> L::Refused {
        Error::internal(format!("there is no method `{}`", self.method)).into()
    }
}

/// Whether `camel` is the camelCase spelling of `snake`, without allocating.
fn is_camel_of(camel: &str, snake: &str) -> bool {
    let mut letters = camel.chars();
    let mut upper = false;
    for expected in snake.chars() {
        if expected == '_' {
            upper = true;
            continue;
        }
        let expected = if std::mem::take(&mut upper) { expected.to_ascii_uppercase() } else { expected };
        if letters.next() != Some(expected) {
            return false;
        }
    }
    letters.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_making_them() {
        for (camel, snake, same) in [
            ("forEvent", "for_event", true),
            ("url", "url", true),
            ("for_event", "for_event", false),
            ("forEvent", "for_events", false),
            ("forEvents", "for_event", false),
            ("forevent", "for_event", false),
        ] {
            assert_eq!(is_camel_of(camel, snake), same, "{camel} {snake}");
        }
    }
}
