//! The program that libFuzzer drives: `SONDAGE_FUZZ_TARGET` names the target.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("SONDAGE_FUZZ_TARGET").expect("SONDAGE_FUZZ_TARGET names a target");
    sondage_fuzz::targets::find(&name).unwrap_or_else(|| panic!("there is no target {name}"))
});

fuzz_target!(|data: &[u8]| TARGET(data));
