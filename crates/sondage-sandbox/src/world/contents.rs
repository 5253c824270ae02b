//! The ids of what a new sandbox contains.

use crate::account::DataCenter;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// The contents of an account, by id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seeded {
    pub(crate) tenant: String,
    pub(crate) data_center: DataCenter,
    pub(crate) workspace_id: i64,
    pub(crate) panel_id: i64,
    pub(crate) customer_panel_id: i64,
    pub(crate) survey_id: i64,
    pub(crate) feedback_survey_id: i64,
    pub(crate) message_template_id: i64,
}

/// The ids of surveys that were asked for in addition to those of the seed.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AddedSurveys {
    pub(crate) own: IndexMap<String, i64>,
    pub(crate) generated: Option<i64>,
    pub(crate) data: Option<i64>,
}
