//! The sign `'` before a text that a spreadsheet would read as something else.

/// The sign.
const SIGN: char = '\'';
/// Excel keeps no more digits of a number.
const MOST_DIGITS: usize = 15;

/// Months in English and German, which every Excel reads or that of one of these languages.
const MONTHS: [&str; 38] = [
    "jan",
    "january",
    "januar",
    "jänner",
    "feb",
    "february",
    "februar",
    "mar",
    "march",
    "mär",
    "märz",
    "mrz",
    "apr",
    "april",
    "may",
    "mai",
    "jun",
    "june",
    "juni",
    "jul",
    "july",
    "juli",
    "aug",
    "august",
    "sep",
    "sept",
    "september",
    "oct",
    "october",
    "okt",
    "oktober",
    "nov",
    "november",
    "dec",
    "december",
    "dez",
    "dezember",
    "feber",
];
/// What else stands behind digits in a number or a time.
const BEHIND_DIGITS: [&str; 10] = ["a", "am", "p", "pm", "h", "uhr", "e", "d", "t", "z"];
/// Words that are truth values.
const TRUTHS: [&str; 6] = ["true", "false", "wahr", "falsch", "vrai", "faux"];

/// Whether a text needs the sign before it: it begins like a formula, or a spreadsheet would show it as another number, a date or a
/// truth value, or it would be taken for a text with the sign.
pub(crate) fn is_needed(text: &str) -> bool {
    is_formula(text) || is_reread(text.trim()) || without(text).is_some()
}

/// The text behind the sign, if it needs one.
pub(crate) fn without(text: &str) -> Option<&str> {
    text.strip_prefix(SIGN).filter(|text| is_needed(text))
}

/// Whether a spreadsheet would round a number: an integer of more than 15 digits.
pub(crate) fn is_long(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let first = digits.iter().position(|digit| *digit != b'0').unwrap_or(digits.len());
    digits.iter().all(u8::is_ascii_digit) && digits.len() - first > MOST_DIGITS
}

/// Whether a spreadsheet may treat a text as a formula. A number is not one, whatever its sign.
fn is_formula(text: &str) -> bool {
    // The full-width characters of East Asian keyboards start formulas as well.
    let begins = text
        .starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
    begins && !is_plain_number(text)
}

/// An integer that stays as it is.
fn is_plain_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = digits == text && digits == "0" || !digits.is_empty() && !digits.starts_with('0');
    is_plain && digits.len() <= MOST_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a spreadsheet may show a text as something else: `00123`, `1.50`, `1E5`, `3-4`, `1/2`, `5. Mai`, `SEPT2`, `TRUE`.
fn is_reread(text: &str) -> bool {
    if is_plain_number(text) {
        return false;
    }
    if TRUTHS.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return true;
    }
    let is_sign =
        |sign: char| sign.is_ascii_digit() || matches!(sign, '.' | ',' | '-' | '/' | ':' | '+' | ' ');
    let has_digit = text.contains(|sign: char| sign.is_ascii_digit());
    let mut words = text.split(is_sign).filter(|word| !word.is_empty()).map(str::to_lowercase).peekable();
    if words.peek().is_none() {
        // Digits with blanks make no number, but `1 1/2` is one.
        return has_digit && (!text.contains(' ') || text.contains(['/', ':', '.', ',']));
    }
    let is_month = |word: &str| MONTHS.contains(&word);
    let begins_with_digit = text.starts_with(is_sign);
    has_digit
        && words.all(|word| is_month(&word) || begins_with_digit && BEHIND_DIGITS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_spreadsheet_reads_as_something_else_is_guarded_and_read_back() {
        for text in [
            "=1+1",
            "@a",
            "+49 79",
            "-x",
            "\tx",
            "00123",
            "1.5",
            "1,5",
            "1.50",
            "3-4",
            "3/4",
            "1 1/2",
            "10:30",
            "1E5",
            "5. Mai",
            "SEPT2",
            "2-Mar",
            "1 a",
            "TRUE",
            "wahr",
            "2024-05-01",
            "2024-05-01T10:00:00Z",
            "1234567890123456",
            "-0",
            "+5",
            "'00123",
            "''=1",
            " 007",
        ] {
            assert!(is_needed(text), "{text:?}");
            assert_eq!(without(&format!("'{text}")), Some(text));
        }
        for text in [
            "",
            "0",
            "7",
            "-5",
            "123456789012345",
            "Yes",
            "a1",
            "yes 5",
            "'quoted'",
            "12 Monkeys",
            "079 123 45 67",
            "Mai",
            "5 %",
        ] {
            assert_eq!(without(&format!("'{text}")), None, "{text:?}");
        }
    }
}
