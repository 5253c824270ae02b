//! Files that a visitor of the console has chosen: they are kept until the plan with them is confirmed, for the next few forms.

use std::collections::VecDeque;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::TempDir;

/// How many files are kept.
const MOST: usize = 8;

/// A file with the name that its owner gave it.
#[derive(Debug)]
pub(crate) struct Upload {
    id: String,
    /// Only its owner can read it; it is deleted with this.
    folder: TempDir,
    pub(crate) name: String,
}

impl Upload {
    pub(crate) fn path(&self) -> std::path::PathBuf {
        self.folder.path().join(&self.name)
    }

    /// A text in which the name stands alone, without the folder.
    pub(crate) fn without_folder(&self, text: &str) -> String {
        text.replace(&format!("{}{}", self.folder.path().display(), std::path::MAIN_SEPARATOR), "")
    }
}

/// The files of the last forms.
#[derive(Debug, Default)]
pub(crate) struct Uploads(Mutex<VecDeque<Arc<Upload>>>);

impl Uploads {
    pub(crate) fn keep(&self, name: &str, content: &[u8]) -> std::io::Result<String> {
        let folder = tempfile::Builder::new().prefix("sondage-console-").tempdir()?;
        // The last part of a path, in letters that every system can have in a name.
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let name: String =
            name.chars().map(|c| if c.is_alphanumeric() || "-_. ".contains(c) { c } else { '_' }).collect();
        let name = if name.trim_matches('.').is_empty() { "file".to_owned() } else { name };
        let upload = Upload { id: crate::random::secret(), folder, name };
        std::fs::File::create_new(upload.path())?.write_all(content)?;
        let id = upload.id.clone();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(Arc::new(upload));
        if kept.len() > MOST {
            kept.pop_front();
        }
        Ok(id)
    }

    /// A file by the id in a form.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<Upload>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|upload| upload.id == id).cloned()
    }
}
