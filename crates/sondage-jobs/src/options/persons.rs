//! Options of methods that read or erase the data of one person.

use sondage::arguments::FilePath;
use sondage_macros::options;

/// Whose data would be read.
#[options]
pub struct PlanExportPersonOptions {
    /// The panels and samples to search: the API has no list of them.
    pub panel_ids: Vec<i64>,
    /// The field that identifies the person, for example `Email`, or `Id` for the id of a member of a single panel.
    pub key: String,
    /// The person's value of that field, exactly.
    pub value: String,
    /// Whether to store the answers as PDFs as well, one call for each.
    #[wire(default = false)]
    pub documents: bool,
    /// Files and folders of this library to search: journals of imports, archives, exports of persons.
    pub files: Option<Vec<String>>,
}

/// Whose data is read.
#[options]
pub struct ExportPersonOptions {
    /// The panels and samples to search: the API has no list of them.
    pub panel_ids: Vec<i64>,
    /// The field that identifies the person, for example `Email`, or `Id` for the id of a member of a single panel.
    pub key: String,
    /// The person's value of that field, exactly.
    pub value: String,
    /// The folder for the export: a new one, or one with an export of the same person. Default: nothing is written.
    pub folder: Option<FilePath>,
    /// Whether to store the answers as PDFs as well, one call for each. This needs a folder.
    #[wire(default = false)]
    pub documents: bool,
    /// Files and folders of this library to search: journals of imports, archives, exports of persons.
    pub files: Option<Vec<String>>,
}

/// Whose data would be erased.
#[options]
pub struct PlanErasePersonOptions {
    /// The panels and samples to search: the API has no list of them.
    #[wire(selects)]
    pub panel_ids: Vec<i64>,
    /// The field that identifies the person, for example `Email`, or `Id` for the id of a member of a single panel.
    pub key: String,
    /// The person's value of that field, exactly.
    pub value: String,
    /// Whether the interviews are kept. Required, because answers can identify a person too.
    pub keep_interviews: bool,
    /// Whether the person stays on the opt-out lists. Otherwise messages can be sent to the person again.
    #[wire(default = true)]
    pub keep_opt_outs: bool,
    /// Files and folders of this library from which to erase the person: journals of imports, archives, exports of
    /// persons. Default: no files.
    #[wire(selects)]
    pub files: Option<Vec<String>>,
}

/// Whose data is erased.
#[options]
pub struct ErasePersonOptions {
    /// The panels and samples to search: the API has no list of them.
    #[wire(selects)]
    pub panel_ids: Vec<i64>,
    /// The field that identifies the person, for example `Email`, or `Id` for the id of a member of a single panel.
    pub key: String,
    /// The person's value of that field, exactly.
    pub value: String,
    /// Whether the interviews are kept. Required, because answers can identify a person too.
    pub keep_interviews: bool,
    /// The receipt: the file in which the erasure records what it has done. An interrupted erasure resumes from it.
    pub receipt: FilePath,
    /// The token of the plan.
    pub confirm: String,
    /// Whether the person stays on the opt-out lists. Otherwise messages can be sent to the person again.
    #[wire(default = true)]
    pub keep_opt_outs: bool,
    /// Files and folders of this library from which to erase the person: journals of imports, archives, exports of
    /// persons. Default: no files.
    #[wire(selects)]
    pub files: Option<Vec<String>>,
}
