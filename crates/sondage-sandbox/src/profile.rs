//! What nobody has published, as settings.

use serde::{Deserialize, Serialize};

/// How the sandbox behaves where neither the specification nor the vendor's definition says how the service does.
///
/// A client that works under one setting only has guessed. Change it while the sandbox runs with
/// [`Sandbox::change_profile`](crate::Sandbox::change_profile).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)]
pub struct Profile {
    /// The number of the first page: 1 (default) or 0. Under 1, page 0 is refused.
    pub first_page: i32,
    /// The largest `pageSize`. 10,000.
    pub max_page_size: i32,
    /// What `totalCount` says. Default: the true count.
    pub total_count: TotalCount,
    /// How many of a thousand messages come back, beside those to addresses under `.invalid`, which always do. Which ones
    /// is the same in every run. 0.
    pub bounces_per_thousand: u32,
    /// The largest number of members in one create call. 10,000; more is refused as `TooManyMembers`.
    pub max_members_per_create: usize,
    /// The longest request body in bytes. 128 MiB; more is refused as `RequestTooLarge`.
    pub max_body_bytes: usize,
    /// How `membersIds` shows the members that were not created. Default: 0 in their place.
    pub members_ids: MembersIds,
    /// Whether `ReadMemberList` and `CreateMembers` insist on `tenant`. Default: yes, as specified. In the
    /// published definition it is optional.
    // API 3.6; API 3.7
    pub tenant_required: bool,
    /// Whether `ReadMemberList` insists on `interviewsRequired`. Default: no, as specified. The published
    /// definition requires it.
    // API 3.6
    pub interviews_required: bool,
    /// Where `CreateWebHook` answers. Default: at both paths that are known.
    pub create_web_hook: CreateWebHookRoute,
    /// Whether negative operators (`IsNotEqualTo`, `DoesNotContain`, ...) hold for a field without a value. Default:
    /// yes, so that each is the opposite of its positive.
    pub empty_matches_negation: bool,
    /// Whether texts are compared without regard to case. Default: no.
    pub ignore_case: bool,
    /// Whether a refresh replaces the refresh token, and a second use of the old one ends the whole family. Default: no.
    pub rotate_refresh_tokens: bool,
    /// Whether `client_credentials` is answered with a refresh token. Default: yes, as specified. The vendor's
    /// pages say not.
    // API 2.4
    pub refresh_token_for_client_credentials: bool,
    /// Whether every grant insists on `client_secret`, or only `client_credentials`. Default: only
    /// that one. A wrong secret is always refused.
    // API 2.1
    pub client_secret_always_required: bool,
    /// How the authorization code comes back. Default: in the query. A request's `response_mode` overrides it.
    pub code_delivery: CodeDelivery,
    /// The deprecated `GetApiToken`. Default: an object, as specified.
    // API 2.8
    pub get_api_token: GetApiTokenAnswer,
    /// What a webhook's body is. Default: the entity with the event type beside it.
    pub web_hook_body: WebHookBody,
    /// The HTTP method of a webhook. `POST`.
    pub web_hook_method: String,
    /// How often an event is tried in all, until a status from 200 to 299 comes. 5, as a public paper says.
    pub web_hook_attempts: u32,
    /// Seconds by the sandbox's clock before the second attempt; each further wait is four times as long. 60.
    pub web_hook_backoff_seconds: u32,
    /// Milliseconds of real time after which a receiver that does not answer has failed. 10,000.
    pub web_hook_timeout_ms: u64,
    /// Seconds by the sandbox's clock for which a link of `DownloadAnswers` works. 900.
    pub download_link_seconds: u32,
    /// What an `answersLink` leads to. Default: a PDF, as specified.
    // API 3.4
    pub answers_link: AnswersLink,
    /// Whether the ledger keeps the bodies of API calls, for tests of what exactly a client sends. Default: no, because
    /// they hold personal data. Calls that carry a password are never kept.
    pub keep_bodies: bool,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            first_page: 1,
            max_page_size: 10_000,
            total_count: TotalCount::True,
            bounces_per_thousand: 0,
            max_members_per_create: 10_000,
            max_body_bytes: 128 << 20,
            members_ids: MembersIds::Zeros,
            tenant_required: true,
            interviews_required: false,
            create_web_hook: CreateWebHookRoute::Both,
            empty_matches_negation: true,
            ignore_case: false,
            rotate_refresh_tokens: false,
            refresh_token_for_client_credentials: true,
            client_secret_always_required: false,
            code_delivery: CodeDelivery::Query,
            get_api_token: GetApiTokenAnswer::Object,
            web_hook_body: WebHookBody::Wrapped,
            web_hook_method: "POST".to_owned(),
            web_hook_attempts: 5,
            web_hook_backoff_seconds: 60,
            web_hook_timeout_ms: 10_000,
            download_link_seconds: 900,
            answers_link: AnswersLink::Pdf,
            keep_bodies: false,
        }
    }
}

/// What `totalCount` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum TotalCount {
    /// The number of rows that match, on all pages.
    True,
    /// The number of rows on this page.
    Page,
    /// Always 0, as in the vendor's own example.
    Zero,
}

/// How `membersIds` shows the members that were not created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum MembersIds {
    /// As many ids as members, 0 for those that failed.
    Zeros,
    /// As many ids as members, null for those that failed.
    Nulls,
    /// Only the ids that exist: nothing tells which members failed.
    Compacted,
}

/// Where `CreateWebHook` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum CreateWebHookRoute {
    /// At both paths.
    Both,
    /// Only at `/publicapi/Panel/v3/CreateWebHook`.
    // API 10.2
    Spec,
    /// Only at `/publicapi/WebHook/v3/CreateWebHook`: the specified path answers 404.
    // API 1.7, published
    Published,
}

/// How the authorization code comes back to `redirect_uri`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum CodeDelivery {
    /// `?code=...&state=...`
    Query,
    /// `#code=...&state=...`
    Fragment,
    /// A page that posts them as a form.
    FormPost,
}

/// The deprecated `GetApiToken`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum GetApiTokenAnswer {
    /// `{"accessToken": ..., "isSuccess": true, "errorMessage": ""}`.
    // API 2.8
    Object,
    /// A bare JSON string, as one public program reads it.
    Text,
    /// Switched off: 404, as after the end of its support.
    Off,
}

/// What an `answersLink` leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum AnswersLink {
    /// A PDF of the answers.
    // API 3.4
    Pdf,
    /// A page to print.
    // API 3.4, published
    PrintPage,
}

/// What a webhook's body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum WebHookBody {
    /// `{"eventType": ..., "entityIdentifier": ..., "entity": {...}}`
    Wrapped,
    /// The entity only, without the type of the event.
    Entity,
}
