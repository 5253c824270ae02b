//! The library of apps, without the parts for servers: measured for the processor of phones, and the archive for Android. Its Kotlin
//! classes come from that library, because uniffi looks up every function when it loads them. They are tested with the library built
//! for this machine, because Android's own libraries need its linker.

use super::build::{self, build};
use super::kotlin::{deploy, licensed, maven};
use super::{bash, call, fresh, script, shell, table};
use crate::files::put;
use crate::mobile::PACKAGES;
use crate::{Result, java, kotlin, platform, process, workspace};
use std::path::{Path, PathBuf};
use xshell::cmd;

/// The maximum size in an app, in bytes, and in its download, where it is compressed.
const LARGEST: u64 = 7_000_000;
const LARGEST_DOWNLOAD: u64 = 2_500_000;

/// The processor of phones. The size is measured on Linux instead of Android, whose linker is not needed for that.
const PHONE: &str = "linux-arm64-gnu";

/// Android's names of the processors, and Rust's.
const PROCESSORS: [(&str, &str); 2] =
    [("arm64-v8a", "aarch64-linux-android"), ("x86_64", "x86_64-linux-android")];

/// The oldest Android, as in `AndroidManifest.xml`.
const OLDEST: u32 = 26;

const LIBRARY: &str = "libsondage_mobile.so";
const ID: &str = "sondage-android";
const DEPLOY: &str = "org.apache.maven.plugins:maven-gpg-plugin:3.2.8:sign-and-deploy-file";

pub fn run() -> Result<Vec<String>> {
    java::find()?;
    let folder = fresh("android")?;
    let mut rows = measured(&folder.join("phone"))?;
    let made = folder.join("made");
    licensed("sondage-uniffi", &made.join("notices"))?;
    let built = kotlin::compile()?;
    let library = for_this_machine(&made)?;
    built.describe_other(&library, "kotlin", &made.join("src"))?;
    process::run(maven(built, &made, &format!(":{ID}"))?.arg("package"))?;
    let classes = made.join("maven/classes");
    put(&library, &classes.join(platform::here()?.jna()).join(library.file_name().unwrap_or_default()))?;
    process::first_program(&mut kotlin::program_of("First", &classes)?)?;
    let has_libraries = libraries(&folder.join("aar/jni"))?;
    let file = folder.join(format!("{ID}.aar"));
    let mut pack = bash(workspace::root(), "aar.sh")?;
    process::run(pack.arg(&folder).arg(made.join("maven")).arg(workspace::version()?))?;
    script("check_android.py", &[&file])?;
    let proof = if has_libraries { table::CHECKED } else { table::CLASSES };
    for file in publish(&folder.join("repository"), &file, &made.join("maven"))? {
        rows.push(table::row(&file, "Android", u64::MAX, proof)?);
    }
    Ok(rows)
}

/// The rows about the library for a phone's processor, which is not published.
fn measured(folder: &Path) -> Result<Vec<String>> {
    let (phone, library) = (platform::find(PHONE).ok_or("there is no such platform")?, folder.join(LIBRARY));
    put(&build("sondage-uniffi", phone, build::PHONE)?.join(LIBRARY), &library)?;
    script("check_android.py", &[&library])?;
    let sh = shell(folder, None)?;
    call(cmd!(sh, "gzip -9 --no-name --keep {library}"))?;
    let measured = |(end, most)| {
        let row = table::row(&library.with_extension(end), PHONE, most, table::MEASURED)?;
        Ok(row.replacen("` |", " of a phone` |", 1))
    };
    [("so", LARGEST), ("so.gz", LARGEST_DOWNLOAD)].into_iter().map(measured).collect()
}

/// A library for this machine, from which classes are generated and with which they run. Published libraries have no descriptions, from
/// which classes are made. The crates below it are those of the tests.
fn for_this_machine(made: &Path) -> Result<PathBuf> {
    let mut cargo = workspace::cargo();
    // Features are those of all packages that are named: the command keeps its own.
    cargo.args("build --locked --no-default-features --features sondage-cli/default".split(' '));
    process::run(cargo.args(PACKAGES.iter().flat_map(|name| ["--package", name])))?;
    let name = platform::here()?.library("sondage_mobile");
    let library = made.join(&name);
    put(&workspace::target()?.join("debug").join(name), &library)?;
    Ok(library)
}

/// Links the library for the processors of phones. Fails with a message if Android's linker is missing.
fn libraries(folder: &Path) -> Result<bool> {
    let Some(ndk) = std::env::var_os("ANDROID_NDK_HOME").map(PathBuf::from) else {
        println!(
            "!! no library of Android's phones: ANDROID_NDK_HOME does not name the NDK, which has the linker"
        );
        return Ok(false);
    };
    let system = if cfg!(target_os = "macos") { "darwin-x86_64" } else { "linux-x86_64" };
    let programs = ndk.join("toolchains/llvm/prebuilt").join(system).join("bin");
    for (processor, triple) in PROCESSORS {
        let (named, compiler) = (triple.replace('-', "_"), programs.join(format!("{triple}{OLDEST}-clang")));
        let mut cargo = build::cargo("build", "sondage-uniffi", triple, build::PHONE)?;
        let linker = workspace::root().join("tests/packages/ndk.py");
        cargo.env(format!("CARGO_TARGET_{}_LINKER", named.to_uppercase()), linker);
        cargo.env("SONDAGE_LINKER", &compiler).env(format!("CC_{named}"), &compiler);
        process::run(cargo.env(format!("AR_{named}"), programs.join("llvm-ar")))?;
        let output = build::output(triple, build::PHONE)?;
        put(&output.join(LIBRARY), &folder.join(processor).join(LIBRARY))?;
    }
    Ok(true)
}

/// Adds it to a repository of its own, with the POM, the sources and the documentation that Maven has made for the jar of classes.
fn publish(repository: &Path, file: &Path, built: &Path) -> Result<Vec<PathBuf>> {
    let (file, pom) = (file.display(), built.join(".flattened-pom.xml"));
    let start = built.join(format!("{ID}-{}", workspace::version()?));
    let mut maven = maven(kotlin::compile()?, built, ":sondage-parent")?;
    maven.args([
        DEPLOY,
        "-DrepositoryId=local",
        &format!("-Dfile={file}"),
        &format!("-DpomFile={}", pom.display()),
    ]);
    for part in ["sources", "javadoc"] {
        maven.arg(format!("-D{part}={}-{part}.jar", start.display()));
    }
    deploy(repository, &maven, ID, ".aar")
}
