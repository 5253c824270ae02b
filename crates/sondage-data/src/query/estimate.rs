//! Estimates the cost of a download before it starts.

use sondage::Result;
use sondage::paging::Pager;
use std::time::Instant;

use crate::decode::page::Page;

/// Rows that are read for an estimate.
pub(crate) const SAMPLE: i64 = 100;

/// The cost of a whole list. The service allows about 500 calls and 500 MB a day.
// API 15.1, published
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The service's count of rows; `None` if the count cannot be right.
    pub rows: Option<i64>,
    /// The number of calls, if no rows move in the meantime: those for the pages and the ends of the list, and the one for a
    /// panel's definition, which is read on request and if there are no members.
    pub calls: Option<i64>,
    /// Bytes of the responses before compression, assuming that all rows are like the first.
    pub bytes: Option<i64>,
    /// Minutes, assuming that each call takes as long as the one of this estimate.
    pub minutes: Option<f64>,
}

/// Reads the first rows of a list. `besides`: calls that a download of this number of rows makes besides its pages.
pub(super) async fn of(
    mut pager: Pager<Page>,
    page_size: i64,
    besides: impl FnOnce(i64) -> i64,
) -> Result<Estimate> {
    let begin = Instant::now();
    let row_count = pager.next().await?.map_or(0, |page| page.rows());
    let row_count = i64::try_from(row_count).unwrap_or(i64::MAX);
    let (progress, each) = (pager.progress(), begin.elapsed());
    // If fewer rows than requested are returned, they are the whole list. A count below the number of rows cannot be
    // right.
    let rows =
        if row_count < SAMPLE { Some(row_count) } else { progress.count.filter(|count| *count >= row_count) };
    let bytes = i64::try_from(progress.bytes).unwrap_or(i64::MAX);
    let calls = rows.map(|rows| pager.calls_for(rows, page_size) + besides(rows));
    let bytes = rows.map(|rows| bytes.saturating_mul(rows.max(1)) / row_count.max(1));
    let each = each / u32::try_from(progress.calls).unwrap_or(1).max(1);
    let minutes = calls
        .and_then(|calls| u32::try_from(calls).ok())
        .map(|calls| each.as_secs_f64() * f64::from(calls) / 60.0);
    Ok(Estimate { rows, calls, bytes, minutes })
}
