//! What a session has told about the interviews of a survey, and what more it may tell.
//!
//! Whoever asks often can add and subtract the numbers: of all and of all but one, the difference is one person. This is an audit of
//! linear queries (Chin and Özsoyoglu, 1982): a number is a vector with an entry for each row, for example 1 for those who are counted
//! and 0 for the others, and what can be computed from told numbers is a linear code, whose words must have a weight of at least ten.
//!
//! All sums and differences of up to three told numbers are tried. Longer ones are searched for, which finds many, but not certainly all:
//! the smallest weight of a linear code is hard to compute. Rows that no vector tells apart are one column of the matrix (an atom). A word
//! of small weight has entries in small atoms alone; so the large ones are eliminated first, and what remains is searched. The arithmetic
//! is that of a finite field, which is exact.

use super::field::{PRIME, SIGNS, eliminated, sum, support};
use std::collections::HashMap;

/// The smallest group of people that is counted, and the smallest number of people outside it.
pub const SMALLEST: usize = 10;

/// The most different numbers that a session tells about a survey.
pub const MOST: usize = 150;

/// The most entries of the matrix.
const MOST_ENTRIES: usize = 8_000_000;

/// A number for each row. What is told is their sum.
pub type Vector = Vec<u32>;

/// Why numbers are not told.
#[derive(Debug, PartialEq, Eq)]
pub enum NotTold {
    /// They would reveal something about these rows, with what was told before.
    Reveals(Vec<usize>),
    /// The session has told as much as it may.
    Exhausted,
}

/// What was told. It starts with what everybody may know.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// The atom of each row.
    atoms: Vec<u32>,
    /// The rows of each atom.
    sizes: Vec<usize>,
    /// The group of each atom that everybody may know.
    groups: Vec<u32>,
    /// A basis of what can be computed: an entry for each atom.
    basis: Vec<Vec<u32>>,
    /// What was told.
    told: Vec<Vec<u32>>,
}

impl Ledger {
    /// `groups`: for each row, the group that everybody may know.
    pub fn new(groups: &[u32]) -> Self {
        let (mut places, mut atoms, mut sizes, mut known) =
            (HashMap::new(), Vec::new(), Vec::new(), Vec::new());
        for group in groups {
            let next = u32::try_from(places.len()).unwrap_or(u32::MAX);
            let atom = *places.entry(*group).or_insert(next);
            if atom == next {
                sizes.push(0);
                known.push(*group);
            }
            sizes[atom as usize] += 1;
            atoms.push(atom);
        }
        let unit = |at: usize| (0..sizes.len()).map(|atom| u32::from(atom == at)).collect();
        let basis = (0..sizes.len()).map(unit).collect();
        Self { atoms, sizes, groups: known, basis, told: Vec::new() }
    }

    /// Tells numbers, all or none.
    pub fn tell(&mut self, numbers: &[Vector]) -> Result<(), NotTold> {
        let mut next = self.with(numbers);
        let earlier = self.told.len();
        if next.told.len() == earlier {
            return Ok(());
        }
        if next.told.len() > MOST || next.basis.len() * next.sizes.len() > MOST_ENTRIES {
            return Err(NotTold::Exhausted);
        }
        let groups = next.of_groups();
        let mut reveals = next.small_of_two(earlier, &groups);
        if reveals.is_none() {
            next.eliminate();
            reveals = next.small_word(&groups).or_else(|| next.small_of_three(earlier, &groups));
        }
        if let Some(atoms) = reveals {
            let rows = 0..next.atoms.len();
            return Err(NotTold::Reveals(
                rows.filter(|row| atoms.contains(&(next.atoms[*row] as usize))).collect(),
            ));
        }
        *self = next;
        Ok(())
    }

    /// With more vectors, and with the atoms that these tell apart. What everybody may know, and what was told, is not added.
    fn with(&self, numbers: &[Vector]) -> Self {
        let mut next = self.clone();
        for number in numbers {
            let mut parts: HashMap<(u32, u32), u32> = HashMap::new();
            let (mut sizes, mut entries, mut origins) = (Vec::new(), Vec::new(), Vec::new());
            for (atom, entry) in next.atoms.iter_mut().zip(number) {
                let fresh = u32::try_from(sizes.len()).unwrap_or(u32::MAX);
                let part = *parts.entry((*atom, *entry)).or_insert_with(|| {
                    sizes.push(0);
                    entries.push(*entry);
                    origins.push(*atom as usize);
                    fresh
                });
                sizes[part as usize] += 1;
                *atom = part;
            }
            for vector in next.basis.iter_mut().chain(&mut next.told) {
                *vector = origins.iter().map(|origin| vector[*origin]).collect();
            }
            next.sizes = sizes;
            next.groups = origins.iter().map(|origin| next.groups[*origin]).collect();
            let mut of_groups = HashMap::new();
            let known = next.groups.iter().zip(&entries);
            let is_known = known.fold(true, |is_known, (group, entry)| {
                is_known && of_groups.insert(*group, *entry).is_none_or(|before| before == *entry)
            });
            if !is_known && !next.told.contains(&entries) {
                next.basis.push(entries.clone());
                next.told.push(entries);
            }
        }
        next
    }

    /// The atoms of the smallest difference that a vector has from what everybody may know, if that is small but something: in each group,
    /// from the most frequent entry.
    fn small_excess(&self, groups: &[Group], entry: impl Fn(usize) -> u32) -> Option<Vec<usize>> {
        // Two large atoms of a group that differ are enough.
        let differ = |group: &Group| group.large.windows(2).any(|pair| entry(pair[0]) != entry(pair[1]));
        if groups.iter().any(differ) {
            return None;
        }
        let (mut left, mut atoms) = (0, Vec::new());
        for group in groups {
            let (mut entries, mut rows): (Vec<(u32, usize)>, usize) = (Vec::new(), 0);
            for atom in &group.atoms {
                rows += self.sizes[*atom];
                let value = entry(*atom);
                let known = entries.iter().position(|(entry, _)| *entry == value);
                let place = known.unwrap_or(entries.len());
                if place > SMALLEST {
                    return None;
                }
                if known.is_none() {
                    entries.push((value, 0));
                }
                entries[place].1 += self.sizes[*atom];
            }
            let Some(&(usual, size)) = entries.iter().max_by_key(|(_, size)| *size) else { continue };
            left += rows - size;
            if left >= SMALLEST {
                return None;
            }
            atoms.extend(group.atoms.iter().filter(|atom| entry(**atom) != usual));
        }
        (left > 0).then_some(atoms)
    }

    /// The atoms of a new number that is small, or whose sum or difference with another is.
    fn small_of_two(&self, earlier: usize, groups: &[Group]) -> Option<Vec<usize>> {
        (earlier..self.told.len()).find_map(|at| {
            let number = &self.told[at];
            self.small_excess(groups, |atom| number[atom]).or_else(|| {
                let signed = self.told[..at].iter().flat_map(|other| SIGNS.map(|sign| (other, sign)));
                signed.into_iter().find_map(|(other, sign)| {
                    self.small_excess(groups, |atom| sum(&[(number[atom], 1), (other[atom], sign)]))
                })
            })
        })
    }

    /// The atoms of a small sum or difference of a new number and two others.
    fn small_of_three(&self, earlier: usize, groups: &[Group]) -> Option<Vec<usize>> {
        for (at, number) in self.told.iter().enumerate().skip(earlier) {
            for (before, one) in self.told[..=at].iter().enumerate() {
                for other in &self.told[..=before] {
                    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                        let found = self.small_excess(groups, |atom| {
                            sum(&[(number[atom], 1), (one[atom], SIGNS[a]), (other[atom], SIGNS[b])])
                        });
                        if found.is_some() {
                            return found;
                        }
                    }
                }
            }
        }
        None
    }

    /// The groups that everybody may know.
    fn of_groups(&self) -> Vec<Group> {
        let mut groups: HashMap<u32, Group> = HashMap::new();
        for (atom, group) in self.groups.iter().enumerate() {
            let group = groups.entry(*group).or_default();
            group.atoms.push(atom);
            if self.sizes[atom] >= SMALLEST {
                group.large.push(atom);
            }
        }
        let mut groups: Vec<Group> = groups.into_values().collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.large.len()));
        groups
    }

    /// Eliminates the entries of large atoms, those first in which only one vector has an entry: there, nothing is left to do.
    fn eliminate(&mut self) {
        let entries = |atom: usize| self.basis.iter().filter(|vector| vector[atom] != 0).take(2).count() != 1;
        let mut order: Vec<usize> = (0..self.sizes.len()).collect();
        order.sort_by_cached_key(|atom| {
            let size = self.sizes[*atom];
            (size < SMALLEST, entries(*atom), std::cmp::Reverse(size))
        });
        self.basis = eliminated(std::mem::take(&mut self.basis), &order);
    }

    /// The atoms of a word of small weight, if one is found.
    fn small_word(&self, groups: &[Group]) -> Option<Vec<usize>> {
        // What has no entry in a large atom: the basis was eliminated in the order of size.
        let is_few = |atom: usize| self.sizes[atom] < SMALLEST;
        let in_small =
            |vector: &&Vec<u32>| vector.iter().enumerate().all(|(atom, entry)| *entry == 0 || is_few(atom));
        let small: Vec<Vec<u32>> = self.basis.iter().filter(in_small).cloned().collect();
        let mut order: Vec<usize> = (0..self.sizes.len()).filter(|atom| is_few(*atom)).collect();
        order.sort_by_key(|atom| std::cmp::Reverse(self.sizes[*atom]));
        // A word can be hidden from one elimination, but hardly from several in different orders.
        for turn in 0..3 {
            if let Some(atoms) = self.small_in(groups, &eliminated(small.clone(), &order)) {
                return Some(atoms);
            }
            order.sort_by_key(|atom| (*atom as u64 * 2_654_435_761 + turn * 40_503) % 65_537);
        }
        None
    }

    /// A vector, or a sum of two, of small weight.
    fn small_in(&self, groups: &[Group], vectors: &[Vec<u32>]) -> Option<Vec<usize>> {
        let supports: Vec<Vec<usize>> = vectors.iter().map(|vector| support(vector)).collect();
        let small = |vector: &Vec<u32>| self.small_excess(groups, |atom| vector[atom]);
        if let Some(atoms) = vectors.iter().find_map(small) {
            return Some(atoms);
        }
        let bits: Vec<Vec<u64>> = supports.iter().map(|atoms| bits(atoms, self.sizes.len())).collect();
        for one in 0..vectors.len() {
            for other in one + 1..vectors.len() {
                let differ: u32 = bits[one].iter().zip(&bits[other]).map(|(a, b)| (a ^ b).count_ones()).sum();
                if differ as usize >= SMALLEST {
                    continue;
                }
                if let Some(atoms) = self.small_difference(&vectors[one], &vectors[other], &supports[one]) {
                    return Some(atoms);
                }
            }
        }
        None
    }

    /// What is left of a vector when a multiple of another is subtracted, if it has a small weight. Fewer than ten entries are left, so one
    /// of the first ten that both have is cancelled, and tells the factor.
    fn small_difference(&self, one: &[u32], other: &[u32], support: &[usize]) -> Option<Vec<usize>> {
        let shared: Vec<usize> =
            support.iter().filter(|atom| other[**atom] != 0).take(SMALLEST).copied().collect();
        for cancelled in shared {
            let (a, b) = (u64::from(one[cancelled]), u64::from(other[cancelled]));
            let (mut atoms, mut weight) = (Vec::new(), 0);
            for atom in 0..one.len() {
                if u64::from(one[atom]) * b % PRIME != u64::from(other[atom]) * a % PRIME {
                    atoms.push(atom);
                    weight += self.sizes[atom];
                    if weight >= SMALLEST {
                        break;
                    }
                }
            }
            if weight < SMALLEST {
                let entry =
                    |atom: usize| u64::from(one[atom]) * b + (PRIME - a) * u64::from(other[atom]) % PRIME;
                let left: Vec<u32> = (0..one.len())
                    .map(|atom| u32::try_from(entry(atom) % PRIME).unwrap_or_default())
                    .collect();
                if !self.is_known(&left, &atoms) {
                    return Some(atoms);
                }
            }
        }
        None
    }

    /// Whether a vector is a sum of groups that everybody may know.
    fn is_known(&self, vector: &[u32], support: &[usize]) -> bool {
        support.iter().all(|atom| {
            let of_group = self.groups.iter().enumerate().filter(|(_, group)| **group == self.groups[*atom]);
            of_group.map(|(other, _)| other).all(|other| vector[other] == vector[*atom])
        })
    }
}

/// A group that everybody may know.
#[derive(Debug, Default)]
struct Group {
    atoms: Vec<usize>,
    /// Those of at least ten rows.
    large: Vec<usize>,
}

fn bits(atoms: &[usize], length: usize) -> Vec<u64> {
    let mut bits = vec![0; length.div_ceil(64)];
    for atom in atoms {
        bits[atom / 64] |= 1 << (atom % 64);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::super::field::entry;
    use super::*;

    fn rows(of: impl IntoIterator<Item = usize>) -> Vector {
        let mut vector = vec![0; 100];
        for row in of {
            vector[row] = 1;
        }
        vector
    }

    fn ledger() -> Ledger {
        Ledger::new(&[0; 100])
    }

    #[test]
    fn a_small_group_its_complement_and_a_difference_are_not_told() {
        for (told, asked, is_told) in [
            (vec![], 0..9, false),
            (vec![], 0..10, true),
            (vec![], 0..91, false),
            (vec![], 0..90, true),
            (vec![(0, 50)], 0..51, false),
            (vec![(0, 50)], 0..60, true),
            (vec![(0, 50)], 40..60, true),
            // One person is exchanged for another: whether the count changes tells something about both.
            (vec![(0, 50)], 1..51, false),
            (vec![(0, 20), (20, 40)], 0..42, false),
            (vec![(0, 30), (20, 50)], 0..50, true),
            (vec![(0, 30), (25, 50)], 0..50, false),
        ] {
            let mut ledger = ledger();
            for (start, end) in &told {
                ledger.tell(&[rows(*start..*end)]).unwrap();
            }
            let result = ledger.tell(&[rows(asked.clone())]);
            assert_eq!(result.is_ok(), is_told, "{told:?} {asked:?} {result:?}");
        }
    }

    #[test]
    fn a_sum_of_numbers_is_a_count_in_disguise() {
        // The mean of 0 and 1, or the sum of weights of 1 and 2, tells how many have each.
        for few in [0.0, 1.0] {
            let mut ledger = ledger();
            ledger.tell(&[rows(0..40)]).unwrap();
            let sum: Vector = (0..100)
                .map(|row| if row < 40 { entry(few + f64::from(u8::from(row < 4))) } else { 0 })
                .collect();
            assert_eq!(ledger.tell(&[sum]), Err(NotTold::Reveals((0..4).collect())));
        }
        let mut ledger = ledger();
        ledger.tell(&[rows(0..40)]).unwrap();
        let ages: Vector =
            (0..100).map(|row| if row < 40 { entry(18.5 + f64::from(row)) } else { 0 }).collect();
        ledger.tell(&[ages]).unwrap();
    }

    #[test]
    fn what_everybody_knows_can_be_subtracted() {
        let groups: Vec<u32> = (0..100).map(|row| if row < 60 { 0 } else { row / 4 }).collect();
        let mut ledger = Ledger::new(&groups);
        // Of those who are known to be 60, all but two; and of four, all but one.
        for asked in [rows(0..58), rows((0..60).chain(60..63))] {
            assert!(ledger.tell(&[asked]).is_err());
        }
        // Of three groups of four that are known together, all but one.
        assert!(ledger.tell(&[rows(60..71)]).is_err());
        for asked in [rows(60..64), rows(0..45), rows((20..55).chain(64..72))] {
            ledger.tell(&[asked]).unwrap();
        }
        assert!(ledger.tell(&[rows((0..45).chain(60..63))]).is_err());
    }

    #[test]
    fn what_is_left_of_many_numbers_is_not_told() {
        let mut ledger = ledger();
        for start in [0, 15, 30, 45, 60] {
            ledger.tell(&[rows(start..start + 15)]).unwrap();
        }
        // All of them, and four more, whom none of three numbers tells.
        assert_eq!(ledger.tell(&[rows(0..79)]), Err(NotTold::Reveals((75..79).collect())));
        // A sum of told numbers is a told number, too.
        ledger.tell(&[rows(0..75)]).unwrap();
        assert!(ledger.tell(&[rows(3..75)]).is_err());
    }

    #[test]
    fn a_session_does_not_tell_everything() {
        let rows = 20 * (MOST + 2);
        let number = |at: usize| (0..rows).map(|row| u32::from(row / 20 == at)).collect::<Vector>();
        let mut ledger = Ledger::new(&vec![0; rows]);
        ledger.tell(&[number(0)]).unwrap();
        let many: Vec<Vector> = (0..=MOST).map(number).collect();
        assert_eq!(ledger.tell(&many), Err(NotTold::Exhausted));
        ledger.tell(&[number(0), vec![1; rows]]).unwrap();
    }

    #[test]
    fn no_sum_of_many_told_numbers_stands_for_few() {
        let mut random = 7_u64;
        let mut next = move || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(random >> 33).unwrap_or_default()
        };
        let (mut ledger, mut told) = (ledger(), vec![rows(0..100)]);
        for _ in 0..400 {
            let (start, length) = (next() % 90, 5 + next() % 40);
            let asked = rows(start..(start + length).min(100));
            if ledger.tell(std::slice::from_ref(&asked)).is_ok() {
                told.push(asked);
            }
        }
        assert!(told.len() > 8, "{}", told.len());
        let weight = |signs: &[(usize, i64)]| {
            (0..100)
                .filter(|row| {
                    signs.iter().map(|(at, sign)| sign * i64::from(told[*at][*row])).sum::<i64>() != 0
                })
                .count()
        };
        for a in 0..told.len() {
            for b in a + 1..told.len() {
                assert!(matches!(weight(&[(a, 1), (b, -1)]), 0 | SMALLEST..));
                for c in 0..told.len() {
                    assert!(matches!(weight(&[(a, 1), (b, 1), (c, -1)]), 0 | SMALLEST..));
                }
            }
        }
    }
}
