//! Reads the lists of a plan, and counts the calls for reading them again.

use sondage::Client;
use sondage::error::Result;
use sondage::operation::Paged;
use sondage::paging::{ListShape, Pager, Pages};

/// Reads complete lists.
pub(crate) struct Reader {
    pub client: Client,
    /// The number of calls for reading the same again, including those that prove the lists complete.
    pub calls: u64,
    /// Bytes of the lists.
    pub bytes: u64,
}

impl Reader {
    pub fn new(client: &Client) -> Self {
        Self { client: client.clone(), calls: 0, bytes: 0 }
    }

    /// All rows of a list, one page after the other.
    pub async fn all<O: Paged>(
        &mut self,
        pages: Pages<O>,
        mut each: impl FnMut(O::Item),
    ) -> Result<ListShape> {
        let mut list: Pager<Vec<O::Item>> = pages.pager()?;
        while let Some(rows) = list.next().await? {
            rows.into_iter().for_each(&mut each);
        }
        let size = self.client.config().page_size;
        self.bytes += list.progress().bytes;
        self.calls += u64::try_from(list.calls_for(list.progress().rows, size)).unwrap_or(0);
        Ok(list.shape())
    }

    /// All rows of an operation's list with this request.
    pub async fn list<O: Paged>(&mut self, request: O::Request, each: impl FnMut(O::Item)) -> Result<()> {
        let pages = self.client.pages::<O>(request);
        self.all(pages, each).await.map(drop)
    }
}
