//! Complete lists from services that behave in every way they may: which rows come, and which error when some do not.

mod ends;
mod lists;
mod progress;
mod service;
