//! What a session has told about the interviews of a survey, and what more it may tell.
//!
//! Whoever asks often can add and subtract the numbers: of all and of all but one, the difference is one person. So a number is told
//! only if every sum and difference of what was told, with any factors, depends on at least ten people or on nobody. This is an audit of
//! linear queries (Chin and Özsoyoglu, 1982): a number is a vector with an entry for each row, for example 1 for those who are counted and
//! 0 for the others, and the vectors that can be computed from what was told are a linear code, whose words must have a
//! weight of at least ten.
//!
//! Rows that no vector tells apart are one column of the matrix (an atom). A word of small weight has entries in small atoms alone; so
//! the large ones are eliminated first, and what remains is searched for words of small weight. The arithmetic is that of a finite field, which
//! is exact.

use std::collections::HashMap;

/// The smallest group of people that is counted, and the smallest number of people outside it.
pub const SMALLEST: usize = 10;

/// The most independent numbers that a session tells about a survey.
const MOST: usize = 200;

/// The most entries of the matrix.
const MOST_ENTRIES: usize = 8_000_000;

/// A prime number: entries are integers below it.
const PRIME: u64 = (1 << 31) - 1;

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
        let mut order: Vec<usize> = (0..next.sizes.len()).collect();
        order.sort_by_key(|atom| std::cmp::Reverse(next.sizes[*atom]));
        next.basis = eliminated(next.basis, &order);
        if next.basis.len() == self.basis.len() {
            // Nothing that could not be computed before.
            return Ok(());
        }
        if next.basis.len() > MOST || next.basis.len() * next.sizes.len() > MOST_ENTRIES {
            return Err(NotTold::Exhausted);
        }
        if let Some(atoms) = next.small_pair(numbers.len()).or_else(|| next.small_word()) {
            let reveals = self.atoms.len();
            let rows = (0..reveals).filter(|row| atoms.contains(&(next.atoms[*row] as usize)));
            return Err(NotTold::Reveals(rows.collect()));
        }
        *self = next;
        Ok(())
    }

    /// With more vectors, and with the atoms that these tell apart.
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
            next.basis.push(entries.clone());
            next.told.push(entries);
        }
        next
    }

    /// The atoms of the smallest difference that a vector has from what everybody may know, if that is small but something: in each group,
    /// from the most frequent entry.
    fn small_excess(&self, of_groups: &[Vec<usize>], vector: &[u32]) -> Option<Vec<usize>> {
        let (mut left, mut atoms) = (0, Vec::new());
        for group in of_groups {
            let (mut entries, mut rows): (Vec<(u32, usize)>, usize) = (Vec::new(), 0);
            for atom in group {
                rows += self.sizes[*atom];
                let known = entries.iter().position(|(entry, _)| *entry == vector[*atom]);
                let place = known.unwrap_or(entries.len());
                if place > SMALLEST {
                    return None;
                }
                if known.is_none() {
                    entries.push((vector[*atom], 0));
                }
                entries[place].1 += self.sizes[*atom];
            }
            let Some(&(usual, size)) = entries.iter().max_by_key(|(_, size)| *size) else { continue };
            left += rows - size;
            if left >= SMALLEST {
                return None;
            }
            atoms.extend(group.iter().filter(|atom| vector[**atom] != usual));
        }
        (left > 0).then_some(atoms)
    }

    /// A new number that is small, or whose sum or difference with another is; what everybody may know is subtracted.
    fn small_pair(&self, new: usize) -> Option<Vec<usize>> {
        let of_groups = self.of_groups();
        let earlier = self.told.len() - new;
        for at in earlier..self.told.len() {
            let number = &self.told[at];
            if let Some(atoms) = self.small_excess(&of_groups, number) {
                return Some(atoms);
            }
            for other in &self.told[..at] {
                for sign in [1, PRIME - 1] {
                    let sum = |(a, b): (&u32, &u32)| {
                        u32::try_from((u64::from(*a) + sign * u64::from(*b)) % PRIME).unwrap_or_default()
                    };
                    let sum: Vec<u32> = number.iter().zip(other).map(sum).collect();
                    if let Some(atoms) = self.small_excess(&of_groups, &sum) {
                        return Some(atoms);
                    }
                }
            }
        }
        None
    }

    /// The atoms of each group that everybody may know.
    fn of_groups(&self) -> Vec<Vec<usize>> {
        let mut groups: HashMap<u32, Vec<usize>> = HashMap::new();
        for (atom, group) in self.groups.iter().enumerate() {
            groups.entry(*group).or_default().push(atom);
        }
        groups.into_values().collect()
    }

    /// The atoms of a word of small weight, if one is found.
    fn small_word(&self) -> Option<Vec<usize>> {
        // What has no entry in a large atom: the basis was eliminated in the order of size.
        let is_small = |atom: usize| self.sizes[atom] < SMALLEST;
        let in_small =
            |vector: &&Vec<u32>| vector.iter().enumerate().all(|(atom, entry)| *entry == 0 || is_small(atom));
        let small: Vec<Vec<u32>> = self.basis.iter().filter(in_small).cloned().collect();
        let mut order: Vec<usize> = (0..self.sizes.len()).filter(|atom| is_small(*atom)).collect();
        order.sort_by_key(|atom| std::cmp::Reverse(self.sizes[*atom]));
        // A word can be hidden from one elimination, but hardly from several in different orders.
        for turn in 0..3 {
            if let Some(atoms) = self.small_sum(&eliminated(small.clone(), &order)) {
                return Some(atoms);
            }
            order.sort_by_key(|atom| (*atom as u64 * 2_654_435_761 + turn * 40_503) % 65_537);
        }
        None
    }

    /// A vector, or a sum of two, of small weight.
    fn small_sum(&self, vectors: &[Vec<u32>]) -> Option<Vec<usize>> {
        let supports: Vec<Vec<usize>> = vectors.iter().map(|vector| support(vector)).collect();
        let of_groups = self.of_groups();
        if let Some(atoms) = vectors.iter().find_map(|vector| self.small_excess(&of_groups, vector)) {
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

/// The entry that stands for a number.
pub fn entry(number: f64) -> u32 {
    let bits = number.to_bits();
    let exponent = i64::try_from((bits >> 52) & 0x7ff).unwrap_or_default();
    let fraction = bits & ((1 << 52) - 1);
    let mantissa = if exponent == 0 { fraction << 1 } else { fraction | 1 << 52 };
    let (shift, base) = (exponent - 1_075, if exponent < 1_075 { inverse(2) } else { 2 });
    let value = mantissa % PRIME * power(base, shift.unsigned_abs()) % PRIME;
    let value = if number.is_sign_negative() { (PRIME - value) % PRIME } else { value };
    u32::try_from(value).unwrap_or_default()
}

/// The reduced echelon form with the first pivots in the first columns of the order, without rows that are 0.
fn eliminated(mut rows: Vec<Vec<u32>>, order: &[usize]) -> Vec<Vec<u32>> {
    let mut rank = 0;
    for column in order {
        let Some(found) = (rank..rows.len()).find(|row| rows[*row][*column] != 0) else { continue };
        rows.swap(rank, found);
        let factor = inverse(rows[rank][*column].into());
        if factor != 1 {
            for entry in rows[rank].iter_mut().filter(|entry| **entry != 0) {
                *entry = u32::try_from(u64::from(*entry) * factor % PRIME).unwrap_or_default();
            }
        }
        let pivot = std::mem::take(&mut rows[rank]);
        let entries = support(&pivot);
        for row in rows.iter_mut().filter(|row| !row.is_empty() && row[*column] != 0) {
            let factor = PRIME - u64::from(row[*column]);
            for at in &entries {
                let value = (u64::from(row[*at]) + factor * u64::from(pivot[*at])) % PRIME;
                row[*at] = u32::try_from(value).unwrap_or_default();
            }
        }
        rows[rank] = pivot;
        rank += 1;
        if rank == rows.len() {
            break;
        }
    }
    rows.truncate(rank);
    rows
}

fn support(vector: &[u32]) -> Vec<usize> {
    (0..vector.len()).filter(|atom| vector[*atom] != 0).collect()
}

fn bits(atoms: &[usize], length: usize) -> Vec<u64> {
    let mut bits = vec![0; length.div_ceil(64)];
    for atom in atoms {
        bits[atom / 64] |= 1 << (atom % 64);
    }
    bits
}

fn inverse(of: u64) -> u64 {
    power(of, PRIME - 2)
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
        exponent /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::Range;

    fn rows(of: impl IntoIterator<Item = Range<usize>>) -> Vector {
        let mut vector = vec![0; 100];
        of.into_iter().flatten().for_each(|row| vector[row] = 1);
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
            (vec![0..50], 0..51, false),
            (vec![0..50], 0..60, true),
            (vec![0..50], 40..60, true),
            // One person is exchanged for another: whether the count changes tells something about both.
            (vec![0..50], 1..51, false),
            (vec![0..20, 20..40], 0..42, false),
            (vec![0..30, 20..50], 0..50, true),
            (vec![0..30, 25..50], 0..50, false),
        ] {
            let mut ledger = ledger();
            for range in &told {
                ledger.tell(&[rows([range.clone()])]).unwrap();
            }
            let result = ledger.tell(&[rows([asked.clone()])]);
            assert_eq!(result.is_ok(), is_told, "{told:?} {asked:?} {result:?}");
        }
    }

    #[test]
    fn a_sum_of_numbers_is_a_count_in_disguise() {
        // The mean of 0 and 1, or the sum of weights of 1 and 2, tells how many have each.
        for few in [0.0, 1.0] {
            let mut ledger = ledger();
            ledger.tell(&[rows([0..40])]).unwrap();
            let sum: Vector = (0..100)
                .map(|row| if row < 40 { entry(few + f64::from(u8::from(row < 4))) } else { 0 })
                .collect();
            assert_eq!(ledger.tell(&[sum]), Err(NotTold::Reveals((0..4).collect())));
        }
        let mut ledger = ledger();
        ledger.tell(&[rows([0..40])]).unwrap();
        let ages: Vector =
            (0..100).map(|row| if row < 40 { entry(18.5 + f64::from(row)) } else { 0 }).collect();
        ledger.tell(&[ages]).unwrap();
    }

    #[test]
    fn entries_are_exact() {
        let sum = |of: &[f64]| of.iter().map(|number| u64::from(entry(*number))).sum::<u64>() % PRIME;
        assert_eq!((entry(0.0), entry(1.0), entry(-0.0), entry(7.0)), (0, 1, 0, 7));
        assert_eq!(sum(&[0.25, 0.5, 0.25]), 1);
        assert_eq!(sum(&[-3.5, 3.5]), 0);
        assert_eq!(sum(&[1e300, -1e300]), 0);
    }

    #[test]
    fn what_everybody_knows_can_be_subtracted() {
        let groups: Vec<u32> = (0..100).map(|row| if row < 60 { 0 } else { row / 4 }).collect();
        let mut ledger = Ledger::new(&groups);
        // Of those who are known to be 60, all but two; and of four, all but one.
        for asked in [rows([0..58]), rows([0..60, 60..63])] {
            assert!(ledger.tell(&[asked]).is_err());
        }
        // Of three groups of four that are known together, all but one.
        assert!(ledger.tell(&[rows([60..71])]).is_err());
        for asked in [rows([60..64]), rows([0..45]), rows([20..55, 64..72])] {
            ledger.tell(&[asked]).unwrap();
        }
        assert!(ledger.tell(&[rows([0..45, 60..63])]).is_err());
    }

    #[test]
    fn no_sum_of_many_told_numbers_stands_for_few() {
        let mut random = 7_u64;
        let mut next = move || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(random >> 33).unwrap_or_default()
        };
        let (mut ledger, mut told) = (ledger(), vec![rows([0..100])]);
        for _ in 0..400 {
            let (start, length) = (next() % 90, 5 + next() % 40);
            let asked = rows([start..(start + length).min(100)]);
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
