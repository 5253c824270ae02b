//! After an invitation: reminders, bounces, opt-outs.

use crate::http::{Api, field};
use serde_json::{Value, json};
use sondage_sandbox::{Cause, EffectKind, Sandbox};

struct Bench {
    sandbox: Sandbox,
    api: Api,
    panel: i64,
}

impl Bench {
    /// A panel with these addresses.
    fn with(addresses: &[&str]) -> Self {
        let sandbox = Sandbox::demo_blocking().unwrap();
        let api = Api::new(&sandbox);
        let request =
            json!({ "workspaceId": sandbox.workspace_id(), "name": "Readers", "panelType": "Basic" });
        let panel = api.ok("CreatePanel", &request)["id"].as_i64().unwrap();
        let row = |address: &&str| json!({ "fields": { "Email": field("Email", "String", *address) } });
        let rows: Vec<Value> = addresses.iter().map(row).collect();
        api.ok("CreateMembers", &json!({ "tenant": "demo", "panelId": panel, "members": rows }));
        Self { sandbox, api, panel }
    }

    fn members(&self) -> Vec<Value> {
        let request = json!({ "tenant": "demo", "panelId": self.panel, "interviewsRequired": true });
        self.api.ok("ReadMemberList", &request)["members"].as_array().unwrap().clone()
    }

    fn member(&self, at: usize) -> i64 {
        self.members()[at]["id"].as_i64().unwrap()
    }

    /// Invites everybody: the response, and the number of messages sent.
    fn invite(&self) -> (Value, u64) {
        let before = self.mails("InviteMembers");
        let answer = self.api.ok(
            "InviteMembers",
            &json!({
                "surveyId": self.sandbox.survey_id(), "panelId": self.panel, "channel": "Email",
                "messageTemplateId": self.sandbox.message_template_id(),
            }),
        );
        (answer, self.mails("InviteMembers") - before)
    }

    fn reminder(&self, distributor: &Value) -> Value {
        json!({ "distributorId": distributor, "messageTemplateId": self.sandbox.message_template_id() })
    }

    fn mails(&self, operation: &str) -> u64 {
        self.sandbox.ledger().count(operation, EffectKind::MessagesSent)
    }

    fn bounces(&self) -> Vec<Value> {
        let request = json!({ "surveyId": self.sandbox.survey_id(), "panelId": self.panel });
        self.api.ok("ReadBounceList", &request)["bounces"].as_array().unwrap().clone()
    }
}

const THREE: [&str; 3] = ["a@example.com", "b@example.com", "c@nowhere.invalid"];

#[test]
fn a_reminder_reaches_those_who_have_not_answered_and_whose_mail_arrived() {
    let bench = Bench::with(&THREE);
    let (invited, sent) = bench.invite();
    assert_eq!(sent, 3);
    let interview = bench.members()[0]["interviews"][0]["id"].as_str().unwrap().to_owned();
    assert!(bench.sandbox.emit(Cause::Complete { id: interview, answers: serde_json::Map::default() }));
    let answer = bench.api.ok("RemindMembers", &bench.reminder(&invited["distributorId"]));
    assert!(answer["reminderId"].is_i64());
    let sent = bench.sandbox.ledger().effects("RemindMembers");
    let sent: Vec<_> = sent.iter().filter(|effect| effect.kind == EffectKind::MessagesSent).collect();
    assert_eq!(sent[0].ids, [bench.member(1).to_string()]);
    assert_eq!(sent.len(), 1);
}

#[test]
fn a_reminder_that_makes_no_sense_is_refused() {
    let bench = Bench::with(&THREE);
    let (invited, _) = bench.invite();
    let good = bench.reminder(&invited["distributorId"]);
    let later = bench.api.ok("InviteMembers", &json!({
        "surveyId": bench.sandbox.survey_id(), "panelId": bench.panel, "channel": "Email",
        "messageTemplateId": bench.sandbox.message_template_id(), "scheduleDateTime": "2999-01-01T00:00:00Z",
    }));
    for (name, value, word) in [
        ("distributorId", json!(1), "DistributorNotFound"),
        ("distributorId", later["distributorId"].clone(), "DistributorNotExecuted"),
        ("messageTemplateId", json!(1), "MessageTemplateNotFound"),
        ("channel", json!("LinkList"), "ChannelCannotRemind"),
        ("from", json!("nobody"), "ValidationError"),
    ] {
        let mut request = good.clone();
        request[name] = value;
        assert_eq!(bench.api.refused("RemindMembers", &request).1, word, "{name}");
    }
    assert_eq!(bench.mails("RemindMembers"), 0);
}

#[test]
fn what_cannot_arrive_comes_back() {
    let bench = Bench::with(&THREE);
    let (invited, _) = bench.invite();
    let bounces = bench.bounces();
    assert_eq!(bounces.len(), 1);
    assert_eq!(bounces[0]["email"], "c@nowhere.invalid");
    assert_eq!(bounces[0]["bounceType"], "Hard");
    assert_eq!(bounces[0]["invitationType"], "Invitation");
    assert_eq!(bounces[0]["distributorId"], invited["distributorId"]);
    assert!(bench.sandbox.emit(Cause::Bounce { member_id: bench.member(0) }));
    assert_eq!(bench.bounces().len(), 2);
    let request = |more: Value| {
        let mut request = json!({ "surveyId": bench.sandbox.survey_id() });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        bench.api.ok("ReadBounceList", &request)["bounces"].as_array().unwrap().len()
    };
    assert_eq!(request(json!({ "distributors": [1] })), 0);
    assert_eq!(request(json!({ "invitationType": "Reminder" })), 0);
    assert_eq!(request(json!({ "panelId": bench.sandbox.panel_id() })), 0);
}

#[test]
fn as_many_messages_come_back_as_the_profile_says_and_the_same_ones_each_time() {
    let addresses: Vec<String> = (0..1000).map(|at| format!("m{at}@example.com")).collect();
    let addresses: Vec<&str> = addresses.iter().map(String::as_str).collect();
    let run = || {
        let bench = Bench::with(&addresses);
        bench.sandbox.change_profile(|profile| profile.bounces_per_thousand = 100);
        bench.invite();
        bench.bounces().iter().map(|row| row["panelMemberId"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    let (first, second) = (run(), run());
    assert!((50..200).contains(&first.len()), "{}", first.len());
    assert_eq!(first, second);
}

#[test]
fn who_is_on_the_list_gets_no_message_until_taken_off() {
    let bench = Bench::with(&THREE);
    let item = |operation: &str| json!([{ "email": "A@Example.com", "optOutOperation": operation }]);
    let list = || {
        let answer = bench.api.ok("ReadOptOutList", &json!({ "panelId": bench.panel }));
        answer["optOutItems"].as_array().unwrap().len()
    };
    for (scope, id) in [("panelId", bench.panel), ("workspaceId", bench.sandbox.workspace_id())] {
        for _ in 0..2 {
            bench.api.ok("WriteOptOutList", &json!({ scope: id, "emails": item("Add") }));
        }
        assert_eq!(list(), 1, "the list of a workspace reaches the members of its panels");
        assert_eq!(bench.invite().1, 2, "{scope}");
        bench.api.ok("WriteOptOutList", &json!({ scope: id, "emails": item("Delete") }));
        assert_eq!(list(), 0);
        assert_eq!(bench.invite().1, 3, "{scope}");
    }
    for wrong in [
        json!({ "panelId": bench.panel }),
        json!({ "emails": item("Add") }),
        json!({ "panelId": bench.panel, "workspaceId": bench.sandbox.workspace_id(), "emails": item("Add") }),
        json!({ "panelId": bench.panel, "emails": item("Odd") }),
        json!({ "panelId": bench.panel, "emails": [{ "email": "nobody", "optOutOperation": "Add" }] }),
    ] {
        assert_eq!(bench.api.refused("WriteOptOutList", &wrong).1, "ValidationError", "{wrong}");
    }
}

#[test]
fn a_sampling_project_goes_with_its_distributors_and_what_was_not_sent_stays_unsent() {
    for keep in [true, false] {
        let bench = Bench::with(&THREE);
        let later = bench.api.ok("InviteMembers", &json!({
            "surveyId": bench.sandbox.survey_id(), "panelId": bench.panel, "channel": "Email",
            "messageTemplateId": bench.sandbox.message_template_id(), "scheduleDateTime": "2999-01-01T00:00:00Z",
        }));
        let project = &later["samplingProjectId"];
        let read = bench.api.ok("ReadSamplingProject", &json!({ "samplingProjectId": project }));
        assert_eq!(read["samplingProject"]["projectState"], "Scheduled");
        assert_eq!(read["samplingProject"]["panelId"], json!(bench.panel));
        let request = json!({ "samplingProjectId": project, "keepInterviews": keep });
        bench.api.ok("DeleteSamplingProject", &request);
        assert_eq!(bench.api.refused("DeleteSamplingProject", &request).1, "SamplingProjectNotFound");
        let distributor = json!({ "distributorId": later["distributorId"], "keepInterviews": keep });
        assert_eq!(bench.api.refused("DeleteDistributor", &distributor).1, "DistributorNotFound");
        let left = bench.members()[0]["interviews"].as_array().unwrap().len();
        assert_eq!(left, usize::from(keep));
        bench.sandbox.clock().set("2999-02-01T00:00:00Z".parse().unwrap());
        assert_eq!(bench.mails("*"), 0, "it was called off");
    }
}

#[test]
fn a_single_mail_is_sent_with_a_template_or_a_text_of_its_own() {
    let bench = Bench::with(&[]);
    let text = json!({
        "language": "en", "from": "us@example.com", "to": "ada@example.com", "subject": "Hello", "body": "Ada",
    });
    bench.api.ok("ExecuteSendMail", &text);
    let template = json!({
        "language": "en", "from": "us@example.com", "to": "ada@example.com",
        "messageTemplateId": bench.sandbox.message_template_id(),
    });
    bench.api.ok("ExecuteSendMail", &template);
    for (name, value, word) in [
        ("to", json!("nobody"), "ValidationError"),
        ("body", Value::Null, "ValidationError"),
        ("messageTemplateId", json!(1), "MessageTemplateNotFound"),
    ] {
        let mut request = text.clone();
        request[name] = value;
        assert_eq!(bench.api.refused("ExecuteSendMail", &request).1, word, "{name}");
    }
    assert_eq!(bench.mails("ExecuteSendMail"), 2);
}
