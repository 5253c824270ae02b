//! `--text-block`: texts that replace blocks of a message, of all commands that send one.

use crate::output::refused;
use clap::Args;
use sondage::indexmap::IndexMap;
use std::io;

#[derive(Args)]
pub struct BlockArgs {
    /// A text that replaces a block of the message: the GUID of the block in its layout, the language, and the text; several
    /// times for more languages or blocks.
    #[arg(long = "text-block", value_name = "GUID:LANGUAGE=TEXT", value_parser = text)]
    texts: Vec<BlockText>,
}

/// The text of a block in a language.
#[derive(Clone)]
struct BlockText {
    block: String,
    language: String,
    text: String,
}

fn text(given: &str) -> Result<BlockText, String> {
    let parts = given.split_once('=').and_then(|(place, text)| Some((place.split_once(':')?, text)));
    let ((block, language), text) = parts.ok_or("a text block is written GUID:LANGUAGE=TEXT")?;
    if language.is_empty() {
        return Err("the text block has no language, for example `de`".to_owned());
    }
    Ok(BlockText { block: block.to_owned(), language: language.to_owned(), text: text.to_owned() })
}

impl BlockArgs {
    /// By block, then by language, as the options of plans have them.
    pub fn texts(&self) -> io::Result<Option<IndexMap<String, IndexMap<String, String>>>> {
        let mut blocks: IndexMap<String, IndexMap<String, String>> = IndexMap::new();
        for BlockText { block, language, text } in &self.texts {
            let texts = blocks.entry(block.clone()).or_default();
            if texts.insert(language.clone(), text.clone()).is_some() {
                return Err(refused(&format!(
                    "the text block {block:?} has two texts in the language {language:?}. Nothing was sent. Leave one out"
                )));
            }
        }
        Ok((!blocks.is_empty()).then_some(blocks))
    }
}
