//! Columns of dates and of timestamps.

use std::sync::Arc;

use arrow_array::{ArrayRef, Date32Array, TimestampMicrosecondArray, TimestampNanosecondArray};
use arrow_buffer::NullBuffer;

use super::time::{self, Instant};
use super::typed::{Fit, first_misfit};
use crate::column::Column;
use crate::column::seen::SeenKinds;
use crate::meaning::Wanted;

/// If all texts are timestamps, they become timestamps in UTC; if all are `yyyy-mm-dd`, they become dates, whichever of
/// the two was declared. The unit is the microsecond, or the nanosecond if a value has finer digits (.NET writes seven).
pub(super) fn times(parts: &[Column], seen: SeenKinds, wanted: Option<Wanted>) -> Fit {
    let instants = || first_misfit(parts, |part, row| time::instant(part.text(row)).is_some());
    let dates = || first_misfit(parts, |part, row| time::date(part.text(row)).is_some());
    if !seen.only_text() {
        return Fit::Misfit(instants().unwrap_or(0));
    }
    // The usual case: all are timestamps, none finer than a microsecond.
    if wanted != Some(Wanted::Date)
        && let Some(arrays) = parts.iter().map(only_microseconds).collect::<Option<_>>()
    {
        return Fit::Arrays(arrays);
    }
    let misfit = if wanted == Some(Wanted::Date) { dates() } else { instants() };
    match misfit {
        None if wanted == Some(Wanted::Date) => Fit::Arrays(parts.iter().map(date_array).collect()),
        None => timestamps(parts),
        Some(_) if wanted == Some(Wanted::Date) && instants().is_none() => timestamps(parts),
        Some(_) if wanted == Some(Wanted::Timestamp) && dates().is_none() => {
            Fit::Arrays(parts.iter().map(date_array).collect())
        }
        Some(row) => Fit::Misfit(row),
    }
}

fn timestamps(parts: &[Column]) -> Fit {
    let micros = |at: Instant| at.nanos.is_multiple_of(1_000);
    let finer = first_misfit(parts, |part, row| time::instant(part.text(row)).is_some_and(micros)).is_some();
    if !finer {
        return Fit::Arrays(parts.iter().map(microseconds).collect());
    }
    // Nanoseconds reach from 1677 to 2262 only.
    match first_misfit(parts, |part, row| time::instant(part.text(row)).and_then(in_nanos).is_some()) {
        Some(row) => Fit::Misfit(row),
        None => Fit::Arrays(parts.iter().map(nanoseconds).collect()),
    }
}

fn in_nanos(at: Instant) -> Option<i64> {
    // Before 1970, a value whose seconds are out of range may be within range once its nanoseconds are added.
    let nanos = i128::from(at.seconds) * 1_000_000_000 + i128::from(at.nanos);
    i64::try_from(nanos).ok()
}

fn instants_of(part: &Column) -> impl Iterator<Item = Option<Instant>> {
    (0..part.len()).map(|row| part.is_valid(row).then(|| time::instant(part.text(row))).flatten())
}

fn microseconds(part: &Column) -> ArrayRef {
    let values =
        instants_of(part).map(|at| at.map(|at| at.seconds * 1_000_000 + i64::from(at.nanos / 1_000)));
    Arc::new(values.collect::<TimestampMicrosecondArray>().with_timezone("UTC"))
}

fn only_microseconds(part: &Column) -> Option<ArrayRef> {
    let mut micros = Vec::with_capacity(part.len());
    for row in 0..part.len() {
        let at = if part.is_valid(row) { time::instant(part.text(row))? } else { Instant::default() };
        if !at.nanos.is_multiple_of(1_000) {
            return None;
        }
        micros.push(at.seconds * 1_000_000 + i64::from(at.nanos / 1_000));
    }
    Some(Arc::new(in_utc(micros, part.nulls())))
}

/// Microseconds since 1970 as an array.
pub(super) fn in_utc(micros: Vec<i64>, nulls: Option<NullBuffer>) -> TimestampMicrosecondArray {
    TimestampMicrosecondArray::new(micros.into(), nulls).with_timezone("UTC")
}

fn nanoseconds(part: &Column) -> ArrayRef {
    let values = instants_of(part).map(|at| at.and_then(in_nanos));
    Arc::new(values.collect::<TimestampNanosecondArray>().with_timezone("UTC"))
}

fn date_array(part: &Column) -> ArrayRef {
    let dates = (0..part.len()).map(|row| part.is_valid(row).then(|| time::date(part.text(row))).flatten());
    Arc::new(dates.collect::<Date32Array>())
}
