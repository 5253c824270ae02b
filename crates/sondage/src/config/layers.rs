//! Where settings come from, and which source beats which.

use super::environment::Environment;
use super::profile::ProfileSection;
use super::value::Value;
use crate::error::{Error, Result, Text};
use crate::model::Secret;
use crate::text;
use std::collections::BTreeMap;
use std::fmt;
use zeroize::Zeroizing;

/// Where a setting's value comes from. What is named first beats what is named later.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Source {
    /// Set in code.
    Explicit,
    /// An environment variable.
    Environment(&'static str),
    /// The profile file, with its path and the section.
    Profile(String),
    /// Read from the account's address, or follows from what was.
    Account,
    /// Nobody said otherwise.
    Default,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Explicit => f.write_str("explicit"),
            Self::Environment(variable) => write!(f, "environment {variable}"),
            Self::Profile(place) => f.write_str(place),
            Self::Account => f.write_str("account address"),
            Self::Default => f.write_str("default"),
        }
    }
}

/// A value and where it comes from.
#[derive(Clone, Debug)]
pub(super) struct FoundSetting<T> {
    pub name: &'static str,
    pub value: T,
    pub source: Source,
}

impl<T> FoundSetting<T> {
    /// The setting in a sentence, with where it stands.
    pub(super) fn place(&self) -> Text {
        place(self.name, &self.source)
    }
}

/// The setting's name with where it stands, for a sentence.
pub(super) fn place(name: &'static str, source: &Source) -> Text {
    text!("{} ({source})", quoted(name, source))
}

/// The setting's name as it is written at its source: a profile file is the same for all languages.
pub(super) fn quoted(name: &'static str, source: &Source) -> Text {
    match source {
        Source::Profile(_) => text!("`{name}`"),
        _ => text!("`{}`", Text::from(name)),
    }
}

/// A setting as it was written: it may be a secret.
type Plain = Zeroizing<String>;

/// What somebody has said, by source.
pub(super) struct Layers<'a> {
    pub explicit: &'a BTreeMap<&'static str, Secret>,
    pub environment: &'a Environment,
    pub profile: Option<ProfileSection>,
}

impl Layers<'_> {
    /// The strongest source that has the setting, as text.
    fn text<T: Value>(
        &self,
        name: &'static str,
        variable: &'static str,
    ) -> Result<Option<FoundSetting<Plain>>> {
        if let Some(text) = self.explicit.get(name) {
            let value = Plain::new(text.reveal().to_owned());
            return Ok(Some(FoundSetting { name, value, source: Source::Explicit }));
        }
        let source = Source::Environment(variable);
        match self.environment.get(variable) {
            Ok(Some(text)) => {
                return Ok(Some(FoundSetting { name, value: Plain::new(text.to_owned()), source }));
            }
            Ok(None) => {}
            Err(()) => {
                return Err(Error::configuration(text!("{} is not Unicode text", place(name, &source))));
            }
        }
        let Some(profile) = &self.profile else { return Ok(None) };
        let source = Source::Profile(profile.place());
        match profile.get(name, T::WRITTEN) {
            Ok(text) => Ok(text.map(|value| FoundSetting { name, value: Plain::new(value), source })),
            Err(why) => Err(Error::configuration(text!("{} {why}", place(name, &source)))),
        }
    }

    /// The setting, or its default.
    pub(super) fn get<T: Value>(
        &self,
        name: &'static str,
        variable: &'static str,
        default: Option<&'static str>,
    ) -> Result<Option<FoundSetting<T>>> {
        let default = || {
            default.map(|text| FoundSetting {
                name,
                value: Plain::new(text.to_owned()),
                source: Source::Default,
            })
        };
        let Some(FoundSetting { value: text, source, .. }) = self.text::<T>(name, variable)?.or_else(default)
        else {
            return Ok(None);
        };
        if let Some(value) = T::read(&text) {
            return Ok(Some(FoundSetting { name, value, source }));
        }
        let is = if T::is_attempt(&text) {
            text!(", and is `{}`", text.trim())
        } else {
            // It may be a secret that was put into the wrong setting: then only its length is told.
            text!(", and is a text of {} characters", text.chars().count())
        };
        Err(Error::configuration(text!("{} must be {}{is}", place(name, &source), T::SHAPE)))
    }
}

macro_rules! settings {
    ($($(#[doc = $doc:literal])* $name:ident $variable:literal: $Type:ident $(= $default:literal)?;)*) => {
        /// Every setting that somebody has set or that has a default.
        pub(super) struct Settings {
            $(pub $name: Option<FoundSetting<super::value::types::$Type>>,)*
        }

        impl Settings {
            /// Reads every setting from the layers.
            pub(super) fn read(layers: &Layers<'_>) -> Result<Self> {
                Ok(Self { $($name: layers.get(stringify!($name), $variable, settings!(@default $($default)?))?,)* })
            }

            /// Name, shown value and source of each, in the order of the table.
            pub(super) fn shown(&self) -> Vec<(&'static str, Option<(String, Source)>)> {
                vec![$((
                    stringify!($name),
                    self.$name.as_ref().map(|found| (found.value.show(), found.source.clone())),
                ),)*]
            }
        }
    };
    (@default) => { None };
    (@default $default:literal) => { Some($default) };
}
crate::settings!(settings);
