//! `.env` files: the variables of the sandbox among the lines of others.

use sondage::files::{self, DraftFile, Readers};
use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// Refuses a place where no file can be written, before anything is started.
pub fn ensure_file(path: &Path) -> io::Result<()> {
    let is_folder = path.is_dir() || path.file_name().is_none();
    if is_folder || path.exists() && !path.is_file() {
        let what = if is_folder { "is a folder" } else { "is not a regular file" };
        let why = format!(
            "--env-file: {} {what}; nothing was started; name a file, for example .env",
            path.display()
        );
        return Err(io::Error::new(ErrorKind::InvalidInput, why));
    }
    Ok(())
}

/// Writes variables to a file that only its owner can read. Lines of the same variables are replaced, all others stay as they are.
pub fn write(path: &Path, variables: &[(&str, &str)]) -> io::Result<()> {
    let failed = |why: io::Error| {
        let what = format!("cannot write --env-file {}: {why}; the file is unchanged", path.display());
        io::Error::new(why.kind(), what)
    };
    // A link stays a link: the file behind it is replaced.
    let target: PathBuf =
        if path.exists() { fs::canonicalize(path).map_err(failed)? } else { path.to_owned() };
    let before = match fs::read(&target) {
        Err(why) if why.kind() == ErrorKind::NotFound => Vec::new(),
        read => read.map_err(failed)?,
    };
    // Spreadsheets and old shells of Windows write it; text of another encoding behind it would be lost to every reader.
    if before.starts_with(b"\xff\xfe") || before.starts_with(b"\xfe\xff") {
        let why = "it is text in UTF-16, which programs do not read as variables: save it as UTF-8";
        return Err(failed(io::Error::new(ErrorKind::InvalidData, why)));
    }
    let replace = || {
        let mut draft = DraftFile::new(&target, Readers::Owner)?;
        draft.file().write_all(&merged(&before, variables))?;
        draft.commit()
    };
    files::make_folder_of(&target).and_then(|()| replace()).map_err(failed)
}

/// The content of a file with these variables. The first line of a variable is replaced where it is, further ones are removed, and
/// variables without a line follow at the end.
fn merged(before: &[u8], variables: &[(&str, &str)]) -> Vec<u8> {
    let ending: &[u8] = if before.windows(2).any(|pair| pair == b"\r\n") { b"\r\n" } else { b"\n" };
    let mut after = Vec::with_capacity(before.len() + 512);
    let mut missing = variables.to_vec();
    let write = |after: &mut Vec<u8>, prefix: &str, (name, value): (&str, &str)| {
        after.extend_from_slice(format!("{prefix}{name}={value}").as_bytes());
        after.extend_from_slice(ending);
    };
    for line in before.split_inclusive(|byte| *byte == b'\n') {
        let Some(name) = variable_of(line).filter(|name| variables.iter().any(|(known, _)| known == name))
        else {
            after.extend_from_slice(line);
            continue;
        };
        if let Some(at) = missing.iter().position(|(known, _)| *known == name) {
            write(&mut after, prefix_of(line), missing.remove(at));
        }
    }
    if !after.is_empty() && !after.ends_with(b"\n") {
        after.extend_from_slice(ending);
    }
    for variable in missing {
        write(&mut after, "", variable);
    }
    after
}

/// The variable that a line sets, such as `export NAME = value`.
fn variable_of(line: &[u8]) -> Option<&str> {
    let equals = line.iter().position(|byte| *byte == b'=')?;
    let name = str::from_utf8(&line[..equals]).ok()?.trim_start_matches('\u{feff}').trim();
    let exported = name.strip_prefix("export").filter(|rest| rest.starts_with([' ', '\t']));
    Some(exported.unwrap_or(name).trim())
}

/// What stays before the name: a byte order mark, and `export `, without which a shell would keep the variable to itself.
fn prefix_of(line: &[u8]) -> &'static str {
    let (has_mark, rest) = match line.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let is_exported = rest
        .trim_ascii_start()
        .strip_prefix(b"export")
        .is_some_and(|rest| rest.starts_with(b" ") || rest.starts_with(b"\t"));
    match (has_mark, is_exported) {
        (true, true) => "\u{feff}export ",
        (true, false) => "\u{feff}",
        (false, true) => "export ",
        (false, false) => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_of_the_same_variables_change() {
        let merge = |before: &[u8]| merged(before, &[("A", "1"), ("B", "2")]);
        assert_eq!(merge(b""), b"A=1\nB=2\n");
        assert_eq!(merge(b"# A=0\nX=\xff\nA=0\n"), b"# A=0\nX=\xff\nA=1\nB=2\n");
        assert_eq!(merge(b"export B = 'old'\nA=0\nA=00\nAA=3"), b"export B=2\nA=1\nAA=3\n");
        assert_eq!(merge(b"X=1\r\nA=0\r\n"), b"X=1\r\nA=1\r\nB=2\r\n");
        assert_eq!(merge(b"exportA=0\n\n"), b"exportA=0\n\nA=1\nB=2\n");
        assert_eq!(merge(b"\xef\xbb\xbfA='0'\r\n"), b"\xef\xbb\xbfA=1\r\nB=2\r\n");
        let once = merge(b"X=1");
        assert_eq!(merge(&once), once);
    }
}
