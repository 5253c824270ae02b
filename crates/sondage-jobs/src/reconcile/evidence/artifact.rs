//! An artifact is identified by its path, which is unique in a workspace. The format of the list is not published, so only a
//! recognisable list is used.

use super::Inspection;
use crate::reconcile::finding::{Finding, not_by};
use crate::reconcile::window::Place;
use serde::Deserialize;
use serde_json::{Value, json};
use sondage::error::Result;
use sondage::model::{Json, ReadArtifactListRequest};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewArtifact {
    workspace_id: i64,
    path: String,
}

pub(super) async fn find_evidence(inspection: &Inspection) -> Result<Finding> {
    let artifact: NewArtifact = inspection.request()?;
    let answer =
        inspection.client.read_artifact_list(ReadArtifactListRequest::new(artifact.workspace_id)).await?;
    let lists: Vec<Vec<Value>> = answer.extra.iter().filter_map(|(_, value)| list(value)).collect();
    if lists.is_empty() {
        return Ok(Finding::unknown("the list of artifacts has a form that this version does not know"));
    }
    let here = artifact.path.trim_matches('/');
    let artifacts = lists
        .iter()
        .flatten()
        .find(|it| it["path"].as_str().map(|path| path.trim_matches('/')) == Some(here));
    let Some(artifacts) = artifacts else {
        let alike = lists.iter().flatten().any(|it| mentions(it, here));
        return Ok(if alike {
            Finding::unknown(
                "the list of artifacts names the path in a format that this version does not know",
            )
        } else {
            Finding::did_not("there is no artifact at this path")
        });
    };
    let ids = vec![here.to_owned()];
    Ok(match inspection.window.place_text(artifacts["createdAt"].as_str()) {
        Place::Before => Finding::did_not("the artifact at this path is older than the call"),
        Place::Within
            if inspection.is_ours(artifacts["createdBy"].as_str()) && !inspection.ambiguous_with_own_call =>
        {
            Finding::happened(
                ids,
                "there is an artifact at this path of that time, made by this login",
                json!({}),
            )
        }
        _ => Finding::unknown(format!(
            "there is an artifact at this path, and nothing shows that this call made it: {}",
            not_by(inspection.name.as_deref())
        ))
        .among(ids),
    })
}

/// A list of objects that have a path, or an empty list.
fn list(value: &Json) -> Option<Vec<Value>> {
    let list: Vec<Value> = value.read().ok()?;
    list.iter().all(|it| it["path"].is_string()).then_some(list)
}

/// Whether the path occurs anywhere in it, ignoring case.
fn mentions(it: &Value, path: &str) -> bool {
    it.to_string().to_lowercase().contains(&format!("\"{}\"", path.to_lowercase()))
}
