//! From the bytes of an answer to columns.
//!
//! `frame` follows the answer while it arrives. At a row, `predict` has the first word: it reads what is like the rows before
//! straight into column builders. What it leaves, `frame` cuts out whole, `row` reads into cells, and `chunk` puts the cells
//! into the builders: the ordinary way, which alone says what a row means and what is wrong with it. `page` is what the
//! outside sees. The tests hold both ways against each other and against a plain JSON reader.

pub(crate) mod ceiling;
pub(crate) mod chunk;
mod envelope;
mod frame;
pub(crate) mod names;
pub(crate) mod page;
mod predict;
mod row;
mod scan;
