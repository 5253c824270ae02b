//! Reads the lists of a plan, and counts the calls for reading them again.

use super::seen::Seen;
use sondage::Client;
use sondage::error::Result;
use sondage::model::PanelField;
use sondage::operation::Paged;
use sondage::paging::{ListShape, Pager, Pages};

/// As many members as the service returns in one response without paging.
// API 3.6
const LARGE_PAGE: i64 = 10_000;

/// Reads complete lists.
pub(crate) struct Reader {
    pub client: Client,
    /// The number of calls for reading again what is no list.
    pub calls: u64,
    /// The lists, which are read again by what all of them have shown about the service.
    lists: Vec<ListShape>,
    /// Bytes of the lists.
    pub bytes: u64,
    /// What would cost fewer calls, as sentences.
    cheaper: Vec<String>,
    /// The fields of the panel, once they are known.
    pub fields: Vec<PanelField>,
    /// The workspace of the survey, once it is known.
    pub workspace_id: Option<i64>,
}

impl Reader {
    pub fn new(client: &Client) -> Self {
        Self::again(client, None)
    }

    /// Reads for a run what its plan has read before.
    pub fn again(client: &Client, before: Option<&Seen>) -> Self {
        let fields = before.map(|seen| seen.fields.clone()).unwrap_or_default();
        let workspace_id = before.and_then(|seen| seen.workspace_id);
        Self {
            client: client.clone(),
            calls: 0,
            lists: Vec::new(),
            bytes: 0,
            cheaper: Vec::new(),
            fields,
            workspace_id,
        }
    }

    /// All rows of a list, one page after the other.
    pub async fn all<O: Paged>(
        &mut self,
        pages: Pages<O>,
        mut each: impl FnMut(O::Item),
    ) -> Result<ListShape> {
        let mut list: Pager<Vec<O::Item>> = pages.thorough(true).pager()?;
        while let Some(rows) = list.next().await? {
            rows.into_iter().for_each(&mut each);
        }
        self.bytes += list.progress().bytes;
        self.lists.push(list.shape());
        Ok(list.shape())
    }

    /// The number of calls for reading the same again, including those that prove the lists complete.
    pub fn calls_again(&self) -> u64 {
        self.calls + self.calls_with(self.client.config().page_size)
    }

    /// The number of calls for the lists in pages of this size.
    fn calls_with(&self, page_size: i64) -> u64 {
        let calls = self.lists.iter().map(|list| list.calls(list.rows, page_size));
        calls.map(|calls| u64::try_from(calls).unwrap_or(0)).sum()
    }

    /// The workspace of the survey was looked up.
    pub fn has_searched(&mut self, workspace: i64, calls: u64) {
        self.cheaper.push(format!(
            "name the workspace of the survey, {workspace}: a first plan costs {calls} calls fewer"
        ));
    }

    /// What would cost fewer calls, as sentences.
    pub fn cheaper(&self) -> Vec<String> {
        let (now, large) = (self.calls_with(self.client.config().page_size), self.calls_with(LARGE_PAGE));
        let pages = (large < now).then(|| {
            format!("read pages of {LARGE_PAGE} rows: {} calls fewer for each reading, if the service returns as many", now - large)
        });
        self.cheaper.iter().cloned().chain(pages).collect()
    }

    /// A row of a list. A row that is there needs no proof of the list's end.
    pub async fn find<O: Paged>(
        &mut self,
        request: O::Request,
        is_meant: impl Fn(&O::Item) -> bool,
    ) -> Result<Option<O::Item>> {
        let mut list: Pager<Vec<O::Item>> = self.client.pages::<O>(request).pager()?;
        let mut found = None;
        while found.is_none()
            && let Some(rows) = list.next().await?
        {
            found = rows.into_iter().find(&is_meant);
        }
        self.bytes += list.progress().bytes;
        self.calls += list.progress().calls;
        Ok(found)
    }

    /// All rows of an operation's list with this request.
    pub async fn list<O: Paged>(&mut self, request: O::Request, each: impl FnMut(O::Item)) -> Result<()> {
        let pages = self.client.pages::<O>(request);
        self.all(pages, each).await.map(drop)
    }
}
