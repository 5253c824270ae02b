//! A demo account that contains one object of every kind, and for each operation a request that succeeds in it.

use super::call::call;
use super::sandbox::client;
use serde_json::{Map, Value, json};
use sondage::Client;
use sondage::operation::OperationInfo;
use sondage::questionnaire::{self as ask, Questionnaire};
use sondage_sandbox::Sandbox;

pub struct Lived {
    pub sandbox: Sandbox,
    pub client: Client,
    /// Values by the names of the fields.
    known: Value,
    draft: Value,
    address: Value,
}

impl Lived {
    pub async fn new() -> Self {
        let sandbox = Sandbox::demo().await.expect("a sandbox");
        let client = client(&sandbox, 100);
        let make =
            async |name: &str, request: Value| call(&client, name, &request).await.expect("what is needed");
        let (panel, survey) = (sandbox.panel_id(), sandbox.feedback_survey_id());
        let (workspace, template) = (sandbox.workspace_id(), sandbox.message_template_id());
        let hook =
            json!({ "eventType": "Approved", "entityIdentifier": "*", "webHookUrl": "https://a.example" });
        let registered = make("CreateWebHook", hook).await;
        let invitation = json!({ "surveyId": survey, "panelId": panel, "messageTemplateId": template, "channel": "Email" });
        let invited = make("InviteMembers", invitation).await;
        let asked = ask::open_question("why", [("en", "Why?")]);
        let definition = Questionnaire::new(["en"]).section("Visit", [asked]).definition();
        let definition = serde_json::to_value(definition).expect("JSON");
        let draft =
            json!({ "workspaceId": workspace, "name": "Draft", "surveyDefinition": definition.clone() });
        let draft = make("CreateSurvey", draft).await["surveyId"].clone();
        make("CreateArtifact", json!({ "workspaceId": workspace, "path": "letters" })).await;
        let interviews = make("ReadInterviewListCompact", json!({ "surveyId": survey })).await;
        let offers = make("ReadIncentiveList", json!({})).await;
        let ada = json!({ "Email": { "name": "Email", "fieldType": "String", "value": "ada@example.com" } });
        let known = json!({
            "surveyId": survey, "panelId": panel, "workspaceId": workspace, "messageTemplateId": template,
            "channel": "Email", "language": "en", "interviewsRequired": false,
            "members": [{ "fields": ada }], "panelMembersIds": [500_001], "keepInterviews": true,
            "distributorId": invited["distributorId"], "samplingProjectId": invited["samplingProjectId"],
            "webHookId": registered["webHookId"], "eventType": "Approved", "entityIdentifier": "*",
            "webHookUrl": "https://a.example", "interviewId": interviews["interviews"][0]["Id"],
            "incentiveId": offers["panelIncentives"][0]["id"], "surveyDefinition": definition,
            "name": "Readers", "panelType": "Basic", "workflow": "SurveyDesign", "currentState": "Published",
            "targetState": "Closed", "from": "us@example.com", "to": "ada@example.com", "path": "letters",
        });
        let address = json!({ "subject": "Hello", "body": "Dear Ada" });
        sandbox.ledger().clear();
        Self { sandbox, client, known, draft, address }
    }

    /// A request that succeeds, with the required fields and little more.
    pub fn request(&self, row: &OperationInfo) -> Value {
        let required = row.request.fields.iter().filter(|field| field.required);
        let known =
            required.filter_map(|field| Some((field.wire.to_owned(), self.known.get(field.wire)?.clone())));
        let mut request: Map<String, Value> = known.collect();
        let mut add = |more: Value| request.extend(more.as_object().expect("an object").clone());
        match row.name {
            "UpdateMembers" => {
                let division = json!({ "name": "Division", "fieldType": "String", "value": "Sales" });
                add(json!({ "members": [{ "id": 500_001, "fields": { "Division": division } }] }));
            }
            "UpdatePanel" => add(json!({ "addedFields": [{ "name": "Points", "type": "Number" }] })),
            "UpdateSurvey" => add(json!({ "surveyId": self.draft })),
            "UpdateWebHook" => add(json!({ "webHookUrl": "https://b.example" })),
            "WriteOptOutList" => {
                let emails = json!([{ "email": "ada@example.com", "optOutOperation": "Add" }]);
                add(json!({ "panelId": self.known["panelId"], "emails": emails }));
            }
            "ExecuteSendMail" => add(self.address.clone()),
            "ExecuteWorkflowTransition" => add(json!({ "surveyId": self.known["surveyId"] })),
            "CreateArtifact" => add(json!({ "path": "logos" })),
            "InviteMembers" => add(json!({ "channel": "Email", "memberIds": [500_001, 500_002] })),
            _ => {}
        }
        request.into()
    }
}
