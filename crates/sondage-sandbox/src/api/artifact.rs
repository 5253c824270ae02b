//! Artifacts: paths in a workspace. Their content cannot be uploaded through this API.

use super::{ApiCall, Handler, ResponseText, succeed};
use crate::clock::wire;
use crate::ledger::EffectKind;
use crate::refusal::Refusal;
use crate::world::Artifact;
use serde_json::json;
use sondage::model::{CreateArtifactRequest, DeleteArtifactRequest, ReadArtifactListRequest};
use sondage::operations::{CreateArtifact, DeleteArtifact, ReadArtifactList};

/// The maximum length of a path in the sandbox (assumed).
const LONGEST: usize = 1024;

impl Handler for CreateArtifact {
    fn handle(call: &ApiCall<'_>, request: CreateArtifactRequest) -> Result<ResponseText, Refusal> {
        let workspace_id = request.workspace_id;
        let path = normal(&request.path)?;
        let note = vec![path.clone()];
        call.change(|tenant, _| {
            tenant.workspace(workspace_id)?;
            if tenant.artifacts.iter().any(|known| known.is(workspace_id, &path)) {
                let why = format!("The workspace {workspace_id} has an artifact at `{path}` already.");
                return Err(Refusal::invalid(why).with_code("ArtifactExists"));
            }
            tenant.artifacts.push(Artifact { workspace_id, path, created: (call.now, call.actor()) });
            Ok(())
        })?;
        call.note(EffectKind::ArtifactCreated, note);
        succeed(json!({}))
    }
}

impl Handler for ReadArtifactList {
    fn handle(call: &ApiCall<'_>, request: ReadArtifactListRequest) -> Result<ResponseText, Refusal> {
        let below = request.path.as_deref().map(|path| path.trim_matches('/')).unwrap_or_default();
        call.read(|tenant| {
            let workspace = tenant.workspace(request.workspace_id)?.id;
            let here = |artifact: &&Artifact| {
                call.is_listed(artifact.created.0)
                    && artifact.workspace_id == workspace
                    && artifact.is_below(below)
            };
            let items = tenant.artifacts.iter().filter(here).map(|artifact| {
                json!({
                    "path": artifact.path,
                    "createdAt": wire(artifact.created.0),
                    "createdBy": artifact.created.1,
                })
            });
            // The format is assumed: the published definition repeats the request here.
            succeed(json!({
                "workspaceId": workspace,
                "path": request.path,
                "artifacts": items.collect::<Vec<_>>(),
            }))
        })
    }
}

impl Handler for DeleteArtifact {
    fn handle(call: &ApiCall<'_>, request: DeleteArtifactRequest) -> Result<ResponseText, Refusal> {
        let whole = match &request.filename {
            Some(name) => format!("{}/{name}", request.path.trim_end_matches('/')),
            None => request.path.clone(),
        };
        let path = normal(&whole)?;
        call.change(|tenant, _| {
            tenant.workspace(request.workspace_id)?;
            let at = tenant.artifacts.iter().position(|known| known.is(request.workspace_id, &path));
            let at = at.ok_or_else(|| Refusal::not_found("ArtifactNotFound", "artifact", &path))?;
            tenant.artifacts.remove(at);
            Ok(())
        })?;
        call.note(EffectKind::ArtifactDeleted, vec![path]);
        succeed(json!({}))
    }
}

/// The path without leading and trailing slashes. Path components that leave the workspace are refused.
fn normal(path: &str) -> Result<String, Refusal> {
    let path = path.trim_matches('/');
    let sound = |part: &str| {
        !part.is_empty()
            && part != "."
            && part != ".."
            && !part.contains(|c: char| c == '\\' || c.is_control())
    };
    if path.chars().count() > LONGEST {
        return Err(Refusal::invalid(format!("path is longer than {LONGEST} characters.")));
    }
    if !path.split('/').all(sound) {
        return Err(Refusal::invalid("path must consist of names separated by single slashes."));
    }
    Ok(path.to_owned())
}
