//! The texts between values, in the order in which rows have them.

use wide::u8x16;

use super::separator::Context;

/// What follows a text between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TemplateStep {
    /// The column of the next value.
    pub(super) column: u32,
    /// The length of the text in bytes.
    pub(super) length: u32,
    /// The position of the next value in the row.
    pub(super) to: Context,
}

/// A known text that leads to a value, in blocks of 16 bytes.
#[derive(Debug)]
pub(super) struct Token {
    head: Block,
    from: Context,
    pub(super) step: TemplateStep,
    rest: Box<[Block]>,
}

/// Up to 16 bytes of a token.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Block {
    bytes: u8x16,
    /// A mask with ones for the bytes that count.
    mask: u8x16,
}

impl Block {
    fn new(text: &[u8]) -> Self {
        let (mut bytes, mut mask) = ([0; 16], [0; 16]);
        bytes[..text.len()].copy_from_slice(text);
        mask[..text.len()].fill(0xFF);
        Block { bytes: u8x16::new(bytes), mask: u8x16::new(mask) }
    }

    /// Zero if the masked bytes are equal.
    #[inline(always)]
    fn differences(&self, bytes: u8x16) -> u8x16 {
        (bytes ^ self.bytes) & self.mask
    }
}

#[inline(always)]
fn none(differences: u8x16) -> bool {
    differences.simd_eq(u8x16::ZERO).to_bitmask() == 0xFFFF
}

impl Token {
    fn new(from: Context, text: &[u8], step: TemplateStep) -> Self {
        let (head, rest) = text.split_at(text.len().min(16));
        Token { head: Block::new(head), from, step, rest: rest.chunks(16).map(Block::new).collect() }
    }

    /// Whether the bytes at `at` are this text. `window` has the first 16 of them.
    #[inline(always)]
    pub(super) fn stands_at(&self, window: u8x16, bytes: &[u8], at: usize, context: Context) -> bool {
        none(self.head.differences(window))
            && self.from == context
            && (self.rest.is_empty() || self.goes_on(bytes, at + 16))
    }

    /// Whether the rest of the text after its first 16 bytes matches.
    #[inline(always)]
    fn goes_on(&self, bytes: &[u8], at: usize) -> bool {
        let Some(bytes) = bytes.get(at..at + 16 * self.rest.len()) else { return false };
        let blocks = bytes.as_chunks().0.iter().zip(&self.rest);
        none(blocks.fold(u8x16::ZERO, |all, (bytes, block)| all | block.differences(u8x16::new(*bytes))))
    }

    fn is(&self, from: Context, text: &[u8]) -> bool {
        let other = Token::new(from, text, self.step);
        self.from == from && self.head == other.head && self.rest == other.rest
    }
}

/// The 16 bytes at `at`; none near the end of the input.
#[inline(always)]
pub(super) fn window_at(bytes: &[u8], at: usize) -> Option<u8x16> {
    Some(u8x16::new(*bytes.get(at..)?.first_chunk()?))
}

/// How many further tokens are compared if the expected one does not match, for questions that a respondent was not
/// asked.
const AHEAD: usize = 8;

/// The tokens of a response.
#[derive(Debug, Default)]
pub(super) struct RowTemplate {
    tokens: Vec<Token>,
    /// By column (the end of a row is column 0, all others one more than their number) and context: the index of its last
    /// token in `tokens`.
    places: Vec<[u32; Context::COUNT]>,
    /// The number of tokens moved so far to insert others.
    moved: usize,
}

const NOWHERE: u32 = u32::MAX;

/// The maximum number of tokens moved per response. If keys came in ever different orders, the work would otherwise grow
/// with the square of the columns.
const MOST_MOVED: usize = 1 << 26;

impl RowTemplate {
    /// The token at this position.
    #[inline(always)]
    pub(super) fn expected(&self, place: usize) -> Option<&Token> {
        self.tokens.get(place)
    }

    /// Looks for the text among the next tokens, and moves `place` after the match.
    pub(super) fn ahead(
        &self,
        bytes: &[u8],
        at: usize,
        place: &mut usize,
        context: Context,
    ) -> Option<TemplateStep> {
        let window = window_at(bytes, at)?;
        let next = self.tokens.iter().enumerate().skip(*place + 1).take(AHEAD);
        let (found, token) =
            next.into_iter().find(|(_, token)| token.stands_at(window, bytes, at, context))?;
        *place = found + 1;
        Some(token.step)
    }

    /// Moves `place` after the token of this text, which is created if it is new.
    pub(super) fn learn(&mut self, place: &mut usize, context: Context, text: &[u8], step: TemplateStep) {
        let key = if step.to == Context::End { 0 } else { step.column as usize + 1 };
        if self.places.len() <= key {
            self.places.resize(key + 1, [NOWHERE; Context::COUNT]);
        }
        let position = self.places[key][context as usize] as usize;
        if self.tokens.get(position).is_some_and(|token| token.is(context, text)) {
            *place = position + 1;
            return;
        }
        // Texts that never repeat would make it grow without limit.
        if self.tokens.len() > 4 * self.places.len() + 64 {
            return;
        }
        let here = (*place).min(self.tokens.len());
        if here < self.tokens.len() {
            self.moved += self.tokens.len() - here + self.places.len();
            if self.moved > MOST_MOVED {
                return;
            }
            let behind = |at: &mut u32| *at += u32::from(*at != NOWHERE && *at as usize >= here);
            self.places.iter_mut().flatten().for_each(behind);
        }
        self.tokens.insert(here, Token::new(context, text, step));
        self.places[key][context as usize] = u32::try_from(here).unwrap_or(NOWHERE);
        *place = here + 1;
    }
}
