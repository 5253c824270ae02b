//! Writes workbooks (.xlsx), also with cells that spreadsheet programs do not write themselves.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use zip::write::SimpleFileOptions;

/// Styles of cells: 1 is a date, 2 a number of five digits, 3 a date with a time, 4 a number with a sign between its digits.
const STYLES: &str = r#"<numFmts count="3"><numFmt numFmtId="164" formatCode="00000"/>
    <numFmt numFmtId="165" formatCode="dd\.mm\.yyyy\ hh:mm"/>
    <numFmt numFmtId="166" formatCode="00-00"/></numFmts>
    <cellXfs count="5"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/>
    <xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/>
    <xf numFmtId="166" applyNumberFormat="1"/></cellXfs>"#;

/// A sheet: its name, its state, and its cells.
pub type SheetText<'a> = (&'a str, &'a str, String);

/// A cell with a text.
pub fn text(cell: &str, text: &str) -> String {
    format!("<c r=\"{cell}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>")
}

/// A cell with a number in a style.
pub fn number(cell: &str, value: &str, style: usize) -> String {
    format!("<c r=\"{cell}\" s=\"{style}\"><v>{value}</v></c>")
}

/// The first row, with the names of the columns.
pub fn names(names: &[&str]) -> String {
    let cells = names.iter().zip('A'..).map(|(name, column)| text(&format!("{column}1"), name));
    format!("<row r=\"1\">{}</row>", cells.collect::<String>())
}

/// A row, counted from 1.
pub fn row(number: usize, cells: &[String]) -> String {
    format!("<row r=\"{number}\">{}</row>", cells.concat())
}

/// A workbook with these sheets.
pub fn workbook(sheets: &[SheetText<'_>]) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, body: &str| {
        zip.start_file(name, SimpleFileOptions::default()).expect("a file");
        zip.write_all(format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>{body}").as_bytes())
            .expect("written");
    };
    let root =
        format!("<Relationship Id=\"r0\" Type=\"{OFFICE}/officeDocument\" Target=\"xl/workbook.xml\"/>");
    add("_rels/.rels", &format!("<Relationships xmlns=\"{PACKAGE}\">{root}</Relationships>"));
    let (mut list, mut links) = (String::new(), String::new());
    for (number, (name, state, cells)) in sheets.iter().enumerate() {
        let id = number + 1;
        let _ = write!(list, "<sheet name=\"{name}\" sheetId=\"{id}\" state=\"{state}\" r:id=\"r{id}\"/>");
        let _ = write!(
            links,
            "<Relationship Id=\"r{id}\" Type=\"{OFFICE}/worksheet\" Target=\"worksheets/sheet{id}.xml\"/>"
        );
        let sheet = format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{cells}</sheetData></worksheet>");
        add(&format!("xl/worksheets/sheet{id}.xml"), &sheet);
    }
    let _ = write!(links, "<Relationship Id=\"s\" Type=\"{OFFICE}/styles\" Target=\"styles.xml\"/>");
    add("xl/_rels/workbook.xml.rels", &format!("<Relationships xmlns=\"{PACKAGE}\">{links}</Relationships>"));
    add("xl/styles.xml", &format!("<styleSheet xmlns=\"{MAIN}\">{STYLES}</styleSheet>"));
    let book = format!("<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets>{list}</sheets></workbook>");
    add("xl/workbook.xml", &book);
    zip.finish().expect("a file").into_inner()
}
