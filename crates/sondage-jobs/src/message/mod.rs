//! Messages to people: who gets one and who does not. The call that sends names each member, so nobody who joins the panel in
//! between gets a message.

mod audience;
pub(super) mod invite;
pub(super) mod mail;
pub(super) mod newcomers;
pub(super) mod remind;

use crate::plan::wrong;
use indexmap::IndexMap;
use sondage::error::Result;
use sondage::model::{TextBlock, Translation};
use sondage::text;

/// Texts that replace blocks of a message, by the GUID of the block and by language.
type BlockTexts = IndexMap<String, IndexMap<String, String>>;

/// The type of every text block.
// API 7.2: the only one that is known
const BLOCK: &str = "editarea";

/// Checks what needs no reading.
fn check_blocks(given: Option<&BlockTexts>) -> Result<()> {
    for (name, texts) in given.into_iter().flatten() {
        if name.trim().is_empty() {
            return Err(wrong(
                "a text block has no name",
                "Its name is its GUID in the layout of the message.",
            ));
        }
        if texts.is_empty() {
            return Err(wrong(
                text!("the text block {name:?} has no text"),
                "Give its text in every language in which the message is sent.",
            ));
        }
    }
    Ok(())
}

/// The blocks as they are sent. Another order of the same texts is the same request.
fn blocks(given: Option<&BlockTexts>) -> Option<Vec<TextBlock>> {
    let mut text_blocks: Vec<_> = given?.iter().collect();
    text_blocks.sort_by_key(|(name, _)| *name);
    let block = |(name, texts): (&String, &IndexMap<String, String>)| {
        let texts = texts.iter().map(|(language, text)| Translation::new(language).text(text));
        let mut texts: Vec<Translation> = texts.collect();
        texts.sort_by(|a, b| a.language_code.cmp(&b.language_code));
        let mut block = TextBlock::new();
        (block.name, block.r#type, block.text) = (Some(name.clone()), Some(BLOCK.to_owned()), Some(texts));
        block
    };
    Some(text_blocks.into_iter().map(block).collect())
}
