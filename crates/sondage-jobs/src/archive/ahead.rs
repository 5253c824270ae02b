//! The dry run of an archive: which documents are missing, and what they cost.

use super::manifest;
use super::{Archive, ArchiveProgress, ArchiveReport, ListedInterviews, on_disk};
use sondage::budget::Cost;
use sondage::error::Result;

/// The response to a `DownloadAnswers` without its link is shorter than this, and the link has a signature of some hundred bytes.
const ANSWER: u64 = 500;

impl Archive {
    /// What a run would do. Nothing is written, and the folder need not exist.
    pub(super) async fn look_ahead(&self) -> Result<ArchiveReport> {
        let ListedInterviews { ids, cost: listing, each } = self.interviews().await?;
        let folder = self.options.folder.0.clone();
        let stored = on_disk(move || manifest::stored(&folder)).await?;
        let missing: Vec<&String> =
            ids.iter().filter(|id| !stored.contains_key(&id.to_ascii_lowercase())).collect();
        let documents = missing.len() as u64;
        let size = match (missing.first(), stored.len() as u64) {
            (None, _) => 0,
            (Some(first), 0) => self.document(first).await?.len() as u64,
            (_, count) => stored.values().sum::<u64>() / count,
        };
        let request =
            missing.first().map_or(0, |id| serde_json::to_vec(&self.request(id)).map_or(0, |it| it.len()));
        let bytes = documents.saturating_mul(size + request as u64 + ANSWER);
        let stored_count = ids.len() - missing.len();
        let progress =
            ArchiveProgress { interviews: ids.len(), kept: stored_count, ..ArchiveProgress::default() };
        Ok(self.report(progress, Vec::new(), Some(listing + Cost::new(documents, bytes, Some(each)))))
    }
}
