//! Times of options in the unit of a language.

use crate::language::{ArgResult, Language};

/// Times in the unit of the language, as seconds.
pub fn times<L: Language, const N: usize>(given: [(&str, &mut Option<f64>); N]) -> ArgResult<(), L> {
    for (name, time) in given {
        let read = time.take().map(|time| L::TIME.read(&L::name(name), time)).transpose()?;
        *time = read.map(|time| time.as_secs_f64());
    }
    Ok(())
}
