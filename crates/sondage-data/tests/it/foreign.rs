//! Invalid Arrow data from other libraries: an `InvalidArgument`, never text that is not UTF-8, never a panic, and nothing
//! is sent.
#![allow(unsafe_code, reason = "invalid arrays cannot be built in a safe way")]

use crate::support::random::Random;
use crate::support::service::{client, wait};
use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int8Array, Int32Array, Int64Array,
    LargeStringArray, RecordBatch, RecordBatchIterator, StringArray, StringViewArray,
};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use sondage::ErrorKind;
use sondage_data::{Tables, ipc_rows};
use sondage_sandbox::Sandbox;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Texts with these bytes and offsets, valid or not.
fn texts(ends: Vec<i32>, bytes: &[u8]) -> ArrayRef {
    let ends = unsafe { OffsetBuffer::new_unchecked(ScalarBuffer::from(ends)) };
    Arc::new(unsafe { StringArray::new_unchecked(ends, Buffer::from(bytes), None) })
}

fn wrong() -> Vec<(&'static str, ArrayRef)> {
    let key = Int8Array::from(vec![5]);
    let names: ArrayRef = Arc::new(StringArray::from(vec!["a"]));
    let beyond = unsafe { DictionaryArray::<Int8Type>::new_unchecked(key, names.clone()) };
    let before = unsafe { DictionaryArray::<Int32Type>::new_unchecked(Int32Array::from(vec![-1]), names) };
    let spoilt = unsafe {
        DictionaryArray::<Int32Type>::new_unchecked(Int32Array::from(vec![0]), texts(vec![0, 2], b"\xff\xfe"))
    };
    let large = unsafe {
        let ends = OffsetBuffer::new_unchecked(ScalarBuffer::from(vec![0_i64, 2]));
        LargeStringArray::new_unchecked(ends, Buffer::from(b"\xc3\x28"), None)
    };
    let views = unsafe {
        let view = u128::from_le_bytes(*b"\x02\x00\x00\x00\xff\xfe\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00");
        StringViewArray::new_unchecked(ScalarBuffer::from(vec![view]), Vec::<Buffer>::new().into(), None)
    };
    vec![
        ("no UTF-8", texts(vec![0, 4], b"\xff\xfe\x80\xc0")),
        ("an end within a character", texts(vec![0, 1], "ü".as_bytes())),
        ("large texts that are not UTF-8", Arc::new(large)),
        ("views that are not UTF-8", Arc::new(views)),
        ("a key beyond its dictionary", Arc::new(beyond)),
        ("a key before its dictionary", Arc::new(before)),
        ("a dictionary that is no UTF-8", Arc::new(spoilt)),
    ]
}

#[test]
fn arrays_that_are_not_what_they_say_are_refused_before_anything_is_sent() {
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let calls = || sandbox.ledger().requests("CreateMembers").len();
    for (what, array) in wrong() {
        let batch = RecordBatch::try_from_iter([("Email", array)]).expect("a batch");
        let rows = move || RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
        let creation = client(&sandbox, 100).create_members_from(sandbox.panel_id());
        let error = creation.bodies(rows()).expect("rows").next().expect("a body").expect_err(what);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{what}: {error}");
        assert!(
            error.to_string().contains("the column \"Email\" is not a valid Arrow array"),
            "{what}: {error}"
        );
        let error = wait(async move { creation.run(rows()).await }).expect_err(what);
        assert_eq!((error.kind(), calls()), (ErrorKind::InvalidArgument, 0), "{what}");
    }
}

#[test]
fn a_day_that_no_calendar_has_is_no_other_day() {
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let days: ArrayRef = Arc::new(arrow_array::Date32Array::from(vec![i32::MAX]));
    let batch = RecordBatch::try_from_iter([("Birthday", days)]).expect("a batch");
    let rows = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    let creation = client(&sandbox, 100).create_members_from(sandbox.panel_id());
    let error = creation.bodies(rows).expect("rows").next().expect("a body").expect_err("no day");
    assert!(error.to_string().contains("a time out of range"), "{error}");
}

fn columns() -> RecordBatch {
    let words: DictionaryArray<Int32Type> = ["red", "blue", "red"].into_iter().collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("Email", Arc::new(StringArray::from(vec![Some("a@example.org"), None, Some("ü@example.org")]))),
        ("Points", Arc::new(Int64Array::from(vec![Some(1), None, Some(3)]))),
        ("Share", Arc::new(Float64Array::from(vec![0.5, 1.5, 2.5]))),
        ("Active", Arc::new(BooleanArray::from(vec![true, false, true]))),
        ("Colour", Arc::new(words)),
        ("Note", Arc::new(StringViewArray::from(vec!["short", "a text of more than twelve bytes", ""]))),
    ];
    RecordBatch::try_from_iter(columns).expect("a batch")
}

/// Corrupts valid bytes at random. Panics of Arrow are caught, but their messages appear in a log, so they are counted.
/// At most one in two thousand is allowed: text offsets whose byte length is not a multiple of four.
#[test]
fn damaged_bytes_are_an_error_or_valid_rows() {
    static PANICS: AtomicUsize = AtomicUsize::new(0);
    let batch = columns();
    let (mut stream, mut file) = (Vec::new(), Vec::new());
    let mut writer = StreamWriter::try_new(&mut stream, &batch.schema()).expect("a stream");
    writer.write(&batch).and_then(|()| writer.write(&batch)).and_then(|()| writer.finish()).expect("written");
    drop(writer);
    let mut writer = FileWriter::try_new(&mut file, &batch.schema()).expect("a file");
    writer.write(&batch).and_then(|()| writer.finish()).expect("written");
    drop(writer);
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let creation = client(&sandbox, 100).create_members_from(sandbox.panel_id());
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if PANICS.fetch_add(1, Ordering::SeqCst) < 20 {
            before(panic);
        }
    }));
    let (mut read, mut refused) = (0, 0);
    for seed in 0..6_000 {
        let random = &mut Random::new(seed);
        let mut bytes = if seed % 2 == 0 { stream.clone() } else { file.clone() };
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.next().to_le_bytes()[0],
                1 => bytes[at] = *random.pick(&[0, 1, 0x7F, 0x80, 0xFF]),
                2 => bytes[at] ^= 1 << random.below(8),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let bodies = ipc_rows(bytes).and_then(|rows| creation.bodies(rows)?.collect::<Result<Vec<_>, _>>());
        match bodies {
            Ok(bodies) => {
                read += 1;
                for body in bodies {
                    let text = std::str::from_utf8(&body).expect("what is sent is UTF-8");
                    serde_json::from_str::<&serde_json::value::RawValue>(text).expect("and JSON");
                }
            }
            Err(error) => {
                refused += 1;
                assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{seed}: {error}");
            }
        }
    }
    drop(std::panic::take_hook());
    assert!(read > 500 && refused > 1_000, "{read} read, {refused} refused");
    let panics = PANICS.load(Ordering::SeqCst);
    assert!(panics <= 3, "{panics} panics of {read} read and {refused} refused");
}
