//! The texts between values, in the order in which rows have them.

use super::gap::Context;

/// What a text between two values leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    /// The column of the value that follows.
    pub(super) column: u32,
    /// Bytes of the text.
    pub(super) length: u32,
    /// Where the value stands that follows.
    pub(super) to: Context,
}

/// A text that led to a value before.
#[derive(Debug)]
pub(super) struct Token {
    /// Its first 16 bytes; zeros where it is shorter.
    head: u128,
    /// Ones for the bytes of `head` that count.
    mask: u128,
    from: Context,
    pub(super) step: Step,
    /// Its last 16 bytes, when it is longer than 16.
    tail: u128,
    /// What lies between head and tail, up to 15 bytes of the tail included.
    middle: Box<[u128]>,
}

impl Token {
    fn new(from: Context, text: &[u8], step: Step) -> Self {
        let mut head = [0; 16];
        let short = text.len().min(16);
        head[..short].copy_from_slice(&text[..short]);
        let mask = if short == 16 { u128::MAX } else { (1 << (8 * short)) - 1 };
        let tail = text.last_chunk().map_or(0, |tail| u128::from_le_bytes(*tail));
        let between = text.get(16..text.len().saturating_sub(1)).unwrap_or_default();
        let middle = between.as_chunks().0.iter().map(|block| u128::from_le_bytes(*block)).collect();
        Token { head: u128::from_le_bytes(head), mask, from, step, tail, middle }
    }

    /// Whether this text stands at `at`, where the bytes of `window` are.
    #[inline(always)]
    pub(super) fn stands_at(&self, window: u128, bytes: &[u8], at: usize, context: Context) -> bool {
        (window ^ self.head) & self.mask == 0
            && self.from == context
            && (self.step.length <= 16 || self.goes_on(bytes, at))
    }

    /// Whether the text behind the first 16 bytes is there too, 16 bytes at a time.
    #[inline(always)]
    fn goes_on(&self, bytes: &[u8], at: usize) -> bool {
        let end = at + self.step.length as usize;
        if window_at(bytes, end - 16) != Some(self.tail) {
            return false;
        }
        let mut at = at + 16;
        self.middle.iter().all(|block| {
            let same = window_at(bytes, at) == Some(*block);
            at += 16;
            same
        })
    }

    fn is(&self, from: Context, text: &[u8]) -> bool {
        let other = Token::new(from, text, self.step);
        self.from == from
            && self.step.length as usize == text.len()
            && (self.head, self.tail) == (other.head, other.tail)
            && self.middle == other.middle
    }
}

/// The 16 bytes at `at`; nothing near the end of what is there.
#[inline(always)]
pub(super) fn window_at(bytes: &[u8], at: usize) -> Option<u128> {
    Some(u128::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// How many tokens further on are looked at when one is not there: questions that a route leaves out.
const AHEAD: usize = 8;

/// The tokens of an answer.
#[derive(Debug, Default)]
pub(super) struct Script {
    tokens: Vec<Token>,
    /// By column (the end of a row is column 0, all others one more than their number) and context: where its last token
    /// stands in `tokens`.
    places: Vec<[u32; Context::COUNT]>,
}

const NOWHERE: u32 = u32::MAX;

impl Script {
    /// The token at this place.
    #[inline(always)]
    pub(super) fn expected(&self, place: usize) -> Option<&Token> {
        self.tokens.get(place)
    }

    /// Looks for the text among the next tokens, and moves `place` behind it.
    pub(super) fn ahead(&self, bytes: &[u8], at: usize, place: &mut usize, context: Context) -> Option<Step> {
        let window = window_at(bytes, at)?;
        let next = self.tokens.iter().enumerate().skip(*place + 1).take(AHEAD);
        let (found, token) =
            next.into_iter().find(|(_, token)| token.stands_at(window, bytes, at, context))?;
        *place = found + 1;
        Some(token.step)
    }

    /// Moves `place` behind the token of this text, which is made when it is new.
    pub(super) fn learn(&mut self, place: &mut usize, context: Context, text: &[u8], step: Step) {
        let key = if step.to == Context::End { 0 } else { step.column as usize + 1 };
        if self.places.len() <= key {
            self.places.resize(key + 1, [NOWHERE; Context::COUNT]);
        }
        let known = self.places[key][context as usize] as usize;
        if self.tokens.get(known).is_some_and(|token| token.is(context, text)) {
            *place = known + 1;
            return;
        }
        // Texts that are never the same twice would make it grow without end.
        if self.tokens.len() > 4 * self.places.len() + 64 {
            return;
        }
        let here = (*place).min(self.tokens.len());
        if here < self.tokens.len() {
            let behind = |at: &mut u32| *at += u32::from(*at != NOWHERE && *at as usize >= here);
            self.places.iter_mut().flatten().for_each(behind);
        }
        self.tokens.insert(here, Token::new(context, text, step));
        self.places[key][context as usize] = u32::try_from(here).unwrap_or(NOWHERE);
        *place = here + 1;
    }
}
