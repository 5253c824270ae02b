//! The operation table: every call of the public API that the library knows, one row each.
//!
//! The client, the blocking client, the language bindings, the sandbox's router and the documentation expand it. To add
//! an operation, add its row here and its models in `model/<area>.rs`; the compiler and the tests name what is missing.

#[allow(clippy::wildcard_imports)] // every model is an argument or a result of some row
use crate::model::*;
use crate::operation::{Effect, Gone, Operation, OperationInfo, Paged, RequestLocation, Source};
use crate::schema::Model;

/// Passes every row to the given macro: `operations!(my_macro)` expands to `my_macro! { rows }`, and
/// `operations!(my_macro! [ extra ])` puts `[ extra ]` before the rows.
#[macro_export]
macro_rules! operations {
    ($apply:path $(, $($first:tt)*)?) => { $apply! { $($($first)*)?
        /// Requests a token with a user name and a password.
        ///
        /// Deprecated and no longer supported by the service: use one of the OAuth grants instead.
        authentication GetApiToken get_api_token(GetApiTokenRequest) -> GetApiTokenResponse {
            at "/publicapi/Authentication/v1/GetApiToken", effect Token, from Spec
        }

        /// Reads the members of a panel or sample, one page or all of them.
        ///
        /// Without paging the service returns up to 10,000 members and refuses more. `members` reads panels of any
        /// size.
        panel ReadMemberList read_member_list(ReadMemberListRequest) -> ReadMemberListResponse {
            at "/publicapi/Panel/v3/ReadMemberList", effect Read, pages members of Member, from Spec
        }

        /// Creates members in a panel or sample.
        ///
        /// Members that fail validation are not created, and are listed in `validation_issues`; the others are created.
        panel CreateMembers create_members(CreateMembersRequest) -> CreateMembersResponse {
            at "/publicapi/Panel/v3/CreateMembers", effect Create, from Spec,
            unknown then "Look the members up by a key field, such as the e-mail address, in `read_member_list` before you create them again.",
            evidence ["panelId", "members"]
        }

        /// Reads the definition of a panel: its fields, their types and their labels.
        panel ReadPanel read_panel(ReadPanelRequest) -> ReadPanelResponse {
            at "/publicapi/Panel/v3/ReadPanel", effect Read, from Published
        }

        /// Creates a panel.
        panel CreatePanel create_panel(CreatePanelRequest) -> CreatePanelResponse {
            at "/publicapi/Panel/v3/CreatePanel", effect Create, from Published,
            unknown then "Look for the panel in the web pages of the service before you create it again: the API has no list of panels.",
            evidence []
        }

        /// Adds, removes and renames fields of a panel; its members are changed accordingly.
        ///
        /// Removing a field deletes its values from every member. Check `read_panel` first.
        panel UpdatePanel update_panel(WritePanelRequest) -> WritePanelResponse {
            at "/publicapi/Panel/v3/UpdatePanel", effect SchemaChange, from Published,
            unknown then "Compare `read_panel` with what you wanted, and ask for what is missing.",
            evidence ["panelId", "addedFields", "removedFields", "renamedFields"]
        }

        /// Deletes a panel with all its members. If the call had to be retried, a panel that no longer exists counts as
        /// deleted.
        panel DeletePanel delete_panel(DeletePanelRequest) -> DeletePanelResponse {
            at "/publicapi/Panel/v3/DeletePanel", effect IdempotentWrite, from Published, gone by "PanelNotFound",
            unknown then "Make the same call again: it has the same effect."
        }

        /// Changes members, by their ids.
        ///
        /// Members that fail validation are not changed, and are listed in `validation_issues`; the others are changed.
        panel UpdateMembers update_members(UpdateMembersRequest) -> UpdateMembersResponse {
            at "/publicapi/Panel/v3/UpdateMembers", effect IdempotentWrite, from Published,
            unknown then "Make the same call again: it has the same effect."
        }

        /// Deletes members, by their ids. If the call had to be retried and names a single member, a member who no longer
        /// exists counts as deleted.
        panel DeleteMembers delete_members(DeleteMembersRequest) -> DeleteMembersResponse {
            at "/publicapi/Panel/v3/DeleteMembers", effect IdempotentWrite, from Published, gone by "MemberNotFound" of "panelMembersIds",
            unknown then "Make the same call again: it has the same effect."
        }

        /// Invites members of a panel or sample to a survey.
        ///
        /// Without `conditions` and `member_ids` everybody in the panel is invited. Count the audience first: the same
        /// conditions work in `read_member_list`.
        distribute InviteMembers invite_members(InviteMembersRequest) -> InviteMembersResponse {
            at "/publicapi/Distribute/v3/InviteMembers", effect Send, from Spec,
            unknown then "Look for a new distributor in `read_distributor_list` before you invite again.",
            evidence ["surveyId", "panelId", "channel", "samplingProjectId", "memberIds", "conditions", "scheduleDateTime"]
        }

        /// Creates members and invites them to a survey.
        distribute CreateAndInviteMembers create_and_invite_members(CreateAndInviteMembersRequest) -> CreateAndInviteMembersResponse {
            at "/publicapi/Distribute/v3/CreateAndInviteMembers", effect Send, from Spec,
            unknown then "Look for a new distributor in `read_distributor_list`, and for the members in `read_member_list`, before you repeat it.",
            evidence ["surveyId", "panelId", "members"]
        }

        /// Reads the message templates of a workspace.
        distribute ReadMessageTemplateList read_message_template_list(ReadMessageTemplateListRequest) -> ReadMessageTemplateListResponse {
            at "/publicapi/Distribute/v3/ReadMessageTemplateList", effect Read, pages message_templates of MessageTemplate, from Published
        }

        /// Reads the distributors of a survey or panel: their invitations and their status.
        distribute ReadDistributorList read_distributor_list(ReadDistributorListRequest) -> ReadDistributorListResponse {
            at "/publicapi/Distribute/v3/ReadDistributorList", effect Read, pages distributors of Distributor, from Published
        }

        /// Reminds the members of a distributor who have not answered.
        ///
        /// Without `conditions` everybody who has not answered gets a message.
        distribute RemindMembers remind_members(RemindMembersRequest) -> RemindMembersResponse {
            at "/publicapi/Distribute/v3/RemindMembers", effect Send, from Published,
            unknown then "Nothing in the API lists reminders: look in the web pages of the service before you remind again.",
            evidence []
        }

        /// Deletes a distributor. If the call had to be retried, a distributor that no longer exists counts as deleted.
        distribute DeleteDistributor delete_distributor(DeleteDistributorRequest) -> DeleteDistributorResponse {
            at "/publicapi/Distribute/v3/DeleteDistributor", effect IdempotentWrite, from Published, gone by "DistributorNotFound",
            unknown then "Make the same call again: it has the same effect."
        }

        /// Reads a sampling project, with the distributors of an invitation.
        distribute ReadSamplingProject read_sampling_project(ReadSamplingProjectRequest) -> ReadSamplingProjectResponse {
            at "/publicapi/Distribute/v3/ReadSamplingProject", effect Read, from Published
        }

        /// Deletes a sampling project and its distributors. If the call had to be retried, a project that no longer exists
        /// counts as deleted.
        distribute DeleteSamplingProject delete_sampling_project(DeleteSamplingProjectRequest) -> DeleteSamplingProjectResponse {
            at "/publicapi/Distribute/v3/DeleteSamplingProject", effect IdempotentWrite, from Published, gone by "SamplingProjectNotFound",
            unknown then "Make the same call again: it has the same effect."
        }

        /// Reads the bounced messages of a survey.
        distribute ReadBounceList read_bounce_list(ReadBounceListRequest) -> ReadBounceListResponse {
            at "/publicapi/Distribute/v3/ReadBounceList", effect Read, pages bounces of Bounce, from Published
        }

        /// Reads the opt-outs: addresses and numbers that must get no messages.
        distribute ReadOptOutList read_opt_out_list(ReadOptOutListRequest) -> ReadOptOutListResponse {
            at "/publicapi/Distribute/v3/ReadOptOutList", effect Read, pages opt_out_items of OptOutItem, from Published
        }

        /// Adds addresses and numbers to an opt-out list, or removes them.
        distribute WriteOptOutList write_opt_out_list(WriteOptOutListRequest) -> WriteOptOutListResponse {
            at "/publicapi/Distribute/v3/WriteOptOutList", effect IdempotentWrite, from Published,
            unknown then "Make the same call again: it has the same effect."
        }

        /// Reads interviews in the structured form, each as a list of columns.
        ///
        /// For a table of any size use `interviews`.
        interview ReadInterviewList read_interview_list(ReadInterviewListRequest) -> ReadInterviewListResponse {
            at "/publicapi/Interview/v3/ReadInterviewList", effect Read, pages interviews of Interview, from Spec
        }

        /// Reads interviews in the compact form, each as a flat object.
        ///
        /// For a table of any size use `interviews`.
        interview ReadInterviewListCompact read_interview_list_compact(ReadInterviewListRequest) -> ReadInterviewListCompactResponse {
            at "/publicapi/Interview/v3/ReadInterviewListCompact", effect Read, pages interviews of CompactInterview, from Spec
        }

        /// Reads one interview by its GUID, with its questionnaire if requested.
        interview ReadInterview read_interview(ReadInterviewRequest) -> ReadInterviewResponse {
            at "/publicapi/Interview/v3/ReadInterview", effect Read, from Published
        }

        /// Renders a PDF of an interview's answers, and returns a link to it.
        ///
        /// The link is not permanent: download the document immediately and store it.
        interview DownloadAnswers download_answers(DownloadAnswersRequest) -> DownloadAnswersResponse {
            at "/publicapi/Interview/v3/DownloadAnswers", in Query, effect Read, from Published
        }

        /// Deletes an interview and its answers permanently. If the call had to be retried, an interview that no longer
        /// exists counts as deleted.
        interview DeleteInterview delete_interview(DeleteInterviewRequest) -> DeleteInterviewResponse {
            at "/publicapi/Interview/v3/DeleteInterview", effect IdempotentWrite, from Published, gone by "InterviewNotFound",
            unknown then "Make the same call again: it has the same effect."
        }

        /// Resets an interview, so that it can be answered again from the beginning.
        ///
        /// It is never retried automatically: a respondent may have started to answer in the meantime, and would lose
        /// those answers.
        panel ResetInterview reset_interview(ResetInterviewRequest) -> ResetInterviewResponse {
            at "/publicapi/Panel/v3/ResetInterview", effect SchemaChange, from Published,
            unknown then "Read the state of the interview in `read_interview_list`: `NotResponded` means that it was emptied.",
            evidence ["surveyId", "interviewId"]
        }

        /// Reads the surveys of a workspace.
        survey ReadSurveyList read_survey_list(ReadSurveyListRequest) -> ReadSurveyListResponse {
            at "/publicapi/Survey/v3/ReadSurveyList", effect Read, pages surveys of SurveyListItem, from Published
        }

        /// Reads the workspaces of the account.
        survey ReadWorkspaceList read_workspace_list(ReadWorkspaceListRequest) -> ReadWorkspaceListResponse {
            at "/publicapi/Survey/v3/ReadWorkspaceList", effect Read, pages workspaces of Workspace, from Published
        }

        /// Creates a survey from a questionnaire. A workflow transition publishes it.
        survey CreateSurvey create_survey(CreateSurveyRequest) -> CreateSurveyResponse {
            at "/publicapi/Survey/v3/CreateSurvey", effect Create, from Published,
            unknown then "Look for the name in `read_survey_list` before you create it again.",
            evidence ["workspaceId", "name"]
        }

        /// Reads a survey: its state, its version and its questionnaire.
        survey ReadSurvey read_survey(ReadSurveyRequest) -> ReadSurveyResponse {
            at "/publicapi/Survey/v3/ReadSurvey", effect Read, from Published
        }

        /// Replaces the questionnaire of a survey.
        ///
        /// It is never retried automatically: changes that somebody else made in the meantime would be lost.
        survey UpdateSurvey update_survey(UpdateSurveyRequest) -> UpdateSurveyResponse {
            at "/publicapi/Survey/v3/UpdateSurvey", effect SchemaChange, from Published,
            unknown then "Read it with `read_survey` and compare the questionnaires before you change it again.",
            evidence ["surveyId", "surveyName", "surveyDefinition", "surveyConfiguration"]
        }

        /// Deletes a survey with its interviews and its links. If the call had to be retried, a survey that no longer
        /// exists counts as deleted.
        survey DeleteSurvey delete_survey(DeleteSurveyRequest) -> DeleteSurveyResponse {
            at "/publicapi/Survey/v3/DeleteSurvey", effect IdempotentWrite, from Published, gone by "SurveyNotFound",
            unknown then "Make the same call again: it has the same effect."
        }

        /// Reads the public links of a survey, by which anybody can answer it.
        survey ReadSurveyLinks read_survey_links(ReadSurveyLinksRequest) -> ReadSurveyLinksResponse {
            at "/publicapi/Survey/v3/ReadSurveyLinks", effect Read, from Published
        }

        /// Registers a webhook: the service calls the address when the event happens.
        ///
        /// The specification and the published definition name different paths. The first is tried first; a 404 or 405 that is no
        /// answer of the API proves that nothing was registered, and then the other is tried.
        web_hook CreateWebHook create_web_hook(CreateWebHookRequest) -> CreateWebHookResponse {
            at "/publicapi/Panel/v3/CreateWebHook" or "/publicapi/WebHook/v3/CreateWebHook", effect Create, from Spec,
            unknown then "Compare `read_web_hook_list` with what it was before the call; a second one is called a second time.",
            evidence ["eventType", "entityIdentifier"]
        }

        /// Reads the webhook registrations. The service returns neither their addresses nor their security tokens.
        web_hook ReadWebHookList read_web_hook_list(ReadWebHookListRequest) -> ReadWebHookListResponse {
            at "/publicapi/WebHook/v3/ReadWebHookList", effect Read, from Published
        }

        /// Changes a webhook registration.
        web_hook UpdateWebHook update_web_hook(UpdateWebHookRequest) -> UpdateWebHookResponse {
            at "/publicapi/WebHook/v3/UpdateWebHook", effect IdempotentWrite, from Spec,
            unknown then "Make the same call again: it has the same effect."
        }

        /// Deletes a webhook registration. If the call had to be retried, a registration that no longer exists counts as
        /// deleted.
        web_hook DeleteWebHook delete_web_hook(DeleteWebHookRequest) -> DeleteWebHookResponse {
            at "/publicapi/WebHook/v3/DeleteWebHook", effect IdempotentWrite, from Spec, gone by "WebHookNotFound",
            unknown then "Make the same call again: it has the same effect."
        }

        /// Reads the balance of credits, which pay for incentives.
        incentive ReadCreditBalance read_credit_balance(ReadCreditBalanceRequest) -> ReadCreditBalanceResponse {
            at "/publicapi/Incentive/v3/ReadCreditBalance", effect Read, from Published
        }

        /// Reads the incentives that credits can buy, and how many vouchers of each are left.
        incentive ReadIncentiveList read_incentive_list(ReadIncentiveListRequest) -> ReadIncentiveListResponse {
            at "/publicapi/Incentive/v3/ReadIncentiveList", effect Read, pages panel_incentives of PanelIncentive, from Published
        }

        /// Reads the transactions of the balance of credits.
        incentive ReadIncentiveTransactionList read_incentive_transaction_list(ReadIncentiveTransactionListRequest) -> ReadIncentiveTransactionListResponse {
            at "/publicapi/Incentive/v3/ReadIncentiveTransactionList", effect Read, pages incentive_transactions of IncentiveTransaction, from Published
        }

        /// Buys a voucher of an incentive with credits. It cannot be returned, and the call is never retried
        /// automatically.
        incentive RedeemIncentiveCode redeem_incentive_code(RedeemIncentiveCodeRequest) -> RedeemIncentiveCodeResponse {
            at "/publicapi/Incentive/v3/RedeemIncentiveCode", effect Send, from Published,
            unknown then "Look for a new transaction in `read_incentive_transaction_list`. The code of a voucher that was bought and did not arrive cannot be read again.",
            evidence ["incentiveId"]
        }

        /// Sends one mail to one person.
        common ExecuteSendMail execute_send_mail(ExecuteSendMailRequest) -> ExecuteSendMailResponse {
            at "/publicapi/Common/v3/ExecuteSendMail", effect Send, from Published,
            unknown then "Ask the recipient, or look in the web pages of the service: a second call is a second mail.",
            evidence []
        }

        /// Reads the transitions from a state of a workflow.
        common ReadWorkflowTransitions read_workflow_transitions(ReadWorkflowTransitionsRequest) -> ReadWorkflowTransitionsResponse {
            at "/publicapi/Common/v3/ReadWorkflowTransitions" or "/publicapi/Workflow/v3/ReadWorkflowTransitions", effect Read, from Published
        }

        /// Moves a survey, sampling project, distributor or reminder to another state: publishes or closes a survey, for
        /// example.
        ///
        /// Its consequences, such as messages that are sent, cannot be undone: it is never retried automatically. The second path
        /// is named by other clients of the service; it is tried after a 404 or 405 that is no answer of the API.
        common ExecuteWorkflowTransition execute_workflow_transition(ExecuteWorkflowTransitionRequest) -> ExecuteWorkflowTransitionResponse {
            at "/publicapi/Common/v3/ExecuteWorkflowTransition" or "/publicapi/Workflow/v3/ExecuteWorkflowTransition", effect Send, from Published,
            unknown then "Read the state, for a survey with `read_survey`: if it is the one you asked for, the transition was made.",
            evidence ["workflow", "surveyId", "samplingProjectId", "distributorId", "targetState"]
        }

        /// Creates an artifact in a workspace.
        common CreateArtifact create_artifact(CreateArtifactRequest) -> CreateArtifactResponse {
            at "/publicapi/Common/v3/CreateArtifact", effect Create, from Published,
            unknown then "Look for the path in `read_artifact_list` before you create it again.",
            evidence ["workspaceId", "path"]
        }

        /// Deletes an artifact. If the call had to be retried, an artifact that no longer exists counts as deleted.
        common DeleteArtifact delete_artifact(DeleteArtifactRequest) -> DeleteArtifactResponse {
            at "/publicapi/Common/v3/DeleteArtifact", effect IdempotentWrite, from Published, gone by "ArtifactNotFound",
            unknown then "Make the same call again: it has the same effect."
        }

        /// Reads the artifacts of a workspace. The format of the response is not published: it is in `extra`, unparsed.
        common ReadArtifactList read_artifact_list(ReadArtifactListRequest) -> ReadArtifactListResponse {
            at "/publicapi/Common/v3/ReadArtifactList", effect Read, from Published
        }
    } };
}

/// An interview in the compact form: answers by question or column.
pub type CompactInterview = indexmap::IndexMap<String, FieldValue>;

macro_rules! rows {
    ($(
        $(#[doc = $doc:literal])*
        $area:ident $Name:ident $method:ident($Request:ident) -> $Response:ident {
            at $path:literal $(or $other:literal)*, $(in $location:ident,)? effect $effect:ident, $(pages $items:ident of $Item:ty,)?
            from $source:ident $(, gone by $gone:literal $(of $list:literal)?)? $(, unknown then $reconcile:literal)?
            $(, evidence [$($evidence:literal),*])?
        }
    )*) => {
        $(
            $(#[doc = $doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $Name;

            impl Operation for $Name {
                type Request = $Request;
                type Response = $Response;
                const INFO: &'static OperationInfo = &OperationInfo {
                    name: stringify!($Name),
                    method: stringify!($method),
                    area: stringify!($area),
                    path: $path,
                    fallback_paths: &[$($other),*],
                    location: rows!(@location $($location)?),
                    effect: Effect::$effect,
                    pages: rows!(@pages $($items)?),
                    source: Source::$source,
                    reconcile: rows!(@reconcile $($reconcile)?),
                    evidence: rows!(@evidence $([$($evidence),*])?),
                    gone: rows!(@gone $($gone $($list)?)?),
                    docs: concat!($($doc, "\n"),*),
                    request: <$Request as Model>::SCHEMA,
                    response: <$Response as Model>::SCHEMA,
                };
            }

            $(impl Paged for $Name {
                type Item = $Item;

                fn turn(request: &mut $Request, paging: Paging) {
                    request.paging = Some(paging);
                }

                fn asked(request: &$Request) -> Option<&Paging> {
                    request.paging.as_ref()
                }

                fn is_filtered(request: &$Request) -> bool {
                    request.conditions.as_ref().is_some_and(|conditions| !conditions.is_empty())
                }

                fn rows(response: $Response) -> (Vec<$Item>, Option<i64>) {
                    (response.$items, response.total_count)
                }
            })?
        )*

        /// Every row, in the order of the table.
        pub const ALL: &[&OperationInfo] = &[$(<$Name as Operation>::INFO),*];
    };
    (@reconcile) => { None };
    (@reconcile $text:literal) => { Some($text) };
    (@evidence) => { None };
    (@evidence [$($field:literal),*]) => { Some(&[$($field),*]) };
    (@gone) => { None };
    (@gone $code:literal $($list:literal)?) => { Some(Gone { code: $code, list: rows!(@list $($list)?) }) };
    (@list) => { None };
    (@list $list:literal) => { Some($list) };
    (@location) => { RequestLocation::Body };
    (@location $location:ident) => { RequestLocation::$location };
    (@pages) => { None };
    (@pages $items:ident) => { Some(stringify!($items)) };
}
operations!(rows);

/// The row of an operation, by the API's name.
pub fn find(name: &str) -> Option<&'static OperationInfo> {
    ALL.iter().copied().find(|row| row.name == name)
}
