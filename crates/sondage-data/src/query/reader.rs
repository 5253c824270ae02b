//! Implements the transport's response decoder and the pager's page for pages of rows.

use sondage::Client;
use sondage::error::Untrusted;
use sondage::internals::call::envelope::ResponseEnvelope;
use sondage::internals::call::reader::{Reader, Unreadable, Verdict};
use sondage::model::Identity;
use sondage::operation::Operation;
use sondage::paging::{self, Rows};
use sondage::text;

use crate::column::row_id::RowId;
use crate::decode::page::{Page, PageDecoder, PayloadLayout};
use crate::error::DecodeError;

/// Decodes a response while the transport receives it.
struct PageReader {
    decoder: PageDecoder,
    /// `survey 7` or `panel 5`, for errors.
    whose: String,
}

impl PageReader {
    fn new(form: PayloadLayout, page: Option<i64>, whose: String, growth: u32) -> Self {
        let decoder = PageDecoder::new(form).growth(growth);
        let decoder = match page.and_then(|page| u64::try_from(page).ok()) {
            Some(page) => decoder.page(page),
            None => decoder,
        };
        PageReader { decoder, whose }
    }
}

fn unreadable(whose: &str, error: &DecodeError) -> Unreadable {
    Unreadable(text!("the response cannot be decoded ({whose}, {})", error.text()))
}

impl Reader for PageReader {
    type Output = Page;

    fn feed(&mut self, piece: &[u8]) -> Result<(), Unreadable> {
        self.decoder.feed(piece).map_err(|error| unreadable(&self.whose, &error))
    }

    fn finish(self) -> Result<Verdict<Page>, Unreadable> {
        let page = self.decoder.finish().map_err(|error| unreadable(&self.whose, &error))?;
        match page.is_success() {
            Some(true) => Ok(Verdict::Success(page)),
            Some(false) => Ok(Verdict::Refused(ResponseEnvelope {
                is_success: false,
                error_code: page.error_code().map(Untrusted::new),
                error_message: page.error_message().map(Untrusted::new),
            })),
            None => Err(Unreadable(
                "the response is JSON without the service's envelope (`isSuccess` is missing)".into(),
            )),
        }
    }
}

impl Rows for Page {
    fn len(&self) -> usize {
        self.rows()
    }

    fn identity(&self, row: usize) -> Option<Identity<'_>> {
        self.row_id(row).map(|id| match id {
            RowId::Number(number) => Identity::Number(number),
            RowId::Text(text) => Identity::Text(text),
        })
    }

    fn keep(&mut self, marks: &[bool]) {
        self.retain_rows(marks);
    }

    fn fingerprint(&self) -> u64 {
        Page::fingerprint(self)
    }

    fn fingerprint_of(&self, row: usize) -> u64 {
        Page::fingerprint_of(self, row)
    }
}

/// Makes one call and decodes its response while it arrives.
pub(super) async fn read<O: Operation>(
    client: &Client,
    request: O::Request,
    form: PayloadLayout,
    number: Option<i64>,
    whose: String,
) -> sondage::Result<paging::Page<Page>> {
    let growth = client.config().limits.table_growth;
    let reader = move || PageReader::new(form, number, whose.clone(), growth);
    let page = client.send_with::<O, _>(request, reader).await?.value;
    Ok(paging::Page { count: page.total_count(), bytes: page.bytes(), rows: page })
}
