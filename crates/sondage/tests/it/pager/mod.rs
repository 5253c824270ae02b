//! Complete lists from services with all possible behaviours: which rows are returned, and which error if some are
//! missing.

mod ends;
mod facts;
mod lists;
mod progress;
mod service;
