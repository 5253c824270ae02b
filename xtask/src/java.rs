//! Java with Maven, for the Kotlin package.

use crate::stage::missing;
use crate::toolchain::{apt, works};
use crate::{Result, workspace};

/// The minimum version of Java.
const OLDEST: &str = "17";

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
    works("javac", &["--release", OLDEST, "-version"])
        && works("java", &["-version"])
        && works(maven(), &["--version"])
}

/// On Windows Maven is a script.
pub fn maven() -> &'static str {
    if cfg!(windows) { "mvn.cmd" } else { "mvn" }
}
