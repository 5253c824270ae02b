//! Swift: the package and its tests.
//!
//! The package is assembled under the target directory, so that no generated files are among the sources.

use crate::mobile::{self, BuiltLibrary};
use crate::stage::{Stage, TestCounts};
use crate::{Result, files, process, surface, toolchain, workspace};
use heck::ToUpperCamelCase;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub const STAGES: &[Stage] =
    &[Stage::tests("swift", "Swift tests", tests), Stage::check("swift", "Swift types", types)];

/// Writes the reference of the modules that apps and their tests use, for a site at this path.
pub fn reference(folder: &Path, path: &str) -> Result {
    const MODULES: [&str; 2] = ["Sondage", "SondageTesting"];
    package()?;
    let package = self::folder()?;
    let graphs = package.join(".build/graphs");
    fs::create_dir_all(&graphs)?;
    process::run(command(&["build", "--disable-sandbox"])?.args(["--target", MODULES[1]]))?;
    let about = process::output(tool("swift")?.arg("-print-target-info"))?;
    let about: serde_json::Value = serde_json::from_str(&about)?;
    let target = about["target"]["triple"].as_str().ok_or("swift names no target")?;
    for module in MODULES {
        let mut extract = tool("swift")?;
        extract.args(["symbolgraph-extract", "-module-name", module, "-target", target]);
        extract.args(["-minimum-access-level", "public", "-skip-synthesized-members"]);
        extract.args("-I .build/debug/Modules -I Sources/SondageFFI -I Sources/SondageTestingFFI".split(' '));
        process::run(extract.args(["-output-dir", ".build/graphs"]))?;
    }
    let mut docc = tool("docc")?;
    docc.args(["convert", "--fallback-display-name", "sondage", "--fallback-bundle-identifier", "sondage"]);
    docc.args(["--additional-symbol-graph-dir", ".build/graphs", "--output-dir", ".build/reference"]);
    // The warnings concern uniffi's own comments.
    docc.args(["--diagnostic-level", "error", "--transform-for-static-hosting", "--hosting-base-path", path]);
    process::run(&mut docc)?;
    files::copy(&package.join(".build/reference"), folder, None)
}

/// Assembles the package. Unchanged files keep their timestamps, so that Swift rebuilds only what changed.
pub fn package() -> Result<BuiltLibrary> {
    let built = mobile::build()?;
    let (folder, root) = (folder()?, workspace::root());
    let next = folder.with_extension("next");
    built.describe("swift", &next.join("Sources"))?;
    files::copy(&root.join("swift"), &next, None)?;
    files::copy(&root.join("tests/cases"), &next.join("cases"), None)?;
    for (from, to) in [
        ("tests/shapes/survey-5.json", "shapes/survey-5.json"),
        ("tests/questionnaire.json", "questionnaire.json"),
        ("bindings/testing/include/sondage_testing.h", "Sources/SondageTestingFFI/sondage_testing.h"),
    ] {
        files::put(&root.join(from), &next.join(to))?;
    }
    for entry in fs::read_dir(root.join("examples"))? {
        let file = entry?.path();
        let name = file.file_stem().unwrap_or_default().to_string_lossy().to_upper_camel_case();
        match file.extension().and_then(|end| end.to_str()) {
            Some("swift") => files::put(&file, &next.join(format!("Sources/{name}/{name}.swift")))?,
            // Their output.
            Some("txt") => files::put(&file, &next.join(format!("cases/printed/{name}.txt")))?,
            _ => {}
        }
    }
    fs::write(next.join("Tests/SondageTests/Generated.swift"), surface::uniffi::swift_cases())?;
    for file in built.libraries().into_iter().chain([built.program()]) {
        files::put(&file, &next.join("lib").join(file.file_name().unwrap_or_default()))?;
    }
    replace(&next, &folder)?;
    Ok(built)
}

fn tests() -> Result<TestCounts> {
    toolchain::swift()?;
    package()?;
    let folder = folder()?;
    let mut test = command(&["test", "--disable-sandbox", "--disable-swift-testing"])?;
    test.env("SANDBOX_PROGRAM", folder.join("lib/sondage")).env("RUST_BACKTRACE", "0");
    test.env("CONFORMANCE_CASES", folder.join("cases"));
    TestCounts::run(&mut test)
}

/// An executable of the package, ready to run.
pub fn program(name: &str) -> Result<Command> {
    package()?;
    let mut run = command(&["run", "--disable-sandbox"])?;
    run.arg(name);
    Ok(run)
}

/// A program of Swift's toolchain, in the folder of the package.
fn tool(name: &str) -> Result<Command> {
    let swift = toolchain::swift()?;
    // `swift` may be a link, and does what the name says by which it is called. Other tools are beside the file itself.
    let program = if name == "swift" { swift } else { swift.canonicalize()?.with_file_name(name) };
    let mut command = Command::new(program);
    command.current_dir(folder()?);
    Ok(command)
}

/// A Swift command that finds the library when linking and running.
fn command(words: &[&str]) -> Result<Command> {
    let library = folder()?.join("lib");
    let mut command = tool("swift")?;
    command.args(words).arg("-Xlinker").arg(format!("-L{}", library.display()));
    command.env("LD_LIBRARY_PATH", &library).env("DYLD_LIBRARY_PATH", &library);
    Ok(command)
}

/// Code that must not compile, which no test can check, and code for Apple systems.
fn types() -> Result {
    const LOG: &str = "Examples/AppLog.swift";
    const PLACE: &str = ".build/apple";
    let folder = folder()?;
    let compile = |words: &[&str]| -> Result<Command> {
        let mut check = tool("swift")?;
        check.args("-frontend -swift-version 6 -I .build/debug/Modules -I Sources/SondageFFI".split(' '));
        check.args(words);
        Ok(check)
    };
    process::run(&mut compile(&["-typecheck", "-verify", "-verify-ignore-unknown", "Types/Refused.swift"])?)?;
    fs::create_dir_all(folder.join(PLACE))?;
    if !cfg!(target_os = "macos") {
        let module = format!("{PLACE}/os.swiftmodule");
        let words =
            ["-emit-module", "-parse-as-library", "-module-name", "os", "-o", &module, "Types/Os.swift"];
        process::run(&mut compile(&words)?)?;
    }
    process::run(&mut compile(&["-typecheck", "-I", PLACE, LOG])?)?;
    // Without a module `os` nothing of the file would be checked.
    let misspelt = format!("{PLACE}/Misspelt.swift");
    fs::write(folder.join(&misspelt), fs::read_to_string(folder.join(LOG))?.replace(".warning(", ".warn("))?;
    if compile(&["-typecheck", "-I", PLACE, &misspelt])?.stderr(Stdio::null()).status()?.success() {
        return Err(format!("{LOG} is not checked: a misspelt method was accepted").into());
    }
    Ok(())
}

fn folder() -> Result<PathBuf> {
    Ok(workspace::target()?.join("swift"))
}

/// Moves the content of a folder into another one, leaving equal files and Swift's build folder untouched.
fn replace(next: &Path, folder: &Path) -> Result {
    fs::create_dir_all(folder)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !hidden && !next.join(entry.file_name()).exists() {
            let path = entry.path();
            if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
        }
    }
    for entry in fs::read_dir(next)? {
        let entry = entry?;
        let (path, there) = (entry.path(), folder.join(entry.file_name()));
        if path.is_dir() {
            replace(&path, &there)?;
        } else if fs::read(&there).ok() != Some(fs::read(&path)?) {
            fs::rename(&path, &there)?;
        }
    }
    Ok(fs::remove_dir_all(next)?)
}
