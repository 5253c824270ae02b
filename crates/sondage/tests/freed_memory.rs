//! Secrets are overwritten before their memory is given back: an allocator looks into every block that is freed.
//!
//! It sees what is freed, and nothing else: not the stack, not what is still held, not what a copy in another library was.
#![allow(unsafe_code, reason = "an allocator cannot be written in another way")]

use sondage::Secret;
use sondage::webhook::{Hook, Strategy};
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Made piece by piece, so that the text of this program does not hold it in one.
const MARKER: [&[u8]; 3] = [b"q7_Lw", b"V9-kz", b"R4_tn"];
const LENGTH: usize = 15;

struct Looking;

static ARMED: AtomicBool = AtomicBool::new(false);
static SEEN: AtomicUsize = AtomicUsize::new(0);

/// Whether a block holds the marker. It allocates nothing.
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

// SAFETY: every call is handed to the system's allocator with the arguments that came.
unsafe impl GlobalAlloc for Looking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Zeros, so that the whole block may be read when it is freed.
        // SAFETY: the caller keeps the contract of this function, which is the same.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if ARMED.load(Ordering::Relaxed) {
            // SAFETY: the block is the caller's, of this size, and was filled when it was made.
            let block = unsafe { std::slice::from_raw_parts(pointer, layout.size()) };
            if holds(block) {
                SEEN.fetch_add(1, Ordering::Relaxed);
            }
        }
        // SAFETY: the caller keeps the contract of this function, which is the same.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Looking = Looking;

/// A text that holds the marker, made in one piece.
fn marked() -> String {
    let mut text = String::with_capacity(64);
    for part in MARKER {
        text.push_str(std::str::from_utf8(part).expect("text"));
    }
    // Long enough for every strategy.
    text.push_str("-0123456789abcdef0123456789");
    text
}

/// How many freed blocks held the marker while this ran.
fn freed(work: impl FnOnce()) -> usize {
    SEEN.store(0, Ordering::SeqCst);
    ARMED.store(true, Ordering::SeqCst);
    work();
    ARMED.store(false, Ordering::SeqCst);
    SEEN.load(Ordering::SeqCst)
}

/// One test, because an allocator sees what every thread frees.
#[test]
fn what_is_freed_holds_no_secret() {
    // The allocator notices what is not overwritten: without this, the rest would prove nothing.
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
