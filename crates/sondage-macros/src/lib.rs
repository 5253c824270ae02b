//! crates/sondage-macros
