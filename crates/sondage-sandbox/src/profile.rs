//! Unpublished behaviour of the service, as settings.

use serde::{Deserialize, Serialize};

/// How the sandbox behaves where neither the specification nor the vendor's definition says how the service does.
///
/// A client that works only under one setting relies on a guess. Change settings while the sandbox runs with
/// [`Sandbox::change_profile`](crate::Sandbox::change_profile).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)]
pub struct Profile {
    /// The number of the first page: 1 (default) or 0. Under 1, page 0 is refused.
    pub first_page: i32,
    /// The maximum `pageSize`. Default: 10,000.
    pub max_page_size: i32,
    /// The value of `totalCount`. Default: the true count.
    pub total_count: TotalCount,
    /// How many of a thousand messages bounce, in addition to those to addresses under `.invalid`, which always do. The
    /// same messages bounce in every run. Default: 0.
    pub bounces_per_thousand: u32,
    /// The maximum number of members in one create call. Default: 10,000; more is refused as `TooManyMembers`.
    pub max_members_per_create: usize,
    /// The maximum size of a request body in bytes. Default: 128 MiB; more is refused as `RequestTooLarge`.
    pub max_body_bytes: usize,
    /// How `membersIds` shows the members that were not created. Default: 0 in their place.
    pub members_ids: MembersIds,
    /// Whether `ReadMemberList` and `CreateMembers` require `tenant`. Default: yes, as specified. In the published
    /// definition it is optional.
    // API 3.6; API 3.7
    pub tenant_required: bool,
    /// Whether `ReadMemberList` requires `interviewsRequired`. Default: no, as specified. The published definition
    /// requires it.
    // API 3.6
    pub interviews_required: bool,
    /// Whether deletions require `keepInterviews`. Default: no, as published; without it the interviews go, because .NET reads
    /// a missing boolean as false (assumed).
    // API 3.9
    pub keep_interviews_required: bool,
    /// The path of `CreateWebHook`. Default: both known paths.
    pub create_web_hook: CreateWebHookRoute,
    /// Whether negative operators (`IsNotEqualTo`, `DoesNotContain`, ...) match a field without a value. Default: yes, so
    /// that each is the negation of its positive operator.
    pub empty_matches_negation: bool,
    /// Whether text is compared ignoring case. Default: no.
    pub ignore_case: bool,
    /// Whether a refresh replaces the refresh token, and using the old one again revokes the whole family. Default: no.
    pub rotate_refresh_tokens: bool,
    /// Whether the response to `client_credentials` has a refresh token. Default: yes, as specified. The vendor's pages
    /// say no.
    // API 2.4
    pub refresh_token_for_client_credentials: bool,
    /// Whether every grant requires `client_secret`, or only `client_credentials`. Default: only that one. A wrong secret
    /// is always refused.
    // API 2.1
    pub client_secret_always_required: bool,
    /// How the authorization code is returned. Default: in the query. A request's `response_mode` overrides it.
    pub code_delivery: CodeDelivery,
    /// The deprecated `GetApiToken`. Default: an object, as specified.
    // API 2.8
    pub get_api_token: GetApiTokenAnswer,
    /// The body of a webhook. Default: the entity and the event type.
    pub web_hook_body: WebHookBody,
    /// The HTTP method of a webhook. Default: `POST`.
    pub web_hook_method: String,
    /// The total number of attempts per event, until a status from 200 to 299 is returned. Default: 5, as a public paper
    /// says.
    pub web_hook_attempts: u32,
    /// Seconds by the sandbox's clock before the second attempt; each further delay is four times as long. Default: 60.
    pub web_hook_backoff_seconds: u32,
    /// The timeout of a receiver, in milliseconds of real time. Default: 10,000.
    pub web_hook_timeout_ms: u64,
    /// How long a link of `DownloadAnswers` works, in seconds by the sandbox's clock. Default: 900.
    pub download_link_seconds: u32,
    /// The document behind an `answersLink`. Default: a PDF, as specified.
    // API 3.4
    pub answers_link: AnswersLink,
    /// Seconds by the sandbox's clock until lists show a new object, to test clients that read a list immediately.
    /// Default: 0.
    pub list_lag_seconds: u32,
    /// The code with which a question stores "not available", where it offers that, or `null` for none. Default: 9,999,999, as in
    /// the conditions of public questionnaires.
    pub not_available: Option<i64>,
    /// Whether the code plan lists "not available" among the values of a question. Default: yes.
    pub not_available_in_code_plan: bool,
    /// Which answers [`Sandbox::answer`](crate::Sandbox::answer) and [`Cause::Complete`](crate::Cause::Complete) store. Default: those
    /// that somebody can give on the survey's pages.
    pub accepted_answers: AcceptedAnswers,
    /// Whether interviews have a column `code__count` with the number of choices of a multiple choice. Default: yes, because
    /// conditions of public questionnaires use it.
    pub count_columns: bool,
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
            keep_interviews_required: false,
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
            list_lag_seconds: 0,
            not_available: Some(9_999_999),
            not_available_in_code_plan: true,
            accepted_answers: AcceptedAnswers::Asked,
            count_columns: true,
            keep_bodies: false,
        }
    }
}

/// The value of `totalCount`.
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
    /// Only the ids of created members: nothing shows which members failed.
    Compacted,
}

/// The path of `CreateWebHook`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum CreateWebHookRoute {
    /// At both paths.
    Both,
    /// Only at `/publicapi/Panel/v3/CreateWebHook`.
    // API 10.2
    Spec,
    /// Only at `/publicapi/WebHook/v3/CreateWebHook`: the specified path responds with 404.
    // API 1.7, published
    Published,
}

/// The answers of a program that are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum AcceptedAnswers {
    /// Those that a survey accepts, to questions that its conditions show.
    Asked,
    /// Also to questions that are not shown, as in data of somebody who went back and answered otherwise.
    AlsoNotAsked,
    /// Everything, without checks: for programs that have to read what no survey accepts.
    Any,
}

/// How the authorization code is returned to `redirect_uri`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum CodeDelivery {
    /// `?code=...&state=...`
    Query,
    /// `#code=...&state=...`
    Fragment,
    /// A page that posts it as a form.
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
    /// Disabled: 404, as after the end of its support.
    Off,
}

/// The document behind an `answersLink`.
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

/// The body of a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum WebHookBody {
    /// `{"eventType": ..., "entityIdentifier": ..., "entity": {...}}`
    Wrapped,
    /// The entity only, without the type of the event.
    Entity,
}
