//! From a client to a table: which rows and columns to ask for, and how.

mod interviews;
mod members;
mod reader;

use sondage::Client;

pub use interviews::Interviews;
pub use members::Members;

/// Tables on a [`Client`].
///
/// ```no_run
/// # async fn example(client: sondage::Client) -> sondage::Result<()> {
/// use sondage_data::{Labels, Tables};
/// let table = client.interviews(7).fields(["vote", "age"]).completed().table().await?;
/// println!("{} interviews", table.with_labels(Labels::Labels).num_rows());
/// # Ok(())
/// # }
/// ```
pub trait Tables {
    /// The interviews of a survey.
    fn interviews(&self, survey_id: i64) -> Interviews;

    /// The members of a panel or sample as a table, a column for each field.
    fn member_table(&self, panel_id: i64) -> Members;
}

impl Tables for Client {
    fn interviews(&self, survey_id: i64) -> Interviews {
        Interviews::new(self, survey_id)
    }

    fn member_table(&self, panel_id: i64) -> Members {
        Members::new(self, panel_id)
    }
}

/// The tests of a query so far, and one more.
fn and(
    tests: Option<sondage::condition::Expression>,
    more: sondage::condition::Expression,
) -> sondage::condition::Expression {
    match tests {
        Some(tests) => tests & more,
        None => more,
    }
}

/// An error of the decoder that can only come from this library, such as a page that does not fit its table.
fn internal(error: &crate::DecodeError) -> sondage::Error {
    sondage::Error::unexpected_response(error.to_string())
}
