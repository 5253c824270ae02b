//! Lists that a plan reads, and how many calls reading them again will take.

use crate::Client;
use crate::error::Result;
use crate::operation::Paged;
use crate::paging::{Pager, Pages};

/// Reads complete lists.
pub(in crate::jobs) struct Reader {
    pub client: Client,
    /// Calls that the same readings take once more, with those that prove that a list is whole.
    pub calls: u64,
    /// Bytes of the lists.
    pub bytes: u64,
}

impl Reader {
    pub fn new(client: &Client) -> Self {
        Self { client: client.clone(), calls: 0, bytes: 0 }
    }

    /// All rows of a list, one page after the other.
    pub async fn all<O: Paged>(&mut self, pages: Pages<O>, mut each: impl FnMut(O::Item)) -> Result<()> {
        let mut list: Pager<Vec<O::Item>> = pages.pager()?;
        while let Some(rows) = list.next().await? {
            rows.into_iter().for_each(&mut each);
        }
        let size = self.client.config().page_size;
        self.bytes += list.progress().bytes;
        self.calls += u64::try_from(list.calls_for(list.progress().rows, size)).unwrap_or(0);
        Ok(())
    }

    /// All rows of an operation that are asked for with this request.
    pub async fn list<O: Paged>(&mut self, request: O::Request, each: impl FnMut(O::Item)) -> Result<()> {
        let pages = self.client.pages::<O>(request);
        self.all(pages, each).await
    }
}
