//! Checks that everything compiles for systems whose linkers and libraries are not on this machine.

use super::build;
use crate::stage::TestCounts;
use crate::{Result, process, workspace};

/// Which packages are compiled for which systems.
const CHECKED: [(&[&str], &[&str]); 2] = [
    (
        &["aarch64-apple-darwin", "x86_64-pc-windows-gnullvm"],
        &["sondage-python", "sondage-node", "sondage-uniffi", "sondage-cli"],
    ),
    (&["aarch64-linux-android"], &["sondage-uniffi"]),
];

pub fn run() -> Result<TestCounts> {
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
