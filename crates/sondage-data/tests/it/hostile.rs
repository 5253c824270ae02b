//! Responses that no legitimate service sends: an error that names the position, or a complete table; never a wrong
//! value, never a panic.

use crate::support::random::Random;
use crate::support::{compact, page, page_in_pieces, table, texts, type_of, values, warnings};
use arrow_schema::DataType;
use sondage_data::{DecodeError, PageDecoder, PayloadLayout, RowId, TableBuilder};

fn error(form: PayloadLayout, answer: &str) -> DecodeError {
    page(form, answer).map(|page| page.rows()).expect_err(answer)
}

#[test]
fn a_truncated_answer_is_never_a_short_table() {
    let answer = r#"{"isSuccess":true,"interviews":[{"Id":1,"Q1":"a\"b"},{"Id":2,"Q1":[1]}],"totalCount":2}"#;
    assert_eq!(page(PayloadLayout::Compact, answer).expect("whole").rows(), 2);
    for end in 0..answer.len() {
        let error = error(PayloadLayout::Compact, &answer[..end]);
        assert!(error.to_string().contains("the response "), "{end}: {error}");
    }
    assert_eq!(
        error(PayloadLayout::Compact, &answer[..60]).to_string(),
        "interview 1, byte 60: the response ends after 60 bytes, before its rows do"
    );
    assert_eq!(error(PayloadLayout::Compact, "").to_string(), "byte 0: the response is empty");
}

#[test]
fn what_is_no_answer() {
    let cases = [
        ("<html><body>Sign in</body></html>", "byte 0: the response is an HTML page, not JSON"),
        ("  []", "byte 2: the response is not a JSON object: it begins with `[`"),
        ("\"token\"", "byte 0: the response is not a JSON object: it begins with `\"`"),
        (r#"{"interviews":{}}"#, "byte 14: `interviews` is not an array"),
        (r#"{"interviews":"x"}"#, "byte 14: `interviews` is not an array"),
        (r#"{"isSuccess":true}"#, "the response has no `interviews`"),
        (r#"{"interviews":[],"interviews":[]}"#, "byte 30: `interviews` occurs twice"),
        (r#"{"interviews":[]} x"#, "byte 18: `x` after the end of the answer"),
        (r#"{"interviews":[{}{}]}"#, "byte 17: `{` where `,` or `]` after a row was expected"),
        (r#"{"interviews":[],}"#, "byte 17: `}` where a key was expected"),
        (r#"{"interviews" []}"#, "byte 14: `[` where `:` was expected"),
        (
            r#"{"interviews":[] "isSuccess":true}"#,
            "byte 17: `\"` where `,` or `}` after a value was expected",
        ),
        (r#"{"isSuccess":truth,"interviews":[]}"#, "byte 13: `isSuccess`: expected ident"),
        (r#"{"isSuccess":"yes","interviews":[]}"#, "byte 13: `isSuccess`: not a boolean"),
        (r#"{"x":[1,,2],"interviews":[]}"#, "byte 5: `x`: expected value"),
    ];
    for (answer, expected) in cases {
        let said = error(PayloadLayout::Compact, answer).to_string();
        assert_eq!(said, expected, "{answer}");
    }
}

#[test]
fn a_broken_row_is_named() {
    // Positions are counted from the start of the second row; the parser may report one byte before or after.
    let cases = [
        (PayloadLayout::Compact, "3", "interview 2, byte 0: not an object"),
        (PayloadLayout::Compact, "null", "interview 2, byte 3: not an object"),
        (PayloadLayout::Compact, "[]", "interview 2, byte 0: not an object"),
        (PayloadLayout::Compact, r#"{"Q3":tru}"#, "interview 2, column Q3, byte 9: expected ident"),
        (PayloadLayout::Compact, r#"{"Q3":01}"#, "interview 2, column Q3, byte 7: invalid number"),
        (PayloadLayout::Compact, r#"{"Q3":NaN}"#, "interview 2, column Q3, byte 6: expected value"),
        (PayloadLayout::Compact, r#"{"Q3":"\x"}"#, "interview 2, column Q3, byte 8: invalid escape"),
        (PayloadLayout::Compact, "{\"Q3\":\"a\u{1}b\"}", "interview 2, column Q3, byte 7: control character"),
        (PayloadLayout::Compact, r#"{"Q3":[1}"#, "interview 2, column Q3, byte 8: expected `,` or `]`"),
        (PayloadLayout::Compact, "{Q3:1}", "interview 2, byte 1: key must be a string"),
        (
            PayloadLayout::Structured,
            r#"{"columns":{"Q3":1}}"#,
            "interview 2, byte 11: not `columns` as an array",
        ),
        (
            PayloadLayout::Structured,
            r#"{"columns":[{"value":1}]}"#,
            "interview 2, byte 22: a column without `id`",
        ),
        (
            PayloadLayout::Structured,
            r#"{"columns":[{"id":7,"value":1}]}"#,
            "interview 2, byte 18: not a string",
        ),
        (
            PayloadLayout::Structured,
            r#"{"columns":[{"id":"Q3","value":}]}"#,
            "interview 2, column Q3, byte 31: expected value",
        ),
        (PayloadLayout::Members, r#"{"fields":[]}"#, "member 2, byte 11: not `fields` as an object"),
        (
            PayloadLayout::Members,
            r#"{"fields":{"Email":"secret@example.com"}}"#,
            "member 2, column Email, byte 38: not a field as an object of `name`, `fieldType` and `value`",
        ),
    ];
    for (form, row, expected) in cases {
        let answer = format!(r#"{{"{}":[{{}},{row}]}}"#, form.rows_key());
        let start = u64::try_from(answer.find(row).expect("the row")).expect("small");
        let mut error = error(form, &answer);
        error.offset = error.offset.map(|offset| offset - start);
        assert!(error.to_string().starts_with(expected), "{row}: {error}");
        assert!(!error.to_string().contains("secret"), "an error never quotes an answer: {error}");
    }
}

#[test]
fn an_error_names_the_page_when_it_is_told() {
    let mut decoder = PageDecoder::new(PayloadLayout::Compact).page(3);
    let error = decoder.feed(br#"{"interviews":[{"Q1":1},{"Q1":2},{"Q1":+3}]}"#).expect_err("a plus");
    assert_eq!(
        (error.page, error.row, error.column.as_deref(), error.offset),
        (Some(3), Some(3), Some("Q1"), Some(39)),
        "{error}"
    );
}

#[test]
fn bytes_that_are_no_text() {
    let mut answer = br#"{"interviews":[{"Q1":"caf"#.to_vec();
    answer.extend(b"\xe9\"}]}");
    let error =
        page_in_pieces(PayloadLayout::Compact, &answer, &[5]).map(|page| page.rows()).expect_err("Latin-1");
    assert_eq!(error.to_string(), "interview 1, byte 25: bytes that are not UTF-8");

    // Positions where the predictor would read the text, for any split; a valid character is never reported as invalid.
    let good = r#"{"interviews":[{"Q1":"aé顧😀"},{"Q1":"é"},{"Q1":"顧😀"},{"Q1":"b"}]}"#;
    let mut bad = good.as_bytes().to_vec();
    let place = good.rfind('顧').expect("there");
    bad[place + 1] = b'x';
    for cut in 1..good.len() {
        let page = page_in_pieces(PayloadLayout::Compact, good.as_bytes(), &[cut, good.len()]).expect("good");
        assert_eq!(page.rows(), 4, "cut at {cut}");
        let error = page_in_pieces(PayloadLayout::Compact, &bad, &[cut, good.len()]).map(|page| page.rows());
        let expected = format!("interview 3, byte {place}: bytes that are not UTF-8");
        assert_eq!(error.expect_err("bad").to_string(), expected, "cut at {cut}");
    }
}

#[test]
fn depth_is_an_error_not_a_stack_overflow() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}1{}", open.repeat(200_000), close.repeat(200_000));
        for answer in
            [compact(&format!(r#"{{"Q1":{deep}}}"#)), format!(r#"{{"interviews":[],"codePlan":{deep}}}"#)]
        {
            assert!(
                error(PayloadLayout::Compact, &answer).to_string().ends_with("nested deeper than 128 levels")
            );
        }
    }
    let shallow = format!("{}1{}", "[".repeat(120), "]".repeat(120));
    let table = table(PayloadLayout::Compact, &[&compact(&format!(r#"{{"Q1":{shallow}}}"#))]);
    assert_eq!(values(&table, "Q1"), [shallow]);
}

#[test]
fn a_type_that_changes_in_the_last_row() {
    let mut rows: Vec<String> = (0..5_000).map(|i| format!(r#"{{"Q1":{i},"Q2":"x"}}"#)).collect();
    rows.push(r#"{"Q1":"99 - other","Q2":7}"#.to_owned());
    let table = table(PayloadLayout::Compact, &[&compact(&rows.join(","))]);
    let expected: Vec<String> = (0..5_000).map(|i| i.to_string()).chain(["99 - other".to_owned()]).collect();
    assert_eq!(values(&table, "Q1"), expected);
    assert_eq!(values(&table, "Q2").last().map(String::as_str), Some("7"));
    assert_eq!(
        warnings(&table),
        [
            "column Q1: holds numbers and texts; kept as text",
            "column Q2: holds numbers and texts; kept as text"
        ]
    );
}

#[test]
fn ten_thousand_columns() {
    let row = |shift: usize| {
        let cells: Vec<String> = (0..10_000).map(|i| format!(r#""Q{i}":{}"#, i + shift)).collect();
        format!("{{{}}}", cells.join(","))
    };
    let table = table(PayloadLayout::Compact, &[&compact(&format!("{},{}", row(0), row(1)))]);
    assert_eq!(table.num_columns(), 10_000);
    assert_eq!(values(&table, "Q9999"), ["9999", "10000"]);
}

#[test]
fn a_very_long_text() {
    let long = "ü\\n".repeat(1_000_000);
    let answer = compact(&format!(r#"{{"Q1":"{long}","Q2":1}},{{"Q1":"short"}}"#));
    let mut builder = TableBuilder::new(PayloadLayout::Compact);
    builder
        .append(page_in_pieces(PayloadLayout::Compact, answer.as_bytes(), &[65_536]).expect("a page"))
        .expect("fits");
    let table = builder.finish().expect("a table");
    assert_eq!(values(&table, "Q1"), ["ü\n".repeat(1_000_000), "short".to_owned()]);
}

#[test]
fn a_key_that_is_repeated_counts_the_last_time() {
    let compact =
        table(PayloadLayout::Compact, &[&compact(r#"{"Q1":"old","Q2":1,"Q1":7},{"Q1":8,"Q1":null}"#)]);
    assert_eq!(texts(&compact, "Q1"), [Some("7".to_owned()), None]);
    assert_eq!(type_of(&compact, "Q1"), DataType::Int64, "an overwritten value does not affect the type");

    let rows = r#"{"columns":[{"id":"Q1","value":"old"},{"id":"Q1","value":7}]}"#;
    let structured = table(PayloadLayout::Structured, &[&format!(r#"{{"interviews":[{rows}]}}"#)]);
    assert_eq!(values(&structured, "Q1"), ["7"]);

    let rows = r#"{"fields":{"A":{"value":"old"},"A":{"value":7}}},{"fields":{"A":{"value":8},"A":{}}}"#;
    let members = table(PayloadLayout::Members, &[&format!(r#"{{"members":[{rows}]}}"#)]);
    assert_eq!(texts(&members, "A"), [Some("7".to_owned()), None]);
}

#[test]
fn null_missing_and_empty() {
    let table = table(PayloadLayout::Compact, &[&compact(r#"{"Q1":""},{"Q1":null},{},{"Q1":"NaN"}"#)]);
    assert_eq!(texts(&table, "Q1"), [Some(String::new()), None, None, Some("NaN".to_owned())]);
    assert_eq!(type_of(&table, "Q1"), DataType::Utf8, "NaN is a text like any other");
}

#[test]
fn no_rows_at_all() {
    for rows in ["[]", "null"] {
        let table = table(PayloadLayout::Compact, &[&format!(r#"{{"interviews":{rows},"isSuccess":true}}"#)]);
        assert_eq!((table.num_rows(), table.num_columns()), (0, 0));
        assert_eq!(table.reader().count(), 0);
    }
    let table = table(PayloadLayout::Compact, &[&compact("{},{},{}")]);
    assert_eq!((table.num_rows(), table.num_columns()), (3, 0), "rows without columns are rows");
}

#[test]
fn a_refusal_is_read_without_rows() {
    let answer = r#"{"isSuccess":false,"errorCode":4711,"errorMessage":"No such survey"}"#;
    let page = page(PayloadLayout::Compact, answer).expect("an envelope");
    assert_eq!(page.is_success(), Some(false));
    assert_eq!((page.error_code(), page.error_message()), (Some("4711"), Some("No such survey")));
    assert_eq!(page.rows(), 0);
}

#[test]
fn a_page_whose_rows_were_all_seen_before_changes_nothing() {
    let mut builder = TableBuilder::new(PayloadLayout::Compact);
    builder
        .append(page(PayloadLayout::Compact, &compact(r#"{"Id":"a","Q1":1}"#)).expect("a page"))
        .expect("fits");
    let mut again = page(PayloadLayout::Compact, &compact(r#"{"Id":"a","Q1":"one"}"#)).expect("a page");
    assert_eq!(again.row_id(0), Some(RowId::Text("a")));
    again.retain_rows(&[false]);
    builder.append(again).expect("fits");
    let table = builder.finish().expect("a table");
    assert_eq!((table.num_rows(), type_of(&table, "Q1")), (1, DataType::Int64));
}

#[test]
fn rows_are_known_by_the_services_id() {
    let page = |rows: &str| page(PayloadLayout::Compact, &compact(rows)).expect("a page");
    let ids = page(r#"{"Q1":1,"id":7},{"id":"x"},{"id":""},{"id":"007"},{"Q1":2},{"id":1.5}"#);
    let expected = [Some(RowId::Number(7)), Some(RowId::Text("x")), None, Some(RowId::Text("007")), None];
    assert_eq!([0, 1, 2, 3, 4].map(|row| ids.row_id(row)), expected);
    assert_eq!(page(r#"{"INTERVIEWID":"8a"}"#).row_id(0), Some(RowId::Text("8a")));
    assert_eq!(page(r#"{"Q1":1}"#).row_id(0), None);
    assert_eq!(page(r#"{"id":7}"#).row_id(0), page(r#"{"id":"7"}"#).row_id(0));
    assert_eq!(page(r#"{"id":7}"#).row_id(1), None);
}

#[test]
fn pages_without_ids_are_known_by_their_rows() {
    let print = |rows: &str| page(PayloadLayout::Compact, &compact(rows)).expect("a page").fingerprint();
    assert_eq!(print(r#"{"Q1":1},{"Q1":null}"#), print(r#"{ "Q1" : 1 },{"Q1":null}"#));
    for other in
        [r#"{"Q1":1}"#, r#"{"Q1":null},{"Q1":1}"#, r#"{"Q2":1},{"Q2":null}"#, r#"{"Q1":1},{"Q1":""}"#]
    {
        assert_ne!(print(r#"{"Q1":1},{"Q1":null}"#), print(other), "{other}");
    }
}

#[test]
fn what_is_not_known_is_kept() {
    let answer = r#"{"nextPage":{"token": "ü"},"interviews":[],"totalCount":"many","surveyLanguages":"de"}"#;
    let page = page(PayloadLayout::Compact, answer).expect("a page");
    let unknown: Vec<_> = page.unknown().iter().map(|(key, raw)| (key.as_str(), raw.get())).collect();
    assert_eq!(unknown, [("nextPage", r#"{"token": "ü"}"#)]);
    assert_eq!(page.total_count(), None);
}

/// Damages valid responses at random: the result is an error, or equals what a plain JSON reader returns for the same
/// bytes.
#[test]
fn damaged_answers_are_refused_or_read_as_a_plain_reader_would() {
    let seeds = [
        r#"{"isSuccess":true,"interviews":[{"Id":"8a6a-é","A":1,"B":1.5,"N":null,"S":"q\"\\uZ\n","F":true,"L":[1,{"a":"}],{"}]},{"Id":"x","A":-2}],"codePlan":[{"code":"A","values":[{"id":"1","value":"one"}]}],"totalCount":2}"#,
        r#"{"interviews":[{"Id":1},{"Id":2,"Z":"\u00fc\ud83d\ude00"},{"Q":{}}],"isSuccess":true}"#,
    ];
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..20_000 {
        let random = &mut Random::new(seed);
        let mut bytes = seeds[random.below(seeds.len())].as_bytes().to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = *random.pick(b"{}[]\",:\\0123456789eE+-.tfn \n\t\x00\x01\xc3\xa9\xff\x80u"),
                1 => drop(bytes.drain(at..(at + 1 + random.below(6)).min(bytes.len()))),
                2 => bytes.insert(at, *random.pick(b"{}[]\",:\\0159eE+-. truefalsn\xc3\xa9\x80")),
                _ => {
                    let copy = bytes[at..(at + 1 + random.below(30)).min(bytes.len())].to_vec();
                    let to = random.below(bytes.len());
                    bytes.splice(to..to, copy);
                }
            }
            if bytes.is_empty() {
                bytes.push(b'{');
            }
        }
        let readable = sondage::internals::readable::Readable::of(&bytes).text;
        let plain: Result<serde_json::Value, _> = serde_json::from_slice(&readable);
        let rows = plain.as_ref().ok().and_then(|plain| plain.get("interviews"));
        let rows =
            rows.and_then(|rows| if rows.is_null() { Some(Vec::new()) } else { rows.as_array().cloned() });
        let ours = page_in_pieces(PayloadLayout::Compact, &bytes, &[1 + random.below(30)]);
        match (rows, ours) {
            (Some(rows), Ok(page)) => {
                accepted += 1;
                assert_eq!(page.rows(), rows.len(), "seed {seed}");
                let mut builder = TableBuilder::new(PayloadLayout::Compact);
                builder.append(page).expect("fits");
                let table = builder.finish().expect("a table");
                for (row, plain) in rows.iter().enumerate() {
                    for (key, value) in plain.as_object().expect("an accepted row is an object") {
                        let cell = &texts(&table, key)[row];
                        assert_eq!(cell.is_none(), value.is_null(), "seed {seed}, {key}");
                        if let (Some(cell), Some(text)) = (cell, value.as_str()) {
                            assert_eq!(cell, text, "seed {seed}, {key}");
                        }
                    }
                }
            }
            (None, Ok(page)) => {
                // This decoder keeps numbers that a plain reader refuses because they are too large for a float. And an
                // error response needs no rows.
                let wide = plain.as_ref().is_err_and(|error| error.to_string().contains("out of range"));
                assert!(
                    wide || page.is_success() == Some(false),
                    "seed {seed}: {}",
                    String::from_utf8_lossy(&bytes)
                );
            }
            (Some(rows), Err(error)) => {
                let said = error.to_string();
                let strict = rows.iter().any(|row| !row.is_object())
                    || said.contains("occurs twice")
                    || said.contains("isSuccess");
                assert!(strict, "seed {seed}: {error}: {}", String::from_utf8_lossy(&bytes));
            }
            (None, Err(_)) => refused += 1,
        }
    }
    assert!(accepted > 1_000 && refused > 10_000, "{accepted} accepted, {refused} refused");
}
