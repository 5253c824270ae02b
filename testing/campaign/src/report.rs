//! The client's report on a call, in any language.

use serde::{Deserialize, Serialize};

/// The result of a call, as its caller sees it.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CallReport {
    /// The kind of the error; nothing for a success.
    pub kind: Option<String>,
    /// `no`, `answered` or `unknown`.
    pub delivery: Option<String>,
    pub safe_to_retry: bool,
    pub attempts: Option<u32>,
    pub status: Option<u16>,
    pub error_code: Option<String>,
    /// In seconds.
    pub retry_after: Option<f64>,
    pub message: String,
    /// The request to which a success is the response.
    pub echo: Option<String>,
    /// The caller gave up and never saw a result.
    pub left: bool,
    /// The results of the calls that followed it.
    pub others: Vec<CallReport>,
}

impl CallReport {
    /// The kind by its name in Rust: some languages append a word.
    pub fn kind(&self) -> Option<&str> {
        let kind = self.kind.as_deref()?;
        Some(kind.strip_suffix("Error").or_else(|| kind.strip_suffix("Exception")).unwrap_or(kind))
    }

    pub fn says(&self, words: &str) -> bool {
        self.message.contains(words)
    }
}

impl From<&sondage::Error> for CallReport {
    fn from(error: &sondage::Error) -> Self {
        Self {
            kind: Some(error.kind().as_str().to_owned()),
            delivery: Some(error.delivery().as_str().to_owned()),
            safe_to_retry: error.safe_to_retry(),
            attempts: Some(error.attempts()),
            status: error.status(),
            error_code: error.error_code().map(str::to_owned),
            retry_after: error.retry_after().map(|wait| wait.as_secs_f64()),
            message: error.to_string(),
            echo: None,
            left: false,
            others: Vec::new(),
        }
    }
}
