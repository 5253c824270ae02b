//! What makes, changes and removes panels and their members.

use super::{FieldValue, MemberField, NewMember, ValidationIssue, open_enum::open_enum};
use indexmap::IndexMap;
use sondage_macros::{request, response, value};

open_enum! {
    /// How much a panel can do. What tells the three apart is not published.
    #[source("API 3.11, published")]
    PanelModelType { Basic, Extended, Meta }

    /// What a field of a panel holds, where fields are added or renamed. Members show their fields by
    /// `VariableType`.
    #[source("API 3.12, published")]
    PanelMemberFieldType { Number, Real, String, DateTime, Time, Money, Guid, Boolean, Date, Json }
}

/// Creates a panel. It has no members, and the fields that the service gives every panel.
#[request]
#[source("API 3.11, published")]
pub struct CreatePanelRequest {
    /// The workspace that will hold it.
    pub workspace_id: i64,
    /// Its name: at most 256 characters.
    #[wire(max_length = 256)]
    pub name: String,
    /// How much it can do.
    pub panel_type: PanelModelType,
}

/// The new panel.
#[response]
pub struct CreatePanelResponse {
    /// Number of the panel.
    pub id: Option<i64>,
    /// Its name.
    pub name: Option<String>,
    /// Whether it is more than a basic one.
    pub is_extended_panel: Option<bool>,
    /// When it was created, as the text that came: its form is not published.
    pub created_date: Option<String>,
    /// Whether it is locked.
    pub is_lock: Option<bool>,
}

/// Adds, removes and renames fields of a panel; its members follow.
///
/// Removing a field **removes its values from every member**, and nobody can take that back.
#[request]
#[source("API 3.12, published")]
pub struct WritePanelRequest {
    /// The tenant; the client's own when left out.
    pub tenant: Option<String>,
    /// The panel.
    pub panel_id: i64,
    /// Fields to add: a name and a type each, and if members are to have it already, a value.
    #[wire(changes)]
    pub added_fields: Option<Vec<PanelMemberField>>,
    /// Fields to remove, by their numbers in `read_panel`.
    #[wire(changes)]
    pub removed_fields: Option<Vec<i64>>,
    /// Fields to rename: the number of each, and its new name.
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
    /// Number of the field, to rename it. The service gives a new one its number.
    pub id: Option<i64>,
    /// Its name, as in `member.fields`: at most 128 characters.
    #[wire(max_length = 128)]
    pub name: Option<String>,
    /// What it holds.
    #[wire(name = "type")]
    pub field_type: Option<PanelMemberFieldType>,
    /// The value that members have who are there already.
    pub value: Option<FieldValue>,
}

/// Deletes a panel with **all its members**.
#[request]
#[source("API 3.13, published")]
pub struct DeletePanelRequest {
    /// The panel.
    pub panel_id: i64,
    /// Whether the interviews of its members stay. It must be said: what happens without it is not published.
    pub keep_interviews: bool,
}

/// The panel is gone.
#[response]
pub struct DeletePanelResponse {}

/// Changes members. Whoever fails validation is not changed.
#[request]
#[source("API 3.8, published")]
pub struct UpdateMembersRequest {
    /// The tenant; the client's own when left out.
    pub tenant: Option<String>,
    /// The panel or sample.
    pub panel_id: i64,
    /// The members: the number of each, and the fields to change. An empty list is refused.
    #[wire(changes)]
    pub members: Vec<MemberChange>,
}

/// Who could not be changed.
#[response]
pub struct UpdateMembersResponse {
    /// Why members were not changed. An issue names neither the member nor the field.
    pub validation_issues: Vec<ValidationIssue>,
}

/// A member to change: its number, and the fields that get other values. Fields that are not named stay as they are
/// (assumed).
#[value]
#[source("API 3.8, published")]
pub struct MemberChange {
    /// Number of the member.
    pub id: i64,
    /// The fields by name.
    pub fields: IndexMap<String, MemberField>,
}

impl MemberChange {
    /// A member that gets these values. A number makes a field of type `Number`, everything else one of type `String`;
    /// for other types write the fields out.
    pub fn of<N: Into<String>, V: Into<FieldValue>>(
        id: i64,
        values: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let NewMember { fields, extra } = NewMember::of(values);
        Self { id, fields, extra }
    }
}

/// Deletes members of a panel, by their numbers.
#[request]
#[source("API 3.9, published")]
pub struct DeleteMembersRequest {
    /// The panel or sample.
    pub panel_id: i64,
    /// The numbers of the members. An empty list is refused.
    #[wire(selects)]
    pub panel_members_ids: Vec<i64>,
    /// Whether their interviews stay. It must be said: what happens without it is not published.
    pub keep_interviews: bool,
}

/// The members are gone.
#[response]
pub struct DeleteMembersResponse {}
