//! A call of a method: what is given to it, and what comes out.

pub(crate) mod args;
pub(crate) mod reply;
