//! Java with Maven, for the Kotlin package.

use crate::stage::missing;
use crate::toolchain::{apt, works};
use crate::{Result, process, workspace};
use std::process::Command;

/// The minimum version of Java.
const OLDEST: u32 = 17;

/// The names of suitable JDK packages in Debian and Ubuntu; which of them exist depends on the release.
const PACKAGES: [&str; 2] = ["openjdk-21-jdk-headless", "openjdk-17-jdk-headless"];

/// A JDK and Maven; in CI they are installed.
pub fn find() -> Result {
    if is_there() {
        return Ok(());
    }
    if workspace::is_ci() {
        let installed = PACKAGES.iter().any(|jdk| apt(&[jdk, "maven"]).is_ok());
        return if installed && is_there() {
            Ok(())
        } else {
            Err("no JDK 17 or newer with Maven could be installed: the Kotlin package needs both".into())
        };
    }
    let (what, install) = (
        "a JDK (17 or newer) and Maven.",
        "apt-get install openjdk-17-jdk-headless maven (Debian 12, Ubuntu), openjdk-21-jdk-headless maven (Debian 13), \
         brew install openjdk maven (macOS), choco install temurin maven (Windows)",
    );
    Err(missing(what, install))
}

fn is_there() -> bool {
    let said = process::output(Command::new("javac").arg("-version")).unwrap_or_default();
    version(&said).is_some_and(|version| version >= OLDEST)
        && works("java", &["-version"])
        && works(maven(), &["--version"])
}

/// On Windows Maven is a script.
pub fn maven() -> &'static str {
    if cfg!(windows) { "mvn.cmd" } else { "mvn" }
}

/// `javac 17.0.15`; before 9 it was `javac 1.8.0`.
fn version(said: &str) -> Option<u32> {
    let number = said.trim().strip_prefix("javac ")?;
    number.split(['.', '-', '+']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_version_of_a_compiler() {
        let versions = ["javac 17.0.15\n", "javac 21", "javac 22-ea", "javac 1.8.0_292", "sh: no javac"];
        assert_eq!(versions.map(version), [Some(17), Some(21), Some(22), Some(1), None]);
    }
}
