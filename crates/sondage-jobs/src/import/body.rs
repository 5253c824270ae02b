//! The JSON around the members of a request that creates them. The members' own JSON comes from rows or from columns.

use sondage::Client;
use sondage::error::{Error, Result};
use sondage::text;

/// The text after the last member.
#[doc(hidden)] // for sondage-data
pub const END: &[u8] = b"]}";

/// The text before the first member.
#[doc(hidden)] // for sondage-data
pub fn head(client: &Client, panel_id: i64) -> Result<Vec<u8>> {
    let tenant =
        serde_json::to_string(&client.config().tenant).map_err(|error| Error::internal(error.to_string()))?;
    Ok(format!("{{\"tenant\":{tenant},\"panelId\":{panel_id},\"members\":[").into_bytes())
}

/// Members per request, at least one.
#[doc(hidden)] // for sondage-data
pub fn chunk_size(members: usize) -> Result<usize> {
    if members == 0 {
        let what = text!("`chunk_size` cannot be 0: a request has at least one member");
        return Err(Error::invalid_argument(what).with_hint("Nothing was sent."));
    }
    Ok(members)
}
