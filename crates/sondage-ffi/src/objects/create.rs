//! Creates members from tables of any Arrow producer.

use crate::call::args::Attachment;
use crate::language::{ArgResult, Language};
use crate::methods::kinds;
use crate::objects::import::ImportReport;
use crate::objects::rows::rows;
use sondage::Client;
use sondage_data::Tables;
use sondage_jobs::options::CreateOptions;

/// Creates members from rows.
pub fn create<L: Language>(
    client: &Client,
    options: CreateOptions,
    rows: Attachment<'_, L>,
) -> ArgResult<kinds::Call<ImportReport>, L> {
    let creation = client.create_members_from(options.panel_id).chunk_size(options.chunk_size);
    let rows = self::rows(rows, options.rows)?;
    Ok(Box::pin(async move { creation.run(rows).await.map(ImportReport) }))
}
