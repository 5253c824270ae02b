//! The dictionary: what is in the file before its rows.
//!
//! Every number is little endian, and every text is UTF-8. The records are described in the documentation of PSPP ("System File Format").

use std::io;

use super::missing::Missing;
use super::variable::{SavVariable, by_labels, padded, slots};

/// Where the number of rows is, in four bytes.
pub(super) const ROWS_AT: u64 = 80;

const PROGRAM: &str = concat!("@(#) SPSS DATA FILE sondage ", env!("CARGO_PKG_VERSION"));
const LAYOUT: i32 = 2;
const BYTECODE: i32 = 1;
const BIAS: f64 = 100.0;
/// A continuation of a text in the records of variables.
const CONTINUED: i32 = -1;

const VARIABLE: i32 = 2;
const LABELS: i32 = 3;
const LABELLED: i32 = 4;
const EXTENSION: i32 = 7;
const END: i32 = 999;

/// Extensions.
const INTEGERS: i32 = 3;
const FLOATS: i32 = 4;
const DISPLAY: i32 = 11;
const LONG_NAMES: i32 = 13;
const LONG_TEXTS: i32 = 14;
const ROWS: i32 = 16;
const ENCODING: i32 = 20;
const LABELS_OF_TEXTS: i32 = 21;
const MISSING_TEXTS: i32 = 22;

const LITTLE_ENDIAN: i32 = 2;
const UTF_8: i32 = 65_001;
/// A missing value, and the least number that is none.
const NOTHING: u64 = 0xffef_ffff_ffff_ffff;
const LEAST: u64 = 0xffef_ffff_ffff_fffe;

/// The bytes of a dictionary.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    pub(super) bytes: Vec<u8>,
    /// Where the number of rows is, in eight bytes.
    pub(super) rows_at: u64,
}

impl Dictionary {
    /// That of these variables. `weight`: the slot of the weight, or 0. `created`: day and time.
    pub(super) fn of(
        variables: &[SavVariable],
        weight: usize,
        label: &str,
        created: [&str; 2],
    ) -> io::Result<Self> {
        let mut this = Dictionary::default();
        this.header(variables, weight, label, created)?;
        for variable in variables {
            this.variable(variable)?;
        }
        for group in by_labels(variables) {
            this.labels(&group)?;
        }
        this.extension(INTEGERS, 4, &of_integers(&[20, 0, 0, 720, 1, 1, LITTLE_ENDIAN, UTF_8]))?;
        let floats = [NOTHING, f64::MAX.to_bits(), LEAST].map(u64::to_le_bytes).concat();
        this.extension(FLOATS, 8, &floats)?;
        this.extension(DISPLAY, 4, &display(variables))?;
        let names: Vec<String> =
            variables.iter().map(|variable| format!("{}={}", variable.short[0], variable.name)).collect();
        this.extension(LONG_NAMES, 1, names.join("\t").as_bytes())?;
        let long = variables.iter().filter(|variable| variable.segments.len() > 1);
        let width = |variable: &SavVariable| format!("{}={:05}\0\t", variable.short[0], variable.width);
        let widths: Vec<String> = long.map(width).collect();
        this.extension(LONG_TEXTS, 1, widths.concat().as_bytes())?;
        this.extension(ENCODING, 1, b"UTF-8")?;
        this.extension(LABELS_OF_TEXTS, 1, &labels_of_texts(variables)?)?;
        this.extension(MISSING_TEXTS, 1, &missing_texts(variables)?)?;
        this.extension(ROWS, 8, &[1i64, -1].map(i64::to_le_bytes).concat())?;
        this.rows_at = this.bytes.len() as u64 - 8;
        this.integers(&[END, 0]);
        Ok(this)
    }

    fn integers(&mut self, integers: &[i32]) {
        self.bytes.extend(of_integers(integers));
    }

    /// A text in this many bytes.
    fn fixed(&mut self, text: &str, length: usize) {
        self.bytes.extend(filled(text, length));
    }

    fn fill(&mut self, multiple: usize) {
        let length = self.bytes.len().next_multiple_of(multiple);
        self.bytes.resize(length, b' ');
    }

    fn header(
        &mut self,
        variables: &[SavVariable],
        weight: usize,
        label: &str,
        created: [&str; 2],
    ) -> io::Result<()> {
        self.bytes.extend(b"$FL2");
        self.fixed(PROGRAM, 60);
        let slots = variables
            .last()
            .map_or(0, |last| last.slot - 1 + last.segments.iter().map(|width| slots(*width)).sum::<usize>());
        self.integers(&[LAYOUT, length(slots)?, BYTECODE, length(weight)?, -1]);
        self.bytes.extend(BIAS.to_le_bytes());
        self.fixed(created[0], 9);
        self.fixed(created[1], 8);
        self.fixed(label, 64);
        self.bytes.extend([0; 3]);
        Ok(())
    }

    fn variable(&mut self, variable: &SavVariable) -> io::Result<()> {
        for (number, (width, short)) in variable.segments.iter().zip(&variable.short).enumerate() {
            let format = i32::from_le_bytes(variable.format(*width));
            let is_first = number == 0;
            let label = if is_first { variable.label.as_str() } else { "" };
            let missing =
                if is_first && !variable.is_long() { values(&variable.missing) } else { Vec::new() };
            // A range has a negative number.
            let sign = if matches!(variable.missing, Missing::Range(..)) { -1 } else { 1 };
            let count = length(missing.len())? * sign;
            let has_label = i32::from(!label.is_empty());
            self.integers(&[VARIABLE, length(*width)?, has_label, count, format, format]);
            self.fixed(short, 8);
            if !label.is_empty() {
                self.integers(&[length(label.len())?]);
                self.bytes.extend(label.as_bytes());
                self.fill(4);
            }
            self.bytes.extend(missing.concat());
            for _ in 1..slots(*width) {
                let any = i32::from_le_bytes([1, 29, 1, 0]);
                self.integers(&[VARIABLE, CONTINUED, 0, 0, any, any]);
                self.fixed("", 8);
            }
        }
        Ok(())
    }

    /// A list of labels, and the variables that have it.
    fn labels(&mut self, group: &[&SavVariable]) -> io::Result<()> {
        let Some(first) = group.first() else { return Ok(()) };
        self.integers(&[LABELS, length(first.values.len())?]);
        for value in &first.values {
            self.bytes.extend(first.value(&value.code));
            let length = u8::try_from(value.label.len()).map_err(io::Error::other)?;
            let mut label = vec![length];
            label.extend(value.label.as_bytes());
            label.resize(label.len().next_multiple_of(8), b' ');
            self.bytes.extend(label);
        }
        self.integers(&[LABELLED, length(group.len())?]);
        for variable in group {
            self.integers(&[length(variable.slot)?]);
        }
        Ok(())
    }

    /// An extension of elements of this size; nothing if it is empty.
    fn extension(&mut self, kind: i32, size: usize, content: &[u8]) -> io::Result<()> {
        if !content.is_empty() {
            self.integers(&[EXTENSION, kind, length(size)?, length(content.len() / size)?]);
            self.bytes.extend(content);
        }
        Ok(())
    }
}

fn of_integers(integers: &[i32]) -> Vec<u8> {
    integers.iter().flat_map(|integer| integer.to_le_bytes()).collect()
}

/// A text in this many bytes.
fn filled(text: &str, length: usize) -> Vec<u8> {
    let mut bytes = crate::export::labelled::limits::cut(text, length).as_bytes().to_vec();
    bytes.resize(length, b' ');
    bytes
}

fn length(length: usize) -> io::Result<i32> {
    i32::try_from(length).map_err(io::Error::other)
}

/// The declared codes, eight bytes each.
fn values(missing: &Missing) -> Vec<[u8; 8]> {
    match missing {
        Missing::Numbers(codes) => codes.iter().map(|code| code.to_le_bytes()).collect(),
        Missing::Range(low, high, other) => {
            [Some(*low), Some(*high), *other].into_iter().flatten().map(f64::to_le_bytes).collect()
        }
        Missing::Texts(codes) => codes.iter().map(|code| padded(code)).collect(),
    }
}

/// Measure, width and alignment of every segment.
fn display(variables: &[SavVariable]) -> Vec<u8> {
    let of_segment = |variable: &SavVariable, width: usize| {
        let is_number = i32::from(!variable.is_text());
        let shown = i32::try_from(width.clamp(8, 40)).unwrap_or(8);
        of_integers(&[variable.measure(), shown, is_number])
    };
    let segments =
        variables.iter().flat_map(|variable| variable.segments.iter().map(move |width| (variable, *width)));
    segments.flat_map(|(variable, width)| of_segment(variable, width)).collect()
}

/// A text behind its length.
fn counted(bytes: &mut Vec<u8>, text: &[u8]) -> io::Result<()> {
    bytes.extend(length(text.len())?.to_le_bytes());
    bytes.extend(text);
    Ok(())
}

fn labels_of_texts(variables: &[SavVariable]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for variable in variables.iter().filter(|variable| variable.is_long() && !variable.values.is_empty()) {
        counted(&mut bytes, variable.name.as_bytes())?;
        bytes.extend(of_integers(&[length(variable.width)?, length(variable.values.len())?]));
        for value in &variable.values {
            counted(&mut bytes, &filled(&value.code, variable.width))?;
            counted(&mut bytes, value.label.as_bytes())?;
        }
    }
    Ok(bytes)
}

/// The length of a value is there once, as SPSS writes it; PSPP 1.6 expects it before each.
fn missing_texts(variables: &[SavVariable]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for variable in variables.iter().filter(|variable| variable.is_long() && !variable.missing.is_empty()) {
        let values = values(&variable.missing);
        counted(&mut bytes, variable.name.as_bytes())?;
        bytes.push(u8::try_from(values.len()).map_err(io::Error::other)?);
        bytes.extend(8i32.to_le_bytes());
        bytes.extend(values.concat());
    }
    Ok(bytes)
}
