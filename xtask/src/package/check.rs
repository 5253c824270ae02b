//! Checks that everything compiles for systems whose linkers and libraries are not on this machine.

use super::build;
use crate::stage::TestCounts;
use crate::{Result, process, workspace};
use std::fs;

const PHONES: &str = "docs/phones.md";

/// Which packages are compiled for which systems.
const CHECKED: [(&[&str], &[&str]); 2] = [
    (
        &["aarch64-apple-darwin", "x86_64-pc-windows-gnullvm"],
        &["sondage-python", "sondage-node", "sondage-uniffi", "sondage-cli"],
    ),
    (&["aarch64-linux-android"], &["sondage-uniffi"]),
];

/// The crate whose version is that of the classes for Android.
const VERIFIER: &str = "name = \"rustls-platform-verifier-android\"\nversion = \"";

pub fn run() -> Result<TestCounts> {
    verifier_is_named()?;
    for (systems, packages) in CHECKED {
        let mut cargo = workspace::cargo();
        cargo.args(["check", "--quiet", "--locked"]);
        for system in systems {
            build::has_standard_library(system)?;
            cargo.args(["--target", system]);
        }
        for package in packages {
            cargo.args(["--package", package]);
        }
        // Nothing is linked, so C code needs no compiler of that system.
        process::run(cargo.env("CC", "true").env("AR", "true").env("LIBNODE_PATH", build::node_library()?))?;
    }
    Ok(TestCounts { passed: CHECKED.iter().map(|(systems, _)| systems.len()).sum(), ..TestCounts::default() })
}

/// The page tells apps which version of the verifier's classes fits the library: another one can crash an app.
fn verifier_is_named() -> Result {
    let root = workspace::root();
    let lock = fs::read_to_string(root.join("Cargo.lock"))?.replace("\r\n", "\n");
    let version = lock.split(VERIFIER).nth(1).and_then(|rest| rest.split('"').next());
    let version = version.ok_or("Cargo.lock has no verifier for Android")?;
    let named = format!("\"org.rustls:rustls-platform-verifier:{version}\"");
    if fs::read_to_string(root.join(PHONES))?.contains(&named) {
        return Ok(());
    }
    Err(format!("{PHONES} does not name {named}, which Cargo.lock has").into())
}
