//! The targets, in one program, and their shared code.
#![cfg(fuzzing)]

pub mod targets;

use sondage_data::{DecodeError, Page, PageDecoder, PayloadLayout, Table, TableBuilder};

/// The formats that a response with rows may have.
pub const FORMS: [PayloadLayout; 3] =
    [PayloadLayout::Compact, PayloadLayout::Structured, PayloadLayout::Members];

/// Reads a response in chunks of this size.
fn read(decoder: PageDecoder, bytes: &[u8], piece: usize) -> Result<Page, DecodeError> {
    let mut decoder = decoder.page(3);
    for piece in bytes.chunks(piece) {
        decoder.feed(piece)?;
    }
    decoder.finish()
}

fn table(form: PayloadLayout, page: Page) -> Table {
    let mut builder = TableBuilder::new(form);
    builder.append(page).expect("one form");
    builder.finish().expect("a page that was read makes a table")
}

/// Compares the predictor, with chunks of this size, with the ordinary decoder, with the whole response at once: both
/// return the same table or the same error.
pub fn both_ways(form: PayloadLayout, bytes: &[u8], piece: usize) {
    let ordinary = read(PageDecoder::new(form).without_prediction(), bytes, bytes.len().max(1));
    let predicted = read(PageDecoder::new(form), bytes, piece);
    match (predicted, ordinary) {
        (Ok(predicted), Ok(ordinary)) => {
            assert_eq!(predicted.rows(), ordinary.rows());
            assert_eq!(predicted.fingerprint(), ordinary.fingerprint());
            // Tables take most of the time: some suffice to check the types as well.
            if bytes.len().is_multiple_of(4) {
                let (predicted, ordinary) = (table(form, predicted), table(form, ordinary));
                assert_eq!(predicted.schema(), ordinary.schema());
                assert_eq!(predicted.batches(), ordinary.batches());
                let said = |table: &Table| table.warnings().map(ToString::to_string).collect::<Vec<_>>();
                assert_eq!(said(&predicted), said(&ordinary));
            }
        }
        (Err(predicted), Err(ordinary)) => assert_eq!(predicted, ordinary),
        (predicted, ordinary) => panic!("{:?} but {:?}", predicted.map(drop), ordinary.map(drop)),
    }
}
