//! Replaces the profile file in a build without the feature `profile`: asking for a profile is an error.

use super::environment::Environment;
use super::origins::IgnoredFile;
use super::value::Written;
use crate::error::{Error, Result, Text};
use std::convert::Infallible;
use std::path::{Path, PathBuf};

/// The selected section: none in this build.
#[derive(Debug)]
pub(super) struct ProfileSection(Infallible);

impl ProfileSection {
    /// Returns nothing, unless a profile was asked for, which is an error.
    pub(super) fn find(
        path: Option<PathBuf>,
        name: Option<String>,
        _: &Environment,
    ) -> Result<(Option<Self>, Option<IgnoredFile>)> {
        let (None, None) = (path, name) else { return Err(asked()) };
        Ok((None, None))
    }

    /// Settings of the section: none in this build.
    pub(super) fn get(&self, _: &str, _: Written) -> std::result::Result<Option<String>, String> {
        match self.0 {}
    }

    /// A setting as it is written: none in this build.
    pub(super) fn plain(&self, _: &str) -> Option<String> {
        match self.0 {}
    }

    /// The file, if the section has secrets: none in this build.
    pub(super) fn with_secrets(&self) -> Option<&Path> {
        match self.0 {}
    }

    /// The location of the section: none in this build.
    pub(super) fn place(&self) -> String {
        match self.0 {}
    }
}

/// Profiles to choose from: none in this build.
pub(super) fn available(_: &Environment) -> Option<Text> {
    None
}

fn asked() -> Error {
    Error::configuration("a profile is selected, but this program was built without support for profile files").with_hint(
        "Build it with the feature `profile` of the crate `sondage`, or set no `profile` and no `profile_file`.",
    )
}
