//! Any paged operation of the table as a complete list of objects.

use super::pager::Page;
use super::rows::Rows;
use super::settings::{Order, PagerSettings};
use super::typed::Pager;
use crate::Client;
use crate::error::{Error, Result};
use crate::hex::sha256;
use crate::model::{Identified, OrderDirection, Paging};
use crate::operation::Paged;
use futures_util::stream::{self, BoxStream, StreamExt, TryStreamExt};

/// A complete list that is read lazily. It is complete or an error, never silently short: see the [module](super).
#[derive(Clone)]
pub struct Pages<O: Paged> {
    client: Client,
    request: O::Request,
    settings: PagerSettings,
}

impl<O: Paged> Pages<O> {
    pub(super) fn new(client: &Client, request: O::Request) -> Self {
        let settings = PagerSettings {
            facts: client.list_facts(O::INFO.name),
            order: Order::ById(O::Item::ORDER.map(str::to_owned)),
            // Who is on these lists gets no message.
            thorough: matches!(O::INFO.name, "ReadOptOutList" | "ReadBounceList"),
            deadline: Some(client.timeout()),
            tracer: Some(client.tracer().clone()),
            ..PagerSettings::new(O::INFO.name, client.config().page_size)
        };
        Self { client: client.clone(), request, settings }
    }

    /// The number of rows to request per page.
    pub(super) fn rows_on_a_page(&self) -> i64 {
        self.settings.page_size
    }

    /// Rows per page. Default: the client's `page_size`. The number of calls is limited, so large pages are better; a
    /// page that times out is halved automatically.
    #[must_use]
    pub fn page_size(mut self, rows: i64) -> Self {
        self.settings.page_size = rows;
        self
    }

    /// The number of the first page. Default: the client's `first_page`, or the number that the client has detected.
    #[must_use]
    pub fn first_page(mut self, number: i64) -> Self {
        self.settings.facts = self.settings.facts.named(number);
        self
    }

    /// Sorts the list by a field, ascending. Default: by the rows' id, which keeps their order stable.
    #[must_use]
    pub fn order_by(self, field: impl Into<String>) -> Self {
        self.order(Order::By(field.into(), OrderDirection::Ascending))
    }

    /// Sorts the list.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.settings.order = order;
        self
    }

    /// Whether a `totalCount` that is larger than the number of rows read, or that falls during the reading, makes the
    /// list incomplete. Default: yes.
    #[must_use]
    pub fn verify_total(mut self, check: bool) -> Self {
        self.settings.verify_total = check;
        self
    }

    /// Whether the list is proven whole by a request of its own, whatever is known about the service: for lists that decide about
    /// people. Default: only for opt-outs and bounces.
    #[must_use]
    pub fn thorough(mut self, thorough: bool) -> Self {
        self.settings.thorough = thorough;
        self
    }

    /// Whether an empty list is believed after one call, if the facts allow it.
    #[doc(hidden)] // for sondage-data and sondage-jobs
    #[must_use]
    pub fn believes_empty_page(mut self, believes: bool) -> Self {
        self.settings.believes_empty_page = believes;
        self
    }

    pub(super) fn request_mut(&mut self) -> &mut O::Request {
        &mut self.request
    }

    /// A reader of the pages, which also reports progress.
    pub fn pager(self) -> Result<Pager<Vec<O::Item>>> {
        self.pager_with(|client, request| async move {
            let answer = client.with_response::<O>(request).await?;
            let bytes = answer.body.len() as u64;
            let (rows, count) = O::rows(answer.value);
            Ok(Page { rows, count, bytes })
        })
    }

    /// A reader of the pages with calls made by the caller, for rows that are not objects, such as a chunk of a table.
    pub fn pager_with<R: Rows, F>(
        mut self,
        mut call: impl FnMut(Client, O::Request) -> F + Send + 'static,
    ) -> Result<Pager<R>>
    where
        F: Future<Output = Result<Page<R>>> + Send + 'static,
    {
        if let Some(asked) = O::asked(&self.request).cloned() {
            if !(0..=1).contains(&asked.page) {
                let what =
                    format!("a complete list begins with its first page, not with page {}", asked.page);
                return Err(Error::invalid_argument(what)
                    .in_operation(O::INFO.name.to_owned())
                    .with_hint("Leave `paging` out, or make the single call for a single page."));
            }
            self.settings.page_size = asked.page_size;
            self.settings.facts = self.settings.facts.named(asked.page);
            if let Some(field) = asked.order_field {
                let direction = asked.order_direction.unwrap_or(OrderDirection::Ascending);
                self.settings.order = Order::By(field, direction);
            }
        }
        if !(1..=i64::from(i32::MAX)).contains(&self.settings.page_size) {
            let what = format!("a page cannot have {} rows", self.settings.page_size);
            return Err(Error::invalid_argument(what).in_operation(O::INFO.name.to_owned()));
        }
        let Self { client, request, mut settings } = self;
        // A filter may name people: such a list is not told apart from others.
        settings.facts = if O::is_filtered(&request) {
            settings.facts.filtered()
        } else {
            settings.facts.of_request(digest::<O>(&request))
        };
        Ok(Pager::new(settings, move |paging| {
            let mut request = request.clone();
            O::turn(&mut request, paging);
            call(client.clone(), request)
        }))
    }

    /// The rows, one after the other. A page is fetched when its first row is requested.
    pub fn rows(self) -> BoxStream<'static, Result<O::Item>> {
        match self.pager() {
            Ok(pager) => pager
                .into_stream()
                .map_ok(|page| stream::iter(page.into_iter().map(Ok)))
                .try_flatten()
                .boxed(),
            Err(error) => stream::once(async { Err(error) }).boxed(),
        }
    }

    /// All rows.
    pub async fn collect_all(self) -> Result<Vec<O::Item>> {
        let mut pager = self.pager()?;
        let mut all = Vec::new();
        while let Some(page) = pager.next().await? {
            all.extend(page);
        }
        Ok(all)
    }
}

/// Tells a list from others of its operation.
fn digest<O: Paged>(request: &O::Request) -> String {
    let mut request = request.clone();
    O::turn(&mut request, Paging::new(1, 1));
    sha256(&serde_json::to_vec(&request).unwrap_or_default())[..16].to_owned()
}

impl Client {
    /// A complete list of any paged operation, page by page, with conditions and everything else as in the request.
    ///
    /// ```no_run
    /// # async fn example(client: sondage::Client) -> sondage::Result<()> {
    /// use sondage::{model::ReadSurveyListRequest, operations::ReadSurveyList};
    ///
    /// for survey in client.pages::<ReadSurveyList>(ReadSurveyListRequest::new(3)).collect_all().await? {
    ///     println!("{} {}", survey.id, survey.name.unwrap_or_default());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn pages<O: Paged>(&self, request: O::Request) -> Pages<O> {
        Pages::new(self, request)
    }
}
