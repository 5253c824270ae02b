//! The sondage command.
fn main() {}
