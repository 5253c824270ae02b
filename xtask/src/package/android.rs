//! The library of apps for Android. Its Kotlin classes come from the phone's own library, because uniffi looks up every function
//! when it loads them. They are tested with that library built for this machine, because Android's own libraries need its linker.

use super::build;
use super::kotlin::{copy, licensed, zip};
use super::platform::Platform;
use super::table::{Artefact, Proof};
use super::{fresh, phone, size};
use crate::mobile::put;
use crate::toolchain::java;
use crate::{Result, kotlin, process, workspace};
use std::fs;
use std::path::{Path, PathBuf};

/// Android's names of the processors, and Rust's.
const PROCESSORS: [(&str, &str); 2] =
    [("arm64-v8a", "aarch64-linux-android"), ("x86_64", "x86_64-linux-android")];

/// The minimum Android version, as in `AndroidManifest.xml`.
const OLDEST: u32 = 26;

/// Devices with 16 KB memory pages load only libraries whose segments are aligned to them.
const PAGES: &str = "-Clink-arg=-Wl,-z,max-page-size=16384";

pub fn run(_: &[&'static Platform]) -> Result<Vec<Artefact>> {
    java::find()?;
    let (library, measured) = phone::measured()?;
    let folder = fresh("android")?;
    let made = folder.join("made");
    kotlin::compile_for_phones(&library, &made)?;
    kotlin::first_program(&made)?;
    let room = folder.join("aar");
    let has_libraries = libraries(&room.join("jni"))?;
    let file = archive(&folder, &room, &made.join("maven/classes"))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let proof = if has_libraries { Proof::Checked } else { Proof::Classes };
    let bytes = size(&file)?;
    Ok(vec![measured, Artefact { name, platform: "Android", bytes, most: u64::MAX, proof }])
}

/// The layout that Android's build tools require.
fn archive(folder: &Path, room: &Path, compiled: &Path) -> Result<PathBuf> {
    let classes = folder.join("classes");
    copy(&compiled.join("sondage"), &classes.join("sondage"), "class")?;
    copy(&compiled.join("META-INF"), &classes.join("META-INF"), "kotlin_module")?;
    licensed(folder, "sondage-android", "sondage-uniffi", &classes)?;
    fs::create_dir_all(room)?;
    zip(&classes, &room.join("classes.jar"))?;
    for name in ["AndroidManifest.xml", "proguard.txt"] {
        put(&workspace::root().join("kotlin/src/android").join(name), &room.join(name))?;
    }
    // It has no resources.
    fs::write(room.join("R.txt"), "")?;
    zip(room, &folder.join(format!("sondage-android-{}.aar", workspace::version()?)))
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
        cargo.args([
            "build",
            "--locked",
            "--profile",
            "dist",
            "--package",
            "sondage-uniffi",
            "--no-default-features",
        ]);
        cargo.args(["--target", triple]);
        let mut flags = build::remapped(&source)?;
        flags.push(PAGES.to_owned());
        let named = triple.replace('-', "_");
        cargo.env(format!("CARGO_TARGET_{}_LINKER", named.to_uppercase()), &compiler);
        cargo.env(format!("CC_{named}"), &compiler).env(format!("AR_{named}"), programs.join("llvm-ar"));
        process::run(cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")))?;
        let library = "libsondage_mobile.so";
        put(&source.target.join(triple).join("dist").join(library), &folder.join(processor).join(library))?;
    }
    Ok(true)
}
