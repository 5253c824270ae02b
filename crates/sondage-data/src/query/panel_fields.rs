//! The fields of a panel, for the table of a list without members.

use sondage::model::ReadPanelRequest;
use sondage::{Client, ErrorKind, Result};

use crate::Warning;
use crate::meaning::Wanted;
use crate::table::TableBuilder;

/// Where the fields of a panel can be read.
pub(crate) struct PanelFields {
    client: Client,
    panel_id: i64,
}

impl PanelFields {
    pub(super) fn new(client: &Client, panel_id: i64) -> Self {
        PanelFields { client: client.clone(), panel_id }
    }

    /// Tells a table the panel's fields. If they may not be read, it has those that were requested, and a warning.
    pub(crate) async fn describe(&self, builder: &mut TableBuilder) -> Result<()> {
        let panel = match self.client.read_panel(ReadPanelRequest::new(self.panel_id)).await {
            Ok(answer) => answer.panel,
            Err(error) if refused(error.kind()) => {
                builder.warn(Warning::general(format!(
                    "no member was found, and the panel's fields could not be read ({error}): the table may have fewer columns than one with \
                     members"
                )));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let groups = panel.into_iter().flat_map(|panel| panel.groups);
        let fields = groups.flat_map(|group| group.fields);
        builder.known.panel =
            fields.map(|field| (field.name, Wanted::of(field.panel_field_type.as_str()))).collect();
        Ok(())
    }
}

/// Whether the answer will be the same next time.
fn refused(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Configuration | ErrorKind::PermissionDenied | ErrorKind::Api)
}
