//! What a client may call.

use super::layers::FoundSetting;
use crate::error::{Delivery, Error, Result, Text};
use crate::operation::Effect;
use crate::{operations, text};
use std::collections::BTreeSet;

/// What a client may call: everything, unless the settings `read_only` and `operations` say otherwise.
#[derive(Clone, Debug, Default)]
pub struct Permitted {
    read_only: bool,
    operations: Option<BTreeSet<String>>,
}

impl Permitted {
    pub(super) fn new(read_only: bool, operations: Option<&FoundSetting<String>>) -> Result<Self> {
        let operations = operations.map(names).transpose()?;
        Ok(Self { read_only, operations })
    }

    /// Forbids every operation that is not among these, besides what is forbidden already.
    pub fn only<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) {
        let allowed = |name: &&str| self.operations.as_ref().is_none_or(|earlier| earlier.contains(*name));
        self.operations = Some(names.into_iter().filter(allowed).map(str::to_owned).collect());
    }

    /// Returns an error if this must not be called.
    pub(crate) fn check(&self, operation: &str, effect: Effect) -> Result<()> {
        let (what, setting) = match &self.operations {
            _ if effect == Effect::Token => return Ok(()),
            _ if self.read_only && effect != Effect::Read => ("this client only reads", "read_only"),
            Some(names) if !names.contains(operation) => ("this client must not call it", "operations"),
            _ => return Ok(()),
        };
        let hint = text!("Nothing was sent. The setting `{}` forbids it.", Text::from(setting));
        Err(Error::configuration(what)
            .in_operation(operation.to_owned())
            .with_delivery(Delivery::No)
            .with_hint(hint))
    }
}

/// A name that is not an operation would forbid more than was meant. It is not shown: it may be a secret that was put into
/// the wrong setting.
fn names(found: &FoundSetting<String>) -> Result<BTreeSet<String>> {
    let wrong = |what: Text| Error::configuration(text!("{} {what}", found.place()));
    let mut names = BTreeSet::new();
    for (number, name) in (1..).zip(found.value.split(',').map(str::trim)) {
        if operations::find(name).is_none() {
            let error = wrong(text!("has no operation at place {number}"));
            return Err(error.with_hint(
                "Give names of the API, separated by commas, such as `ReadPanel, ReadMemberList`.",
            ));
        }
        names.insert(name.to_owned());
    }
    Ok(names)
}
