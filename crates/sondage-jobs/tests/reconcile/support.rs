//! Calls of operations by their names, and the clients of the core's tests.

#[path = "../../../sondage/tests/it/support/call.rs"]
pub mod call;
#[path = "../../../sondage/tests/it/support/sandbox.rs"]
pub mod sandbox;
