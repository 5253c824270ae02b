//! The fields of events and their entities, defined once: the core, the bindings and the generated types expand this.

/// Passes the fields of events, and of their entities, to a macro.
///
/// After `from` come the two fields from which an event can be restored ([`Event::kept`](crate::webhook::Event::kept)). An
/// entity has two names: the second one is for languages in which a model has the first. Each field of an entity has a
/// type, and the keys under which a callback may contain it.
#[doc(hidden)]
#[macro_export]
macro_rules! webhook_shapes {
    ($apply:path) => {
        $apply! {
            event from (raw, event_type) {
                always {
                    /// The entity of the event, as far as its format is known.
                    entity: Entity;
                    /// Equal for the same event, however often and in whatever way it is received: a digest of the event
                    /// type, the kind of the entity, its id and the time of its change. If there is no such time, the whole
                    /// body is used instead, except for interviews, which are completed only once.
                    key: String;
                    /// `"delivered"` by the service, or `"reconciled"`: found by polling.
                    source: Source;
                    /// The credential expires within 30 days: register the webhook again. A warning is logged as well.
                    credential_ends_soon: bool;
                    /// The whole body as received.
                    raw: Json;
                }
                maybe {
                    /// The event type; none if the body does not name it, and it was not set on the hook.
                    event_type: EventType;
                    /// What the registration watches, if the body says so: the id of a survey, or `*`.
                    entity_identifier: String;
                    /// Another key under which the same event may have been received before.
                    also: String;
                    /// When the credential of the request expires.
                    credential_ends: Timestamp;
                }
            }
            /// An interview, with the field names of a member's interviews and of the service's system columns.
            // API 3.4
            Interview InterviewEntity {
                /// GUID.
                id: String = text "id" "interviewid";
                /// The survey.
                survey_id: i64 = number "surveyid";
                /// The state of the interview, for example `Completed`.
                state: String = text "state" "interviewstate";
                /// The panel of the invited member.
                panel_id: i64 = number "panelid";
                /// That member.
                panel_member_id: i64 = number "panelmemberid" "memberid";
                /// When it was started.
                start_date: Timestamp = time "startdate";
                /// When it was finished.
                end_date: Timestamp = time "enddate";
                /// When it last changed.
                updated_at: Timestamp = time "updatedat";
            }
            /// A member of a panel.
            // API 3.2
            Member MemberEntity {
                /// Id of the member.
                id: i64 = number "id" "panelmemberid" "memberid";
                /// The panel, if known.
                panel_id: i64 = number "panelid";
                /// The fields by name.
                fields: Fields = fields "fields";
                /// When it was created.
                created_at: Timestamp = time "createdat";
                /// When it last changed.
                updated_at: Timestamp = time "updatedat";
            }
            /// A bounced message, with the field names of the published list of bounces.
            Bounce BounceEntity {
                /// The interview of the invitation: GUID.
                interview_id: String = text "interviewid";
                /// The panel.
                panel_id: i64 = number "panelid";
                /// The member.
                panel_member_id: i64 = number "panelmemberid" "memberid";
                /// The distributor that sent the message.
                distributor_id: i64 = number "distributorid";
                /// `Hard`, `Soft`, `Spam` or another value.
                bounce_type: String = text "bouncetype" "type";
                /// When it bounced.
                timestamp: Timestamp = time "timestamp";
                /// The reason that the recipient's side gave.
                reason: String = text "reason";
                /// The address that it was sent to.
                email: String = text "email";
                /// The mobile number that it was sent to.
                phone: i64 = number "phone";
            }
            /// An opt-out, by the names of the published list of opt-outs.
            OptOut OptOutEntity {
                /// The address that must get no messages.
                email: String = text "email";
                /// The mobile number that must get no messages.
                phone: i64 = number "phone";
                /// The panel, if known.
                panel_id: i64 = number "panelid";
                /// The member, if known.
                panel_member_id: i64 = number "panelmemberid" "memberid";
                /// Since when.
                opt_out_at: Timestamp = time "optoutat" "createdat";
                /// Who added or removed the entry.
                opt_out_by: String = text "optoutby" "createdby";
            }
            /// A survey, by the names of the published list of surveys.
            Survey SurveyEntity {
                /// Id of the survey.
                id: i64 = number "id" "surveyid";
                /// Its workspace, if known.
                workspace_id: i64 = number "workspaceid";
                /// Its name.
                name: String = text "name" "surveyname";
                /// The state of the interview, for example `Completed`.
                status: String = text "status" "state";
                /// When it last changed.
                updated_at: Timestamp = time "updatedat" "modified" "lastmodified";
            }
        }
    };
}
