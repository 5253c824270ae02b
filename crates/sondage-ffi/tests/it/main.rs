//! The tables of methods, and their callers in every language.

mod callers;
mod methods;
