//! What the repository can do.
fn main() {}
