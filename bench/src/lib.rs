//! Seeded, realistic responses, and the ways to read them.

pub mod answer;
pub mod bodies;
pub mod download;
pub mod jobs;
pub mod process;
pub mod random;
pub mod scale;
pub mod server;
pub mod survey;
pub mod sync;
pub mod trace;
pub mod ways;
