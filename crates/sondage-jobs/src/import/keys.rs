//! Keys as people see them: which of them differ only in what is not seen.

use icu_normalizer::ComposingNormalizerBorrowed;
use std::borrow::Cow;

/// What two keys differ in that are too similar.
pub(crate) fn difference(unseen: bool) -> &'static str {
    if unseen { "signs that are not seen or are another form, case or spaces" } else { "case or spaces" }
}

/// Whether a sign takes no place, or only changes how others are joined.
fn is_unseen(sign: char) -> bool {
    matches!(
        sign,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
    ) || (sign.is_control() && !sign.is_whitespace())
}

/// Whether a key looks like one that is written in other signs.
pub(crate) fn has_unseen(key: &str) -> bool {
    let is_unlike = |sign: char| is_unseen(sign) || sign.is_whitespace() && sign != ' ';
    !key.is_ascii()
        && (key.chars().any(is_unlike) || !ComposingNormalizerBorrowed::new_nfkc().is_normalized(key))
}

/// A key without its case, the blanks around it and the signs that are not seen: composed, with signs of another form (full width,
/// ligatures) as the usual ones, and with one blank for each run of blanks. Most keys are written like this.
pub(crate) fn folded(key: &str) -> Cow<'_, str> {
    let key = key.trim();
    let is_folded = |byte: u8| byte.is_ascii_graphic() && !byte.is_ascii_uppercase();
    if key.bytes().all(is_folded) {
        return Cow::Borrowed(key);
    }
    let visible: String = key.chars().filter(|sign| !is_unseen(*sign)).collect();
    let parts: Vec<&str> = visible.split_whitespace().collect();
    let forms = ComposingNormalizerBorrowed::new_nfkc();
    let caseless = caseless(&forms.normalize(&parts.join(" ")));
    Cow::Owned(forms.normalize(&caseless).into_owned())
}

/// A text without its case.
pub(crate) fn caseless(text: &str) -> String {
    text.chars().flat_map(without_case).collect()
}

/// A sign in Unicode's full case folding: `straße` is `STRASSE`, and both forms of sigma are one. To upper and then to lower case has
/// the same result, except for the Turkish dotless i, which is no case of another sign.
fn without_case(sign: char) -> impl Iterator<Item = char> {
    let folded = |sign: char| sign.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    let dotless = (sign == 'ı').then_some(sign);
    dotless.is_none().then(|| folded(sign)).into_iter().flatten().chain(dotless)
}

#[cfg(test)]
mod tests {
    use super::{caseless, folded};

    #[test]
    fn keys_that_people_read_as_one_are_one() {
        for (one, other) in [
            ("STRASSE 5", "straße 5"),
            ("STRAẞE 5", "Strasse 5"),
            ("Ὀδυσσεύς", "ὈΔΥΣΣΕΎΣ"),
            ("ﬁne", "FINE"),
            ("Ａ１２", "a12"),
            ("İzmir", "i\u{307}zmir"),
            ("ŉ", "ʼn"),
            ("Zoe\u{301}", "ZOÉ"),
            ("K1", "k1"),
        ] {
            assert_eq!(folded(one), folded(other), "{one} {other}");
        }
        assert_eq!(caseless("STRASSE  5"), caseless("straße  5"));
        for (one, other) in [("kadır", "kadir"), ("Muller", "Müller"), ("a b", "ab"), ("ö", "oe")] {
            assert_ne!(folded(one), folded(other), "{one} {other}");
        }
    }
}
