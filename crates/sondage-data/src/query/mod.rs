//! Reads tables with a client: requests rows and columns, and decodes them.

mod asked_columns;
mod batches;
mod estimate;
mod interviews;
mod list_proof;
mod members;
mod panel_condition;
mod panel_fields;
mod questionnaire;
mod reader;
mod reading;
mod watch;

use sondage::operation::Paged;
use sondage::paging::Pages;
use sondage::{Client, paging};

use crate::create::CreateFrom;
use crate::list::List;

pub use batches::Batches;
pub use estimate::Estimate;
pub(crate) use estimate::SAMPLE;
pub(crate) use interviews::ID;
pub use interviews::Interviews;
pub use members::Members;
pub use reading::Reading;
pub(crate) use watch::PageObserver;

/// Tables on a [`Client`].
///
/// ```no_run
/// # async fn example(client: sondage::Client) -> sondage::Result<()> {
/// use sondage_data::{Labels, Tables};
/// let table = client.interviews(7).fields(["vote", "age"]).completed().table().await?;
/// println!("{} interviews", table.with_labels(Labels::Labels).num_rows());
///
/// let members = client.member_table(client.members(123).fields(["Email"])).table().await?;
/// println!("{} members", members.num_rows());
/// # Ok(())
/// # }
/// ```
pub trait Tables {
    /// The interviews of a survey.
    fn interviews(&self, survey_id: i64) -> Interviews;

    /// The members of a query as a table, a column for each field.
    fn member_table(&self, query: paging::Members) -> Members;

    /// Any paged list as a table, a column for each field of its rows: bounces, opt-outs, distributors.
    ///
    /// ```no_run
    /// # async fn example(client: sondage::Client) -> sondage::Result<()> {
    /// use sondage::{model::ReadBounceListRequest, operations::ReadBounceList};
    /// use sondage_data::Tables;
    ///
    /// let bounces = client.pages::<ReadBounceList>(ReadBounceListRequest::new(7));
    /// println!("{} bounces", client.list_table(bounces).table().await?.num_rows());
    /// # Ok(())
    /// # }
    /// ```
    fn list_table<O: Paged>(&self, pages: Pages<O>) -> List<O>;

    /// Creates members from the rows of a table.
    fn create_members_from(&self, panel_id: i64) -> CreateFrom;
}

impl Tables for Client {
    fn interviews(&self, survey_id: i64) -> Interviews {
        Interviews::new(self, survey_id)
    }

    fn member_table(&self, query: paging::Members) -> Members {
        Members::new(self, query)
    }

    fn list_table<O: Paged>(&self, pages: Pages<O>) -> List<O> {
        List::new(pages)
    }

    fn create_members_from(&self, panel_id: i64) -> CreateFrom {
        CreateFrom::new(self, panel_id)
    }
}
