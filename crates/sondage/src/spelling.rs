//! What somebody probably meant who misspelt a name.

/// The edit distance between two words: how many letters must be changed, inserted, removed, or swapped with the next.
pub fn distance(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut above: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let changed = row[j] + usize::from(a != b);
            let mut least = changed.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && one[i - 1] == *b && *a == other[j - 1] {
                least = least.min(above[j - 1] + 1);
            }
            next.push(least);
        }
        above = std::mem::replace(&mut row, next);
    }
    row[other.len()]
}

/// The known names that were probably meant, at most three. Case and what joins words make no difference.
pub fn similar<'a>(name: &str, known: &[&'a str]) -> Vec<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace(['_', '-', ' '], "");
    let name = plain(name);
    let mut near: Vec<(usize, &str)> = known
        .iter()
        .map(|other| (distance(&plain(other), &name), *other))
        .filter(|(away, other)| *away <= 2 && *away < other.chars().count() && away * 2 < name.len().max(1))
        .collect();
    near.sort_unstable();
    near.dedup();
    // One that differs in nothing but its spelling is meant, and no other.
    if near.first().is_some_and(|(away, _)| *away == 0) {
        near.truncate(1);
    }
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

/// Advice that names what was probably meant, if anything was.
pub fn did_you_mean(name: &str, known: &[&str]) -> Option<String> {
    let near = similar(name, known);
    (!near.is_empty()).then(|| format!("Did you mean {}?", near.join(" or ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_the_column() {
        assert_eq!(similar("votes", &["vote", "PID", "age"]), ["vote"]);
        assert_eq!(similar("pid", &["vote", "PID", "age"]), ["PID"]);
        assert_eq!(similar("PDI", &["vote", "PID", "age"]), ["PID"], "two letters in the wrong order");
        assert!(similar("party", &["vote", "PID", "age"]).is_empty());
        assert!(similar("nope", &["Mode"]).is_empty(), "half of it is another word");
    }

    #[test]
    fn a_distance_counts_letters() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!((distance("abcd", "acbd"), distance("ab", "ba")), (1, 1));
    }

    #[test]
    fn a_name_is_proposed_once() {
        assert_eq!(did_you_mean("votee", &["vote", "vote", "PID"]).as_deref(), Some("Did you mean vote?"));
        assert_eq!(did_you_mean("party", &["vote", "PID"]), None);
    }
}
