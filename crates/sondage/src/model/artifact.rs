//! Artifacts: files of a workspace, such as pictures and style sheets that surveys use.

use sondage_macros::{request, response};

/// Creates an artifact. How its content is uploaded is not published: the definition has a workspace and a path, but no
/// content.
#[request]
#[source("API 9.5, published")]
pub struct CreateArtifactRequest {
    /// The workspace.
    pub workspace_id: i64,
    /// The folder of the artifact, for example `logos/2024`.
    pub path: String,
}

/// The artifact was created. Further fields are in `extra`.
#[response]
pub struct CreateArtifactResponse {}

/// Deletes an artifact.
#[request]
#[source("API 9.6, published")]
pub struct DeleteArtifactRequest {
    /// The workspace.
    pub workspace_id: i64,
    /// The folder of the artifact.
    pub path: String,
    /// The file name. Without it, everything that the path names is deleted (assumed).
    pub filename: Option<String>,
}

/// The artifact was deleted.
#[response]
pub struct DeleteArtifactResponse {}

/// Lists the artifacts of a workspace.
#[request]
#[source("API 9.7, published")]
pub struct ReadArtifactListRequest {
    /// The workspace.
    pub workspace_id: i64,
    /// Only artifacts below this path. Default: all (assumed).
    pub path: Option<String>,
}

/// The artifacts, in `extra`, unparsed. The response of this operation is not published: the definition lists the
/// request's fields instead, and so these two.
#[response]
pub struct ReadArtifactListResponse {
    /// The workspace, if the service returns it.
    pub workspace_id: Option<i64>,
    /// The path, if the service returns it.
    pub path: Option<String>,
}
