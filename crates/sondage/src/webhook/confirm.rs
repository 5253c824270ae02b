//! Reads the entity of an event from the API: a callback can be forged or late, the API's data cannot.

use super::entity::{Entity, Interview, Member, Survey};
use super::event::Event;
use crate::Client;
use crate::condition::column;
use crate::error::{Error, Result};
use crate::model::{
    EventType, Json, ReadInterviewListRequest, ReadMemberListRequest, ReadSurveyListRequest,
    ReadWorkspaceListRequest,
};
use crate::operations::{ReadSurveyList, ReadWorkspaceList};
use serde::Serialize;
use sondage_macros::report;

/// What the API says about the entity of an event.
#[report]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Confirmation {
    /// Whether the API agrees: a completed interview exists and is completed, a removed member no longer exists, anything
    /// else exists.
    pub holds: bool,
    /// The current entity, as the API returned it; none if it does not exist.
    pub current: Option<Json>,
}

impl Event {
    /// Reads the entity from the API. One call for an interview or a member; for a survey whose workspace the event does
    /// not name, all workspaces are searched.
    ///
    /// `columns` are the questions and columns of an interview, or the fields of a member, to read in addition to the
    /// service's own.
    pub async fn confirm(&self, client: &Client, columns: &[&str]) -> Result<Confirmation> {
        let event = self.event_type.as_ref();
        match &self.entity {
            Entity::Interview(interview) => self.interview(interview, client, columns, event).await,
            Entity::Member(of) => member(of, client, columns, event).await,
            Entity::Survey(of) => survey(of, client).await,
            Entity::Bounce(_) | Entity::OptOut(_) | Entity::Unknown => Err(Error::invalid_argument(format!(
                "the entity of this event ({}) cannot be read by an id",
                self.entity.kind()
            ))
            .with_hint("Handle the event by its raw text, or look in the service's lists.")),
        }
    }

    async fn interview(
        &self,
        interview: &Interview,
        client: &Client,
        columns: &[&str],
        event: Option<&EventType>,
    ) -> Result<Confirmation> {
        let watched = self.entity_identifier.as_deref().and_then(|text| text.parse().ok());
        let survey_id =
            interview.survey_id.or(watched).ok_or_else(|| missing("the survey of the interview"))?;
        let id = interview.id.as_deref().ok_or_else(|| missing("the interview"))?;
        let own = ["Id", "State", "UpdatedAt"].into_iter();
        let more = columns.iter().copied().filter(|name| !["Id", "State", "UpdatedAt"].contains(name));
        let request = ReadInterviewListRequest::new(survey_id)
            .fields_to_download(own.chain(more).map(str::to_owned).collect::<Vec<_>>())
            .conditions(column("Id").is_equal_to(id).compile()?);
        let interviews = client.read_interview_list_compact(request).await?.interviews;
        let row = interviews.into_iter().find(|row| same(row.get("Id"), id));
        let completed = row.as_ref().is_some_and(|row| same(row.get("State"), "Completed"));
        let holds = if event == Some(&EventType::InterviewComplete) { completed } else { row.is_some() };
        Ok(Confirmation { holds, current: written(row)? })
    }
}

async fn member(
    member: &Member,
    client: &Client,
    fields: &[&str],
    event: Option<&EventType>,
) -> Result<Confirmation> {
    let panel_id = member.panel_id.ok_or_else(|| missing("the panel of the member"))?;
    let id = member.id.ok_or_else(|| missing("the member"))?;
    let mut request =
        ReadMemberListRequest::new(panel_id).conditions(column("Id").is_equal_to(id).compile()?);
    if !fields.is_empty() {
        request =
            request.fields_to_download(fields.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    }
    let read_back =
        client.read_member_list(request).await?.members.into_iter().find(|member| member.id == id);
    let holds = read_back.is_none() == (event == Some(&EventType::PanelMemberRemoved));
    Ok(Confirmation { holds, current: written(read_back)? })
}

async fn survey(survey: &Survey, client: &Client) -> Result<Confirmation> {
    let id = survey.id.ok_or_else(|| missing("the survey"))?;
    let workspaces = if let Some(id) = survey.workspace_id {
        vec![id]
    } else {
        let all = client.pages::<ReadWorkspaceList>(ReadWorkspaceListRequest::new()).collect_all().await?;
        all.into_iter().map(|workspace| workspace.id).collect()
    };
    for workspace in workspaces {
        let request = ReadSurveyListRequest::new(workspace);
        let surveys = client.pages::<ReadSurveyList>(request).collect_all().await?;
        if let Some(found) = surveys.into_iter().find(|survey| survey.id == id) {
            return Ok(Confirmation { holds: true, current: written(Some(found))? });
        }
    }
    Ok(Confirmation { holds: false, current: None })
}

/// Ids are compared as text, ignoring case: a GUID may be upper or lower case.
fn same(value: Option<&crate::FieldValue>, text: &str) -> bool {
    match value {
        Some(crate::FieldValue::Text(value)) => value.eq_ignore_ascii_case(text),
        Some(crate::FieldValue::Int(value)) => value.to_string() == text,
        _ => false,
    }
}

fn written<T: Serialize>(found: Option<T>) -> Result<Option<Json>> {
    found
        .map(|it| Json::of(&it))
        .transpose()
        .map_err(|e| Error::internal(format!("a response is not JSON ({e})")))
}

fn missing(what: &str) -> Error {
    Error::invalid_argument(format!(
        "the event does not say which {} it means",
        what.trim_start_matches("the ")
    ))
    .with_hint("Handle the event by its raw text.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FieldValue;

    #[test]
    fn an_id_is_the_same_in_another_case_and_as_a_number() {
        let text = FieldValue::Text("AbC".to_owned());
        assert!(same(Some(&text), "abc") && same(Some(&text), "ABC") && !same(Some(&text), "ab"));
        assert!(same(Some(&FieldValue::Int(7)), "7") && !same(Some(&FieldValue::Int(7)), "8"));
        assert!(!same(None, "") && !same(Some(&FieldValue::Bool(true)), "true"));
    }
}
