//! Formats by which a spreadsheet shows a number as a code: postal codes, numbers of accounts and members.

use calamine::{DataRef, Style};

/// Shows more zeros than a number has.
pub(super) enum CodeFormat {
    /// Zeros alone, `00000`: so many digits at least.
    Zeros(usize),
    /// Zeros with other signs, such as `00-00`: people see a text that is not the number.
    Other,
}

impl CodeFormat {
    pub(super) fn of(style: &Style) -> Option<Self> {
        Self::of_code(&style.number_format.as_ref()?.format_code)
    }

    /// The first section of a format is that of numbers above zero. A format with a separator of decimals or thousands, a percent sign
    /// or an exponent shows a number.
    pub(super) fn of_code(code: &str) -> Option<Self> {
        let section = without_texts(code.split(';').next()?);
        let zeros = section.bytes().filter(|byte| *byte == b'0').count();
        if zeros < 2 || section.contains(['.', ',', '%', 'E', 'e', '@']) {
            return None;
        }
        let is_alone = section.len() == zeros && !code.contains(['"', '\\', '[']);
        Some(if is_alone { Self::Zeros(zeros) } else { Self::Other })
    }

    /// The text that people see in place of a number, if that is not the number.
    pub(super) fn shown(&self, number: f64) -> Option<String> {
        match self {
            Self::Zeros(digits) if is_count(number) => Some(format!("{number:0digits$}")),
            _ => None,
        }
    }

    /// Whether people see another text in place of a value.
    pub(super) fn hides(&self, value: &DataRef<'_>) -> bool {
        matches!((self, value), (Self::Other, DataRef::Float(number)) if is_count(*number))
    }
}

fn is_count(number: f64) -> bool {
    number.fract() == 0.0 && number >= 0.0
}

/// A section without its quoted and escaped texts, colours and conditions.
fn without_texts(section: &str) -> String {
    let (mut rest, mut signs) = (String::new(), section.chars());
    while let Some(sign) = signs.next() {
        match sign {
            '"' => drop(signs.by_ref().find(|sign| *sign == '"')),
            '[' => drop(signs.by_ref().find(|sign| *sign == ']')),
            '\\' | '_' | '*' => drop(signs.next()),
            _ => rest.push(sign),
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_with_zeros_and_other_signs_hides_the_number() {
        let format = |code: &str| match CodeFormat::of_code(code) {
            None => "number".to_owned(),
            Some(format) if format.hides(&DataRef::Float(12.0)) => "hidden".to_owned(),
            Some(format) => format.shown(12.0).expect("a text"),
        };
        for code in
            ["General", "0", "0.00", "#,##0.00", "0%", "0.00E+00", "0 \"00\"", "#,##0;-#,##0", "00.00", "@"]
        {
            assert_eq!(format(code), "number", "{code}");
        }
        assert_eq!([format("0000"), format("000;-000"), format("00;(00);0")], ["0012", "012", "12"]);
        for code in
            ["00-00", "000 000", "\"A\"000", "[<=99]00;000", "##-00", "00\\-00", "000\" kg\"", "[Red]000"]
        {
            assert_eq!(format(code), "hidden", "{code}");
        }
    }
}
