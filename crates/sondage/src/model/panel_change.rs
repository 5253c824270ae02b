//! Operations that create, change and delete panels and their members.

use super::{FieldValue, MemberField, NewMember, ValidationIssue, open_enum::open_enum};
use indexmap::IndexMap;
use sondage_macros::{request, response, value};

open_enum! {
    /// The type of a panel. How the three types differ is not published.
    #[source("API 3.11, published")]
    PanelModelType { Basic, Extended, Meta }

    /// The data type of a panel field, for adding or renaming fields. Members show their fields by `VariableType`.
    #[source("API 3.12, published")]
    PanelMemberFieldType { Number, Real, String, DateTime, Time, Money, Guid, Boolean, Date, Json }
}

/// Creates a panel. It has no members, and the fields that the service adds to every panel.
#[request]
#[source("API 3.11, published")]
pub struct CreatePanelRequest {
    /// The workspace that will hold it.
    pub workspace_id: i64,
    /// Its name: at most 256 characters.
    #[wire(max_length = 256)]
    pub name: String,
    /// The type of panel.
    pub panel_type: PanelModelType,
}

/// The new panel.
#[response]
pub struct CreatePanelResponse {
    /// Id of the panel.
    pub id: Option<i64>,
    /// Its name.
    pub name: Option<String>,
    /// Whether it is more than a basic panel.
    pub is_extended_panel: Option<bool>,
    /// When it was created, as the service's text: its format is not published.
    pub created_date: Option<String>,
    /// Whether it is locked.
    pub is_lock: Option<bool>,
}

/// Adds, removes and renames fields of a panel; its members are changed accordingly.
///
/// Removing a field **deletes its values from every member**, which cannot be undone.
#[request]
#[source("API 3.12, published")]
pub struct WritePanelRequest {
    /// The tenant; the client's own when left out.
    pub tenant: Option<String>,
    /// The panel.
    pub panel_id: i64,
    /// Fields to add: a name and a type each, and optionally a value for existing members.
    #[wire(changes)]
    pub added_fields: Option<Vec<PanelMemberField>>,
    /// Fields to remove, by their ids in `read_panel`.
    #[wire(changes)]
    pub removed_fields: Option<Vec<i64>>,
    /// Fields to rename: the id and the new name of each.
    #[wire(changes)]
    pub renamed_fields: Option<Vec<PanelMemberField>>,
}

/// The panel was changed.
#[response]
pub struct WritePanelResponse {}

/// A field that is added or renamed.
#[value]
#[source("API 3.12, published")]
pub struct PanelMemberField {
    /// Id of the field to rename. The service assigns the ids of new fields.
    pub id: Option<i64>,
    /// Its name, as in `member.fields`: at most 128 characters.
    #[wire(max_length = 128)]
    pub name: Option<String>,
    /// Its data type.
    #[wire(name = "type")]
    pub field_type: Option<PanelMemberFieldType>,
    /// The value of the field for existing members.
    pub value: Option<FieldValue>,
}

/// Deletes a panel with **all its members**.
#[request]
#[source("API 3.13, published")]
pub struct DeletePanelRequest {
    /// The panel.
    pub panel_id: i64,
    /// Whether the interviews of its members are kept. This is required, because the service's default is not published.
    pub keep_interviews: bool,
}

/// The panel was deleted.
#[response]
pub struct DeletePanelResponse {}

/// Changes members. Members that fail validation are not changed.
#[request]
#[source("API 3.8, published")]
pub struct UpdateMembersRequest {
    /// The tenant; the client's own when left out.
    pub tenant: Option<String>,
    /// The panel or sample.
    pub panel_id: i64,
    /// The members: the id of each, and the fields to change. An empty list is refused.
    #[wire(changes)]
    pub members: Vec<MemberChange>,
}

/// The members that could not be changed.
#[response]
pub struct UpdateMembersResponse {
    /// Why some members were not changed. An issue names neither the member nor the field.
    pub validation_issues: Vec<ValidationIssue>,
}

/// A member to change: its id, and the fields with their new values. Fields that are not listed are not changed
/// (assumed).
#[value]
#[source("API 3.8, published")]
pub struct MemberChange {
    /// Id of the member.
    pub id: i64,
    /// The fields by name.
    pub fields: IndexMap<String, MemberField>,
}

impl MemberChange {
    /// A change of a member to these values. A number becomes a field of type `Number`, everything else a field of type
    /// `String`; for other types, write out the fields.
    pub fn of<N: Into<String>, V: Into<FieldValue>>(
        id: i64,
        values: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let NewMember { fields, extra } = NewMember::of(values);
        Self { id, fields, extra }
    }
}

/// Deletes members of a panel, by their ids.
#[request]
#[source("API 3.9, published")]
pub struct DeleteMembersRequest {
    /// The panel or sample.
    pub panel_id: i64,
    /// The ids of the members. An empty list is refused.
    #[wire(selects)]
    pub panel_members_ids: Vec<i64>,
    /// Whether their interviews are kept. This is required, because the service's default is not published.
    pub keep_interviews: bool,
}

/// The members were deleted.
#[response]
pub struct DeleteMembersResponse {}
