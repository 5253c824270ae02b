//! What is wrong with the user's data: all of it in one error.

use std::fmt::Write as _;

/// How many mistakes of a source are named.
pub(crate) const NAMED: usize = 20;

/// The mistakes of a file, a frame or given rows, each with its place and what to do about it.
#[derive(Default)]
pub(crate) struct Mistakes {
    named: Vec<String>,
    count: usize,
}

impl Mistakes {
    pub(crate) fn add(&mut self, mistake: impl Into<String>) {
        if self.named.len() < NAMED {
            self.named.push(mistake.into());
        }
        self.count += 1;
    }

    /// All of them in one text; `None` if there are none.
    pub(crate) fn text(&self) -> Option<String> {
        let mut text = self.named.join("; ");
        if self.count > self.named.len() {
            // Writing to memory does not fail.
            let _ = write!(text, "; and {} more", self.count - self.named.len());
        }
        (self.count > 0).then_some(text)
    }
}
