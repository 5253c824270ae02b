//! What events and their entities have, written down once: the core, the bindings and the generated types expand it.

/// Hands the fields of events, and of the entities that they are about, to a macro.
///
/// After `from` stand the two that an event is read from again ([`Event::kept`](crate::webhook::Event::kept)). An entity has
/// two names, the second for languages in which models have taken the first; each of its fields says as what it is read, and
/// by which words of a callback.
#[doc(hidden)]
#[macro_export]
macro_rules! webhook_shapes {
    ($apply:path) => {
        $apply! {
            event from (raw, event_type) {
                always {
                    /// The entity of the event, as far as its shape is known.
                    entity: Entity;
                    /// The same for the same event, however often and however it comes: a digest of the event type, the kind
                    /// of the entity, its id and the time of its change. Where there is no such time, the whole body stands
                    /// for it, except for interviews, which are completed once.
                    key: String;
                    /// `delivered` by the service, or `reconciled`: found by asking.
                    source: Source;
                    /// The credential ends within 30 days: register the webhook again. It is logged, too.
                    credential_ends_soon: bool;
                    /// The whole body as it arrived.
                    raw: Json;
                }
                maybe {
                    /// What happened; none when the body does not say, and the hook was not told for which event it is.
                    event_type: EventType;
                    /// What the registration watches, where the body repeats it: a survey's number or `*`.
                    entity_identifier: String;
                    /// Another key under which the same event may have come before.
                    also: String;
                    /// When the credential that came with it ends.
                    credential_ends: Timestamp;
                }
            }
            /// An interview, by the names of a member's interviews and of the service's own columns.
            // API 3.4
            Interview InterviewEntity {
                /// GUID.
                id: String = text "id" "interviewid";
                /// The survey.
                survey_id: i64 = number "surveyid";
                /// The state of the interview: `Completed`, or another word.
                state: String = text "state" "interviewstate";
                /// The panel of the member who was invited.
                panel_id: i64 = number "panelid";
                /// That member.
                panel_member_id: i64 = number "panelmemberid" "memberid";
                /// When it was begun.
                start_date: Timestamp = time "startdate";
                /// When it was finished.
                end_date: Timestamp = time "enddate";
                /// When it last changed.
                updated_at: Timestamp = time "updatedat";
            }
            /// A member of a panel.
            // API 3.2
            Member MemberEntity {
                /// Number of the member.
                id: i64 = number "id" "panelmemberid" "memberid";
                /// The panel, where it is named.
                panel_id: i64 = number "panelid";
                /// The fields by name.
                fields: Fields = fields "fields";
                /// When it was created.
                created_at: Timestamp = time "createdat";
                /// When it last changed.
                updated_at: Timestamp = time "updatedat";
            }
            /// A message that came back, by the names of the published list of bounces.
            Bounce BounceEntity {
                /// The interview of the invitation: GUID.
                interview_id: String = text "interviewid";
                /// The panel.
                panel_id: i64 = number "panelid";
                /// The member.
                panel_member_id: i64 = number "panelmemberid" "memberid";
                /// The distributor that carried the message.
                distributor_id: i64 = number "distributorid";
                /// `Hard`, `Soft`, `Spam` or another word.
                bounce_type: String = text "bouncetype" "type";
                /// When it came back.
                timestamp: Timestamp = time "timestamp";
                /// Why, in the words of the other side.
                reason: String = text "reason";
                /// The address that it was sent to.
                email: String = text "email";
                /// The number that it was sent to.
                phone: i64 = number "phone";
            }
            /// An opt-out, by the names of the published list of opt-outs.
            OptOut OptOutEntity {
                /// The address that wants no messages.
                email: String = text "email";
                /// The number that wants no messages.
                phone: i64 = number "phone";
                /// The panel, where it is named.
                panel_id: i64 = number "panelid";
                /// The member, where it is named.
                panel_member_id: i64 = number "panelmemberid" "memberid";
                /// Since when.
                opt_out_at: Timestamp = time "optoutat" "createdat";
                /// Who said so.
                opt_out_by: String = text "optoutby" "createdby";
            }
            /// A survey, by the names of the published list of surveys.
            Survey SurveyEntity {
                /// Number of the survey.
                id: i64 = number "id" "surveyid";
                /// Its workspace, where it is named.
                workspace_id: i64 = number "workspaceid";
                /// Its name.
                name: String = text "name" "surveyname";
                /// The state of the interview: `Completed`, or another word.
                status: String = text "status" "state";
                /// When it last changed.
                updated_at: Timestamp = time "updatedat" "modified" "lastmodified";
            }
        }
    };
}
