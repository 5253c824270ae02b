//! Java with Maven, for the Kotlin package.

use crate::Result;
use crate::toolchain::{debian, works};

/// The minimum version of Java.
const OLDEST: &str = "17";

/// A JDK and Maven; in CI they are installed.
pub fn find() -> Result {
    let what = "a JDK (17 or newer) and Maven (brew install openjdk maven, choco install temurin maven).";
    debian(what, is_there, &["default-jdk-headless", "maven"])
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
