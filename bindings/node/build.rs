//! Tells the linker that Node.js brings its own symbols.

fn main() {
    napi_build::setup();
}
