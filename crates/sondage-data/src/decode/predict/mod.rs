//! Reads rows by knowing what comes next.
//!
//! Rows of one answer repeat their keys in one order. So the whole text between two values (`,"Q12":`, or
//! `},{"id":"Q12","value":`) is compared with the one that stood there in rows before, in one or two steps of 16 bytes,
//! and the value behind it goes straight into its column. What was not foreseen is read by [`separator`], and foreseen the next
//! time.
//!
//! This is a shortcut and nothing else. A row that it cannot read whole (a new column, a value of another kind, a key that
//! comes twice, anything that is wrong) leaves no trace, and is read in the ordinary way (`chunk`), which alone decides
//! what a row means and what is said about an error.
#![allow(clippy::inline_always, reason = "the loop over cells is what they are for: measured")]
#![allow(clippy::cast_possible_truncation, reason = "parts of words are taken out by casting")]

mod number;
mod separator;
mod template;
mod text;
mod value;

use super::chunk::Chunk;
use super::names::ColumnNames;
use super::page::PayloadLayout;
use separator::Context;
use template::{RowTemplate, TemplateStep};

/// The reader of the rows of one answer.
#[derive(Debug)]
pub(crate) struct Predictor {
    form: PayloadLayout,
    template: RowTemplate,
}

impl Predictor {
    pub(crate) fn new(form: PayloadLayout) -> Self {
        Predictor { form, template: RowTemplate::default() }
    }

    /// Reads the row with which `text` begins into `chunk`, and says how long it is. `None` leaves the chunk as it was.
    pub(crate) fn row(&mut self, text: &str, names: &ColumnNames, chunk: &mut Chunk) -> Option<usize> {
        let read = self.cells(text.as_bytes(), names, chunk);
        match read {
            Some(length) => {
                chunk.rows += 1;
                chunk.bytes += length;
            }
            None => chunk.columns.iter_mut().for_each(|column| column.retract(chunk.rows)),
        }
        read
    }

    /// The bytes are those of a text: what stands between two quotes is one, too.
    fn cells(&mut self, bytes: &[u8], names: &ColumnNames, chunk: &mut Chunk) -> Option<usize> {
        let row = chunk.rows;
        let (mut at, mut place, mut context) = (0, 0, Context::Start);
        loop {
            let window = template::window_at(bytes, at)?;
            let step = match self.template.expected(place) {
                Some(token) if token.stands_at(window, bytes, at, context) => {
                    place += 1;
                    token.step
                }
                _ => self.unforeseen(bytes, at, &mut place, context, names)?,
            };
            at += step.length as usize;
            if step.to == Context::End {
                return Some(at);
            }
            context = step.to;
            let column = chunk.columns.get_mut(step.column as usize)?;
            at = value::read(bytes, at, column, row)?;
        }
    }

    /// The step from here, when it is not the one that was foreseen.
    #[cold]
    #[inline(never)]
    fn unforeseen(
        &mut self,
        bytes: &[u8],
        at: usize,
        place: &mut usize,
        context: Context,
        names: &ColumnNames,
    ) -> Option<TemplateStep> {
        if let Some(step) = self.template.ahead(bytes, at, place, context) {
            return Some(step);
        }
        let (step, text) = separator::read(self.form, context, bytes.get(at..)?, names)?;
        self.template.learn(place, context, text, step);
        Some(step)
    }
}
