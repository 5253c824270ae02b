//! The jars for the JVM: the library for each platform, the sandbox for tests, and a separate project that uses both. They are in a
//! repository of Maven, in the layout that Maven Central takes as an upload: Maven's own plugins sign and add checksums.

use super::build::{LIBRARY, build};
use super::{bash, fresh, notices, table};
use crate::files::{self, put};
use crate::mobile::BuiltLibrary;
use crate::platform::{Platform, here};
use crate::{Result, java, kotlin, mobile, process, workspace};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The artefacts: cargo's package, its library, and the folder whose content `kotlin/pom.xml` and `kotlin/testing/pom.xml` put beside
/// the classes.
const ARTEFACTS: [(&str, &str, &str); 2] = [
    ("sondage-uniffi", "sondage_mobile", "native"),
    ("sondage-testing", "sondage_testing", "native-testing"),
];

/// The namespace, as a path.
const GROUP: &str = "io/github/sondage";

/// Builds optimised libraries for every platform that can be built here.
pub fn run(platforms: &[&'static Platform]) -> Result<Vec<String>> {
    publish(platforms, |package, platform| build(package, platform, LIBRARY))
}

/// `cargo xtask package kotlin-debug`: the same with the libraries that the tests have built, for this machine.
pub fn debug() -> Result {
    let rows = publish(&[here()?], |_, _| Ok(workspace::target()?.join("debug")))?;
    println!("\n{}", rows.concat());
    Ok(())
}

/// Publishes to a repository in a folder, and runs a separate project that depends on it. `output`: where a package's library is.
fn publish(
    platforms: &[&'static Platform],
    output: impl Fn(&str, &Platform) -> Result<PathBuf>,
) -> Result<Vec<String>> {
    java::find()?;
    let (made, built) = (fresh("kotlin/made")?, mobile::build()?);
    // JNA cannot distinguish musl from glibc.
    for platform in platforms.iter().filter(|platform| platform.parts().2 != Some("musl")) {
        for (package, name, place) in ARTEFACTS {
            let library = platform.library(name);
            let to = made.join(place).join(platform.jna()).join(&library);
            put(&output(package, platform)?.join(library), &to)?;
        }
    }
    built.describe("kotlin", &made.join("src"))?;
    for (package, _, place) in ARTEFACTS {
        licensed(package, &made.join(place))?;
    }
    let repository = fresh("kotlin/repository")?;
    let mut maven = maven(&built, &made, ":sondage,:sondage-testing")?;
    let files = deploy(&repository, maven.arg("deploy"), "sondage sondage-testing", ".jar")?;
    // A separate project that depends on the artefacts by their coordinates.
    let mut stranger = bash(workspace::root(), "stranger.sh")?;
    stranger.arg("kotlin").arg(&repository).arg(workspace::version()?);
    process::first_program(stranger.arg(workspace::target()?.join("maven")).arg(java::maven()))?;
    files.iter().map(|file| table::row(file, "JVM", u64::MAX, table::RUN)).collect()
}

/// Maven, for the projects below `kotlin/parent`, whose output gets into a folder.
pub fn maven(built: &BuiltLibrary, made: &Path, projects: &str) -> Result<Command> {
    let mut maven = kotlin::maven(built)?;
    maven.args(["--quiet", "--file", "parent", "--projects", projects, "-Dmaven.test.skip=true"]);
    maven.arg(format!("-Dsondage.made={}", made.display()));
    Ok(maven)
}

/// Has a command of Maven add artefacts to a repository in a folder, signed and with checksums. Returns the files that users install,
/// which end so.
pub fn deploy(repository: &Path, maven: &Command, ids: &str, end: &str) -> Result<Vec<PathBuf>> {
    let (mut deploy, version) =
        (bash(&workspace::root().join("kotlin"), "deploy.sh")?, workspace::version()?);
    deploy.arg(fresh("keys")?).arg(repository).args([&version, ids, end]);
    process::run(deploy.arg(maven.get_program()).args(maven.get_args()))?;
    let file = |id| repository.join(GROUP).join(id).join(&version).join(format!("{id}-{version}{end}"));
    Ok(ids.split(' ').map(file).collect())
}

/// Puts the licences and notices where Maven adds them to the classes, and the bill of materials beside the folder.
pub fn licensed(package: &str, folder: &Path) -> Result {
    let texts = folder.join("META-INF");
    files::licences(&texts)?;
    let (text, bill) = (texts.join("THIRD-PARTY-NOTICES.txt"), folder.with_extension("cyclonedx.json"));
    notices(package, "x86_64-unknown-linux-gnu", package, [&text, &bill], None)
}
