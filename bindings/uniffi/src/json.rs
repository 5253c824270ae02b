//! Records as JSON. A record crosses the boundary as uniffi writes it: so two functions do for all, and an app that starts
//! has no more functions to load.

use crate::convert::{ConversionError, IntoFfi, TryFromFfi};
use crate::{SondageError, UniFfiTag, codecs};
use sondage::Error;
use sondage::internals::json::{self, JsonModel, MASK};
use std::cell::Cell;
use uniffi::{Lift, Lower};

/// How a kind of record is written and read.
pub struct Codec {
    write: fn(Vec<u8>) -> Result<String, Error>,
    read: fn(&str) -> Result<Vec<u8>, Error>,
}

impl Codec {
    /// For a record and its model.
    pub const fn of<R, M>() -> Self
    where
        R: Lift<UniFfiTag> + Lower<UniFfiTag> + TryFromFfi<M>,
        M: IntoFfi<R> + JsonModel,
    {
        Self {
            write: |bytes| {
                let record = lifted::<R>(&mut bytes.as_slice())?;
                let model = record.try_from_ffi().map_err(ConversionError::into_argument_error)?;
                json::to_json(&model)
            },
            read: |text| {
                let mut bytes = Vec::new();
                R::write(json::from_json::<M>(text)?.into_ffi(), &mut bytes);
                Ok(bytes)
            },
        }
    }
}

fn lifted<R: Lift<UniFfiTag>>(bytes: &mut &[u8]) -> Result<R, Error> {
    struct Masked;
    impl Drop for Masked {
        fn drop(&mut self) {
            MASKED.set(false);
        }
    }
    let _masked = Masked;
    MASKED.set(true);
    // Such as a time that Rust cannot hold.
    R::try_read(bytes)
        .map_err(|error| Error::invalid_argument(format!("this cannot be written as JSON: {error}")))
}

thread_local! {
    /// Whether secrets are left out of what is read from the other language.
    static MASKED: Cell<bool> = const { Cell::new(false) };
}

/// A secret of Kotlin or Swift. One that was read back from JSON has no text that could be sent.
pub fn secret(text: String) -> Result<sondage::Secret, SondageError> {
    if MASKED.get() {
        return Ok(MASK.into());
    }
    if text == MASK {
        let what = "a secret is `***`: its text was left out when it was serialised or written as JSON. Put the secret in again";
        return Err(Error::invalid_argument(what.to_owned()).into());
    }
    Ok(text.into())
}

/// The JSON of a record, in the API's names. Kotlin and Swift have it as a method of each record.
#[uniffi::export]
pub fn json_of_record(name: &str, record: Vec<u8>) -> Result<String, SondageError> {
    Ok((codec(name)?.write)(record)?)
}

/// The record of a JSON.
#[uniffi::export]
pub fn record_of_json(name: &str, text: &str) -> Result<Vec<u8>, SondageError> {
    Ok((codec(name)?.read)(text)?)
}

fn codec(name: &str) -> Result<Codec, Error> {
    codecs::codec(name).ok_or_else(|| Error::internal(format!("no record is called {name}")))
}
