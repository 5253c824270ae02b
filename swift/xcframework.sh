#!/bin/sh
# Makes SondageFFI.xcframework.zip for iOS, its simulator and macOS, and prints the checksum for `binaryTarget`.
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
library() {
    rustup target add "$1"
    cargo rustc --manifest-path "$root/Cargo.toml" --locked --profile dist-phone --package sondage-uniffi --lib \
        --no-default-features --crate-type staticlib --target "$1"
}
for triple in aarch64-apple-ios aarch64-apple-ios-sim x86_64-apple-ios aarch64-apple-darwin x86_64-apple-darwin; do
    library "$triple"
done
both() {
    mkdir -p "$out/$1"
    lipo -create -output "$out/$1/libsondage_mobile.a" \
        "$target/$2/dist-phone/libsondage_mobile.a" "$target/$3/dist-phone/libsondage_mobile.a"
}
both simulator aarch64-apple-ios-sim x86_64-apple-ios
both macos aarch64-apple-darwin x86_64-apple-darwin
xcodebuild -create-xcframework \
    -library "$target/aarch64-apple-ios/dist-phone/libsondage_mobile.a" -headers "$out/headers" \
    -library "$out/simulator/libsondage_mobile.a" -headers "$out/headers" \
    -library "$out/macos/libsondage_mobile.a" -headers "$out/headers" \
    -output "$out/SondageFFI.xcframework"
cd "$out"
# The same content makes the same archive, and so the same checksum.
find SondageFFI.xcframework -exec touch -t 198001010000 {} +
find SondageFFI.xcframework | LC_ALL=C sort | zip -X -q SondageFFI.xcframework.zip -@
swift package compute-checksum SondageFFI.xcframework.zip
