//! An invitation is identified by its distributor, and by the interviews that it created, which have a time and an
//! author.

use super::Inspection;
use crate::reconcile::finding::{Candidate, Candidates, Finding};
use crate::reconcile::window::Place;
use serde::Deserialize;
use serde_json::json;
use sondage::condition::column;
use sondage::error::Result;
use sondage::model::{
    Condition, DistributionChannel, Distributor, FieldValue, ReadDistributorListRequest,
    ReadInterviewListRequest, Timestamp,
};
use sondage::operations::{ReadDistributorList, ReadInterviewListCompact};
use std::collections::HashSet;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Invitation {
    survey_id: i64,
    panel_id: i64,
    channel: Option<DistributionChannel>,
    sampling_project_id: Option<i64>,
    member_ids: Option<HashSet<i64>>,
    conditions: Option<Vec<Condition>>,
    schedule_date_time: Option<Timestamp>,
}

/// Whether a distributor may have been created by the call.
enum Likeness {
    /// The message cannot be this invitation.
    None,
    /// The message may be this invitation.
    Perhaps,
    /// The message is this invitation, unless there is another candidate.
    Ours,
}

pub(super) async fn find_evidence(inspection: &Inspection) -> Result<Finding> {
    let invitation: Invitation = inspection.request()?;
    let mut request = ReadDistributorListRequest::new();
    (request.survey_id, request.panel_id) = (Some(invitation.survey_id), Some(invitation.panel_id));
    let all = inspection.client.pages::<ReadDistributorList>(request).thorough(true).collect_all().await?;
    let mut candidates = Candidates::default();
    for it in all {
        let id = it.distributor_id.to_string();
        if inspection.is_known(&id) || invitation.differs(&it) || sent_before(inspection, &it) {
            continue;
        }
        match invitation.likeness(inspection, &it).await? {
            Likeness::None => {}
            Likeness::Perhaps => candidates.others.push(id),
            Likeness::Ours => {
                let project = it.sampling_project_id;
                let answer = json!({ "samplingProjectId": project, "distributorId": it.distributor_id });
                let ids = std::iter::once(id).chain(project.map(|id| id.to_string())).collect();
                candidates.ours.push(Candidate { ids, answer });
            }
        }
    }
    Ok(candidates.judge("distributor", inspection.name.as_deref(), inspection.ambiguous_with_own_call))
}

/// Whether it had sent before the call began.
fn sent_before(inspection: &Inspection, it: &Distributor) -> bool {
    inspection.window.place(it.executed_distribution.map(|time| time.0)) == Place::Before
}

impl Invitation {
    /// Whether properties that never change differ from the request.
    fn differs(&self, it: &Distributor) -> bool {
        let other =
            |wanted: Option<i64>, is: Option<i64>| wanted.zip(is).is_some_and(|(wanted, is)| wanted != is);
        let channel = self.channel.as_ref().zip(it.distribution_channel.as_ref());
        other(Some(self.survey_id), it.survey_id)
            || other(Some(self.panel_id), it.panel_id)
            || other(self.sampling_project_id, it.sampling_project_id)
            || channel.is_some_and(|(wanted, is)| wanted != is)
    }

    /// Compares the interviews that it created.
    async fn likeness(&self, inspection: &Inspection, it: &Distributor) -> Result<Likeness> {
        let request = ReadInterviewListRequest::new(self.survey_id)
            .fields_to_download(["Id", "DistributorId", "PanelMemberId", "CreatedAt", "CreatedBy"])
            .conditions(column("DistributorId").is_equal_to(it.distributor_id).compile()?);
        let rows =
            inspection.client.pages::<ReadInterviewListCompact>(request).thorough(true).collect_all().await?;
        let number = |value: Option<&FieldValue>| value.and_then(FieldValue::as_i64);
        let rows = rows.iter().filter(|row| number(row.get("DistributorId")) == Some(it.distributor_id));
        let (mut ours, mut count) = (self.is_alike(it), 0);
        for row in rows {
            count += 1;
            let timing = inspection.window.place_value(row.get("CreatedAt"));
            let member = number(row.get("PanelMemberId"));
            let invited = self.member_ids.as_ref();
            let stranger = invited.zip(member).is_some_and(|(ids, member)| !ids.contains(&member));
            if stranger || matches!(timing, Place::Before | Place::After) {
                return Ok(Likeness::None);
            }
            let author = row.get("CreatedBy").and_then(FieldValue::as_str);
            ours &= timing == Place::Within && inspection.is_ours(author);
        }
        // A distributor that reached nobody has no author.
        Ok(if ours && count > 0 { Likeness::Ours } else { Likeness::Perhaps })
    }

    /// Whether all visible properties of a distributor equal the request.
    fn is_alike(&self, it: &Distributor) -> bool {
        let parts = |it: &Condition| {
            let Condition { conjunction, condition_type, identifier, condition_operator, value, .. } = it;
            let (join, kind) = (conjunction.as_str().to_owned(), condition_type.as_str().to_owned());
            (join, kind, identifier.clone(), condition_operator.as_str().to_owned(), value.clone())
        };
        let actual = it.conditions.iter().flat_map(|definition| &definition.elements).map(parts);
        let expected = self.conditions.iter().flatten().map(parts);
        let time = self.schedule_date_time;
        expected.eq(actual) && time.is_none_or(|time| it.scheduled_distribution == Some(time))
    }
}
