//! The arithmetic of a finite field, and elimination in it.

/// A prime number: entries are integers below it.
pub const PRIME: u64 = (1 << 31) - 1;

/// What a number is multiplied with before it is added.
pub const SIGNS: [u64; 2] = [1, PRIME - 1];

/// The sum of products.
pub fn sum(of: &[(u32, u64)]) -> u32 {
    let sum: u64 = of.iter().map(|(entry, sign)| u64::from(*entry) * sign).sum();
    u32::try_from(sum % PRIME).unwrap_or_default()
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
pub fn eliminated(mut rows: Vec<Vec<u32>>, order: &[usize]) -> Vec<Vec<u32>> {
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

/// Where a vector is not 0.
pub fn support(vector: &[u32]) -> Vec<usize> {
    (0..vector.len()).filter(|atom| vector[*atom] != 0).collect()
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

    #[test]
    fn entries_are_exact() {
        let sum = |of: &[f64]| of.iter().map(|number| u64::from(entry(*number))).sum::<u64>() % PRIME;
        assert_eq!((entry(0.0), entry(1.0), entry(-0.0), entry(7.0)), (0, 1, 0, 7));
        assert_eq!(sum(&[0.25, 0.5, 0.25]), 1);
        assert_eq!(sum(&[-3.5, 3.5]), 0);
        assert_eq!(sum(&[1e300, -1e300]), 0);
    }
}
