//! The jars for the JVM: the library for each platform, the sandbox for tests, and a separate project that uses both. They are in a
//! repository of Maven, in the layout that Maven Central takes as an upload: Maven's own plugins sign and add checksums.

use super::build::{LIBRARY, build};
use super::platform::{Platform, here};
use super::{call, command, fresh, notices, shell, table};
use crate::files::{self, copy, put};
use crate::mobile::BuiltLibrary;
use crate::{Result, java, kotlin, mobile, process, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use xshell::cmd;

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
    let made = fresh("kotlin/made")?;
    for platform in platforms {
        let (os, cpu, libc) = platform.parts();
        // JNA cannot distinguish musl from glibc.
        if libc != Some("musl") {
            let folder = format!("{os}-{}", if cpu == "x64" { "x86-64" } else { "aarch64" });
            for (package, name, place) in ARTEFACTS {
                let (output, library) = (build(package, platform, LIBRARY)?, platform.library(name));
                put(&output.join(&library), &made.join(place).join(&folder).join(library))?;
            }
        }
    }
    publish(&made)
}

/// `cargo xtask package kotlin-debug`: the same with the libraries that the tests have built, for this machine.
pub fn debug() -> Result {
    let (made, platform) = (fresh("kotlin/made")?, here().ok_or("there is no jar for this platform")?);
    mobile::build()?;
    for (_, name, place) in ARTEFACTS {
        let (output, library) = (workspace::target()?.join("debug"), platform.library(name));
        put(&output.join(&library), &made.join(place).join(kotlin::platform()).join(library))?;
    }
    println!("\n{}", publish(&made)?.concat());
    Ok(())
}

/// Publishes to a repository in a folder, and runs a separate project that depends on it.
fn publish(made: &Path) -> Result<Vec<String>> {
    java::find()?;
    let built = mobile::build()?;
    built.describe("kotlin", &made.join("src"))?;
    for (package, _, place) in ARTEFACTS {
        licensed(package, &made.join(place))?;
    }
    let (repository, ids) = (fresh("kotlin/repository")?, ["sondage", "sondage-testing"]);
    let mut maven = maven(&built, made, ":sondage,:sondage-testing")?;
    let files = deploy(&repository, maven.arg("deploy"), &ids, ".jar")?;
    let room = std::env::temp_dir().join(format!("sondage-stranger-{}", std::process::id()));
    let result = try_out(&room, &repository);
    fs::remove_dir_all(&room)?;
    result?;
    files.iter().map(|file| table::row(file, "JVM", u64::MAX, table::RUN)).collect()
}

/// Maven, for the projects below `kotlin/parent`, whose output gets into a folder.
pub fn maven(built: &BuiltLibrary, made: &Path, projects: &str) -> Result<Command> {
    let mut maven = kotlin::maven(built)?;
    maven.args(["--quiet", "--file", "parent", "--projects", projects, "-Dmaven.test.skip=true"]);
    maven.arg(format!("-Dsondage.made={}", made.display()));
    Ok(maven)
}

/// Has a command of Maven add artefacts to a repository in a folder, with a key that exists only meanwhile. Returns the files that
/// users install, which end so. Maven Central requires sources and documentation, and for each file a valid signature and two checksums.
pub fn deploy(repository: &Path, maven: &mut Command, ids: &[&str], end: &str) -> Result<Vec<PathBuf>> {
    let (keys, version) = (fresh("keys")?, workspace::version()?);
    let (sh, url) = (shell(&keys, None)?, format!("file://{}", repository.display()));
    // `gpg` warns if others can read the folder of keys.
    call(cmd!(sh, "chmod 700 {keys}"))?;
    sh.set_var("GNUPGHOME", &keys);
    call(cmd!(
        sh,
        "gpg --batch --quiet --passphrase '' --quick-generate-key 'A test of sondage' ed25519 sign 1d"
    ))?;
    maven.arg(format!("-Dgpg.homedir={}", keys.display())).arg("-Dmaven.install.skip=true");
    process::run(maven.arg(format!("-DaltDeploymentRepository=local::{url}")).arg(format!("-Durl={url}")))?;
    let mut installed = Vec::new();
    for id in ids {
        let start = format!("{}/{GROUP}/{id}/{version}/{id}-{version}", repository.display());
        for end in [".pom", "-sources.jar", "-javadoc.jar", end] {
            let file = format!("{start}{end}");
            call(cmd!(sh, "ls {file} {file}.md5 {file}.sha1"))?;
            call(cmd!(sh, "gpg --batch --quiet --verify {file}.asc {file}"))?;
        }
        installed.push(format!("{start}{end}").into());
    }
    // It ends the process that holds the key.
    call(cmd!(sh, "gpgconf --kill all"))?;
    fs::remove_dir_all(keys)?;
    Ok(installed)
}

/// Puts the licences and notices where Maven adds them to the classes, and the bill of materials beside the folder.
pub fn licensed(package: &str, folder: &Path) -> Result {
    let texts = folder.join("META-INF");
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        put(&workspace::root().join(licence), &texts.join(licence))?;
    }
    let (text, bill) = (texts.join("THIRD-PARTY-NOTICES.txt"), folder.with_extension("cyclonedx.json"));
    notices(package, "x86_64-unknown-linux-gnu", package, [&text, &bill], None)
}

/// A separate project outside the repository that depends on the artefacts by their coordinates: it runs the README's first program,
/// and compiles the parts for Android against its classes, the token store and the login that uses it.
fn try_out(room: &Path, repository: &Path) -> Result {
    let (own, local) = (workspace::root(), workspace::target()?.join("maven"));
    put(&own.join("tests/packages/stranger.pom.xml"), &room.join("pom.xml"))?;
    put(&own.join("examples/first.kt"), &room.join("src/First.kt"))?;
    for part in ["kotlin", "example"] {
        copy(&own.join("kotlin/src/android").join(part), &room.join("src"), Some("kt"))?;
    }
    // A previous build must not be found instead.
    files::fresh(&local.join(GROUP))?;
    let (sh, mvn, version) = (shell(room, None)?, java::maven(), workspace::version()?);
    let mvn = cmd!(sh, "{mvn} --batch-mode --quiet --strict-checksums -Dmaven.repo.local={local}");
    let places = [format!("-Drepository=file://{}", repository.display()), format!("-Dversion={version}")];
    let goals = ["compile", "org.codehaus.mojo:exec-maven-plugin:3.5.0:exec"];
    call(mvn.args(places).args(goals))?;
    process::first_program(&mut command(cmd!(sh, "cat printed.txt")))
}
