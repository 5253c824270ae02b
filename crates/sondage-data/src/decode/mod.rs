//! From the bytes of an answer to columns.
//!
//! `frame` cuts the answer into rows while it arrives, `row` reads a row into cells, `chunk` puts the cells into column
//! builders, `page` is what the outside sees. A faster decoder can take the place of `frame`, `row` and `chunk` behind
//! [`PageDecoder`](crate::PageDecoder); the tests in `tests/` hold whatever stands there against a plain JSON reader.

pub(crate) mod chunk;
mod envelope;
mod frame;
pub(crate) mod names;
pub(crate) mod page;
mod row;
mod scan;
