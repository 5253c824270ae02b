//! Artifacts: files of a workspace, such as pictures and style sheets that surveys use.

use sondage_macros::{request, response};

/// Creates an artifact. How its content gets there is not published: the definition has a workspace and a
/// path, and no content.
#[request]
#[source("API 9.5, published")]
pub struct CreateArtifactRequest {
    /// The workspace.
    pub workspace_id: i64,
    /// Where the artifact is to be, for example `logos/2024`.
    pub path: String,
}

/// The artifact was created. What else comes is in `extra`.
#[response]
pub struct CreateArtifactResponse {}

/// Deletes an artifact.
#[request]
#[source("API 9.6, published")]
pub struct DeleteArtifactRequest {
    /// The workspace.
    pub workspace_id: i64,
    /// Where the artifact is.
    pub path: String,
    /// The file there. Without it what the path names is deleted (assumed).
    pub filename: Option<String>,
}

/// The artifact is gone.
#[response]
pub struct DeleteArtifactResponse {}

/// Asks for the artifacts of a workspace.
#[request]
#[source("API 9.7, published")]
pub struct ReadArtifactListRequest {
    /// The workspace.
    pub workspace_id: i64,
    /// Only those below this path; all of them when left out (assumed).
    pub path: Option<String>,
}

/// The artifacts, in `extra` as they came. The answer of this operation is not published: the definition names the
/// request in its place, and so these two fields.
#[response]
pub struct ReadArtifactListResponse {
    /// The workspace, if the service repeats it.
    pub workspace_id: Option<i64>,
    /// The path, if the service repeats it.
    pub path: Option<String>,
}
