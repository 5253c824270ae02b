//! The members of a panel or sample, all of them.

use super::list::Pages;
use super::settings::Order;
use super::typed::Pager;
use crate::Client;
use crate::condition::Expression;
use crate::error::{Error, Result};
use crate::model::{Condition, Member, ReadMemberListRequest};
use crate::operations::ReadMemberList;
use futures_util::stream::{self, BoxStream, StreamExt};

/// The members of a panel or sample: a query that is executed when its rows are requested. Panels of any size are read
/// page by page; the list is complete or an error.
///
/// ```no_run
/// # async fn example(client: sondage::Client) -> sondage::Result<()> {
/// use futures_util::TryStreamExt;
/// use sondage::condition::field;
///
/// let mut members = client.members(123).fields(["Email"]).filter(field("Division").is_equal_to("Sales")).rows();
/// while let Some(member) = members.try_next().await? {
///     println!("{} {:?}", member.id, member.fields["Email"].value.as_str());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Members {
    pages: Pages<ReadMemberList>,
    filter: Option<Expression>,
}

impl Members {
    fn new(client: &Client, panel_id: i64) -> Self {
        Self { pages: Pages::new(client, ReadMemberListRequest::new(panel_id)), filter: None }
    }

    /// Only these fields. Naming them makes broad panels much faster. An empty list is refused: the service would return all
    /// fields.
    #[must_use]
    pub fn fields(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.pages.request_mut().fields_to_download = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Only members who match this filter. A second filter is joined with And.
    #[must_use]
    pub fn filter(mut self, filter: Expression) -> Self {
        self.filter = Some(match self.filter.take() {
            Some(before) => before & filter,
            None => filter,
        });
        self
    }

    /// Only members who match these compiled conditions. They replace earlier ones; they cannot be combined with a
    /// filter.
    #[must_use]
    pub fn conditions(mut self, conditions: Vec<Condition>) -> Self {
        self.pages.request_mut().conditions = Some(conditions);
        self
    }

    /// Each member with its interviews.
    #[must_use]
    pub fn interviews(mut self) -> Self {
        self.pages.request_mut().interviews_required = Some(true);
        self
    }

    /// The number of rows to request per page.
    pub fn rows_on_a_page(&self) -> i64 {
        self.pages.rows_on_a_page()
    }

    /// Rows per page. Default: the client's `page_size`.
    #[must_use]
    pub fn page_size(self, rows: i64) -> Self {
        Self { pages: self.pages.page_size(rows), ..self }
    }

    /// The number of the first page. Default: the client's `first_page`, or the number that the client has detected.
    #[must_use]
    pub fn first_page(self, number: i64) -> Self {
        Self { pages: self.pages.first_page(number), ..self }
    }

    /// Sorts the members by a field, ascending. Default: by `Id`.
    #[must_use]
    pub fn order_by(self, field: impl Into<String>) -> Self {
        Self { pages: self.pages.order_by(field), ..self }
    }

    /// Sorts the members.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { pages: self.pages.order(order), ..self }
    }

    /// Whether a mismatch with the service's count makes the list incomplete. Default: yes.
    #[must_use]
    pub fn verify_total(self, check: bool) -> Self {
        Self { pages: self.pages.verify_total(check), ..self }
    }

    /// Whether the list is proven whole by a request of its own, whatever is known about the service: for lists that decide about
    /// people. Default: no.
    #[must_use]
    pub fn thorough(self, thorough: bool) -> Self {
        Self { pages: self.pages.thorough(thorough), ..self }
    }

    /// A reader of the pages, which also reports progress.
    pub fn pager(self) -> Result<Pager<Vec<Member>>> {
        self.pages()?.pager()
    }

    /// The members, one after the other. A page is fetched when its first row is requested.
    pub fn rows(self) -> BoxStream<'static, Result<Member>> {
        match self.pages() {
            Ok(pages) => pages.rows(),
            Err(error) => stream::once(async { Err(error) }).boxed(),
        }
    }

    /// All members.
    pub async fn collect_all(self) -> Result<Vec<Member>> {
        self.pages()?.collect_all().await
    }

    /// The request that is sent for each page, without paging: to count an audience, or to invite by the same conditions.
    pub fn request(self) -> Result<ReadMemberListRequest> {
        self.pages().map(|mut pages| pages.request_mut().clone())
    }

    /// The same list as pages of its operation.
    pub fn pages(mut self) -> Result<Pages<ReadMemberList>> {
        let request = self.pages.request_mut();
        if request.fields_to_download.as_ref().is_some_and(Vec::is_empty) {
            return Err(Error::invalid_argument(
                "`fields` is an empty list, for which the service returns all fields",
            )
            .with_hint("Name at least one field, or leave `fields` out.")
            .in_operation("ReadMemberList".to_owned()));
        }
        let Some(filter) = self.filter else { return Ok(self.pages) };
        if request.conditions.is_some() {
            return Err(Error::invalid_argument("members take either a filter or conditions, not both")
                .in_operation("ReadMemberList".to_owned()));
        }
        request.conditions = Some(filter.compile()?);
        Ok(self.pages)
    }
}

impl Client {
    /// The members of a panel or sample of any size.
    pub fn members(&self, panel_id: i64) -> Members {
        Members::new(self, panel_id)
    }
}
