//! Example values that refer to existing data of the first account of a data center.
//!
//! They are keyed by the wire names of request fields, which the API uses consistently.

use crate::account::DataCenter;
use crate::world::{PlatformState, Tenant};
use serde::Serialize;
use serde_json::{Value, json};

/// How many rows of a long list are used as examples.
const SOME: usize = 5;

/// The account that provides the examples.
pub(crate) struct Examples<'a>(Option<&'a Tenant>);

impl<'a> Examples<'a> {
    pub(crate) fn of(world: &'a PlatformState, data_center: DataCenter) -> Self {
        Self(world.tenants.iter().find(|tenant| tenant.data_center == data_center))
    }

    /// Examples for a field of a request.
    pub(crate) fn of_field(&self, wire: &str) -> Vec<Value> {
        let Some(tenant) = self.0 else { return Vec::new() };
        match wire {
            "tenant" => vec![json!(tenant.name)],
            "workspaceId" => some(tenant.workspaces.keys()),
            "surveyId" => some(tenant.surveys.keys()),
            "panelId" => some(tenant.panels.keys()),
            "messageTemplateId" => some(tenant.templates.keys()),
            "samplingProjectId" => some(tenant.sampling_projects.keys()),
            "distributorId" => some(tenant.distributors.keys()),
            "webHookId" => some(tenant.web_hooks.keys()),
            "incentiveId" => some(tenant.incentives.offers.keys()),
            "interviewId" => {
                // The first survey's values.
                some(tenant.surveys.values().filter_map(|survey| survey.interviews.keys().next()))
            }
            "memberIds" => {
                let members = tenant.panels.values().flat_map(|panel| panel.members.keys());
                vec![members.take(SOME).copied().collect()]
            }
            "language" | "locale" => some(tenant.surveys.values().map(|survey| &survey.default_language)),
            "path" => some(tenant.artifacts.iter().map(|artifact| &artifact.path)),
            _ => Vec::new(),
        }
    }
}

fn some<'v, T: Serialize + 'v>(values: impl Iterator<Item = &'v T>) -> Vec<Value> {
    values.take(SOME).map(|value| json!(value)).collect()
}
