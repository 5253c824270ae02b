//! crates/sondage
