//! The calls and bytes of a day.

mod cost;

pub use cost::Cost;
