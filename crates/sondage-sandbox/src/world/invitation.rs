//! Messages, sampling projects and distributors.

use super::word::{self, Word};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sondage::model::{Condition, TextBlock};

/// A message in several languages.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MessageTemplate {
    pub(crate) id: i64,
    pub(crate) workspace_id: i64,
    pub(crate) name: String,
    #[serde(deserialize_with = "word::read")]
    pub(crate) default_locale: Word,
    pub(crate) texts: Vec<MessageText>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MessageText {
    #[serde(deserialize_with = "word::read")]
    pub(crate) locale: Word,
    #[serde(deserialize_with = "word::read")]
    pub(crate) subject: Word,
    pub(crate) content: String,
}

impl MessageTemplate {
    /// The subject and the text in a language, with the blocks that replace parts of it.
    pub(crate) fn written(&self, locale: &str, blocks: &[TextBlock]) -> Option<(&'static str, String)> {
        let text = self.text(locale)?;
        let content = blocks.iter().fold(text.content.clone(), |content, block| {
            let locales = [locale, self.default_locale];
            match (&block.name, locales.iter().find_map(|locale| block_text(block, locale))) {
                (Some(name), Some(words)) => with_block(&content, name, words).unwrap_or(content),
                _ => content,
            }
        });
        Some((text.subject, content))
    }

    /// The text in a language, or in the template's fallback language.
    pub(crate) fn text(&self, locale: &str) -> Option<&MessageText> {
        let find = |wanted: &str| self.texts.iter().find(|text| text.locale == wanted);
        find(locale).or_else(|| find(self.default_locale))
    }
}

fn block_text<'a>(block: &'a TextBlock, locale: &str) -> Option<&'a str> {
    let mut texts = block.text.iter().flatten();
    texts.find(|text| text.language_code == locale)?.text.as_deref()
}

/// The text with one of its blocks replaced; `None` if it has no block of this name.
fn with_block(content: &str, name: &str, words: &str) -> Option<String> {
    let mark = format!("data-text-block=\"{}\">", name.to_lowercase());
    let start = content.find(&mark)? + mark.len();
    let end = start + content[start..].find("</p>")?;
    Some([&content[..start], words, &content[end..]].concat())
}

/// A single mail that was sent.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Mail {
    pub(crate) at: DateTime<Utc>,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) subject: String,
    /// The text as HTML.
    pub(crate) content: String,
}

/// A group of distributors; created for each invitation unless the caller names one.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SamplingProject {
    pub(crate) survey_id: i64,
    pub(crate) panel_id: i64,
}

/// Sends one invitation, or one reminder, to its members.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Distributor {
    pub(crate) id: i64,
    pub(crate) channel: String,
    pub(crate) survey_id: i64,
    pub(crate) survey_version: i64,
    pub(crate) panel_id: i64,
    pub(crate) sampling_project_id: i64,
    /// When it was made.
    pub(crate) created: DateTime<Utc>,
    /// The scheduled time of sending.
    pub(crate) scheduled: DateTime<Utc>,
    /// When it was sent; none while it is pending.
    pub(crate) executed: Option<DateTime<Utc>>,
    pub(crate) conditions: Vec<Condition>,
    /// The operation that made it.
    #[serde(deserialize_with = "word::read")]
    pub(crate) operation: Word,
    /// The recipients, determined at the time of sending.
    pub(crate) recipients: Vec<i64>,
    /// Those to whom it was sent.
    pub(crate) sent: Vec<i64>,
    pub(crate) template_id: i64,
    /// Texts that replace blocks of the template.
    pub(crate) text_blocks: Vec<TextBlock>,
    /// The address of the sender, if the caller named one.
    pub(crate) from: Option<String>,
    /// The distributor to which this is a reminder.
    pub(crate) reminds: Option<i64>,
}

impl Distributor {
    /// The status names are assumed.
    pub(crate) fn state(&self) -> &'static str {
        if self.executed.is_some() { "Executed" } else { "Scheduled" }
    }
}
