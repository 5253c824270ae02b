//! crates/sondage-sandbox
