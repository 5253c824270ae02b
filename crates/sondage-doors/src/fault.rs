//! A fault that was put into a sandbox.

use crate::given::Call;
use crate::language::Language;
use crate::outcome::{Done, Outcome};
use crate::thing::Verbs;
use sondage_sandbox::FaultHandle;

/// A fault that was put into a sandbox.
pub type Put = FaultHandle;

impl<L: Language> Verbs<L> for Put {
    fn call(&self, call: Call<'_, L>) -> Done<L> {
        match call.verb {
            "hits" => Outcome::value(self.hits()),
            "remove" => {
                self.remove();
                Outcome::value(())
            }
            _ => Err(call.unknown()),
        }
    }
}
