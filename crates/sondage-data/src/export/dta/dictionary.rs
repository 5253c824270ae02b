//! What is before the rows and behind them. Every number is little endian, every text is UTF-8; the format is described in Stata's
//! documentation ("dta: Description of .dta file format 118").

use std::collections::HashSet;
use std::io;

use super::variable::DtaVariable;
use crate::export::labelled::limits::Unit;

/// The bytes of a name, of a format and of a label: four for each character, and a NUL.
const NAME: usize = 129;
const FORMAT: usize = 57;
const LABEL: usize = 321;
/// The longest label of a file in characters.
const FILE_LABEL: usize = 80;
/// The name of the characteristic with the text of the question, and the most bytes that it can have.
const QUESTION: &str = "question";
const CHARACTERISTIC: usize = 67_783;
/// The parts of the file that the map has the places of.
const PARTS: usize = 14;

/// The bytes before the rows.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    pub(super) bytes: Vec<u8>,
    /// Where the number of rows is.
    pub(super) rows_at: u64,
    /// Where the map is.
    pub(super) map_at: u64,
    /// The places of the parts.
    pub(super) map: [u64; PARTS],
}

impl Dictionary {
    /// That of these variables. `created`: `28 Nov 2026 07:10`.
    pub(super) fn of(variables: &[DtaVariable], label: &str, created: &str) -> io::Result<Self> {
        let mut this = Dictionary::default();
        let count = u16::try_from(variables.len()).map_err(io::Error::other)?;
        this.add(b"<stata_dta><header><release>118</release><byteorder>LSF</byteorder><K>");
        this.add(&count.to_le_bytes());
        this.add(b"</K><N>");
        this.rows_at = this.place();
        this.add(&[0; 8]);
        this.add(b"</N><label>");
        let label = Unit::Characters.cut(label, FILE_LABEL);
        this.add(&u16::try_from(label.len()).map_err(io::Error::other)?.to_le_bytes());
        this.add(label.as_bytes());
        this.add(b"</label><timestamp>");
        this.add(&[u8::try_from(created.len()).map_err(io::Error::other)?]);
        this.add(created.as_bytes());
        this.add(b"</timestamp></header>");
        this.map[1] = this.place();
        this.add(b"<map>");
        this.map_at = this.place();
        this.add(&[0; PARTS * 8]);
        this.add(b"</map>");
        let types = |variable: &DtaVariable| variable.data_type.code().to_le_bytes().to_vec();
        this.part(2, "variable_types", variables, types);
        this.part(3, "varnames", variables, |variable| fixed(&variable.name, NAME));
        this.map[4] = this.place();
        this.add(b"<sortlist>");
        this.add(&vec![0; 2 * variables.len() + 2]);
        this.add(b"</sortlist>");
        this.part(5, "formats", variables, |variable| fixed(variable.format(), FORMAT));
        this.part(6, "value_label_names", variables, |variable| fixed(&variable.list, NAME));
        this.part(7, "variable_labels", variables, |variable| fixed(&variable.label, LABEL));
        this.map[8] = this.place();
        this.characteristics(variables)?;
        this.map[9] = this.place();
        this.add(b"<data>");
        Ok(this)
    }

    fn add(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The questions, because labels have 80 characters: `char list VARIABLE[]` shows them.
    fn characteristics(&mut self, variables: &[DtaVariable]) -> io::Result<()> {
        self.add(b"<characteristics>");
        for variable in variables {
            let Some(question) = variable.question.as_deref() else { continue };
            let question = Unit::Bytes.cut(question, CHARACTERISTIC);
            self.add(b"<ch>");
            self.add(&length(2 * NAME + question.len() + 1)?);
            self.add(&fixed(&variable.name, NAME));
            self.add(&fixed(QUESTION, NAME));
            self.add(question.as_bytes());
            self.add(b"\0</ch>");
        }
        self.add(b"</characteristics>");
        Ok(())
    }

    fn place(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// A part with something of each variable.
    fn part(
        &mut self,
        number: usize,
        name: &str,
        variables: &[DtaVariable],
        of_each: impl Fn(&DtaVariable) -> Vec<u8>,
    ) {
        self.map[number] = self.place();
        self.add(format!("<{name}>").as_bytes());
        for variable in variables {
            self.add(&of_each(variable));
        }
        self.add(format!("</{name}>").as_bytes());
    }
}

/// A text in this many bytes, with a NUL at its end.
fn fixed(text: &str, length: usize) -> Vec<u8> {
    let mut bytes = Unit::Bytes.cut(text, length - 1).as_bytes().to_vec();
    bytes.resize(length, 0);
    bytes
}

/// The lists of labels, each once.
pub(super) fn labels(variables: &[DtaVariable]) -> io::Result<Vec<u8>> {
    let (mut bytes, mut written) = (Vec::new(), HashSet::new());
    for variable in variables.iter().filter(|variable| !variable.values.is_empty()) {
        if !written.insert(&variable.list) {
            continue;
        }
        let (mut offsets, mut values, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        for (value, label) in &variable.values {
            offsets.extend(length(texts.len())?);
            values.extend(value.to_le_bytes());
            texts.extend(label.as_bytes());
            texts.push(0);
        }
        bytes.extend(b"<lbl>");
        bytes.extend(length(8 + offsets.len() + values.len() + texts.len())?);
        bytes.extend(fixed(&variable.list, NAME));
        bytes.extend([0; 3]);
        bytes.extend(length(variable.values.len())?);
        bytes.extend(length(texts.len())?);
        bytes.extend([offsets, values, texts].concat());
        bytes.extend(b"</lbl>");
    }
    Ok(bytes)
}

fn length(length: usize) -> io::Result<[u8; 4]> {
    u32::try_from(length).map(u32::to_le_bytes).map_err(io::Error::other)
}
