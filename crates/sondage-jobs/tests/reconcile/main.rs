//! What became of a write whose outcome is unknown. A program of its own: verdicts depend on the memory of the writes of this process,
//! which is limited, and the writes of other tests would displace theirs.

mod reconcile_matrix;
mod support;
mod verdicts;
