//! The record of a day.

use super::CountedBytes;
use twox_hash::XxHash64;

/// The beginning of every file, whatever its version.
const MAGIC: &[u8; 16] = b"sondage budget\n\0";
const VERSION: u64 = 1;
/// Magic, version, seven numbers, and a checksum over all of them.
pub(super) const LENGTH: usize = 16 + 8 + 7 * 8 + 8;

/// Milliseconds of a day.
pub(super) const DAY: u64 = 86_400_000;
const HOUR: u64 = 3_600_000;

/// What a tenant has used on a day. Times are milliseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DayRecord {
    /// When the day began. 0: nothing was counted yet.
    pub begins: u64,
    /// When the first call of the day was counted. 0: none was.
    pub since: u64,
    /// Calls that were sent.
    pub calls: u64,
    /// Bytes of the bodies of requests.
    pub sent: u64,
    /// Bytes of responses, before compression.
    pub received: u64,
    /// Which warnings were logged, as bits.
    pub warned: u64,
    /// When the pause ends that the service has requested. 0: there is none.
    pub paused_until: u64,
}

/// Why a record is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnreadableRecord {
    /// A later version of this library has written it.
    Newer,
    /// Not a record, or a record that was changed.
    Damaged,
}

impl DayRecord {
    /// Starts a new day if the old one has ended. If the clock was set back, the current day continues; if it is more than a
    /// day behind, a new day starts.
    pub(super) fn roll(&mut self, now: u64, begins: u64) {
        let goes_on = self.begins <= now + DAY && now < self.begins + DAY;
        if !goes_on {
            *self = Self { begins, paused_until: self.paused_until, ..Self::default() };
        }
        // No pause is longer than a day: a clock was wrong. The clocks of two processes, or before and after a correction, may
        // differ a little.
        if self.paused_until > now + DAY + HOUR {
            self.paused_until = 0;
        }
    }

    /// The bytes that count.
    pub(super) fn bytes(&self, counted: CountedBytes) -> u64 {
        match counted {
            CountedBytes::Received => self.received,
            CountedBytes::Both => self.sent.saturating_add(self.received),
        }
    }

    pub(super) fn write(&self) -> [u8; LENGTH] {
        let numbers = [
            VERSION,
            self.begins,
            self.since,
            self.calls,
            self.sent,
            self.received,
            self.warned,
            self.paused_until,
        ];
        let mut bytes = [0; LENGTH];
        let (told, sum) = bytes.split_at_mut(LENGTH - 8);
        told[..16].copy_from_slice(MAGIC);
        for (place, number) in told[16..].chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        sum.copy_from_slice(&XxHash64::oneshot(VERSION, told).to_le_bytes());
        bytes
    }

    pub(super) fn read(bytes: &[u8; LENGTH]) -> Result<Self, UnreadableRecord> {
        let (told, sum) = bytes.split_at(LENGTH - 8);
        if !told.starts_with(MAGIC) {
            return Err(UnreadableRecord::Damaged);
        }
        let mut numbers = told[16..]
            .chunks_exact(8)
            .map(|number| number.iter().rev().fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte)));
        let mut next = || numbers.next().unwrap_or(0);
        if next() > VERSION {
            return Err(UnreadableRecord::Newer);
        }
        if XxHash64::oneshot(VERSION, told).to_le_bytes() != sum {
            return Err(UnreadableRecord::Damaged);
        }
        Ok(Self {
            begins: next(),
            since: next(),
            calls: next(),
            sent: next(),
            received: next(),
            warned: next(),
            paused_until: next(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: DayRecord =
        DayRecord { begins: DAY, since: DAY + 5, calls: 3, sent: 4, received: 5, warned: 1, paused_until: 7 };

    #[test]
    fn a_record_is_read_as_it_was_written_and_every_flipped_bit_shows() {
        let bytes = RECORD.write();
        assert_eq!(DayRecord::read(&bytes), Ok(RECORD));
        for bit in 0..LENGTH * 8 {
            let mut bytes = bytes;
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(DayRecord::read(&bytes).is_err(), "bit {bit}");
        }
        let mut newer = bytes;
        newer[16] = 2;
        assert_eq!(DayRecord::read(&newer), Err(UnreadableRecord::Newer));
        assert_eq!(DayRecord::read(&[0; LENGTH]), Err(UnreadableRecord::Damaged));
    }

    #[test]
    fn a_day_ends_after_a_day_and_a_pause_outlives_it() {
        for (now, same) in [(DAY, true), (2 * DAY - 1, true), (2 * DAY, false), (9 * DAY, false)] {
            let mut record = DayRecord { paused_until: DAY + 9, ..RECORD };
            record.roll(now, now / DAY * DAY);
            assert_eq!((record.calls == 3, record.begins == DAY), (same, same), "{now}");
            assert_eq!(record.paused_until, DAY + 9);
        }
    }

    /// A clock that is set back by an hour must not give the day's calls a second time; a clock that was a year ahead
    /// must not block all calls for a year.
    #[test]
    fn a_clock_that_was_wrong_neither_gives_a_second_day_nor_keeps_an_old_one() {
        let mut record = DayRecord { begins: 10 * DAY, calls: 400, ..RECORD };
        record.roll(10 * DAY - 3_600_000, 9 * DAY);
        assert_eq!((record.calls, record.begins), (400, 10 * DAY));
        record.roll(8 * DAY, 8 * DAY);
        assert_eq!((record.calls, record.begins), (0, 8 * DAY));
        for (paused_until, now, kept) in
            [(99 * DAY, DAY, false), (2 * DAY, DAY, true), (2 * DAY, DAY - 60_000, true)]
        {
            let mut record = DayRecord { paused_until, ..DayRecord::default() };
            record.roll(now, DAY);
            assert_eq!(record.paused_until, if kept { paused_until } else { 0 });
        }
    }
}
