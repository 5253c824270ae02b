//! The jars for the JVM: the library for each platform, the sandbox for tests, and a separate project that uses both.

use super::build::Product;
use super::maven::{MavenArtefact, Repository, own, tested_dependencies};
use super::platform::Platform;
use super::table::{Artefact, Proof};
use super::{build, fresh, notices, size, tools};
use crate::java;
use crate::mobile::put;
use crate::{Result, kotlin, process, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The two libraries of one platform.
struct Natives {
    /// JNA's name of the platform, which is a folder in the jars.
    folder: String,
    library: PathBuf,
    testing: PathBuf,
}

/// Builds optimised libraries for every platform that can be built here.
pub fn run(platforms: &[&'static Platform]) -> Result<Vec<Artefact>> {
    let tools = tools()?;
    let mut natives = Vec::new();
    for (platform, folder) in platforms.iter().filter_map(|platform| Some((platform, jna(platform)?))) {
        let library = build::build(&tools, "sondage-uniffi", platform, Product::Library)?;
        let testing = build::build(&tools, "sondage-testing", platform, Product::Library)?;
        natives.push(Natives {
            folder: folder.to_owned(),
            library: library.join(named("sondage_mobile", platform)),
            testing: testing.join(named("sondage_testing", platform)),
        });
    }
    publish(&natives)
}

/// `cargo xtask package kotlin-debug`: the same with the libraries that the tests have built, for this machine.
pub fn debug() -> Result<Vec<Artefact>> {
    java::find()?;
    let built = kotlin::compile()?;
    publish(&[Natives { folder: kotlin::platform(), library: built.library(), testing: built.testing() }])
}

/// JNA's name of a platform. JNA cannot distinguish musl from glibc.
fn jna(platform: &Platform) -> Option<&'static str> {
    Some(match platform.npm {
        "linux-x64-gnu" => "linux-x86-64",
        "linux-arm64-gnu" => "linux-aarch64",
        "win32-x64-gnu" => "win32-x86-64",
        "darwin-arm64" => "darwin-aarch64",
        "darwin-x64" => "darwin-x86-64",
        _ => return None,
    })
}

fn named(name: &str, platform: &Platform) -> String {
    match platform.os {
        "win32" => format!("{name}.dll"),
        "darwin" => format!("lib{name}.dylib"),
        _ => format!("lib{name}.so"),
    }
}

/// Publishes to a repository in a folder, and runs a separate project that depends on it.
fn publish(natives: &[Natives]) -> Result<Vec<Artefact>> {
    java::find()?;
    kotlin::compile()?;
    let folder = fresh("kotlin")?;
    let repository = Repository::new(folder.join("repository"))?;
    let mut artefacts = Vec::new();
    for (artefact, is_testing) in [(sondage()?, false), (testing()?, true)] {
        let jar = jar(&folder, artefact.id, natives, is_testing)?;
        let sources = sources(&folder, artefact.id, is_testing)?;
        let documentation = documentation(&folder, artefact.id, is_testing)?;
        let files = [(".jar", jar.as_path()), ("-sources.jar", &sources), ("-javadoc.jar", &documentation)];
        let file = repository.add(&artefact, &files)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        artefacts.push(Artefact {
            name,
            platform: "JVM",
            bytes: size(&file)?,
            most: u64::MAX,
            proof: Proof::Run,
        });
    }
    try_out(&repository.folder)?;
    Ok(artefacts)
}

fn sondage() -> Result<MavenArtefact> {
    Ok(MavenArtefact {
        id: "sondage",
        packaging: "jar",
        name: "sondage",
        description: "A client of the public API of Survalyzer accounts, for servers and tools on the JVM.",
        dependencies: tested_dependencies()?,
    })
}

fn testing() -> Result<MavenArtefact> {
    Ok(MavenArtefact {
        id: "sondage-testing",
        packaging: "jar",
        name: "sondage-testing",
        description: "The survey platform of sondage inside the process of a test.",
        dependencies: vec![own("sondage")?],
    })
}

/// A jar of classes, libraries, licences and notices.
fn jar(folder: &Path, id: &str, natives: &[Natives], is_testing: bool) -> Result<PathBuf> {
    let room = folder.join(id);
    let compiled = kotlin::made()?.join("maven").join(if is_testing { "test-classes" } else { "classes" });
    if is_testing {
        copy(&compiled.join("sondage/testing"), &room.join("sondage/testing"), "class")?;
    } else {
        copy(&compiled.join("sondage"), &room.join("sondage"), "class")?;
        copy(&compiled.join("META-INF"), &room.join("META-INF"), "kotlin_module")?;
    }
    for native in natives {
        let library = if is_testing { &native.testing } else { &native.library };
        put(library, &room.join(&native.folder).join(library.file_name().unwrap_or_default()))?;
    }
    let package = if is_testing { "sondage-testing" } else { "sondage-uniffi" };
    licensed(folder, id, package, &room)?;
    zip(&room, &folder.join(format!("{id}.jar")))
}

/// Puts the licences and notices next to the classes, and the bill of materials into the folder.
pub fn licensed(folder: &Path, id: &str, package: &str, classes: &Path) -> Result {
    let linked = notices::linked(package, "x86_64-unknown-linux-gnu")?;
    fs::create_dir_all(classes.join("META-INF"))?;
    fs::write(classes.join("META-INF/THIRD-PARTY-NOTICES.txt"), notices::notices(&linked))?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(workspace::root().join(licence), classes.join("META-INF").join(licence))?;
    }
    let bill = notices::materials(id, &workspace::version()?, &linked);
    Ok(fs::write(folder.join(format!("{id}.cyclonedx.json")), bill)?)
}

fn sources(folder: &Path, id: &str, is_testing: bool) -> Result<PathBuf> {
    let (room, own) = (folder.join(format!("{id}-sources")), workspace::root().join("kotlin/src"));
    if is_testing {
        copy(&own.join("testing/kotlin"), &room, "kt")?;
    } else {
        for part in ["main/kotlin", "server/kotlin"] {
            copy(&own.join(part), &room, "kt")?;
        }
        copy(&kotlin::made()?.join("src"), &room, "kt")?;
    }
    zip(&room, &folder.join(format!("{id}-sources.jar")))
}

/// The javadoc jar that Maven Central requires: Dokka's pages. The sandbox for tests has so few classes that its sources,
/// which editors show, suffice.
fn documentation(folder: &Path, id: &str, is_testing: bool) -> Result<PathBuf> {
    let jar = folder.join(format!("{id}-javadoc.jar"));
    if !is_testing {
        return zip(&kotlin::reference()?, &jar);
    }
    readme(folder, id)
}

/// A jar in place of pages, which says where the documentation is.
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

/// Copies the files with an extension.
pub fn copy(from: &Path, to: &Path, extension: &str) -> Result {
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target, extension)?;
        } else if path.extension().is_some_and(|found| found == extension) {
            put(&path, &target)?;
        }
    }
    Ok(())
}

/// A separate project outside the repository that depends on both artefacts by their coordinates and runs the README's
/// first program.
fn try_out(repository: &Path) -> Result {
    let room = std::env::temp_dir().join(format!("sondage-stranger-{}", std::process::id()));
    let result = first_program(&room.join("first"), repository)
        .and_then(|()| android(&room.join("android"), repository));
    fs::remove_dir_all(&room)?;
    result
}

/// Compiles the parts for Android only against its classes: the token store, and the login that uses it.
fn android(room: &Path, repository: &Path) -> Result {
    let own = workspace::root().join("kotlin/src/android");
    copy(&own.join("kotlin"), &room.join("src"), "kt")?;
    copy(&own.join("example"), &room.join("src"), "kt")?;
    compile(room, repository, "sondage", ANDROID).map(drop)
}

/// The classes of Android 14.
const ANDROID: &str = "<dependency><groupId>org.robolectric</groupId><artifactId>android-all</artifactId>\
                       <version>14-robolectric-10818077</version><scope>provided</scope></dependency>";

fn first_program(room: &Path, repository: &Path) -> Result {
    let examples = workspace::root().join("examples");
    put(&examples.join("first.kt"), &room.join("src/First.kt"))?;
    let libraries = compile(room, repository, "sondage-testing", "")?;
    let path = format!("{libraries}{SEPARATOR}target/classes");
    let printed = process::output(Command::new("java").args(["-cp", &path, "First"]).current_dir(room))?;
    let expected = fs::read_to_string(examples.join("first.txt"))?;
    if printed.replace("\r\n", "\n") == expected {
        return Ok(());
    }
    Err(format!("the first program printed\n{printed}").into())
}

/// Compiles a project that depends on one of our artefacts, and returns the class path of its dependencies.
fn compile(room: &Path, repository: &Path, artefact: &str, more: &str) -> Result<String> {
    let local = workspace::target()?.join("maven");
    // A previous build must not be found instead.
    let earlier = local.join(super::maven::GROUP.replace('.', "/"));
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
const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };
