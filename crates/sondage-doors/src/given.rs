//! A verb and what is given to it.

use crate::language::{About, Language, Taken};
use crate::thing::Thing;
use arrow_array::RecordBatchReader;
use serde::de::DeserializeOwned;
use sondage::Error;

/// A call of a verb.
pub struct Call<'a, L: Language> {
    /// Its name.
    pub verb: &'a str,
    /// Its arguments, as one value.
    pub given: L::Given<'a>,
    /// What it takes that is no value.
    pub with: With<'a, L>,
}

/// What a verb takes beside its arguments.
pub enum With<'a, L: Language> {
    /// Nothing.
    Nothing,
    /// Another thing, such as the watch that is to be told how far a download is.
    Thing(&'a Thing<L>),
    /// The rows of a table of the caller's.
    Rows(Box<dyn RecordBatchReader + Send>),
}

impl<L: Language> Call<'_, L> {
    /// The arguments.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Taken<T, L> {
        self.read_as("")
    }

    /// The one argument, by its name.
    pub(crate) fn read_as<T: DeserializeOwned>(&self, argument: &str) -> Taken<T, L> {
        self.read_of(self.verb, argument)
    }

    /// The arguments of what callers know by another name than the verb's.
    pub(crate) fn read_of<T: DeserializeOwned>(&self, call: &str, argument: &str) -> Taken<T, L> {
        L::read(self.given.clone(), &About { call, argument, request: None })
    }

    /// Nobody can do this.
    pub(crate) fn unknown(&self) -> L::Refused {
        Error::internal(format!("`{}` is nothing that this can do", self.verb)).into()
    }
}
