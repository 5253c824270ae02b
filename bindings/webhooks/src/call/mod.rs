#[path = "../../../../crates/sondage/src/call/measure.rs"]
pub mod measure;
