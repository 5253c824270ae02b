//! Options for a single member.

use crate::model::NewMember;
use sondage_macros::options;

/// Options for creating one member.
#[options]
pub struct CreateMemberOptions {
    /// The panel or sample.
    pub panel_id: i64,
    /// The member, with at least one field.
    pub member: NewMember,
    /// The tenant; the client's own when left out.
    pub tenant: Option<String>,
}
