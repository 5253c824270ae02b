//! Decodes the bytes of a response into columns.
//!
//! Decodes the bytes of a response into columns.

pub(crate) mod cell_limit;
pub(crate) mod chunk;
mod envelope;
mod frame;
pub(crate) mod names;
pub(crate) mod page;
mod predict;
pub(crate) mod replaced;
mod row;
mod scan;
