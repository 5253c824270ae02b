//! Options of work on everything that is held of one person.

use super::FilePath;
use sondage_macros::options;

/// Whose data would be read.
#[options]
pub struct PlanExportPersonOptions {
    /// The panels and samples in which to look: the API has no list of them.
    pub panel_ids: Vec<i64>,
    /// The field that identifies the person, for example `Email`, or `Id` for the number of a member of one panel.
    pub key: String,
    /// What the person has there, letter by letter.
    pub value: String,
    /// Whether to store the answers as PDFs too, a call for each.
    #[wire(default = false)]
    pub documents: bool,
    /// Files and folders of this library to look into: journals of imports, archives, exports of persons.
    pub files: Option<Vec<String>>,
}

/// Whose data is read.
#[options]
pub struct ExportPersonOptions {
    /// The panels and samples in which to look: the API has no list of them.
    pub panel_ids: Vec<i64>,
    /// The field that identifies the person, for example `Email`, or `Id` for the number of a member of one panel.
    pub key: String,
    /// What the person has there, letter by letter.
    pub value: String,
    /// The folder for what is found: a new one, or one with an export of the same person. Left out: nothing is written.
    pub folder: Option<FilePath>,
    /// Whether to store the answers as PDFs too, a call for each and a folder for them.
    #[wire(default = false)]
    pub documents: bool,
    /// Files and folders of this library to look into: journals of imports, archives, exports of persons.
    pub files: Option<Vec<String>>,
}

/// Whose data would be erased.
#[options]
pub struct PlanErasePersonOptions {
    /// The panels and samples in which to look: the API has no list of them.
    pub panel_ids: Vec<i64>,
    /// The field that identifies the person, for example `Email`, or `Id` for the number of a member of one panel.
    pub key: String,
    /// What the person has there, letter by letter.
    pub value: String,
    /// Whether the interviews stay. It must be said: answers can name a person too.
    pub keep_interviews: bool,
    /// Whether the person stays on the lists of those who want no messages. Whoever is taken off can be written to again.
    #[wire(default = true)]
    pub keep_opt_outs: bool,
    /// Files and folders of this library to erase the person from: journals of imports, archives, exports of persons.
    pub files: Option<Vec<String>>,
}

/// Whose data is erased.
#[options]
pub struct ErasePersonOptions {
    /// The panels and samples in which to look: the API has no list of them.
    pub panel_ids: Vec<i64>,
    /// The field that identifies the person, for example `Email`, or `Id` for the number of a member of one panel.
    pub key: String,
    /// What the person has there, letter by letter.
    pub value: String,
    /// Whether the interviews stay. It must be said: answers can name a person too.
    pub keep_interviews: bool,
    /// The file in which the erasure keeps what it has done: the receipt. One that was interrupted goes on from it.
    pub receipt: FilePath,
    /// The token of the plan.
    pub confirm: String,
    /// Whether the person stays on the lists of those who want no messages. Whoever is taken off can be written to again.
    #[wire(default = true)]
    pub keep_opt_outs: bool,
    /// Files and folders of this library to erase the person from: journals of imports, archives, exports of persons.
    pub files: Option<Vec<String>>,
}
