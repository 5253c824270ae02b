//! What happens to a call, and the clients of the core's tests.

pub mod happens;
#[path = "../../../../sondage/tests/it/support/sandbox.rs"]
pub mod sandbox;

use std::time::Duration;

/// When a test gives up waiting for what must happen: far above what a slow machine needs. No test measures speed.
pub const DEADLINE: Duration = Duration::from_secs(300);
