//! Decodes the bytes of a response into columns.
//!
//! `frame` follows the response while it arrives. At each row, `predict` is tried first: it reads rows that are like earlier
//! ones straight into column builders. If it fails, `frame` splits off the row, `row` reads it into cells, and `chunk` puts
//! the cells into the builders: this is the ordinary decoder, which alone decides what a row means and what is wrong with it.
//! `page` is the public interface. The tests compare both decoders with each other and with a plain JSON reader.

pub(crate) mod ceiling;
pub(crate) mod chunk;
mod envelope;
mod frame;
pub(crate) mod names;
pub(crate) mod page;
mod predict;
mod row;
mod scan;
