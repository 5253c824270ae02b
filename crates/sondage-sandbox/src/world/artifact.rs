//! Artifacts of a workspace.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// An object at a path. Its content is not published.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Artifact {
    pub(crate) workspace_id: i64,
    /// Without leading and trailing slashes.
    pub(crate) path: String,
    /// When and by whom.
    pub(crate) created: (DateTime<Utc>, String),
}

impl Artifact {
    pub(crate) fn is(&self, workspace_id: i64, path: &str) -> bool {
        self.workspace_id == workspace_id && self.path == path
    }

    /// Whether it is at this path or below it; everything is below the empty path.
    pub(crate) fn is_below(&self, path: &str) -> bool {
        let rest = self.path.strip_prefix(path);
        path.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}
