//! Webhook registrations: which events are sent to which address.
// API 10.1; API 10.2; API 10.4

use super::{Secret, Timestamp, open_enum::open_enum};
use sondage_macros::{record, request, response};

open_enum! {
    /// The event types.
    #[source("API 10.6, specified")]
    EventType {
        ApprovalRequest, Approved, InterviewComplete, HardBounce, OptOutAdded, OptOutRemoved, PanelMemberAdded,
        PanelMemberRemoved, PanelMemberUpdated, SurveyClosed,
    }
}

/// Registers a webhook.
#[request]
#[source("API 10.2, specified")]
pub struct CreateWebHookRequest {
    /// The event to subscribe to.
    pub event_type: EventType,
    /// The id of the survey to watch, or `*` for all.
    pub entity_identifier: String,
    /// The https address to call. It may contain a secret, so it is never displayed.
    pub web_hook_url: Secret,
    /// The complete value of the `Authorization` header that the service sends. Only for the Basic and Bearer strategies.
    #[source("API 10.2, published")]
    pub security_token: Option<Secret>,
    /// The workspace that owns the registration.
    #[source("API 10.2, published")]
    pub workspace_id: Option<i64>,
}

/// The registration.
#[response]
pub struct CreateWebHookResponse {
    /// GUID of the registration. It is needed to change or delete it.
    pub web_hook_id: Option<String>,
}

/// Lists the registrations.
#[request]
#[source("API 10.3, published")]
pub struct ReadWebHookListRequest {
    /// Only registrations for this event.
    pub event_type: Option<EventType>,
    /// Only registrations for this survey, by its id, or for `*`.
    pub entity_identifier: Option<String>,
    /// Only registrations of this workspace.
    pub workspace_id: Option<i64>,
}

/// The registrations.
#[response]
pub struct ReadWebHookListResponse {
    /// The registrations.
    pub web_hooks: Vec<WebHook>,
}

/// A registration. The service returns neither its address nor its security token.
#[record]
#[source("API 10.3, published")]
pub struct WebHook {
    /// GUID of the registration. It is needed to change or delete it.
    #[wire(id)]
    pub id: String,
    /// The event to which it subscribes.
    pub event_type: Option<EventType>,
    /// The id of the survey that it watches, or `*` for all.
    pub entity_identifier: Option<String>,
    /// The workspace that owns it.
    pub workspace_id: Option<i64>,
    /// When it was created.
    pub created_at: Option<Timestamp>,
    /// Who created it.
    #[wire(max_length = 64)]
    pub created_by: Option<String>,
    /// When it was last changed.
    pub updated_at: Option<Timestamp>,
    /// Who last changed it.
    #[wire(max_length = 64)]
    pub updated_by: Option<String>,
}

/// Changes a registration.
#[request]
#[source("API 10.4, specified")]
pub struct UpdateWebHookRequest {
    /// GUID of the registration.
    #[source("API 10.4, published")]
    pub web_hook_id: String,
    /// The event to subscribe to.
    #[source("API 10.4, published")]
    pub event_type: Option<EventType>,
    /// The id of the survey to watch, or `*` for all.
    #[source("API 10.4, published")]
    pub entity_identifier: Option<String>,
    /// The https address to call. It may contain a secret, so it is never displayed.
    #[source("API 10.4, published")]
    pub web_hook_url: Option<Secret>,
    /// The complete value of the `Authorization` header that the service sends.
    #[source("API 10.4, published")]
    pub security_token: Option<Secret>,
    /// The workspace that owns the registration.
    #[source("API 10.4, published")]
    pub workspace_id: Option<i64>,
}

/// The registration was changed.
#[response]
pub struct UpdateWebHookResponse {}

/// Deletes a registration.
#[request]
#[source("API 10.5, specified")]
pub struct DeleteWebHookRequest {
    /// GUID of the registration.
    #[source("API 10.5, published")]
    pub web_hook_id: String,
}

/// The registration was deleted.
#[response]
pub struct DeleteWebHookResponse {}
