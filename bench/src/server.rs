//! A local service with precomputed responses, so that only the client's work is measured.

use crate::answer::{self, BenchAnswer};
use flate2::{Compression, write::GzEncoder};
use sondage_data::PayloadLayout;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// The survey that is one large response, uncompressed.
pub const PLAIN: i64 = 1;
/// The same, compressed if the client accepts that.
pub const COMPRESSED: i64 = 2;
const EMPTY: &str =
    r#"{"interviews":[],"totalCount":0,"isSuccess":true,"errorMessage":null,"errorCode":null}"#;
const TOKEN: &str = r#"{"access_token":"t","token_type":"bearer","expires_in":86400}"#;
const PANEL: &str = r#"{"panel":{"groups":[{"id":1,"name":"Master data","displayName":"Stammdaten","fields":[{"id":1,"name":"Email","isSystem":true,"panelFieldType":"String","metadata":{}},{"id":3,"name":"FirstName","isSystem":true,"panelFieldType":"String","metadata":{}},{"id":4,"name":"City","isSystem":false,"panelFieldType":"String","metadata":{}},{"id":2,"name":"Age","isSystem":false,"panelFieldType":"Number","metadata":{}}]}]},"isSuccess":true,"errorMessage":null,"errorCode":null}"#;
const NOBODY: &str = r#"{"members":[],"totalCount":0,"isSuccess":true,"errorMessage":null,"errorCode":null}"#;

struct Answers {
    large: BenchAnswer,
    small: Vec<u8>,
    /// Interviews without their ids, which are sent repeatedly under new ones.
    rows: Vec<String>,
}

/// Serves until the process ends; the surveys beside the large response have this many columns. Prints the port and the number of interviews in the large response.
pub fn serve(megabytes: usize, columns: usize) -> io::Result<()> {
    let large = answer::of_size(PayloadLayout::Compact, 60, megabytes * 1_000_000, 7);
    let mut small = GzEncoder::new(Vec::new(), Compression::new(6));
    small.write_all(large.text.as_bytes())?;
    let answers =
        Arc::new(Answers { large, small: small.finish()?, rows: answer::rows_without_id(columns, 512) });
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{} {}", listener.local_addr()?.port(), answers.large.rows);
    for stream in listener.incoming() {
        let (stream, answers) = (stream?, Arc::clone(&answers));
        // A client that disconnects ends its thread.
        thread::spawn(move || answers.converse(&stream));
    }
    Ok(())
}

struct ServerRequest {
    path: String,
    takes_gzip: bool,
    body: Vec<u8>,
}

fn read(from: &mut impl BufRead) -> io::Result<Option<ServerRequest>> {
    let mut line = String::new();
    if from.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let (mut length, mut takes_gzip) = (0, false);
    loop {
        line.clear();
        from.read_line(&mut line)?;
        let lower = line.trim_end().to_ascii_lowercase();
        if lower.is_empty() {
            break;
        }
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        takes_gzip |= lower.starts_with("accept-encoding:") && lower.contains("gzip");
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body)?;
    Ok(Some(ServerRequest { path, takes_gzip, body }))
}

impl Answers {
    fn converse(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let (mut reader, mut writer) = (BufReader::new(stream), stream);
        while let Some(request) = read(&mut reader)? {
            let operation = request.path.rsplit('/').next().unwrap_or_default();
            match operation {
                "token" => say(&mut writer, TOKEN.as_bytes(), false)?,
                "ReadPanel" => say(&mut writer, PANEL.as_bytes(), false)?,
                "CreateMembers" => say(&mut writer, created(&request.body).as_bytes(), false)?,
                "ReadMemberList" => say(&mut writer, NOBODY.as_bytes(), false)?,
                _ => self.interviews(&request, &mut writer)?,
            }
        }
        Ok(())
    }

    fn interviews(&self, request: &ServerRequest, to: &mut impl Write) -> io::Result<()> {
        let asked: serde_json::Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let number = |value: &serde_json::Value, default| value.as_i64().unwrap_or(default);
        let survey = number(&asked["surveyId"], PLAIN);
        let (page, size) = (number(&asked["paging"]["page"], 1), number(&asked["paging"]["pageSize"], 1000));
        match survey {
            PLAIN | COMPRESSED if page > 1 => say(to, EMPTY.as_bytes(), false),
            COMPRESSED if request.takes_gzip => say(to, &self.small, true),
            PLAIN | COMPRESSED => say(to, self.large.text.as_bytes(), false),
            // Any other survey has as many interviews as its id.
            rows => say(to, self.page(rows, page, size).as_bytes(), false),
        }
    }

    fn page(&self, rows: i64, page: i64, size: i64) -> String {
        let mut text = String::from("{\"interviews\":[");
        let from = (page - 1) * size;
        // The pager also asks for a page 0, which is empty.
        for row in from.max(0)..rows.min(from + size) {
            if row > from {
                text.push(',');
            }
            let rest = &self.rows[row.unsigned_abs() as usize % self.rows.len()];
            text.push_str(&format!("{{\"Id\":\"{row:08x}-0000-4000-a000-{row:012x}\",{rest}}}"));
        }
        text.push_str(&format!(
            "],\"totalCount\":{rows},\"isSuccess\":true,\"errorMessage\":null,\"errorCode\":null}}"
        ));
        text
    }
}

/// An id for each member of a request.
fn created(body: &[u8]) -> String {
    const BEGIN: &[u8] = b"{\"fields\":{";
    let members = body.windows(BEGIN.len()).filter(|bytes| *bytes == BEGIN).count();
    let ids: Vec<String> = (1..=members).map(|id| id.to_string()).collect();
    format!(
        r#"{{"membersIds":[{}],"validationIssues":[],"isSuccess":true,"errorMessage":null,"errorCode":null}}"#,
        ids.join(",")
    )
}

fn say(to: &mut impl Write, body: &[u8], gzip: bool) -> io::Result<()> {
    let encoding = if gzip { "Content-Encoding: gzip\r\n" } else { "" };
    let mut head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{encoding}Content-Length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    if body.len() < 10_000 {
        head.extend_from_slice(body);
        return to.write_all(&head);
    }
    to.write_all(&head)?;
    to.write_all(body)
}
