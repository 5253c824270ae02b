//! The sign `'` before a text that a spreadsheet would read as something else.

/// The sign.
const SIGN: char = '\'';
/// Excel keeps no more digits of a number.
const MOST_DIGITS: usize = 15;

/// Months in the languages of spreadsheets: abbreviations and whole words.
const MONTHS: &str = "
    jan january januar jänner feb february februar feber mar march mär märz mrz apr april may mai jun june juni jul july juli
    aug august sep sept september oct october okt oktober nov november dec december dez dezember
    janv janvier févr février fevr fevrier mars avr avril juin juil juillet août aout octobre novembre déc décembre decembre
    gen gennaio febbraio marzo aprile mag maggio giu giugno lug luglio ago agosto set settembre ott ottobre novembre dic dicembre
    ene enero febrero abr abril mayo junio julio septiembre setiembre octubre noviembre diciembre
    fev fevereiro março maio junho julho setembro out outubro novembro dezembro
    januari februari mrt maart mei augustus augusti maj
    marts des desember
    tammi tammikuuta helmi helmikuuta maalis maaliskuuta huhti huhtikuuta touko toukokuuta kesä kesäkuuta heinä heinäkuuta elo
    elokuuta syys syyskuuta loka lokakuuta marras marraskuuta joulu joulukuuta
    sty stycznia styczeń lut lutego luty marca marzec kwi kwietnia kwiecień maja cze czerwca czerwiec lip lipca lipiec sie
    sierpnia sierpień wrz września wrzesień paź października październik lis listopada listopad gru grudnia grudzień
    led ledna leden úno února únor bře března březen dub dubna duben kvě května květen čvn června červen čvc července červenec
    srp srpna srpen zář září říj října říjen prosince prosinec
    január február marec apríl máj jún júl október januára februára apríla mája júna júla augusta septembra októbra novembra decembra
    febr március márc ápr április június július szept szeptember
    ian ianuarie februarie martie aprilie iun iunie iul iulie septembrie octombrie noiembrie decembrie
    oca ocak şub şubat nis nisan mayıs haz haziran tem temmuz ağu ağustos eyl eylül eki ekim kas kasım ara aralık
    янв января февр февраля мар марта апр апреля мая июн июня июл июля авг августа сент сентября окт октября нояб ноября дек декабря
";
/// What else stands beside digits in a number, a date or a time.
const BEHIND_DIGITS: [&str; 11] = ["a", "am", "p", "pm", "h", "uhr", "e", "d", "t", "z", "de"];
/// Words and letters of currencies.
const CURRENCIES: [&str; 12] = ["chf", "fr", "eur", "usd", "gbp", "kr", "zł", "kč", "ft", "lei", "tl", "руб"];
/// Words that are truth values.
const TRUTHS: &str = "
    true false wahr falsch vrai faux vero falso verdadero verdadeiro waar onwaar sant sand falskt falsk usann tosi epätosi prawda
    fałsz pravda nepravda igaz hamis adevărat fals doğru yanliş yanlış истина ложь
";
/// Errors of formulas that end with neither `!` nor `?`.
const NOT_AVAILABLE: [&str; 7] = ["#n/a", "#nv", "#n/d", "#n/b", "#i/t", "#n/disp", "#н/д"];

/// Whether a text needs the sign before it: it begins like a formula, or a spreadsheet would show it as another number, a date or a
/// truth value, or it would be taken for a text with the sign.
pub(crate) fn is_needed(text: &str) -> bool {
    is_formula(text) || is_reread(text) || without(text).is_some()
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

/// Whether a spreadsheet may show a text as something else: `00123`, `1.50`, `1E5`, `3-4`, `(5)`, `12 %`, `1 000`, `5 €`, `5. Mai`,
/// `SEPT2`, `TRUE`, `#N/A`.
fn is_reread(text: &str) -> bool {
    if is_plain_number(text) || text.starts_with(SIGN) {
        return false;
    }
    let lower = text.trim().to_lowercase();
    let is_among = |words: &str, word: &str| words.split_ascii_whitespace().any(|known| known == word);
    if is_among(TRUTHS, &lower) || is_error(&lower) {
        return true;
    }
    if !lower.contains(is_digit) {
        return false;
    }
    let begins_with_digit = lower.starts_with(is_part_of_number);
    lower.split(is_part_of_number).filter(|word| !word.is_empty()).all(|word| {
        is_among(MONTHS, word)
            || CURRENCIES.contains(&word)
            || begins_with_digit && BEHIND_DIGITS.contains(&word)
    })
}

fn is_digit(sign: char) -> bool {
    sign.is_ascii_digit() || matches!(sign, '\u{ff10}'..='\u{ff19}')
}

/// Whether a sign may be part of a number, a date or a time: digits, blanks of all kinds, separators, brackets, currencies.
fn is_part_of_number(sign: char) -> bool {
    is_digit(sign)
        || sign.is_whitespace()
        || matches!(sign, '.' | ',' | '-' | '/' | ':' | '+' | '(' | ')' | '%' | '\'' | '’' | '\u{2212}')
        || matches!(sign, '$' | '¢'..='¥' | '\u{20a0}'..='\u{20c0}' | '฿')
}

/// Whether a text is an error of a formula in some language: `#N/A`, `#REF!`, `#¿NOMBRE?`.
fn is_error(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|name| {
        let is_name = |sign: char| sign.is_alphanumeric() || matches!(sign, '/' | '¡' | '¿' | '!' | '?');
        name.chars().all(is_name) && name.ends_with(['!', '?'])
    }) || NOT_AVAILABLE.contains(&text)
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
            " 5",
            "5 ",
            "(5)",
            "12%",
            "5 %",
            "$5",
            "5 €",
            "CHF 5",
            "1 000",
            "1\u{a0}000",
            "1\u{202f}000,50",
            "1'000.50",
            "079 123 45 67",
            "5 gen",
            "5 mai",
            "1 de mayo",
            "3 března",
            "VERO",
            "WAHR",
            "FAUX",
            "Истина",
            "#N/A",
            "#NV",
            "#REF!",
            "#¡VALOR!",
            "#DIV/0!",
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
            "Mai",
            "$",
            "(-)",
            "#1",
            "#WIN",
            "5 Personen",
            "Fr",
            "'5",
        ] {
            assert_eq!(without(&format!("'{text}")), None, "{text:?}");
        }
    }
}
