//! A reset interview is identified by its state, by who changed it last, and when.

use super::Inspection;
use crate::reconcile::finding::{Finding, not_by};
use crate::reconcile::window::Place;
use serde::Deserialize;
use serde_json::json;
use sondage::condition::column;
use sondage::error::Result;
use sondage::model::{FieldValue, ReadInterviewListRequest};
use sondage::operations::ReadInterviewListCompact;

/// The state of an interview that has not been started.
// API 6.4, specified
const EMPTY: &str = "NotResponded";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reset {
    survey_id: i64,
    interview_id: String,
}

pub(super) async fn reset(inspection: &Inspection) -> Result<Finding> {
    let reset: Reset = inspection.request()?;
    let fields = ["Id", "State", "CreatedAt", "UpdatedAt", "UpdatedBy"];
    let request = ReadInterviewListRequest::new(reset.survey_id)
        .fields_to_download(fields)
        .conditions(column("Id").is_equal_to(reset.interview_id.as_str()).compile()?);
    let rows =
        inspection.client.pages::<ReadInterviewListCompact>(request).thorough(true).collect_all().await?;
    let is_it = |id: Option<&FieldValue>| id.and_then(FieldValue::as_str) == Some(&reset.interview_id);
    let Some(row) = rows.iter().find(|row| is_it(row.get("Id"))) else {
        return Ok(Finding::unknown("the interview is no longer there"));
    };
    let text = |name: &str| row.get(name).and_then(FieldValue::as_str);
    let changed = row.get("UpdatedAt").filter(|value| !value.is_null()).or_else(|| row.get("CreatedAt"));
    let empty = text("State") == Some(EMPTY);
    Ok(match inspection.window.place_value(changed) {
        Place::Before => Finding::did_not("the interview has not changed since before the call"),
        Place::Within
            if empty && inspection.is_ours(text("UpdatedBy")) && !inspection.ambiguous_with_own_call =>
        {
            Finding::happened(
                vec![reset.interview_id.clone()],
                "the interview is empty, and this login has changed it last, at that time",
                json!({}),
            )
        }
        _ if empty => Finding::unknown(format!(
            "the interview is empty, and nothing shows that this call emptied it: {}",
            not_by(inspection.name.as_deref())
        )),
        _ => Finding::unknown(
            "the interview has changed since, and is not empty: somebody has answered, perhaps after it was emptied",
        ),
    })
}
