//! Panels and samples and their members. A sample is addressed like a panel, by its id.
// API 3.1

use super::{Condition, FieldValue, Json, Paging, Secret, Timestamp, ValidationIssue, VariableType};
use indexmap::IndexMap;
use sondage_macros::{record, request, response, value};

/// The value of one field of a member.
#[value]
#[source("API 3.3, specified")]
pub struct MemberField {
    /// The field's name, which is also its key in `fields`.
    pub name: String,
    /// The data type; usually `String` or `Number`.
    pub field_type: VariableType,
    /// The value, or null when the field is empty.
    pub value: FieldValue,
}

/// A person in a panel or sample.
#[record]
#[source("API 3.2, specified")]
pub struct Member {
    /// Assigned by the service.
    #[wire(id)]
    pub id: i64,
    /// The fields by name. Only the requested ones, if the request named fields.
    pub fields: IndexMap<String, MemberField>,
    /// When the member was created.
    pub created_at: Timestamp,
    /// Who created the member.
    #[wire(max_length = 64)]
    pub created_by: Option<String>,
    /// When the member was last changed; `None` if never.
    pub updated_at: Option<Timestamp>,
    /// Who changed the member last; `None` if nobody did.
    #[wire(max_length = 64)]
    pub updated_by: Option<String>,
    /// The member's interviews, if they were requested; otherwise empty.
    pub interviews: Vec<MemberInterview>,
}

impl Member {
    /// The value of a field, if the member has the field.
    pub fn value(&self, field: &str) -> Option<&FieldValue> {
        self.fields.get(field).map(|field| &field.value)
    }

    /// The text of a field, if it holds text.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.value(field)?.as_str()
    }
}

/// An interview of a member. Its links are not permanent: store the documents, not the links.
#[record]
#[source("API 3.4, specified")]
pub struct MemberInterview {
    /// GUID of the interview.
    pub id: String,
    /// For example `NotResponded`, `InProgress` or `Completed`.
    pub state: Option<String>,
    /// The survey.
    pub survey_id: Option<i64>,
    /// The version of the survey that was answered.
    pub survey_version_id: Option<i64>,
    /// The survey's name.
    pub survey_name: Option<String>,
    /// For example `Published`.
    pub survey_state: Option<String>,
    /// The URL of the answers as a document. It is not permanent, and never displayed: anyone who has it can read the
    /// answers.
    pub answers_link: Option<Secret>,
    /// The URL at which the member answers. It is not permanent, and never displayed: anyone who has it can answer.
    pub interview_link: Option<Secret>,
    /// When the member started, as the service's text: its format is not published.
    pub start_date: Option<String>,
    /// When the member finished, as the service's text.
    pub end_date: Option<String>,
    /// The sampling project that invited the member.
    pub sampling_project_id: Option<i64>,
    /// The distributor that sent the invitation.
    pub distributor_id: Option<i64>,
}

/// Lists the members of a panel or sample.
#[request]
#[source("API 3.6, specified")]
pub struct ReadMemberListRequest {
    /// The tenant; the client's own when left out.
    #[wire(required)]
    pub tenant: Option<String>,
    /// The panel or sample.
    pub panel_id: i64,
    /// Whether to return each member's interviews. Default: `false`.
    #[wire(required)]
    pub interviews_required: Option<bool>,
    /// Names of the fields to return. Naming them makes broad panels much faster.
    pub fields_to_download: Option<Vec<String>>,
    /// Which members.
    #[source("API 3.6, published")]
    pub conditions: Option<Vec<Condition>>,
    /// Which page of the list. Without paging the service returns up to 10,000 members and refuses more.
    #[source("API 3.6, published")]
    pub paging: Option<Paging>,
}

/// Members of a panel or sample.
#[response]
pub struct ReadMemberListResponse {
    /// The members.
    pub members: Vec<Member>,
    /// The number of members, as counted by the service. It has been seen to be 0 with one member in the list, so do not
    /// rely on it.
    pub total_count: Option<i64>,
}

/// A member to create: fields only.
#[value]
#[source("API 3.2, specified")]
pub struct NewMember {
    /// The fields by name.
    pub fields: IndexMap<String, MemberField>,
}

impl NewMember {
    /// A member with these values. A number becomes a field of type `Number`, everything else a field of type `String`;
    /// for other types, write out the fields.
    pub fn of<N: Into<String>, V: Into<FieldValue>>(values: impl IntoIterator<Item = (N, V)>) -> Self {
        let field = |(name, value): (N, V)| {
            let (name, value) = (name.into(), value.into());
            let number = matches!(value, FieldValue::Int(_) | FieldValue::Float(_));
            let field_type = if number { VariableType::Number } else { VariableType::String };
            (name.clone(), MemberField { name, field_type, value, extra: super::Extra::default() })
        };
        Self { fields: values.into_iter().map(field).collect(), extra: super::Extra::default() }
    }
}

/// Creates members in a panel or sample.
#[request]
#[source("API 3.7, specified")]
pub struct CreateMembersRequest {
    /// The tenant; the client's own when left out.
    #[wire(required)]
    pub tenant: Option<String>,
    /// The panel or sample.
    pub panel_id: i64,
    /// The members to create. An empty list is refused.
    #[wire(changes)]
    pub members: Vec<NewMember>,
}

/// Which members were created.
#[response]
pub struct CreateMembersResponse {
    /// The ids in the order of the request; `None` for a member that was not created. What the service writes for such a member is
    /// not published: null, 0, or nothing. If it writes nothing, there are fewer ids than members.
    // API 3.7
    #[wire(zeros)]
    pub members_ids: Vec<Option<i64>>,
    /// Why some members were not created.
    pub validation_issues: Vec<ValidationIssue>,
}

/// Reads the definition of a panel.
#[request]
#[source("API 3.10, published")]
pub struct ReadPanelRequest {
    /// The tenant; the client's own when left out.
    pub tenant: Option<String>,
    /// The panel.
    pub panel_id: i64,
}

/// The definition of a panel.
#[response]
pub struct ReadPanelResponse {
    /// The definition.
    pub panel: Option<PanelDefinition>,
}

/// The fields of a panel, in groups.
#[record]
#[source("API 3.10, published")]
pub struct PanelDefinition {
    /// The groups of fields.
    pub groups: Vec<PanelFieldGroup>,
    /// The access rules, unparsed.
    pub data_access_control: Option<Json>,
}

/// A group of panel fields.
#[record]
#[source("API 3.10, published")]
pub struct PanelFieldGroup {
    /// Id of the group.
    pub id: i64,
    /// Its name.
    #[wire(max_length = 128)]
    pub name: String,
    /// Its display name.
    pub display_name: Option<String>,
    /// Its fields.
    pub fields: Vec<PanelField>,
}

/// A field of a panel.
#[record]
#[source("API 3.10, published")]
pub struct PanelField {
    /// Id of the field.
    pub id: i64,
    /// Its name, as in `member.fields`.
    #[wire(max_length = 128)]
    pub name: String,
    /// Its display name.
    pub display_name: Option<String>,
    /// Whether it is a system field of the service.
    pub is_system: Option<bool>,
    /// Whether it is required for every member.
    pub mandatory: Option<bool>,
    /// Whether it is deleted when a member is anonymised.
    pub anonymize: Option<bool>,
    /// A regular expression that its values must match.
    pub validation_expression: Option<String>,
    /// The message when a value does not match.
    pub validation_error_message_id: Option<String>,
    /// Its data type.
    pub panel_field_type: VariableType,
    /// Values and their labels, by language.
    pub metadata: IndexMap<String, Vec<PanelFieldValue>>,
}

/// A value that a panel field can take.
#[record]
#[source("API 3.10, published")]
pub struct PanelFieldValue {
    /// The label of the value.
    pub display_name: String,
    /// The value as it occurs in the data.
    pub value: String,
}
