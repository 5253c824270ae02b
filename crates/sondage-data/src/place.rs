//! Whether a file can be written at a path, before anything is downloaded.

use std::path::Path;
use std::{fs, io};

use sondage::{Error, Result};

use crate::export::HINT;

/// Endings of file names, and the formats that programs expect behind them.
const ENDINGS: [(&str, &str); 19] = [
    ("parquet", "Parquet"),
    ("csv", "CSV"),
    ("jsonl", "JSON Lines"),
    ("ndjson", "JSON Lines"),
    ("json", "JSON"),
    ("xlsx", "an Excel workbook"),
    ("xlsm", "an Excel workbook"),
    ("xls", "an Excel workbook of before 2007"),
    ("ods", "an OpenDocument spreadsheet"),
    ("sav", "SPSS"),
    ("zsav", "compressed SPSS"),
    ("por", "portable SPSS"),
    ("dta", "Stata"),
    ("arrow", "Arrow"),
    ("feather", "Feather"),
    ("gz", "a compressed file"),
    ("zip", "an archive"),
    ("duckdb", "a database of DuckDB"),
    ("pdf", "PDF"),
];

/// What to do for a workbook.
const WORKBOOK: &str =
    "Name the file .xlsx, or write a .csv file with the option `spreadsheet`, which a spreadsheet opens.";

/// A name that promises another format deceives every program that reads the file.
pub(crate) fn check_name(path: &Path, written: &str, own: &[&str]) -> Result<()> {
    // An address may have a password, which would be the name of a folder, and stand in this error.
    let text = path.as_os_str().to_string_lossy();
    if let Some((scheme, _)) = text.split_once("://")
        && scheme.chars().all(|sign| sign.is_ascii_alphanumeric() || "+.-".contains(sign))
    {
        let what = format!("an address that begins with {scheme}:// is no path: nothing was written");
        return Err(Error::invalid_argument(what).with_hint(
            "Give the path of a file or folder, or in Python and Node.js a connection to the database.",
        ));
    }
    let Some((ending, named)) = ending(path).filter(|(ending, _)| !own.contains(ending)) else {
        return Ok(());
    };
    let what = format!("`{}` is named like {named}, but it would be {written}", path.display());
    let hint = workbook(ending).unwrap_or("Give it another name, or write the other format.");
    Err(Error::invalid_argument(what).with_hint(hint))
}

/// A file whose name does not show a format that can be written.
pub(crate) fn no_format(path: &Path) -> Error {
    let hint = ending(path).and_then(|(ending, _)| workbook(ending));
    Error::invalid_argument(format!("`{}` does not show its format", path.display()))
        .with_hint(hint.unwrap_or(HINT))
}

fn ending(path: &Path) -> Option<(&'static str, &'static str)> {
    let own = path.extension()?.to_str()?.to_ascii_lowercase();
    ENDINGS.into_iter().find(|(ending, _)| *ending == own)
}

fn workbook(ending: &str) -> Option<&'static str> {
    ["xlsm", "xls", "ods"].contains(&ending).then_some(WORKBOOK)
}

/// What was refused while a file was written: it is no error of the file system.
pub(crate) fn refused(error: &io::Error) -> Option<Error> {
    error.get_ref()?.downcast_ref::<Error>().cloned()
}

/// An error of the file system before anything was downloaded.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Error {
    if let Some(error) = refused(error) {
        return error;
    }
    Error::invalid_argument(format!("`{}` could not be written: {error}", path.display()))
        .with_hint("Correct the path, or the permissions of its folder.")
}

pub(crate) fn check_place(path: &Path) -> Result<()> {
    if path.file_name().is_none() {
        return Err(Error::invalid_argument(format!("`{}` names no file", path.display()))
            .with_hint("Give the path of a file, in a folder that exists."));
    }
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(Error::invalid_argument(format!("`{}` exists, and is not a file", path.display()))
            .with_hint("Give the path of a file."));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(Error::invalid_argument(format!("there is no folder `{}`", folder.display()))
            .with_hint("Make the folder first, or correct the path."));
    }
    Ok(())
}
