//! What a client may call.

use super::layers::FoundSetting;
use crate::error::{Delivery, Error, Result, Text};
use crate::operation::Effect;
use crate::{operation_path, operations, text};
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

    /// Returns an error if this must not be called: an operation by its name, or by its path if it is not in the table.
    pub(crate) fn check(&self, operation: &str, effect: Effect) -> Result<()> {
        let listed = self.operations.as_ref().map(|operations| operations.contains(operation));
        let unknown = operation.starts_with('/');
        let (what, setting) = match listed {
            _ if effect == Effect::Token => return Ok(()),
            _ if self.read_only && effect != Effect::Read => ("this client only reads", "read_only"),
            // The caller says that it reads, and nothing else does.
            None if self.read_only && unknown => {
                ("this client only reads, and what this path does is not known", "read_only")
            }
            Some(false) => ("this client must not call it", "operations"),
            Some(true) | None => return Ok(()),
        };
        let setting = Text::from(setting);
        let hint = if unknown {
            text!(
                "Nothing was sent. The setting `{setting}` forbids it. If it must be allowed, list its path in `{}`, as it is.",
                Text::from("operations")
            )
        } else {
            text!("Nothing was sent. The setting `{setting}` forbids it.")
        };
        let name = operation.rsplit('/').next().unwrap_or_default().to_owned();
        Err(Error::configuration(what).in_operation(name).with_delivery(Delivery::No).with_hint(hint))
    }
}

/// The names of operations, and paths of those that are not in the table. A name that is not an operation would forbid more
/// than was meant. It is not shown: it may be a secret that was put into the wrong setting.
fn names(found: &FoundSetting<String>) -> Result<BTreeSet<String>> {
    let wrong = |what: Text| Error::configuration(text!("{} {what}", found.place()));
    let mut names = BTreeSet::new();
    for (number, name) in (1..).zip(found.value.split(',').map(str::trim)) {
        if name.starts_with('/') {
            names.insert(operation_path::find(name).map_or(name, |(info, _)| info.name).to_owned());
            continue;
        }
        if operations::find(name).is_none() {
            let error = wrong(text!("has no operation at place {number}"));
            return Err(error.with_hint(
                "Give names of the API, or paths of other operations, separated by commas, such as `ReadPanel, ReadMemberList`.",
            ));
        }
        names.insert(name.to_owned());
    }
    Ok(names)
}
