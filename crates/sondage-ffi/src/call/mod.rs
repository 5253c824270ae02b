//! A call of a method: its arguments and its reply.

pub(crate) mod args;
pub(crate) mod reply;
