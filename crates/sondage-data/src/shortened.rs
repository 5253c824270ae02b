//! Lists in messages, which stay readable when they are long.

/// The most entries that a message names.
const NAMED: usize = 20;

/// The first entries, and how many more there are.
pub(crate) fn shortened(all: &[String]) -> Vec<String> {
    let mut some: Vec<String> = all.iter().take(NAMED).cloned().collect();
    if all.len() > NAMED {
        some.push(format!("and {} more", all.len() - NAMED));
    }
    some
}
