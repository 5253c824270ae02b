//! Values on their way to Kotlin and Swift, and back: how they are given and taken, maps that keep their order, and the
//! names of the core as they are written there.
//!
//! uniffi knows no values, only types: so this is a pair of traits, which the generated models implement, and not a
//! serializer as for Python and Node.js.

mod border;
mod map;

pub use border::{Give, Take, Wrong};
pub use map::Map;
