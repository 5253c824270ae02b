//! A document of answers: a small, valid PDF of one page per forty lines.

use std::fmt::Write as _;

const LINES_ON_A_PAGE: usize = 40;

/// A title and lines below it. Characters outside the document's encoding (Windows-1252) become a question mark.
pub(crate) fn document(title: &str, lines: &[String]) -> Vec<u8> {
    let pages: Vec<&[String]> = lines.chunks(LINES_ON_A_PAGE).collect();
    let kids: Vec<String> = (0..pages.len()).map(|page| format!("{} 0 R", 4 + 2 * page)).collect();
    let mut objects: Vec<Vec<u8>> = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), pages.len()).into_bytes(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_vec(),
    ];
    for (number, page) in pages.iter().enumerate() {
        let content = 5 + 2 * number;
        objects.push(
            format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {content} 0 R \
                 /Resources << /Font << /F1 3 0 R >> >> >>"
            )
            .into_bytes(),
        );
        objects.push(stream(&text(title, page)));
    }
    assemble(&objects)
}

fn text(title: &str, lines: &[String]) -> Vec<u8> {
    let mut out = b"BT /F1 16 Tf 50 790 Td (".to_vec();
    out.extend(encode(title));
    out.extend(b") Tj /F1 10 Tf 0 -28 Td 17 TL\n");
    for line in lines {
        out.push(b'(');
        out.extend(encode(line));
        out.extend(b") Tj T*\n");
    }
    out.extend(b"ET");
    out
}

fn encode(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u8::try_from(u32::from(c)) {
            Ok(b @ (b'(' | b')' | b'\\')) => out.extend([b'\\', b]),
            Ok(b @ (0x20..=0x7e | 0xa0..=0xff)) => out.push(b),
            _ => out.push(b'?'),
        }
    }
    out
}

fn stream(content: &[u8]) -> Vec<u8> {
    let mut out = format!("<< /Length {} >>\nstream\n", content.len()).into_bytes();
    out.extend(content);
    out.extend(b"\nendstream");
    out
}

/// The objects, and a table of their offsets.
fn assemble(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut out = b"%PDF-1.4\n".to_vec();
    let mut table = String::from("0000000000 65535 f \n");
    for (index, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", out.len());
        out.extend(format!("{} 0 obj\n", index + 1).into_bytes());
        out.extend(object);
        out.extend(b"\nendobj\n");
    }
    let (start, count) = (out.len(), objects.len() + 1);
    let end = format!(
        "xref\n0 {count}\n{table}trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    );
    out.extend(end.into_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_is_where_the_table_says() {
        let lines: Vec<String> = (0..90).map(|n| format!("Frage {n} (größer): \\ 🙂")).collect();
        let pdf = document("Überschrift", &lines);
        let at = |needle: &[u8]| pdf.windows(needle.len()).rposition(|window| window == needle).unwrap();
        let table = String::from_utf8_lossy(&pdf[at(b"xref\n0 ")..]).into_owned();
        let starts: Vec<usize> =
            table.lines().filter(|l| l.ends_with(" n ")).map(|l| l[..10].parse().unwrap()).collect();
        assert_eq!(starts.len(), 3 + 2 * 3, "three pages of forty lines");
        for (index, start) in starts.iter().enumerate() {
            assert!(pdf[*start..].starts_with(format!("{} 0 obj\n", index + 1).as_bytes()));
        }
        let start: usize =
            table.lines().skip_while(|line| *line != "startxref").nth(1).unwrap().parse().unwrap();
        assert!(pdf[start..].starts_with(b"xref") && pdf.ends_with(b"%%EOF\n"));
    }
}
