//! Tells the linker that Node.js provides its own symbols.

fn main() {
    napi_build::setup();
}
