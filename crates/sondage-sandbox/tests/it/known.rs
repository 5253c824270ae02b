//! The arguments for calls of all operations, in an account that has one object of every kind.

use crate::http::Api;
use serde_json::{Map, Value, json};
use sondage::operation::OperationInfo;
use sondage_sandbox::Account;

/// Values by the names of the fields that take them.
pub struct Known(Value);

impl Known {
    /// Creates what is missing: a webhook, and an invitation with everything that belongs to it.
    pub fn of(account: &Account, survey: i64, api: &Api) -> Self {
        let hook =
            json!({ "eventType": "Approved", "entityIdentifier": "*", "webHookUrl": "https://a.example" });
        let hook = api.ok("CreateWebHook", &hook);
        let interviews = api.ok("ReadInterviewListCompact", &json!({ "surveyId": survey }));
        let offers = api.ok("ReadIncentiveList", &json!({}));
        let panel = account.panel_id;
        let members = json!({ "tenant": account.tenant, "panelId": panel, "interviewsRequired": false });
        let member = api.ok("ReadMemberList", &members)["members"][0]["id"].clone();
        let invitation = json!({
            "surveyId": survey, "panelId": panel, "channel": "Email",
            "messageTemplateId": account.message_template_id,
        });
        let invited = api.ok("InviteMembers", &invitation);
        let definition = json!({
            "allowMultipleParticipation": false, "allowNavigateBack": true, "randomizeSections": false,
            "codeAccessMode": "None", "defaultLanguage": "de", "languages": ["de"], "sections": [],
            "customVariables": [], "surveyEndText": [],
        });
        Self(json!({
            "surveyDefinition": definition, "loadSurveyDefinition": true,
            "name": "Readers", "panelType": "Basic", "panelMembersIds": [member], "keepInterviews": true, "subject": "Hello", "body": "Ada",
            "distributorId": invited["distributorId"], "samplingProjectId": invited["samplingProjectId"],
            "emails": [{ "email": "ada@example.com", "optOutOperation": "Add" }],
            "from": "us@example.com", "to": "ada@example.com",
            "tenant": account.tenant, "panelId": panel, "surveyId": survey,
            "workspaceId": account.workspace_id, "messageTemplateId": account.message_template_id,
            "language": "fr", "interviewsRequired": true, "loadCodePlan": true, "channel": "Email",
            "members": [{ "fields": {} }, { "fields": { "Email": { "name": "Email", "fieldType": "String", "value": "x" } } }],
            "eventType": "Approved", "entityIdentifier": "*", "webHookUrl": "https://a.example",
            "webHookId": hook["webHookId"], "interviewId": interviews["interviews"][0]["Id"],
            "incentiveId": offers["panelIncentives"][0]["id"], "path": "logos/a.png",
            "workflow": "SurveyDesign", "currentState": "Published", "targetState": "Closed", "showPartialCompleted": true,
        }))
    }

    /// The value for a field, if there is one.
    pub fn value(&self, wire: &str) -> Option<&Value> {
        self.0.get(wire)
    }

    /// A request with every field for which a value is known.
    pub fn request(&self, api: &Api, row: &OperationInfo) -> Value {
        let fields = row.request.fields.iter();
        let known = fields.filter_map(|field| Some((field.wire.to_owned(), self.value(field.wire)?.clone())));
        let mut request: Map<String, Value> = known.collect();
        match row.name {
            "UpdateMembers" => {
                let member = json!([{ "id": self.0["panelMembersIds"][0], "fields": {} }]);
                drop(request.insert("members".into(), member));
            }
            "UpdateSurvey" => {
                let mut new = request.clone();
                new.extend([
                    ("name".into(), json!("New")),
                    ("workspaceId".into(), self.0["workspaceId"].clone()),
                ]);
                new.remove("surveyId");
                let draft = api.ok("CreateSurvey", &new.into())["surveyId"].clone();
                request.insert("surveyId".into(), draft);
            }
            // Only one of them may define the scope of the list.
            "WriteOptOutList" => request.retain(|name, _| matches!(name.as_str(), "panelId" | "emails")),
            _ => {}
        }
        request.into()
    }
}
