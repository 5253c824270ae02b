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
    /// What is longer than 16 bytes.
    rest: Box<[u8]>,
}

impl Token {
    fn new(from: Context, text: &[u8], step: Step) -> Self {
        let mut head = [0; 16];
        let short = text.len().min(16);
        head[..short].copy_from_slice(&text[..short]);
        let mask = if short == 16 { u128::MAX } else { (1 << (8 * short)) - 1 };
        let rest = text.get(16..).unwrap_or_default().into();
        Token { head: u128::from_le_bytes(head), mask, from, step, rest }
    }

    /// Whether this text stands at `at`, where the bytes of `window` are.
    #[inline(always)]
    pub(super) fn stands_at(&self, window: u128, bytes: &[u8], at: usize, context: Context) -> bool {
        (window ^ self.head) & self.mask == 0
            && self.from == context
            && (self.rest.is_empty() || bytes.get(at + 16..).is_some_and(|bytes| begins(bytes, &self.rest)))
    }

    fn is(&self, from: Context, text: &[u8]) -> bool {
        let mut head = [0; 16];
        let short = text.len().min(16);
        head[..short].copy_from_slice(&text[..short]);
        self.from == from
            && self.step.length as usize == text.len()
            && self.head == u128::from_le_bytes(head)
            && *self.rest == *text.get(16..).unwrap_or_default()
    }
}

/// Whether `bytes` begin with `text`, 16 bytes at a time.
#[inline(always)]
fn begins(bytes: &[u8], text: &[u8]) -> bool {
    let Some(bytes) = bytes.get(..text.len()) else { return false };
    let (blocks, tail) = text.as_chunks::<16>();
    let (own, own_tail) = bytes.as_chunks::<16>();
    for (a, b) in blocks.iter().zip(own) {
        if u128::from_le_bytes(*a) != u128::from_le_bytes(*b) {
            return false;
        }
    }
    tail == own_tail
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
        let window = u128::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
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
