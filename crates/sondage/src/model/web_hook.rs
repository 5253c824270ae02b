//! Webhook registrations: which events call which address.
// API 10.1; API 10.2; API 10.4

use super::{Secret, Timestamp, open_enum::open_enum};
use sondage_macros::{record, request, response};

open_enum! {
    /// What can happen.
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
    /// The survey to watch, by its number, or `*` for all.
    pub entity_identifier: String,
    /// The https address that is called. It may hold a secret, so it is shown nowhere.
    pub web_hook_url: Secret,
    /// The whole value of the `Authorization` header that the service sends. Only for the Basic and Bearer
    /// strategies.
    #[source("API 10.2, published")]
    pub security_token: Option<Secret>,
}

/// The registration.
#[response]
pub struct CreateWebHookResponse {
    /// GUID of the registration: it is needed to change or delete it.
    pub web_hook_id: Option<String>,
}

/// Asks for the registrations.
#[request]
#[source("API 10.3, published")]
pub struct ReadWebHookListRequest {
    /// Only those for this event.
    pub event_type: Option<EventType>,
    /// Only those for this survey, by its number, or for `*`.
    pub entity_identifier: Option<String>,
}

/// The registrations.
#[response]
pub struct ReadWebHookListResponse {
    /// The registrations.
    pub web_hooks: Vec<WebHook>,
}

/// A registration. The service shows neither its address nor its security token.
#[record]
#[source("API 10.3, published")]
pub struct WebHook {
    /// GUID of the registration: it is needed to change or delete it.
    #[wire(id)]
    pub id: String,
    /// The event to which it subscribes.
    pub event_type: Option<EventType>,
    /// The survey that it watches, by its number, or `*` for all.
    pub entity_identifier: Option<String>,
    /// When it was made.
    pub created_at: Option<Timestamp>,
    /// Who made it.
    #[wire(max_length = 64)]
    pub created_by: Option<String>,
    /// When it was last changed.
    pub updated_at: Option<Timestamp>,
    /// Who changed it.
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
    /// The survey to watch, by its number, or `*` for all.
    #[source("API 10.4, published")]
    pub entity_identifier: Option<String>,
    /// The https address that is called. It may hold a secret, so it is shown nowhere.
    #[source("API 10.4, published")]
    pub web_hook_url: Option<Secret>,
    /// The whole value of the `Authorization` header that the service sends.
    #[source("API 10.4, published")]
    pub security_token: Option<Secret>,
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

/// The registration is gone.
#[response]
pub struct DeleteWebHookResponse {}
