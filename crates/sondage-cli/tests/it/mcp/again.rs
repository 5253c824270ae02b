//! A write whose outcome is unknown is planned once more only with `again`; one that was refused was not made.

use super::session::{Session, said};
use serde_json::{Value, json};
use sondage_sandbox::{Fault, Sandbox};

struct Scene {
    sandbox: Sandbox,
    session: Session,
    create: Value,
}

impl Scene {
    fn new(fault: Fault) -> Self {
        let sandbox = Sandbox::demo_blocking().unwrap();
        let session = Session::start(&sandbox, &["--allow", "CreateMembers"]);
        let email = json!({ "name": "Email", "fieldType": "String", "value": "a@again.example" });
        let create = json!({ "panelId": sandbox.panel_id(), "members": [{ "fields": { "Email": email } }] });
        sandbox.fault(fault);
        Self { sandbox, session, create }
    }

    fn plan(&mut self, more: &Value) -> Value {
        let mut asked = json!({ "operation": "CreateMembers", "arguments": self.create });
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.session.call("plan", &asked)
    }

    fn confirm(&mut self, plan: &Value) -> Value {
        let token = plan["structuredContent"]["token"].clone();
        assert!(token.is_string(), "{plan}");
        self.session.call("confirm", &json!({ "token": token }))
    }

    fn sent(&self) -> usize {
        self.sandbox.ledger().requests("CreateMembers").len()
    }
}

#[test]
fn after_an_unknown_outcome_the_write_needs_again() {
    let mut scene = Scene::new(Fault::on("CreateMembers").cut_after_effect());
    let plan = scene.plan(&json!({}));
    let unknown = scene.confirm(&plan);
    assert!(unknown["isError"] == true && scene.sent() == 1, "{unknown}");

    for more in [json!({}), json!({ "again": false })] {
        let refused = scene.plan(&more);
        assert!(said(&refused).contains("or may have been. Nothing was sent."), "{refused}");
        assert!(refused["structuredContent"]["token"].is_null(), "{refused}");
    }
    // The token of the first plan gives its result, and sends nothing.
    assert_eq!(scene.confirm(&plan), unknown);
    assert_eq!(scene.sent(), 1);

    let plan = scene.plan(&json!({ "again": true }));
    assert_eq!(scene.sent(), 1);
    let made = scene.confirm(&plan);
    assert!(made["isError"] != true && scene.sent() == 2, "{made}");
}

#[test]
fn a_refused_write_was_not_made() {
    let mut scene = Scene::new(Fault::on("CreateMembers").status(400));
    let plan = scene.plan(&json!({}));
    let refused = scene.confirm(&plan);
    assert!(refused["isError"] == true && scene.sent() == 1, "{refused}");
    let plan = scene.plan(&json!({}));
    let made = scene.confirm(&plan);
    assert!(made["isError"] != true && scene.sent() == 2, "{made}");
}
