//! Interviews that are filtered by a field of a panel, where a question or a column was meant.

use sondage::model::{ConditionType, ReadInterviewListRequest};
use sondage::{Error, ErrorKind, text};

use crate::meaning::service::columns_of_interviews;

/// The error of a query that the service has refused, with the advice to compare a question instead of a field of a panel, if
/// the query compares one. Such a query can be right, so it is sent.
pub(super) fn explained(error: Error, request: &ReadInterviewListRequest) -> Error {
    let is_refused = matches!(error.kind(), ErrorKind::Api | ErrorKind::InvalidArgument);
    let mut conditions = request.conditions.iter().flatten();
    let panel = conditions.find(|condition| condition.condition_type == ConditionType::Panel);
    let (true, Some(condition)) = (is_refused, panel) else { return error };
    let name = &condition.identifier;
    if columns_of_interviews().any(|column| column == name) {
        return error.with_hint(text!(
            "The filter compares {name:?} as a field of a panel. Compare the column of the interviews: `condition::column(\"{name}\")`."
        ));
    }
    error.with_hint(text!(
        "The filter compares {name:?} as a field of a panel. If it is a question of the survey, compare \
         `condition::question(\"{name}\")`."
    ))
}
