//! Seeded, realistic answers, and the ways in which they are read.

pub mod answer;
pub mod bodies;
pub mod download;
pub mod process;
pub mod random;
pub mod scale;
pub mod server;
pub mod survey;
pub mod ways;
