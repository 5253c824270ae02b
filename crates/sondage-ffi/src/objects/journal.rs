//! Journals that a program provides, which store lines of text.

use sondage_jobs::JournalStore;
use std::io;

/// A journal in a language.
pub trait LineStore: Send + 'static {
    /// Performs an action: `open`, which returns every line; `append` these lines; `forget_last`, `clear` or `close`.
    fn ask(&mut self, what: &'static str, lines: &[String]) -> io::Result<Vec<String>>;
}

/// Offers a journal to the next call whose option `journal` is the returned text. `name`: its name in errors.
pub fn offer_journal(name: String, store: impl LineStore) -> String {
    sondage_jobs::options::offer(Keeper { name, store, is_open: false })
}

/// Such a journal, as the core calls it.
struct Keeper<S: LineStore> {
    name: String,
    store: S,
    is_open: bool,
}

impl<S: LineStore> JournalStore for Keeper<S> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn open(&mut self, line: &mut dyn FnMut(&str)) -> io::Result<()> {
        let lines = self.store.ask("open", &[])?;
        self.is_open = true;
        for text in &lines {
            line(text);
        }
        Ok(())
    }

    fn append(&mut self, lines: &[String]) -> io::Result<()> {
        self.store.ask("append", lines).map(drop)
    }

    fn forget_last(&mut self) -> io::Result<()> {
        self.store.ask("forget_last", &[]).map(drop)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.store.ask("clear", &[]).map(drop)
    }

    fn close(&mut self) {
        if std::mem::take(&mut self.is_open) {
            // An error here is reported when the journal is opened next.
            let _ = self.store.ask("close", &[]);
        }
    }
}

impl<S: LineStore> Drop for Keeper<S> {
    fn drop(&mut self) {
        self.close();
    }
}
