//! Languages, by the decimal sign that their spreadsheets expect (CLDR, `decimal`).

/// Those whose numbers have a decimal comma.
const DECIMAL_COMMA: &str = "\
    ady af agq ast az ba bas be bg blo br bs bua ca cs cv da de dsb dua dyo el eo es et eu ewo ff fi \
    fo fr fur fy gl hr hsb ht hu hy ia id ie is it jgo jv ka kab kbd kea kgp kk kkj kl ksf ku ky lb \
    lij lld ln lo lt lu lv mgh mk mua nb nl nmg nn nnh no nr pl pms pt rm rn ro ru rw sah sc scn se \
    seh sg shi sk sl smn sq sr ss su sv tg tk tok tr ts tt tzm uk uz ve vec vi wen wo yav yrl zgh";

/// The other ones of CLDR and of ISO 639-1.
const OTHERS: &str = "\
    aa ab ae ak am an ann apc ar arn ary as asa av ay bal bem bew bez bgc bgn bh bho bi blt bm bn bo \
    bqi brh brx bss byn cad cch ccp ce ceb cgg ch cho chr cic ckb co cop cr csw cu cy dav dje doi dv \
    dz ebu ee en fa fil fj frr ga gaa gd gez gn gsw gu guz gv ha haw he hi hnj ho hrx hz ig ii ik io \
    isv iu ja jbo jmc kaa kaj kam kcg kde kek ken kg khq ki kj kln km kn ko kok kpe kr ks ksb ksh kv \
    kw kxv la lag lg li lkt lmo lrc ltg luo luy lzz mai mas mdf mer mfe mg mgo mh mhn mi mic ml mn \
    mni moh mr mrh ms mt mus mww my myv mzn na naq nd nds ne ng nqo nso nus nv ny nyn oc oj oka om \
    or os osa pa pap pcm pi pis prg ps qu quc raj rhg rif rof rwk sa saq sat sbp sd sdh ses sgs sh \
    shn si sid skr sm sma smj sms sn so ssy st sus suz sw syr szl ta te teo th ti tig tl tn to tpi \
    trv trw tw twq ty tyv ug ur vai vmw vo vun wa wae wal wbp xdq xh xnr xog yi yo yue za zh zu";

/// Whether numbers have a decimal comma in a language, by its tag in small letters (`de`, `fr-ch`); `None` if it is no tag of a known
/// language.
pub(super) fn has_decimal_comma(tag: &str) -> Option<bool> {
    let (language, rest) = tag.split_once('-').map_or((tag, None), |(language, rest)| (language, Some(rest)));
    let is_among = |languages: &str| languages.split_ascii_whitespace().any(|known| known == language);
    match (rest.is_none_or(is_rest), is_among(DECIMAL_COMMA), is_among(OTHERS)) {
        (true, true, _) => Some(true),
        (true, _, true) => Some(false),
        _ => None,
    }
}

/// Whether this can follow a language in a tag (RFC 5646, 2.1): a script, a region, variants and extensions, in this order.
fn is_rest(rest: &str) -> bool {
    let mut parts = rest.split('-').peekable();
    let letters =
        |part: &&str, count| part.len() == count && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let digits = |part: &&str, count| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_sign = |part: &&str| part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_variant = |part: &&str| {
        is_sign(part)
            && ((5..=8).contains(&part.len())
                || part.len() == 4 && part.starts_with(|sign: char| sign.is_ascii_digit()))
    };
    parts.next_if(|part| letters(part, 4));
    parts.next_if(|part| letters(part, 2) || digits(part, 3));
    while parts.next_if(is_variant).is_some() {}
    let Some(extension) = parts.next() else { return true };
    let mut values = parts.peekable();
    let has_value = values.peek().is_some();
    extension.len() == 1 && has_value && values.all(|value| is_sign(&value) && (1..=8).contains(&value.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_has_the_form_of_one() {
        for tag in ["de", "de-ch", "zh-hant-tw", "es-419", "de-1996", "sl-rozaj", "de-u-co-phonebk", "en-x-a"]
        {
            assert!(has_decimal_comma(tag).is_some(), "{tag}");
        }
        for wrong in
            ["deutsch", "xx-notatag", "en-", "en--gb", "de-che", "de-ch-de", "en-x", "en-x-", "", "zz"]
        {
            assert_eq!(has_decimal_comma(wrong), None, "{wrong}");
        }
    }
}
