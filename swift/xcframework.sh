#!/bin/sh
# Makes SondageFFI.xcframework.zip and SondageTestingFFI.xcframework.zip for iOS, its simulator and macOS, and prints the checksums
# for `binaryTarget`.
# `cargo xtask package swift` runs it on a Mac. It has been written, and not been run, on Linux.
set -eu

need() {
    command -v "$1" >/dev/null 2>&1 || {
        echo "$1 is missing: $2" >&2
        exit 1
    }
}
need xcodebuild "install Xcode 16 or newer; it exists for macOS only"
need lipo "install Xcode's command line tools: xcode-select --install"
need cargo "install Rust 1.89 or newer"
need rustup "it adds the targets for iOS"

root=$(cd "$(dirname "$0")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
out=$target/packages/swift
rm -rf "$out" && mkdir -p "$out/headers/SondageFFI"
# The sources and the header of the library of apps: it has fewer functions, and uniffi looks for each of them.
cargo build --manifest-path "$root/Cargo.toml" --locked --package sondage-uniffi --no-default-features
cp "$target/debug/libsondage_mobile.dylib" "$out/"
cargo run --manifest-path "$root/Cargo.toml" --locked --package sondage-bindgen -- \
    swift "$out/libsondage_mobile.dylib" "$out/sources"
headers=$out/sources/SondageFFI
# In a framework of Xcode the headers of several libraries lie side by side: each has a folder.
cp "$headers/SondageFFI.h" "$headers/module.modulemap" "$out/headers/SondageFFI/"

export IPHONEOS_DEPLOYMENT_TARGET=15.0 MACOSX_DEPLOYMENT_TARGET=12.0
for triple in aarch64-apple-ios aarch64-apple-ios-sim x86_64-apple-ios aarch64-apple-darwin x86_64-apple-darwin; do
    rustup target add "$triple"
    cargo rustc --manifest-path "$root/Cargo.toml" --locked --profile dist-phone --package sondage-uniffi --lib \
        --no-default-features --crate-type staticlib --target "$triple"
    cargo build --manifest-path "$root/Cargo.toml" --locked --profile dist --package sondage-testing --target "$triple"
done

# The library for a kind of system, from the files of its processors.
both() {
    mkdir -p "$(dirname "$out/$1")"
    to=$1
    shift
    lipo -create -output "$out/$to" "$@"
}
file=dist-phone/libsondage_mobile.a
both ios/libsondage_mobile.a "$target/aarch64-apple-ios/$file"
both simulator/libsondage_mobile.a "$target/aarch64-apple-ios-sim/$file" "$target/x86_64-apple-ios/$file"
both macos/libsondage_mobile.a "$target/aarch64-apple-darwin/$file" "$target/x86_64-apple-darwin/$file"
xcodebuild -create-xcframework \
    -library "$out/ios/libsondage_mobile.a" -headers "$out/headers" \
    -library "$out/simulator/libsondage_mobile.a" -headers "$out/headers" \
    -library "$out/macos/libsondage_mobile.a" -headers "$out/headers" \
    -output "$out/SondageFFI.xcframework"

# The platform is a dynamic library: two static ones would each bring Rust's own functions into the program of a test.
framework() {
    system=$1 bundle=$1/SondageTestingFFI.framework
    shift
    inside=$bundle resources=$bundle
    if [ "$system" = macos ]; then # where a framework has versions
        inside=$bundle/Versions/A resources=$inside/Resources
        mkdir -p "$out/$resources"
        ln -s A "$out/$bundle/Versions/Current"
        for part in Headers Modules Resources SondageTestingFFI; do
            ln -s "Versions/Current/$part" "$out/$bundle/$part"
        done
    fi
    mkdir -p "$out/$inside/Headers" "$out/$inside/Modules"
    cp "$root/bindings/testing/include/sondage_testing.h" "$out/$inside/Headers/"
    printf 'framework module SondageTestingFFI {\n    header "sondage_testing.h"\n    export *\n}\n' \
        >"$out/$inside/Modules/module.modulemap"
    about=$out/$resources/Info.plist
    plutil -create xml1 "$about"
    plutil -insert CFBundleExecutable -string SondageTestingFFI "$about"
    plutil -insert CFBundleIdentifier -string io.github.sondage.testing "$about"
    plutil -insert CFBundlePackageType -string FMWK "$about"
    both "$inside/SondageTestingFFI" "$@"
    install_name_tool -id @rpath/SondageTestingFFI.framework/SondageTestingFFI "$out/$inside/SondageTestingFFI"
}
file=dist/libsondage_testing.dylib
framework ios "$target/aarch64-apple-ios/$file"
framework simulator "$target/aarch64-apple-ios-sim/$file" "$target/x86_64-apple-ios/$file"
framework macos "$target/aarch64-apple-darwin/$file" "$target/x86_64-apple-darwin/$file"
xcodebuild -create-xcframework \
    -framework "$out/ios/SondageTestingFFI.framework" \
    -framework "$out/simulator/SondageTestingFFI.framework" \
    -framework "$out/macos/SondageTestingFFI.framework" \
    -output "$out/SondageTestingFFI.xcframework"

cd "$out"
for made in SondageFFI SondageTestingFFI; do
    # The same content makes the same archive, and so the same checksum.
    find $made.xcframework -exec touch -t 198001010000 {} +
    find $made.xcframework | LC_ALL=C sort | zip -X -q -y $made.xcframework.zip -@
    swift package compute-checksum $made.xcframework.zip
done
