//! Which operation of the table a path names, however it is spelt.

use crate::operation::OperationInfo;
use crate::operations;

/// The operation of the table that a path names, and its path there. It is compared as a service might read it, so that no
/// spelling gives an operation another effect.
pub(crate) fn find(path: &str) -> Option<(&'static OperationInfo, &'static str)> {
    let path = canonical(path);
    operations::ALL.iter().find_map(|info| {
        let mut paths = std::iter::once(&info.path).chain(info.fallback_paths);
        paths.find(|known| canonical(known) == path).map(|known| (*info, *known))
    })
}

/// The path in lower case, decoded until nothing is left to decode, with the segments that remain when `.` and `..` are
/// resolved. What some servers ignore is left out: backslashes for slashes, empty segments, white space and control characters,
/// dots at the end, and everything from `?`, `#` or (in a segment) `;` on.
fn canonical(path: &str) -> String {
    let mut path = path.to_owned();
    // Each round makes it shorter.
    while let Some(decoded) = decoded(&path) {
        path = decoded;
    }
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path: String = path.chars().filter(|sign| !sign.is_control() && !sign.is_whitespace()).collect();
    let mut segments: Vec<String> = Vec::new();
    for segment in path.split(['/', '\\']) {
        match segment.split(';').next().unwrap_or_default() {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            segment => segments.push(segment.trim_end_matches('.').to_lowercase()),
        }
    }
    segments.join("/")
}

/// `None`: nothing is encoded.
fn decoded(text: &str) -> Option<String> {
    let digit =
        |at: usize| char::from(*text.as_bytes().get(at)?).to_digit(16).and_then(|it| u8::try_from(it).ok());
    let (mut bytes, mut at, mut found) = (Vec::with_capacity(text.len()), 0, false);
    while let Some(byte) = text.as_bytes().get(at) {
        let pair = if *byte == b'%' { digit(at + 1).zip(digit(at + 2)) } else { None };
        bytes.push(pair.map_or(*byte, |(high, low)| high << 4 | low));
        at += if pair.is_some() { 3 } else { 1 };
        found |= pair.is_some();
    }
    found.then(|| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_of_the_table_leads_to_its_own_row() {
        for info in operations::ALL {
            for path in std::iter::once(&info.path).chain(info.fallback_paths) {
                let (row, known) = find(path).expect("a row");
                assert_eq!((row.name, known), (info.name, *path));
            }
        }
    }

    #[test]
    fn other_paths_are_unknown() {
        for path in [
            "/",
            "/publicapi/Panel/v9/ReadPanel",
            "/publicapi/Panel/v3/ReadPanels",
            "/ReadPanel",
            "/%",
            "/%zz%",
        ] {
            assert!(find(path).is_none(), "{path}");
        }
    }
}
