//! Changed fields of a panel are identified by their names and ids. The service shows neither who changed them nor when.

use super::{Inspection, loose};
use crate::reconcile::finding::Finding;
use serde::Deserialize;
use sondage::error::Result;
use sondage::model::{PanelField, PanelMemberField, ReadPanelRequest};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PanelChange {
    panel_id: i64,
    added_fields: Option<Vec<PanelMemberField>>,
    removed_fields: Option<Vec<i64>>,
    renamed_fields: Option<Vec<PanelMemberField>>,
}

pub(super) async fn updated(inspection: &Inspection) -> Result<Finding> {
    let change: PanelChange = inspection.request()?;
    let panel = inspection.client.read_panel(ReadPanelRequest::new(change.panel_id)).await?.panel;
    let Some(panel) = panel else { return Ok(Finding::unknown("the response of the service has no panel")) };
    let fields: Vec<PanelField> = panel.groups.into_iter().flat_map(|group| group.fields).collect();
    let named =
        |field: &PanelField, name: Option<&str>| name.is_some_and(|name| loose(&field.name) == loose(name));
    let added = change.added_fields.iter().flatten();
    let added = added.map(|new| fields.iter().any(|field| named(field, new.name.as_deref())));
    let removed = change.removed_fields.iter().flatten();
    let removed = removed.map(|id| fields.iter().all(|field| field.id != *id));
    let renamed = change.renamed_fields.iter().flatten();
    let renamed = renamed
        .map(|new| fields.iter().any(|field| Some(field.id) == new.id && named(field, new.name.as_deref())));
    let applied: Vec<bool> = added.chain(removed).chain(renamed).collect();
    let count = applied.iter().filter(|applied| **applied).count();
    Ok(match (count, applied.len()) {
        (0, _) => Finding::did_not("the panel has none of the changes"),
        (count, all) if count == all => Finding::holds("the panel has all of the changes"),
        (count, all) => Finding::unknown(format!("the panel has {count} of the {all} changes")),
    })
}
