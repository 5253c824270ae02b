//! Seeded, realistic answers, and the ways in which they are read.

pub mod answer;
pub mod random;
pub mod survey;
pub mod ways;
