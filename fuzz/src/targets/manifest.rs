//! Parses any text as the manifest of an archive. In an accepted manifest, a GUID in lower case names
//! each document, so that no path leads out of the folder.

use sondage_jobs::archive::fuzzed;

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some((end, documents)) = fuzzed(text) else { return };
    assert!(text.is_char_boundary(end) && (end == 0 || text[..end].ends_with('\n')));
    for document in documents {
        let plain =
            document.len() == 36 && document.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f' | b'-'));
        assert!(plain, "{document:?}");
    }
}
