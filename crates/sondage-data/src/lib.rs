//! crates/sondage-data
