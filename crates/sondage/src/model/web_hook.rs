//! Webhook registrations: which events call which address (spec 2.9, 4.6, 4.7).

use super::{Secret, Timestamp, open_enum::open_enum};
use sondage_macros::{record, request, response};

open_enum! {
    /// What can happen (spec 6).
    EventType {
        ApprovalRequest, Approved, InterviewComplete, HardBounce, OptOutAdded, OptOutRemoved, PanelMemberAdded,
        PanelMemberRemoved, PanelMemberUpdated, SurveyClosed,
    }
}

/// Registers a webhook (spec 4.6).
#[request]
pub struct CreateWebHookRequest {
    /// The event to be told of.
    pub event_type: EventType,
    /// The survey to watch, by its number, or `*` for all.
    pub entity_identifier: String,
    /// The https address that is called. It may hold a secret, so it is shown nowhere.
    pub web_hook_url: Secret,
    /// The whole value of the `Authorization` header that the service sends (published). Only for the Basic and Bearer
    /// strategies.
    pub security_token: Option<Secret>,
}

/// The registration.
#[response]
pub struct CreateWebHookResponse {
    /// GUID of the registration: it is needed to change or delete it.
    pub web_hook_id: Option<String>,
}

/// Asks for the registrations (published).
#[request]
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

/// A registration (published). The service shows neither its address nor its security token.
#[record]
pub struct WebHook {
    /// GUID of the registration: it is needed to change or delete it.
    #[wire(id)]
    pub id: String,
    /// The event that it is told of.
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

/// Changes a registration (spec 4.7; its fields are published).
#[request]
pub struct UpdateWebHookRequest {
    /// GUID of the registration.
    pub web_hook_id: String,
    /// The event to be told of.
    pub event_type: Option<EventType>,
    /// The survey to watch, by its number, or `*` for all.
    pub entity_identifier: Option<String>,
    /// The https address that is called. It may hold a secret, so it is shown nowhere.
    pub web_hook_url: Option<Secret>,
    /// The whole value of the `Authorization` header that the service sends.
    pub security_token: Option<Secret>,
}

/// The registration was changed.
#[response]
pub struct UpdateWebHookResponse {}

/// Deletes a registration (spec 4.7).
#[request]
pub struct DeleteWebHookRequest {
    /// GUID of the registration.
    pub web_hook_id: String,
}

/// The registration is gone.
#[response]
pub struct DeleteWebHookResponse {}
