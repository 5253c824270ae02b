//! The shared parts of the Kotlin and Swift packages: the library, uniffi's generated code, and the sandbox program.

use crate::tidy::spelling;
use crate::{Result, files, process, workspace};
use serde_json::Value;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct BuiltLibrary {
    folder: PathBuf,
}

/// The cargo packages to build: the library, the program that generates Kotlin and Swift for it, the library of their test
/// packages, and the sandbox program.
pub const PACKAGES: [&str; 4] = ["sondage-uniffi", "sondage-bindgen", "sondage-testing", "sondage-cli"];

/// Builds the library and the two programs.
pub fn build() -> Result<BuiltLibrary> {
    process::run(workspace::cargo().arg("build").args(PACKAGES.iter().flat_map(|name| ["--package", name])))?;
    Ok(BuiltLibrary { folder: workspace::target()?.join("debug") })
}

impl BuiltLibrary {
    /// The library that Kotlin and Swift load, and that of their test packages: the sandbox.
    pub fn libraries(&self) -> [PathBuf; 2] {
        let name = |name| format!("{DLL_PREFIX}{name}{DLL_SUFFIX}");
        ["sondage_mobile", "sondage_testing"].map(|library| self.folder.join(name(library)))
    }

    /// The program `sondage`, which runs the sandbox.
    pub fn program(&self) -> PathBuf {
        self.folder.join("sondage").with_extension(std::env::consts::EXE_EXTENSION)
    }

    /// Generates uniffi's code for the library in a language.
    pub fn describe(&self, language: &str, folder: &Path) -> Result {
        self.describe_other(&self.libraries()[0], language, folder)
    }

    /// The same for a library that was built in another way.
    pub fn describe_other(&self, library: &Path, language: &str, folder: &Path) -> Result {
        files::fresh(folder)?;
        let program = self.folder.join("sondage-bindgen").with_extension(std::env::consts::EXE_EXTENSION);
        let mut bindgen = Command::new(program);
        process::run(bindgen.arg(language).arg(library).arg(folder).current_dir(workspace::root()))?;
        let file = if language == "kotlin" { "sondage/sondage.kt" } else { "Sondage/Generated.swift" };
        let text = fs::read_to_string(folder.join(file))?;
        let problems = spelling::of_generated(language == "kotlin", file, &text)?;
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
    }
}

/// A sandbox in a process of its own, which ends with this value.
pub struct SandboxProcess {
    _process: process::Service,
    facts: Value,
}

impl SandboxProcess {
    pub fn start(built: &BuiltLibrary) -> Result<Self> {
        let process = process::Service::start(Command::new(built.program()).args(["sandbox", "--json"]))?;
        Ok(Self { facts: serde_json::from_str(&process.line)?, _process: process })
    }

    /// One of the values that the sandbox prints.
    pub fn fact(&self, name: &str) -> String {
        self.facts[name].as_str().map_or_else(|| self.facts[name].to_string(), str::to_owned)
    }

    /// Passes the connection settings to a program in its environment.
    pub fn introduce<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        for name in ["base_url", "auth_url", "tenant", "client_secret"] {
            command.env(format!("SONDAGE_{}", name.to_uppercase()), self.fact(name));
        }
        command
    }
}
