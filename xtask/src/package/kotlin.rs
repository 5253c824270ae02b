//! The jars for the JVM: the library for each platform, the sandbox for tests, and a separate project that uses both.

use super::build::Product;
use super::maven::{self, MavenArtefact, tested_dependencies};
use super::platform::Platform;
use super::table::{Artefact, Proof};
use super::{build, fresh, notices, tools};
use crate::files::{copy, put};
use crate::{Result, java, kotlin, process, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// JNA's name of a platform, which is a folder in the jars, and the two libraries.
type Natives = (String, [PathBuf; 2]);

/// Builds optimised libraries for every platform that can be built here.
pub fn run(platforms: &[&'static Platform]) -> Result<Vec<Artefact>> {
    let tools = tools()?;
    let mut natives = Vec::new();
    for (platform, folder) in platforms.iter().filter_map(|platform| Some((platform, jna(platform)?))) {
        let library = |package, name| -> Result<PathBuf> {
            let output = build::build(&tools, package, platform, Product::Library)?;
            Ok(output.join(platform.library(name)))
        };
        let both =
            [library("sondage-uniffi", "sondage_mobile")?, library("sondage-testing", "sondage_testing")?];
        natives.push((folder, both));
    }
    publish(&natives)
}

/// `cargo xtask package kotlin-debug`: the same with the libraries that the tests have built, for this machine.
pub fn debug() -> Result<Vec<Artefact>> {
    java::find()?;
    let built = kotlin::compile()?;
    publish(&[(kotlin::platform(), [built.library(), built.testing()])])
}

/// JNA cannot distinguish musl from glibc.
fn jna(platform: &Platform) -> Option<String> {
    if platform.libc() == Some("musl") {
        return None;
    }
    let processor = if platform.cpu() == "x64" { "x86-64" } else { "aarch64" };
    Some(format!("{}-{processor}", platform.os()))
}

/// Publishes to a repository in a folder, and runs a separate project that depends on it.
fn publish(natives: &[Natives]) -> Result<Vec<Artefact>> {
    java::find()?;
    kotlin::compile()?;
    let (folder, own) = (fresh("kotlin")?, workspace::root().join("kotlin/src"));
    let classes = |name| Ok::<PathBuf, Box<dyn std::error::Error>>(kotlin::made()?.join("maven").join(name));
    let room = folder.join("sondage");
    copy(&classes("classes")?.join("sondage"), &room.join("sondage"), Some("class"))?;
    copy(&classes("classes")?.join("META-INF"), &room.join("META-INF"), Some("kotlin_module"))?;
    let main =
        jar(&folder, "sondage", "sondage-uniffi", &room, natives.iter().map(|(to, [it, _])| (to, it)))?;
    let room = folder.join("sondage-testing");
    copy(&classes("test-classes")?.join("sondage/testing"), &room.join("sondage/testing"), Some("class"))?;
    let of_tests = natives.iter().map(|(to, [_, it])| (to, it));
    let testing = jar(&folder, "sondage-testing", "sondage-testing", &room, of_tests)?;
    let parts = [own.join("main/kotlin"), own.join("server/kotlin"), kotlin::made()?.join("src")];
    let pages = zip(&kotlin::reference()?, &folder.join("sondage-javadoc.jar"))?;
    let version = workspace::version()?;
    let artefacts = [
        MavenArtefact {
            id: "sondage",
            packaging: "jar",
            description: "A client of the public API of Survalyzer accounts, for servers and tools on the JVM.",
            dependencies: tested_dependencies()?,
            file: &main,
            sources: &sources(&folder, "sondage", &parts)?,
            documentation: &pages,
        },
        MavenArtefact {
            id: "sondage-testing",
            packaging: "jar",
            description: "The survey platform of sondage inside the process of a test.",
            dependencies: vec![(maven::GROUP.to_owned(), "sondage".to_owned(), version, "jar")],
            file: &testing,
            sources: &sources(&folder, "sondage-testing", &[own.join("testing/kotlin")])?,
            // It has so few classes that its sources, which editors show, suffice.
            documentation: &readme(&folder, "sondage-testing")?,
        },
    ];
    let repository = folder.join("repository");
    let files = maven::publish(&repository, &artefacts)?;
    try_out(&repository)?;
    files.iter().map(|file| Artefact::new(file, "JVM", u64::MAX, Proof::Run)).collect()
}

/// A jar of classes, libraries, licences and notices.
fn jar<'a>(
    folder: &Path,
    id: &str,
    package: &str,
    room: &Path,
    natives: impl Iterator<Item = (&'a String, &'a PathBuf)>,
) -> Result<PathBuf> {
    for (system, library) in natives {
        put(library, &room.join(system).join(library.file_name().unwrap_or_default()))?;
    }
    licensed(folder, id, package, room)?;
    zip(room, &folder.join(format!("{id}.jar")))
}

/// Puts the licences and notices next to the classes, and the bill of materials into the folder.
pub fn licensed(folder: &Path, id: &str, package: &str, classes: &Path) -> Result {
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        put(&workspace::root().join(licence), &classes.join("META-INF").join(licence))?;
    }
    let (text, bill) =
        (classes.join("META-INF/THIRD-PARTY-NOTICES.txt"), folder.join(format!("{id}.cyclonedx.json")));
    notices::write((package, "x86_64-unknown-linux-gnu"), id, [&text, &bill], None)
}

/// A jar of the Kotlin files below these folders.
pub fn sources(folder: &Path, id: &str, parts: &[PathBuf]) -> Result<PathBuf> {
    let room = folder.join(format!("{id}-sources"));
    parts.iter().try_for_each(|part| copy(part, &room, Some("kt")))?;
    zip(&room, &folder.join(format!("{id}-sources.jar")))
}

/// A jar in place of the pages that Maven Central requires, which says where the documentation is.
pub fn readme(folder: &Path, id: &str) -> Result<PathBuf> {
    let room = folder.join(format!("{id}-javadoc"));
    fs::create_dir_all(&room)?;
    let text = format!("# {id}\n\nThe documentation is in the sources jar, as KDoc: editors show it.\n");
    fs::write(room.join("README.md"), text)?;
    zip(&room, &folder.join(format!("{id}-javadoc.jar")))
}

/// The same folder always makes the same archive, because all timestamps in it are equal.
pub fn zip(room: &Path, file: &Path) -> Result<PathBuf> {
    let mut jar = Command::new("jar");
    jar.args(["--create", "--no-manifest", "--date", "1980-01-01T00:00:02Z", "--file"]).arg(file);
    process::run(jar.arg("-C").arg(room).arg("."))?;
    Ok(file.to_owned())
}

/// The classes of Android 14.
const ANDROID: &str = "<dependency><groupId>org.robolectric</groupId><artifactId>android-all</artifactId>\
                       <version>14-robolectric-10818077</version><scope>provided</scope></dependency>";

/// Separate projects outside the repository that depend on the artefacts by their coordinates: one runs the README's first program,
/// the other compiles the parts for Android against its classes, the token store and the login that uses it.
fn try_out(repository: &Path) -> Result {
    let room = std::env::temp_dir().join(format!("sondage-stranger-{}", std::process::id()));
    let first = || -> Result {
        let (first, android) = (room.join("first"), room.join("android"));
        put(&workspace::root().join("examples/first.kt"), &first.join("src/First.kt"))?;
        let libraries = compile(&first, repository, "sondage-testing", "")?;
        let own = first.join("target/classes");
        let path = std::env::join_paths(std::env::split_paths(&libraries).chain([own]))?;
        process::first_program(Command::new("java").arg("-cp").arg(path).arg("First"))?;
        let own = workspace::root().join("kotlin/src/android");
        for part in ["kotlin", "example"] {
            copy(&own.join(part), &android.join("src"), Some("kt"))?;
        }
        compile(&android, repository, "sondage", ANDROID).map(drop)
    };
    let result = first();
    fs::remove_dir_all(&room)?;
    result
}

/// Compiles a project that depends on one of our artefacts, and returns the class path of its dependencies.
fn compile(room: &Path, repository: &Path, artefact: &str, more: &str) -> Result<String> {
    let local = workspace::target()?.join("maven");
    // A previous build must not be found instead.
    let earlier = local.join(maven::GROUP.replace('.', "/"));
    if earlier.exists() {
        fs::remove_dir_all(earlier)?;
    }
    let kotlin = tested_dependencies()?;
    let kotlin = kotlin.iter().find(|(_, id, ..)| id == "kotlin-stdlib").ok_or("Kotlin has no version")?;
    let template = fs::read_to_string(workspace::root().join("tests/packages/stranger.pom.xml"))?;
    let pom = template
        .replace("@repository@", &repository.display().to_string())
        .replace("@artefact@", artefact)
        .replace("@version@", &workspace::version()?)
        .replace("@more@", more)
        .replace("@kotlin@", &kotlin.2);
    fs::write(room.join("pom.xml"), pom)?;
    let mut maven = Command::new(java::maven());
    maven.args(["--batch-mode", "--quiet", "--strict-checksums", "compile", "dependency:build-classpath"]);
    maven.arg(format!("-Dmaven.repo.local={}", local.display())).arg("-Dmdep.outputFile=class-path");
    process::run(maven.current_dir(room))?;
    Ok(fs::read_to_string(room.join("class-path"))?)
}
