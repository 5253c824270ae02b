//! Reads rows by predicting their keys.
//!
//! Rows of one response repeat their keys in one order. So the whole text between two values (`,"Q12":`, or
//! `},{"id":"Q12","value":`) is compared with the text at that position in earlier rows, in one or two steps of 16 bytes, and
//! the value after it goes straight into its column. A text that was not predicted is parsed by [`separator`], and predicted
//! the next time.
//!
//! This is only an optimisation. A row that it cannot read completely (a new column, a value of another kind, a duplicate
//! key, any error) leaves no trace, and is read by the ordinary decoder (`chunk`), which alone decides what a row means
//! and which error is reported.
#![allow(clippy::inline_always, reason = "inlined into the loop over cells: measured")]
#![allow(clippy::cast_possible_truncation, reason = "casts extract the bytes of a word")]

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

/// The row reader of one response.
#[derive(Debug)]
pub(crate) struct Predictor {
    form: PayloadLayout,
    template: RowTemplate,
}

impl Predictor {
    pub(crate) fn new(form: PayloadLayout) -> Self {
        Predictor { form, template: RowTemplate::default() }
    }

    /// Reads the row at the start of `text` into `chunk`, and returns its length. `None` leaves the chunk unchanged.
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

    /// The bytes are valid UTF-8, and so is the part between two quotes.
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

    /// The step from here, if it is not the predicted one.
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
