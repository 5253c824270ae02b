//! Random numbers: reproducible ones for data, unpredictable ones for secrets.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The seed of what is invented, unless another one is given.
pub(crate) const SEED: u64 = 1996;

/// Pseudo-random numbers that are the same for the same seed, on every machine (`SplitMix64`).
#[derive(Clone, Debug)]
pub(crate) struct SeededRng(u64);

impl SeededRng {
    /// A generator for one of many objects, so that adding an object does not change the others.
    pub(crate) fn for_item(seed: u64, item: u64) -> Self {
        let mut rng = Self(seed ^ item.wrapping_mul(0xa076_1d64_78bd_642f));
        rng.roll();
        rng
    }

    pub(crate) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 up to, not including, `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        if end == 0 { 0 } else { self.roll() % end }
    }

    /// A number from 0 up to, not including, 1.
    pub(crate) fn share(&mut self) -> f64 {
        f64::from(u32::try_from(self.below(1 << 24)).unwrap_or(0)) / f64::from(1_u32 << 24)
    }

    /// True with probability 1 in `n`.
    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[usize::try_from(self.below(items.len() as u64)).unwrap_or(0)]
    }

    /// A GUID, the same for the same state of the generator.
    pub(crate) fn guid(&mut self) -> String {
        let bits = (u128::from(self.roll()) << 64) | u128::from(self.roll());
        uuid::Builder::from_random_bytes(bits.to_be_bytes()).into_uuid().to_string()
    }
}

/// An unpredictable number below `end`.
pub(crate) fn below(end: u16) -> u16 {
    let mut bytes = [0_u8; 2];
    let _ = getrandom::fill(&mut bytes);
    u16::from_ne_bytes(bytes) % end.max(1)
}

/// 256 unpredictable bits as URL-safe text: tokens, codes, secrets.
pub(crate) fn secret() -> String {
    let mut bytes = [0_u8; 32];
    // The operating system's source does not fail on any system that has sockets; an all-zero secret would protect only
    // invented data on the loopback interface.
    let _ = getrandom::fill(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

/// An unguessable GUID.
pub(crate) fn guid() -> String {
    uuid::Uuid::new_v4().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_repeat_and_secrets_do_not() {
        let (mut a, mut b) = (SeededRng::for_item(7, 1), SeededRng::for_item(7, 1));
        assert_eq!((a.guid(), a.below(10)), (b.guid(), b.below(10)));
        assert_ne!(SeededRng::for_item(7, 1).roll(), SeededRng::for_item(7, 2).roll());
        assert_ne!(secret(), secret());
    }
}
