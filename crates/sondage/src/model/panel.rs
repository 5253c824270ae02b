//! Panels and samples and their members. A sample is addressed like a panel, by its number.
// API 3.1

use super::{Condition, FieldValue, Json, Paging, Secret, Timestamp, ValidationIssue, VariableType};
use indexmap::IndexMap;
use sondage_macros::{record, request, response, value};

/// The value of one field of a member.
#[value]
#[source("API 3.3, specified")]
pub struct MemberField {
    /// The field's name: the same as its key in `fields`.
    pub name: String,
    /// What kind of value it holds; `String` and `Number` are the usual ones.
    pub field_type: VariableType,
    /// The value, or null when the field has none.
    pub value: FieldValue,
}

/// A person in a panel or sample.
#[record]
#[source("API 3.2, specified")]
pub struct Member {
    /// Assigned by the service.
    #[wire(id)]
    pub id: i64,
    /// The fields by name. Only those asked for, when a list of fields was given.
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
    /// The member's interviews, when they were asked for; otherwise empty.
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
    /// Where the answers can be seen as a document. Not permanent, and shown nowhere: whoever has it can read the answers.
    pub answers_link: Option<Secret>,
    /// Where the member answers. Not permanent, and shown nowhere: whoever has it can answer.
    pub interview_link: Option<Secret>,
    /// When the member began, as the text that came: its form is not published.
    pub start_date: Option<String>,
    /// When the member finished, as the text that came.
    pub end_date: Option<String>,
    /// The sampling project that invited the member.
    pub sampling_project_id: Option<i64>,
    /// The distributor that carried the invitation.
    pub distributor_id: Option<i64>,
}

/// Asks for the members of a panel or sample.
#[request]
#[source("API 3.6, specified")]
pub struct ReadMemberListRequest {
    /// The tenant; the client's own when left out.
    #[wire(required)]
    pub tenant: Option<String>,
    /// The panel or sample.
    pub panel_id: i64,
    /// Whether each member carries its interviews; `false` when left out.
    #[wire(required)]
    pub interviews_required: Option<bool>,
    /// Names of the fields to return. Naming them makes broad panels much faster.
    pub fields_to_download: Option<Vec<String>>,
    /// Which members.
    #[source("API 3.6, published")]
    pub conditions: Option<Vec<Condition>>,
    /// Which part of the list. Without paging the service returns up to 10,000 members and refuses more.
    #[source("API 3.6, published")]
    pub paging: Option<Paging>,
}

/// Members of a panel or sample.
#[response]
pub struct ReadMemberListResponse {
    /// The members.
    pub members: Vec<Member>,
    /// How many members there are, as the service counts. It has been seen to be 0 beside one member: information,
    /// not a promise.
    pub total_count: Option<i64>,
}

/// A member to create: only fields.
#[value]
#[source("API 3.2, specified")]
pub struct NewMember {
    /// The fields by name.
    pub fields: IndexMap<String, MemberField>,
}

impl NewMember {
    /// A member with these values. A number makes a field of type `Number`, everything else one of type `String`; for
    /// other types write the fields out.
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
    /// The members to create, one or many. An empty list is refused.
    #[wire(changes)]
    pub members: Vec<NewMember>,
}

/// Which members were created.
#[response]
pub struct CreateMembersResponse {
    /// The ids in the order of the request. What stands in the place of a member that failed is not
    /// published: nothing, null or 0.
    // API 3.7
    pub members_ids: Vec<Option<i64>>,
    /// Why members were not created.
    pub validation_issues: Vec<ValidationIssue>,
}

/// Asks for the definition of a panel.
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
    /// Who may see what, as it came.
    pub data_access_control: Option<Json>,
}

/// A group of panel fields.
#[record]
#[source("API 3.10, published")]
pub struct PanelFieldGroup {
    /// Number of the group.
    pub id: i64,
    /// Its name.
    #[wire(max_length = 128)]
    pub name: String,
    /// Its name as people see it.
    pub display_name: Option<String>,
    /// Its fields.
    pub fields: Vec<PanelField>,
}

/// A field of a panel.
#[record]
#[source("API 3.10, published")]
pub struct PanelField {
    /// Number of the field.
    pub id: i64,
    /// Its name, as in `member.fields`.
    #[wire(max_length = 128)]
    pub name: String,
    /// Its name as people see it.
    pub display_name: Option<String>,
    /// Whether the service itself made it.
    pub is_system: Option<bool>,
    /// Whether a member must have it.
    pub mandatory: Option<bool>,
    /// Whether it is removed when a member is anonymised.
    pub anonymize: Option<bool>,
    /// A regular expression that its values match.
    pub validation_expression: Option<String>,
    /// The message shown when they do not.
    pub validation_error_message_id: Option<String>,
    /// What it holds.
    pub panel_field_type: VariableType,
    /// Values and their labels, by language.
    pub metadata: IndexMap<String, Vec<PanelFieldValue>>,
}

/// A value that a panel field can take.
#[record]
#[source("API 3.10, published")]
pub struct PanelFieldValue {
    /// What the value means.
    pub display_name: String,
    /// The value as it stands in the data.
    pub value: String,
}
