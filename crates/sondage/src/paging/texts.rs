//! A set of texts, such as GUIDs, that keeps only 72 bits of each: memory must not grow much with the list.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use twox_hash::XxHash3_128;

/// The minimum number of recent texts before they are merged into the sorted ones.
const RECENT: usize = 1 << 15;
const BUCKETS: usize = 1 << 16;

/// 72 bits of a hash. Among a million texts, two collide once in 10^10 lists. A collision makes a row look like a
/// duplicate, and the list fails with `Incomplete`: it is never silently short. An attacker gains nothing from a
/// collision, so the hash need not be cryptographic, which would cost a tenth of a download's time.
type IdHash = [u8; 9];

/// The first two bytes of the hash select the bucket, so that only the other seven are stored.
#[derive(Default)]
pub(super) struct SeenTexts {
    /// The most recent hashes, unsorted.
    recent: HashSet<IdHash, BuildHasherDefault<Beginning>>,
    /// All others, bucket by bucket, sorted.
    sorted: Vec<[u8; 7]>,
    /// Where each bucket starts, and where the last one ends. Empty while `sorted` is empty.
    buckets: Vec<usize>,
}

impl SeenTexts {
    pub fn contains(&self, text: &str) -> bool {
        // Before the first page has been added, there is nothing to search.
        if self.recent.is_empty() && self.sorted.is_empty() {
            return false;
        }
        let mark = mark(text);
        self.recent.contains(&mark) || self.is_sorted_in(&mark)
    }

    /// `false` when it was present before.
    pub fn insert(&mut self, text: &str) -> bool {
        let mark = mark(text);
        if self.is_sorted_in(&mark) || !self.recent.insert(mark) {
            return false;
        }
        if self.recent.len() >= RECENT.max(self.sorted.len() / 16) {
            self.sort_in();
        }
        true
    }

    fn is_sorted_in(&self, wanted: &IdHash) -> bool {
        let (place, rest) = parts(wanted);
        match self.buckets.get(place..place + 2) {
            Some([from, to]) => self.sorted[*from..*to].binary_search(&rest).is_ok(),
            _ => false,
        }
    }

    /// Merges the recent hashes into the sorted ones, from the end, in place: a second copy would double the peak memory.
    fn sort_in(&mut self) {
        let mut recent: Vec<IdHash> = self.recent.drain().collect();
        // The order of the bytes, as integers: comparing these is four times as fast.
        recent.sort_unstable_by_key(|mark| (beginning(mark), mark[8]));
        self.buckets.resize(BUCKETS + 1, 0);
        let mut from = self.sorted.len();
        let mut to = from + recent.len();
        self.sorted.reserve_exact(recent.len());
        self.sorted.resize(to, [0; 7]);
        for number in (0..BUCKETS).rev() {
            let begin = self.buckets[number];
            self.buckets[number + 1] = to;
            loop {
                let old = (from > begin).then(|| self.sorted[from - 1]);
                let new =
                    recent.last().map(parts).filter(|(place, _)| *place == number).map(|(_, rest)| rest);
                let Some(last) = old.max(new) else { break };
                if old == Some(last) {
                    from -= 1;
                } else {
                    recent.pop();
                }
                to -= 1;
                self.sorted[to] = last;
            }
        }
    }
}

fn mark(text: &str) -> IdHash {
    let mut mark = [0; 9];
    mark.copy_from_slice(&XxHash3_128::oneshot(text.as_bytes()).to_be_bytes()[..9]);
    mark
}

fn beginning(mark: &[u8]) -> u64 {
    mark.first_chunk().copied().map_or(0, u64::from_be_bytes)
}

/// The hash of a value that is a hash already.
#[derive(Default)]
struct Beginning(u64);

impl Hasher for Beginning {
    fn write(&mut self, mark: &[u8]) {
        self.0 ^= beginning(mark);
    }

    /// The length prefix of a hash, which is always the same.
    fn write_usize(&mut self, _: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

fn parts(mark: &IdHash) -> (usize, [u8; 7]) {
    let [high, low, rest @ ..] = *mark;
    (usize::from(u16::from_be_bytes([high, low])), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_found_again_and_no_other() {
        let (mut texts, count) = (SeenTexts::default(), 5 * RECENT / 2);
        for number in 0..count {
            let text = format!("{number:08x}-0000-4000-a000-{number:012x}");
            assert!(!texts.contains(&text));
            assert!(texts.insert(&text));
            assert!(!texts.insert(&text));
        }
        assert_eq!((texts.sorted.len(), texts.recent.len()), (2 * RECENT, count - 2 * RECENT));
        assert!(
            (0..count).all(|number| texts.contains(&format!("{number:08x}-0000-4000-a000-{number:012x}")))
        );
        assert!((0..count).all(|number| !texts.contains(&number.to_string())));
        assert_eq!(texts.buckets.last(), Some(&texts.sorted.len()));
    }

    #[test]
    fn many_on_one_shelf_stay_in_order() {
        let mut texts = SeenTexts::default();
        for turn in 0..3_u8 {
            // Two buckets, the first and the last, filled in no particular order.
            texts.recent = HashSet::from_iter([[0, 0, turn, 0, 0, 0, 0, 0, 7]]);
            texts
                .recent
                .extend((0..=255_u8).map(|byte| [255, 255, byte.wrapping_mul(91), turn, 0, 0, 0, 0, 7]));
            texts.sort_in();
        }
        let last = &texts.sorted[texts.buckets[BUCKETS - 1]..];
        assert!(last.is_sorted() && last.len() == 3 * 256);
        assert_eq!(texts.buckets[1], 3);
    }
}
