//! The fields of a panel: for labels, and for the table of a list without members.

use sondage::model::ReadPanelRequest;
use sondage::{Client, Error, ErrorKind, Result};

use crate::table::TableBuilder;
use crate::{CodePlan, Warning};

/// Reads the definition of a panel as a code plan.
pub(super) async fn download(
    client: &Client,
    panel_id: i64,
    language: Option<&str>,
) -> Result<(CodePlan, Vec<Warning>)> {
    let unreadable = |what: &str| {
        let what = format!("the response {what}, so the fields of panel {panel_id} are not known");
        Error::unexpected_response(what).in_operation("ReadPanel")
    };
    let panel = client.read_panel(ReadPanelRequest::new(panel_id)).await?.panel;
    let panel = panel.ok_or_else(|| unreadable("has no `panel`"))?;
    let json = serde_json::to_string(&panel).map_err(|_| unreadable("has an unexpected `panel`"))?;
    CodePlan::from_panel_json(&json, language).map_err(|_| unreadable("has an unexpected `panel`"))
}

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
        let (plan, warnings) = match download(&self.client, self.panel_id, None).await {
            Ok(read) => read,
            Err(error) if refused(error.kind()) => {
                builder.warn(Warning::general(format!(
                    "no member was found, and the panel's fields could not be read ({error}): the table may have fewer columns than one with \
                     members"
                )));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        for warning in warnings {
            builder.warn(warning);
        }
        let fields = plan.shared_variables();
        builder.known.panel = fields.map(|field| (field.code.clone(), field.wanted())).collect();
        Ok(())
    }
}

/// Whether the answer will be the same next time.
fn refused(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Configuration | ErrorKind::PermissionDenied | ErrorKind::Api)
}
