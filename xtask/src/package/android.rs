//! The library of apps for Android. Its Kotlin classes come from the phone's own library, because uniffi looks up every function
//! when it loads them. They are tested with that library built for this machine, because Android's own libraries need its linker.

use super::build::{self, Product};
use super::kotlin::{licensed, readme, sources, zip};
use super::maven::{self, MavenArtefact, tested_dependencies};
use super::table::{Artefact, Proof};
use super::{fresh, phone, tools};
use crate::files::{copy, put};
use crate::java;
use crate::{Result, kotlin, process, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Android's names of the processors, and Rust's.
const PROCESSORS: [(&str, &str); 2] =
    [("arm64-v8a", "aarch64-linux-android"), ("x86_64", "x86_64-linux-android")];

/// Maven's name of it.
const ID: &str = "sondage-android";

/// The oldest Android, as in `AndroidManifest.xml`.
const OLDEST: u32 = 26;

pub fn run() -> Result<Vec<Artefact>> {
    java::find()?;
    let (library, mut artefacts) = phone::measured()?;
    let folder = fresh("android")?;
    let made = folder.join("made");
    kotlin::compile_for_phones(&library, &made)?;
    kotlin::first_program(&made)?;
    let room = folder.join("aar");
    let has_libraries = libraries(&room.join("jni"))?;
    let file = archive(&folder, &room, &made.join("maven/classes"))?;
    process::run(
        tools()?.python().arg(workspace::root().join("tests/packages/check_android.py")).arg(&file),
    )?;
    has_native_method(&folder.join("classes"))?;
    let file = publish(&folder, &file, &made.join("src"))?;
    let proof = if has_libraries { Proof::Checked } else { Proof::Classes };
    artefacts.push(Artefact::new(&file, "Android", u64::MAX, proof)?);
    Ok(artefacts)
}

/// The layout that Android's build tools require.
fn archive(folder: &Path, room: &Path, compiled: &Path) -> Result<PathBuf> {
    let classes = folder.join("classes");
    copy(&compiled.join("sondage"), &classes.join("sondage"), Some("class"))?;
    copy(&compiled.join("META-INF"), &classes.join("META-INF"), Some("kotlin_module"))?;
    licensed(folder, ID, "sondage-uniffi", &classes)?;
    fs::create_dir_all(room)?;
    zip(&classes, &room.join("classes.jar"))?;
    for name in ["AndroidManifest.xml", "proguard.txt"] {
        put(&workspace::root().join("kotlin/src/android").join(name), &room.join(name))?;
    }
    // It has no resources.
    fs::write(room.join("R.txt"), "")?;
    zip(room, &folder.join("sondage-android.aar"))
}

/// The JVM finds the function of the library by the name of the class and the method.
fn has_native_method(classes: &Path) -> Result {
    let mut javap = Command::new("javap");
    javap.args(["-private", "-classpath"]).arg(classes).arg("sondage.android.DeviceCertificates");
    let methods = process::output(&mut javap)?;
    let native = "native void initialise(android.content.Context);";
    let library = fs::read_to_string(workspace::root().join("bindings/uniffi/src/android.rs"))?;
    if methods.contains(native) && library.contains("fn Java_sondage_android_DeviceCertificates_initialise<")
    {
        return Ok(());
    }
    Err(format!("bindings/uniffi/src/android.rs does not implement this class:\n{methods}").into())
}

/// Adds it to a repository of its own, as Maven Central wants it.
fn publish(folder: &Path, file: &Path, made: &Path) -> Result<PathBuf> {
    let mut dependencies = tested_dependencies()?;
    for (_, id, _, kind) in &mut dependencies {
        // Android's build tools find the libraries of JNA in its package for Android.
        if id == "jna" {
            *kind = "aar";
        }
    }
    let own = workspace::root().join("kotlin/src");
    let parts = [own.join("main/kotlin"), own.join("android/kotlin"), made.to_owned()];
    let artefact = MavenArtefact {
        id: ID,
        packaging: "aar",
        description: "A client of the public API of Survalyzer accounts, for apps.",
        dependencies,
        file,
        sources: &sources(folder, ID, &parts)?,
        documentation: &readme(folder, ID)?,
    };
    let mut files = maven::publish(&folder.join("repository"), &[artefact])?;
    files.pop().ok_or_else(|| "nothing was published".into())
}

/// Links the library for the processors of phones. Fails with a message if Android's linker is missing.
fn libraries(folder: &Path) -> Result<bool> {
    let Some(ndk) = std::env::var_os("ANDROID_NDK_HOME").map(PathBuf::from) else {
        println!(
            "!! no library of Android's phones: ANDROID_NDK_HOME names no folder of the NDK, which has the linker"
        );
        return Ok(false);
    };
    let system = if cfg!(target_os = "macos") { "darwin-x86_64" } else { "linux-x86_64" };
    let programs = ndk.join("toolchains/llvm/prebuilt").join(system).join("bin");
    for (processor, triple) in PROCESSORS {
        build::has_standard_library(triple)?;
        let compiler = programs.join(format!("{triple}{OLDEST}-clang"));
        let (source, mut cargo) = (build::SourceTree::here()?, workspace::cargo());
        let profile = Product::Phone.profile();
        cargo.args(["build", "--locked", "--profile", profile, "--package", "sondage-uniffi"]);
        cargo.args(["--no-default-features", "--target", triple]);
        let mut flags = build::remapped(&source)?;
        flags.push(phone::PAGES.to_owned());
        let named = triple.replace('-', "_");
        let linker = workspace::root().join("tests/packages/ndk.py");
        cargo.env(format!("CARGO_TARGET_{}_LINKER", named.to_uppercase()), linker);
        Product::Phone.order(&mut cargo);
        cargo.env("SONDAGE_LINKER", &compiler);
        cargo.env(format!("CC_{named}"), &compiler).env(format!("AR_{named}"), programs.join("llvm-ar"));
        process::run(cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")))?;
        let library = "libsondage_mobile.so";
        put(&source.target.join(triple).join(profile).join(library), &folder.join(processor).join(library))?;
    }
    Ok(true)
}
