//! Secrets are overwritten before their memory is freed: the test's allocator inspects every block that is freed.
//!
//! It sees freed heap memory only: not the stack, not memory that is still allocated, and not copies in other libraries
//! before they are freed.
#![allow(unsafe_code, reason = "implementing an allocator is unsafe")]

use sondage::Secret;
use sondage::webhook::{Hook, Strategy};
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Assembled from parts, so that the marker is not in this program's own data as a whole.
const MARKER: [&[u8]; 3] = [b"q7_Lw", b"V9-kz", b"R4_tn"];
const LENGTH: usize = 15;

struct Looking;

static ARMED: AtomicBool = AtomicBool::new(false);
static SEEN: AtomicUsize = AtomicUsize::new(0);

/// Whether a block contains the marker. It must not allocate.
fn holds(block: &[u8]) -> bool {
    block.windows(LENGTH).any(|window| {
        let mut rest = window;
        MARKER.iter().all(|part| {
            let (head, tail) = rest.split_at(part.len());
            rest = tail;
            head == *part
        })
    })
}

// SAFETY: every call is passed to the system allocator with unchanged arguments.
unsafe impl GlobalAlloc for Looking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Zeroed, so that the whole block is initialised when it is inspected. SAFETY: the caller upholds the same
        // contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if ARMED.load(Ordering::Relaxed) {
            // SAFETY: the block belongs to the caller, has this size, and was initialised when it was allocated.
            let block = unsafe { std::slice::from_raw_parts(pointer, layout.size()) };
            if holds(block) {
                SEEN.fetch_add(1, Ordering::Relaxed);
            }
        }
        // SAFETY: the caller upholds the same contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Looking = Looking;

/// A text that contains the marker, allocated once.
fn marked() -> String {
    let mut text = String::with_capacity(64);
    for part in MARKER {
        text.push_str(std::str::from_utf8(part).expect("text"));
    }
    // Long enough for every strategy.
    text.push_str("-0123456789abcdef0123456789");
    text
}

/// How many freed blocks contained the marker while this ran.
fn freed(work: impl FnOnce()) -> usize {
    SEEN.store(0, Ordering::SeqCst);
    ARMED.store(true, Ordering::SeqCst);
    work();
    ARMED.store(false, Ordering::SeqCst);
    SEEN.load(Ordering::SeqCst)
}

/// One test only, because the allocator sees the frees of all threads.
#[test]
fn what_is_freed_holds_no_secret() {
    // First check that the allocator detects a block that was not overwritten: without this, the rest would prove
    // nothing.
    assert_eq!(freed(|| drop(black_box(marked()))), 1);

    let secret = Secret::from(marked());
    assert_eq!(freed(|| drop(black_box(secret.clone()))), 0, "a copy of a secret");
    assert_eq!(freed(|| drop(black_box(secret))), 0, "a secret");

    let keys: [fn(String) -> Strategy; 4] = [
        |key| Strategy::obscure_url_with(key).expect("a strategy"),
        |key| Strategy::basic("user", key).expect("a strategy"),
        |key| Strategy::bearer(key, "acme", 30).expect("a strategy"),
        |key| Strategy::signed_url(key, 30).expect("a strategy"),
    ];
    for make in keys {
        let key = marked();
        assert_eq!(freed(|| drop(black_box(Hook::new(make(key)).expect("a hook")))), 0, "a webhook");
    }
}
