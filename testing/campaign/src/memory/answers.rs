//! Responses that are large, or whose memory is much larger than their size.

use std::fmt::Write as _;

/// The expected result of a case.
pub enum ExpectedEnd {
    /// The response is legitimate, and must be read.
    Read,
    /// The error names this limit.
    Refused(&'static str),
    Either,
}

/// The promised peak.
pub enum PeakLimit {
    Objects,
    Table,
}

pub struct MemoryCase {
    pub name: &'static str,
    pub short: bool,
    /// How it is read: an argument of the measuring program.
    pub way: &'static str,
    pub most: PeakLimit,
    pub gzip: bool,
    pub end: ExpectedEnd,
    pub body: fn() -> Vec<u8>,
}

const fn objects(
    name: &'static str,
    way: &'static str,
    end: ExpectedEnd,
    body: fn() -> Vec<u8>,
) -> MemoryCase {
    MemoryCase { name, short: false, way, most: PeakLimit::Objects, gzip: false, end, body }
}

const fn table(name: &'static str, way: &'static str, end: ExpectedEnd, body: fn() -> Vec<u8>) -> MemoryCase {
    MemoryCase { name, short: false, way, most: PeakLimit::Table, gzip: false, end, body }
}

const fn short(case: MemoryCase) -> MemoryCase {
    MemoryCase { short: true, ..case }
}

const fn gzip(case: MemoryCase) -> MemoryCase {
    MemoryCase { gzip: true, ..case }
}

/// Objects and lists count as two values each, a scalar in a list as one: below the limit of 3,500,000.
const OBJECTS: usize = 1_740_000;
/// The size of responses that become tables.
const LARGE: usize = 66 << 20;

pub const CASES: &[MemoryCase] = &[
    short(objects(
        "10,000 members of 80 fields with interviews",
        "ReadMemberList",
        ExpectedEnd::Read,
        members,
    )),
    gzip(objects("1,000 columns of nulls", "ReadInterviewListCompact", ExpectedEnd::Read, || nulls(3_000))),
    objects("members without anything", "ReadMemberList", ExpectedEnd::Either, || {
        list("members", r#"{"id":1,"createdAt":"2026-03-01T10:11:12Z"}"#, 1_150_000)
    }),
    objects("members of one field", "ReadMemberList", ExpectedEnd::Either, || {
        let field = r#"{"":{"name":"","fieldType":"String","value":1}}"#;
        list(
            "members",
            &format!(r#"{{"id":1,"createdAt":"2026-03-01T10:11:12Z","fields":{field}}}"#),
            430_000,
        )
    }),
    objects("members with something unknown", "ReadMemberList", ExpectedEnd::Either, || {
        list("members", r#"{"id":1,"createdAt":"2026-03-01T10:11:12Z","x":1,"y":2}"#, 690_000)
    }),
    objects("members of one interview", "ReadMemberList", ExpectedEnd::Either, || {
        list("members", r#"{"id":1,"createdAt":"2026-03-01T10:11:12Z","interviews":[{"id":"x"}]}"#, 570_000)
    }),
    objects("a member of many interviews", "ReadMemberList", ExpectedEnd::Either, || {
        let interviews = vec![r#"{"id":"x"}"#; OBJECTS].join(",");
        let member = r#""id":1,"createdAt":"2026-03-01T10:11:12Z","fields":{}"#;
        list("members", &format!(r#"{{{member},"interviews":[{interviews}]}}"#), 1)
    }),
    objects("a member of many fields", "ReadMemberList", ExpectedEnd::Either, || {
        let field = |number: usize| format!(r#""{number:x}":{{"name":"x","fieldType":"x","value":"x"}}"#);
        let fields = (0..850_000).map(field).collect::<Vec<_>>().join(",");
        let member = r#""id":1,"createdAt":"2026-03-01T10:11:12Z""#;
        list("members", &format!(r#"{{{member},"fields":{{{fields}}}}}"#), 1)
    }),
    short(objects("a code plan of empty entries", "ReadInterviewListCompact", ExpectedEnd::Either, || {
        list("codePlan", "{}", OBJECTS)
    })),
    objects("a code plan with an unknown field", "ReadInterviewListCompact", ExpectedEnd::Either, || {
        list("codePlan", r#"{"x":1}"#, OBJECTS)
    }),
    objects("a code plan with many unknown fields", "ReadInterviewListCompact", ExpectedEnd::Either, || {
        list("codePlan", r#"{"x":1,"y":2,"z":3}"#, OBJECTS / 2)
    }),
    objects("a code plan of short texts", "ReadInterviewListCompact", ExpectedEnd::Either, || {
        let texts = ["code", "dataType", "questionCode", "type", "question", "row", "choice", "sectionName"];
        let entry = texts.map(|name| format!(r#""{name}":"x""#)).join(",");
        list("codePlan", &format!("{{{entry}}}"), 380_000)
    }),
    objects("a code plan of one label each", "ReadInterviewListCompact", ExpectedEnd::Either, || {
        list("codePlan", r#"{"values":[{}]}"#, OBJECTS / 2)
    }),
    objects("a code plan of empty labels", "ReadInterviewListCompact", ExpectedEnd::Either, || {
        let values = vec!["{}"; OBJECTS].join(",");
        list("codePlan", &format!(r#"{{"values":[{values}]}}"#), 1)
    }),
    objects("interviews of nothing", "ReadInterviewListCompact", ExpectedEnd::Either, || {
        list("interviews", "{}", OBJECTS)
    }),
    objects("interviews of one answer", "ReadInterviewListCompact", ExpectedEnd::Either, || {
        list("interviews", r#"{"a":1}"#, OBJECTS)
    }),
    objects("interviews of eight answers", "ReadInterviewListCompact", ExpectedEnd::Either, || {
        let answers = (0..8).map(|number| format!(r#""q{number}":"x""#)).collect::<Vec<_>>().join(",");
        list("interviews", &format!("{{{answers}}}"), 380_000)
    }),
    objects("interviews of one list each", "ReadInterviewListCompact", ExpectedEnd::Either, || {
        list("interviews", r#"{"a":[]}"#, OBJECTS * 2 / 3)
    }),
    objects("an interview of many answers", "ReadInterview", ExpectedEnd::Either, || {
        let answers = (0..3_400_000).map(|number| format!("\"{number:x}\":1")).collect::<Vec<_>>().join(",");
        format!(r#"{{"isSuccess":true,"responseData":{{{answers}}}}}"#).into_bytes()
    }),
    objects("interviews of empty columns", "ReadInterviewList", ExpectedEnd::Either, || {
        let columns = vec!["{}"; OBJECTS].join(",");
        list("interviews", &format!(r#"{{"columns":[{columns}]}}"#), 1)
    }),
    objects("interviews of no columns", "ReadInterviewList", ExpectedEnd::Either, || {
        list("interviews", "{}", OBJECTS)
    }),
    objects("interviews of lists in lists", "ReadInterviewList", ExpectedEnd::Either, || {
        let value = "[".repeat(100) + &"]".repeat(100);
        list("interviews", &format!(r#"{{"columns":[{{"id":"a","value":{value}}}]}}"#), 32_000)
    }),
    objects(
        "more values than the limit for objects",
        "ReadMemberList",
        ExpectedEnd::Refused("object_values"),
        || list("members", r#"{"id":1}"#, 4_000_000),
    ),
    objects("a long text", "raw", ExpectedEnd::Read, || list("rows", &text('x', 63 << 20), 1)),
    objects("a long text as a value", "ReadInterviewListCompact", ExpectedEnd::Read, || {
        list("interviews", &format!(r#"{{"a":{}}}"#, text('x', 63 << 20)), 1)
    }),
    objects("a longer text", "raw", ExpectedEnd::Refused("object_bytes"), || {
        list("rows", &text('x', 300 << 20), 1)
    }),
    gzip(objects("a text that compresses well", "raw", ExpectedEnd::Refused("compressed size"), || {
        list("rows", &text('x', 60 << 20), 1)
    })),
    objects("a text of escapes", "ReadInterviewListCompact", ExpectedEnd::Read, || {
        list("interviews", &format!(r#"{{"a":"{}"}}"#, r"\u00e9".repeat(10 << 20)), 1)
    }),
    objects("numbers", "raw", ExpectedEnd::Either, || list("rows", "1", 3_400_000)),
    short(table("a table of interviews", "interviews", ExpectedEnd::Read, || interviews(LARGE))),
    gzip(table("a table of interviews in gzip", "interviews", ExpectedEnd::Read, || interviews(LARGE))),
    gzip(table("a table of 1,000 columns of nulls", "interviews", ExpectedEnd::Read, || nulls(6_000))),
    table("a table of structured interviews", "structured interviews", ExpectedEnd::Read, structured),
    table("a table of members", "members", ExpectedEnd::Read, members),
    table("a table of short rows", "interviews", ExpectedEnd::Either, || {
        list("interviews", r#"{"a":1}"#, LARGE / 8)
    }),
    table("a table of empty rows", "interviews", ExpectedEnd::Either, || list("interviews", "{}", LARGE / 3)),
    table("a table of a column for each row", "interviews", ExpectedEnd::Refused("table_growth"), || {
        rows(LARGE, |number, text| write!(text, r#"{{"q{number}":1}}"#))
    }),
    table("a table of numbers that become texts", "interviews", ExpectedEnd::Either, || {
        rows(LARGE, |number, text| match number % 1_000_000 {
            900_000 => write!(text, r#"{{"a":"x","b":"y","c":"z"}}"#),
            _ => write!(text, r#"{{"a":{number},"b":{number},"c":1}}"#),
        })
    }),
    table("a table of lists", "interviews", ExpectedEnd::Either, || {
        rows(LARGE, |number, text| write!(text, r#"{{"a":[{number},1],"b":[]}}"#))
    }),
    table("a table of escapes", "interviews", ExpectedEnd::Read, || {
        rows(LARGE, |number, text| write!(text, r#"{{"a":"{number}{}"}}"#, r"\u00e9\n".repeat(8)))
    }),
    table("a table of one text", "interviews", ExpectedEnd::Refused("of more than 32 MiB"), || {
        list("interviews", &format!(r#"{{"a":{}}}"#, text('x', LARGE)), 1)
    }),
    table("a table with one duplicate key", "interviews", ExpectedEnd::Either, || {
        let again = vec![r#""a":1"#; LARGE / 6].join(",");
        list("interviews", &format!("{{{again}}}"), 1)
    }),
    table("a table and much unknown data", "interviews", ExpectedEnd::Refused("beside the rows"), || {
        let beside = |number: usize| format!(r#""k{number}":1"#);
        let beside = (0..LARGE / 12).map(beside).collect::<Vec<_>>().join(",");
        format!(r#"{{"isSuccess":true,"interviews":[],{beside}}}"#).into_bytes()
    }),
];

fn text(letter: char, size: usize) -> String {
    format!("\"{}\"", letter.to_string().repeat(size))
}

/// A response with a list of identical rows.
fn list(name: &str, row: &str, count: usize) -> Vec<u8> {
    let (row, last) = (format!("{row},"), row);
    let rows = row.repeat(count - 1) + last;
    format!(r#"{{"isSuccess":true,"totalCount":{count},"{name}":[{rows}]}}"#).into_bytes()
}

/// Interviews of about this many bytes.
fn rows(size: usize, row: impl Fn(usize, &mut String) -> std::fmt::Result) -> Vec<u8> {
    let mut text = r#"{"isSuccess":true,"interviews":["#.to_owned();
    let mut number = 0;
    while text.len() < size {
        if number > 0 {
            text.push(',');
        }
        row(number, &mut text).unwrap_or_default();
        number += 1;
    }
    let _ = write!(text, r#"],"totalCount":{number}}}"#);
    text.into_bytes()
}

fn interviews(size: usize) -> Vec<u8> {
    rows(size, |number, text| {
        let kind = number % 7;
        write!(
            text,
            r#"{{"InterviewId":"{number:08x}-0000-4000-8000-000000000001","State":"Completed","Language":"de","#
        )?;
        write!(text, r#""CreatedAt":"2026-03-{:02}T10:11:12Z","#, number % 28 + 1)?;
        for question in 0..12 {
            write!(text, r#""Q{question}":{},"#, (number + question) % 11)?;
        }
        write!(
            text,
            r#""Q12":null,"Q13":{}.5,"Q14":"Choice {kind}","Q15":"said {number} in a sentence"}}"#,
            number % 100
        )
    })
}

fn structured() -> Vec<u8> {
    rows(LARGE, |number, text| {
        write!(
            text,
            r#"{{"columns":[{{"id":"InterviewId","value":"{number:08x}-0000-4000-8000-000000000001"}}"#
        )?;
        for question in 0..12 {
            write!(text, r#",{{"id":"Q{question}","value":{}}}"#, (number + question) % 11)?;
        }
        text.write_str("]}")
    })
}

/// The service's response for a survey without answers.
fn nulls(interviews: usize) -> Vec<u8> {
    let row = (0..999).map(|number| format!(r#""Q{number}":null"#)).collect::<Vec<_>>().join(",");
    let mut text = r#"{"isSuccess":true,"interviews":["#.to_owned();
    for number in 0..interviews {
        let comma = if number > 0 { "," } else { "" };
        let _ = write!(text, r#"{comma}{{"InterviewId":"{number:08x}-0000-4000-8000-000000000001",{row}}}"#);
    }
    let _ = write!(text, r#"],"totalCount":{interviews}}}"#);
    text.into_bytes()
}

/// The largest response with members that the service returns.
fn members() -> Vec<u8> {
    let field = |number: usize| {
        format!(r#""F{number}":{{"name":"F{number}","fieldType":"String","value":"v{number}"}}"#)
    };
    let fields = (0..80).map(field).collect::<Vec<_>>().join(",");
    let interview = |id: usize, state: &str| {
        format!(
            r#"{{"id":"{id:08x}-0000-4000-8000-000000000001","surveyId":7,"surveyName":"Staff","state":"{state}"}}"#
        )
    };
    let mut text = r#"{"isSuccess":true,"members":["#.to_owned();
    for id in 1..=10_000 {
        let comma = if id > 1 { "," } else { "" };
        let (first, second) = (interview(id, "Completed"), interview(id + 10_000, "NotResponded"));
        let created = "2026-03-01T10:11:12Z";
        let _ = write!(
            text,
            r#"{comma}{{"id":{id},"createdAt":"{created}","fields":{{{fields}}},"interviews":[{first},{second}]}}"#
        );
    }
    text.push_str(r#"],"totalCount":10000}"#);
    text.into_bytes()
}
