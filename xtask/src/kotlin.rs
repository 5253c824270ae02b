//! Kotlin: the Maven package, its tests, and the demo.

use crate::java;
use crate::mobile::{self, BuiltLibrary, SandboxProcess};
use crate::stage::{Stage, TestCounts};
use crate::surface::uniffi;
use crate::{Result, files, platform, process, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

pub const STAGES: &[Stage] = &[
    Stage::check("kotlin", "Kotlin package", || compile().map(drop)),
    Stage::check("kotlin", "Kotlin style of the examples", style),
    Stage::tests("kotlin", "Kotlin tests", tests),
    Stage::check("kotlin", "Kotlin demo", demo),
];

/// Checks the style of the examples by `examples/.editorconfig`, with a separate program that needs no compilation.
const KTLINT: &str = "ktlint-cli-1.8.0-all.jar";
const KTLINT_ARTIFACT: &str = "com.pinterest.ktlint:ktlint-cli:1.8.0:jar:all";

/// Generates the files that the Maven package needs in addition to its sources: uniffi's Kotlin, and the library where
/// JNA looks for it.
fn package() -> Result<BuiltLibrary> {
    let built = mobile::build()?;
    let made = made()?;
    built.describe("kotlin", &made.join("src"))?;
    for (library, folder) in built.libraries().into_iter().zip(["native", "native-testing"]) {
        let name = library.file_name().unwrap_or_default();
        files::put(&library, &made.join(folder).join(platform::here()?.jna()).join(name))?;
    }
    Ok(built)
}

/// The compiled package. Kotlin compiles slowly, so it is compiled once per run.
static COMPILED: OnceLock<BuiltLibrary> = OnceLock::new();

/// Takes over what another process of this run has compiled.
pub fn is_compiled() -> Result {
    let built = mobile::build()?;
    COMPILED.get_or_init(|| built);
    Ok(())
}

/// Compiles the package, its tests and the examples.
pub fn compile() -> Result<&'static BuiltLibrary> {
    if let Some(built) = COMPILED.get() {
        return Ok(built);
    }
    java::find()?;
    let built = package()?;
    fs::write(made()?.join("table.json"), uniffi::table().to_string())?;
    let mut maven = maven(&built)?;
    maven.arg("--quiet").args(["test-compile", "dependency:build-classpath"]);
    process::run(maven.arg(format!("-Dmdep.outputFile={}", class_path()?.display())))?;
    Ok(COMPILED.get_or_init(|| built))
}

/// Writes the API reference, and returns its folder.
pub fn reference() -> Result<PathBuf> {
    process::run(maven(compile()?)?.args(["--quiet", "org.jetbrains.dokka:dokka-maven-plugin:dokka"]))?;
    Ok(made()?.join("reference"))
}

fn tests() -> Result<TestCounts> {
    TestCounts::run(maven(compile()?)?.args(["--no-transfer-progress", "surefire:test"]))
}

fn style() -> Result {
    java::find()?;
    let folder = made()?.join("ktlint");
    let ktlint = folder.join(KTLINT);
    if !ktlint.exists() {
        println!("installing {KTLINT_ARTIFACT} into {}", folder.display());
        let mut copy = Command::new(java::maven());
        copy.args(["--batch-mode", "--quiet", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"]);
        copy.arg(format!("-Dmaven.repo.local={}", workspace::target()?.join("maven").display()));
        copy.arg(format!("-Dartifact={KTLINT_ARTIFACT}"))
            .arg(format!("-DoutputDirectory={}", folder.display()));
        process::run(&mut copy)?;
    }
    let mut check = Command::new("java");
    check.arg("-jar").arg(ktlint).args(["--relative", "examples/**/*.kt"]);
    process::run(check.current_dir(workspace::root()))
}

pub fn demo() -> Result {
    let mut java = program("Demo")?;
    let sandbox = SandboxProcess::start(compile()?)?;
    java.args(["panel_id", "survey_id", "message_template_id"].map(|name| sandbox.fact(name)));
    process::within_deadline(sandbox.introduce(&mut java))
}

/// A program of the tests or the examples, ready to run.
pub fn program(class: &str) -> Result<Command> {
    compile()?;
    program_of(class, &made()?.join("maven/classes"))
}

/// A program of the examples with these classes of the package.
pub fn program_of(class: &str, classes: &Path) -> Result<Command> {
    let libraries = fs::read_to_string(class_path()?)?;
    let own = [classes.to_owned(), made()?.join("maven/test-classes")];
    let parts = std::env::split_paths(&libraries).chain(own);
    let mut java = Command::new("java");
    java.arg("-cp").arg(std::env::join_paths(parts)?).arg(class);
    Ok(java)
}

/// The file into which Maven writes the class path of a program.
fn class_path() -> Result<PathBuf> {
    Ok(made()?.join("class-path"))
}

pub fn maven(built: &BuiltLibrary) -> Result<Command> {
    let mut maven = Command::new(java::maven());
    maven.args(["--batch-mode", "-Dstyle.color=never"]);
    maven.arg(format!("-Dmaven.repo.local={}", workspace::target()?.join("maven").display()));
    maven.arg(format!("-Dsondage.made={}", made()?.display()));
    maven.arg(format!("-Dsondage.program={}", built.program().display()));
    maven.current_dir(workspace::root().join("kotlin"));
    Ok(maven)
}

/// The folder for all output of the Kotlin build.
pub fn made() -> Result<PathBuf> {
    Ok(workspace::target()?.join("kotlin"))
}
