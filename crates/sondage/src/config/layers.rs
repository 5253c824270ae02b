//! The sources of settings, and their precedence.

use super::environment::Environment;
use super::profile::ProfileSection;
use super::value::Value;
use crate::error::{Error, Result, Text};
use crate::model::Secret;
use crate::text;
use std::collections::BTreeMap;
use std::fmt;
use zeroize::Zeroizing;

/// The source of a setting's value. Earlier variants take precedence over later ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Source {
    /// Set in code.
    Explicit,
    /// An environment variable.
    Environment(&'static str),
    /// The profile file, with its path and the section.
    Profile(String),
    /// The account's address, or other settings from which it is derived.
    Account,
    /// The default.
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

/// A value and its source.
#[derive(Clone, Debug)]
pub(super) struct FoundSetting<T> {
    pub name: &'static str,
    pub value: T,
    pub source: Source,
}

impl<T> FoundSetting<T> {
    /// The setting and its location, for a sentence.
    pub(super) fn place(&self) -> Text {
        place(self.name, &self.source)
    }
}

/// The setting's name and its location, for a sentence.
pub(super) fn place(name: &'static str, source: &Source) -> Text {
    text!("{} ({source})", quoted(name, source))
}

/// The setting's name as its source spells it: the profile file is the same for all languages.
pub(super) fn quoted(name: &'static str, source: &Source) -> Text {
    match source {
        Source::Profile(_) => text!("`{name}`"),
        _ => text!("`{}`", Text::from(name)),
    }
}

/// A setting's raw text: it may be a secret.
type Plain = Zeroizing<String>;

/// The raw settings, by source.
pub(super) struct Layers<'a> {
    pub explicit: &'a BTreeMap<&'static str, Secret>,
    pub environment: &'a Environment,
    pub profile: Option<ProfileSection>,
}

impl Layers<'_> {
    /// The setting as text, from the source with the highest precedence.
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
            // It may be a secret that was put into the wrong setting, so only its length is shown.
            text!(", and is a text of {} characters", text.chars().count())
        };
        Err(Error::configuration(text!("{} must be {}{is}", place(name, &source), T::SHAPE)))
    }
}

macro_rules! settings {
    ($($(#[doc = $doc:literal])* $name:ident $variable:literal: $Type:ident $(= $default:literal)?;)*) => {
        /// Every setting that is set or has a default.
        pub(super) struct Settings {
            $(pub $name: Option<FoundSetting<super::value::types::$Type>>,)*
        }

        impl Settings {
            /// Reads every setting from the layers.
            pub(super) fn read(layers: &Layers<'_>) -> Result<Self> {
                Ok(Self { $($name: layers.get(stringify!($name), $variable, settings!(@default $($default)?))?,)* })
            }

            /// The name, displayed value and source of each setting, in the order of the table.
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
