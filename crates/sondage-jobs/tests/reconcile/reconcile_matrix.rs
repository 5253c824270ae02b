//! Every operation that is never retried, cut in every way, with lists that lag, while somebody else makes the same call.
//! `reconcile` must find out what happened, and the sandbox's ledger shows whether it is right.
//!
//! `cargo xtask jobs` runs the long form, whose figures are in `docs/reliability.md`.

use crate::support::call::call;
use crate::support::sandbox::builder;
use serde_json::{Value, json};
use sondage::auth::clock::Clock;
use sondage::questionnaire::{self as ask, Questionnaire};
use sondage::{CallOptions, Client, Error, ErrorKind, internals::runtime};
use sondage_jobs::Jobs as _;
use sondage_jobs::options::ReconcileOptions;
use sondage_jobs::{Reconciled, Verdict};
use sondage_sandbox::{Effect, Fault, FaultAction, Sandbox};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// The operations, and whether the API shows anything that they create.
const OPERATIONS: [(&str, bool); 14] = [
    ("CreateMembers", true),
    ("CreatePanel", false),
    ("CreateSurvey", true),
    ("CreateWebHook", true),
    ("CreateArtifact", true),
    ("UpdatePanel", true),
    ("UpdateSurvey", true),
    ("ResetInterview", true),
    ("InviteMembers", true),
    ("CreateAndInviteMembers", true),
    ("RemindMembers", false),
    ("ExecuteSendMail", false),
    ("RedeemIncentiveCode", true),
    ("ExecuteWorkflowTransition", true),
];

/// The fault of a call.
type Happens = (&'static str, fn(Fault) -> Fault);

const HAPPENS: [Happens; 12] = [
    ("cut after the effect", Fault::cut_after_effect),
    ("503", |fault| fault.status(503)),
    ("no sense", |fault| fault.action(FaultAction::Html)),
    ("half of the JSON", |fault| fault.action(FaultAction::TruncatedJson)),
    ("cut before the request is read", Fault::cut_before_request),
    // The response arrives after the caller's deadline, and so does the effect.
    (LATE, |fault| fault.delay(Duration::from_millis(400))),
    ("reset after the effect", |fault| fault.cut_after_effect().reset()),
    ("cut in the answer", Fault::cut_mid_answer),
    ("500 after the effect", |fault| fault.after_effect().status(500)),
    ("makes no sense after the effect", |fault| fault.after_effect().action(FaultAction::Html)),
    ("no HTTP", |fault| fault.action(FaultAction::Garbage)),
    ("no envelope", |fault| fault.action(FaultAction::NoEnvelope)),
];
const LATE: &str = "after the deadline";

/// Who else makes the same call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Noise {
    Nobody,
    ColleagueBefore,
    ColleagueAfter,
    /// Another client with the same login, in this process.
    Ourselves,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    operation: &'static str,
    leaves: bool,
    happens: Happens,
    lag: u32,
    noise: Noise,
}

/// The computer's clocks, which the test moves.
#[derive(Debug)]
struct MovedClock {
    begin: Instant,
    ahead: AtomicU64,
}

impl MovedClock {
    fn ahead(&self) -> Duration {
        Duration::from_secs(self.ahead.load(Ordering::SeqCst))
    }
}

impl Clock for MovedClock {
    fn monotonic(&self) -> Duration {
        self.begin.elapsed() + self.ahead()
    }

    fn wall(&self) -> SystemTime {
        SystemTime::now() + self.ahead()
    }
}

/// A sandbox, and the clients that use it.
struct Bench {
    sandbox: Sandbox,
    clock: Arc<MovedClock>,
    client: Client,
    ourselves: Client,
    colleague: Client,
    interviews: Vec<Value>,
    definition: Value,
    incentive: Value,
    distributor: Value,
    cells: usize,
}

impl Bench {
    async fn new() -> Self {
        let sandbox = Sandbox::demo().await.expect("a sandbox");
        let clock = Arc::new(MovedClock { begin: Instant::now(), ahead: AtomicU64::new(0) });
        let settings = || builder(&sandbox).clock(clock.clone());
        let ours = || settings().client_secret(sandbox.client_secret()).build().expect("a client");
        let (client, ourselves) = (ours(), ours());
        let user = settings().username(sandbox.username()).password(sandbox.password());
        let colleague = user.build().expect("a client");
        let survey = json!({ "surveyId": sandbox.feedback_survey_id() });
        let interviews = call(&client, "ReadInterviewListCompact", &survey).await.expect("interviews");
        let interviews = interviews["interviews"].as_array().expect("a list").clone();
        let asked = ask::open_question("why", [("en", "Why?")]);
        let definition = Questionnaire::new(["en"]).section("Visit", [asked]).definition();
        let offers = call(&client, "ReadIncentiveList", &json!({})).await.expect("incentives");
        let offer = offers["panelIncentives"].as_array().expect("a list").iter();
        let offer = offer.max_by_key(|offer| offer["availableVouchersCount"].as_i64()).expect("an incentive");
        let invited = call(&client, "InviteMembers", &invitation(&sandbox)).await.expect("an invitation");
        Self {
            incentive: offer["id"].clone(),
            distributor: invited["distributorId"].clone(),
            definition: serde_json::to_value(definition).expect("JSON"),
            sandbox,
            clock,
            client,
            ourselves,
            colleague,
            interviews,
            cells: 0,
        }
    }

    /// Moves the clocks of both sides.
    fn pass(&self, seconds: u64) {
        self.clock.ahead.fetch_add(seconds, Ordering::SeqCst);
        self.sandbox.clock().advance(Duration::from_secs(seconds));
    }

    /// A request that nobody has made before.
    async fn request(&mut self, operation: &str) -> Value {
        self.cells += 1;
        let number = self.cells;
        let (panel, workspace) = (self.sandbox.panel_id(), self.sandbox.workspace_id());
        let text = |name: &str, value: String| json!({ "name": name, "fieldType": "String", "value": value });
        let member = |name: String| {
            json!({ "fields": {
                "Email": text("Email", format!("{name}{number}@matrix.example")),
                "FirstName": text("FirstName", format!("Matrix{name}{number}")),
            } })
        };
        let two = json!([member("a".to_owned()), member("b".to_owned())]);
        let draft = json!({ "workspaceId": workspace, "name": format!("Matrix {number}"), "surveyDefinition": self.definition });
        match operation {
            "CreateMembers" => {
                let bad = json!({ "fields": { "Email": text("Email", format!("no address {number}")) } });
                json!({ "panelId": panel, "members": [two[0], bad, two[1]] })
            }
            "CreatePanel" => {
                json!({ "workspaceId": workspace, "name": format!("Matrix {number}"), "panelType": "Basic" })
            }
            "CreateSurvey" => draft,
            "CreateWebHook" => {
                let url = format!("https://a.example/{number}");
                json!({ "eventType": "Approved", "entityIdentifier": "*", "webHookUrl": url })
            }
            "CreateArtifact" => json!({ "workspaceId": workspace, "path": format!("matrix/{number}") }),
            "UpdatePanel" => {
                json!({ "panelId": panel, "addedFields": [{ "name": format!("Matrix{number}"), "type": "Number" }] })
            }
            "UpdateSurvey" | "ExecuteWorkflowTransition" => {
                let made = call(&self.client, "CreateSurvey", &draft).await.expect("a survey");
                if operation == "ExecuteWorkflowTransition" {
                    return json!({ "workflow": "SurveyDesign", "surveyId": made["surveyId"], "targetState": "Published" });
                }
                let mut definition = self.definition.clone();
                definition["sections"][0]["name"] = format!("Section {number}").into();
                json!({ "surveyId": made["surveyId"], "surveyDefinition": definition })
            }
            "ResetInterview" => {
                let interview = &self.interviews[number % self.interviews.len()];
                json!({ "surveyId": self.sandbox.feedback_survey_id(), "interviewId": interview["Id"] })
            }
            "InviteMembers" => invitation(&self.sandbox),
            "CreateAndInviteMembers" => {
                let mut request = invitation(&self.sandbox);
                request["members"] = two;
                request.as_object_mut().expect("an object").remove("memberIds");
                request
            }
            "RemindMembers" => {
                let template = self.sandbox.message_template_id();
                json!({ "distributorId": self.distributor, "messageTemplateId": template })
            }
            "ExecuteSendMail" => {
                json!({ "from": "us@example.com", "to": "ada@example.com", "language": "en", "subject": "Hello", "body": "Dear Ada" })
            }
            "RedeemIncentiveCode" => json!({ "incentiveId": self.incentive }),
            other => panic!("there is no request for {other}"),
        }
    }

    fn effects(&self, operation: &str) -> Vec<Effect> {
        self.sandbox.ledger().effects(operation)
    }

    /// Makes the call of the cell. Returns what it did according to the ledger.
    async fn ours(&self, cell: &Cell, request: &Value) -> (Result<Value, Error>, Vec<Effect>) {
        let before = self.effects(cell.operation).len();
        self.sandbox.fault((cell.happens.1)(Fault::on(cell.operation)));
        let deadline = Duration::from_millis(if cell.happens.0 == LATE { 150 } else { 20_000 });
        let client = self.client.with(CallOptions::new().deadline(deadline));
        let result = call(&client, cell.operation, request).await;
        // A call that continues in the background has to end before its effect is known.
        for _ in 0..6000 {
            if self.client.pending_writes().is_empty() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        self.sandbox.clear_faults();
        (result, self.effects(cell.operation).split_off(before))
    }

    async fn reconcile(&self, id: &str, wait: Duration) -> Reconciled {
        let options = ReconcileOptions::new(id).wait(wait);
        self.client.reconcile(options).await.expect("a verdict")
    }

    /// The verdict, if the outcome was unknown.
    async fn run(&mut self, cell: &Cell) -> Option<Verdict> {
        let what = format!("{}: {}, lag {} s, {:?}", cell.operation, cell.happens.0, cell.lag, cell.noise);
        let request = self.request(cell.operation).await;
        self.pass(30);
        self.sandbox.change_profile(|profile| profile.list_lag_seconds = cell.lag);
        // A call that shows the client the service's time.
        call(&self.client, "ReadWorkspaceList", &json!({})).await.expect("a list");
        let begin = self.effects(cell.operation).len();
        // The sandbox may refuse what the other client has done already.
        if cell.noise == Noise::ColleagueBefore {
            let _ = call(&self.colleague, cell.operation, &request).await;
        }
        if cell.noise == Noise::Ourselves {
            let _ = call(&self.ourselves, cell.operation, &request).await;
        }
        let (result, done) = self.ours(cell, &request).await;
        if cell.noise == Noise::ColleagueAfter {
            let _ = call(&self.colleague, cell.operation, &request).await;
        }
        let error = match result {
            Err(error) if error.kind() == ErrorKind::OutcomeUnknown => error,
            other => {
                let id = other.as_ref().err().and_then(Error::write_id);
                assert_eq!(id, None, "{what}: an id without a question");
                return None;
            }
        };
        let id = error.write_id().unwrap_or_else(|| panic!("{what}: no id: {error}"));
        let any = self.effects(cell.operation).len() > begin;
        let early = self.reconcile(id, Duration::ZERO).await;
        judge(&format!("{what}, early"), &early, &done, any);
        let late = cell.happens.0 == LATE;
        assert!(early.verdict != Verdict::DidNotHappen || late, "{what}: too early for {early}");
        self.pass(200);
        let told = self.reconcile(id, Duration::ZERO).await;
        judge(&what, &told, &done, any);
        assert_eq!(told.again_in, None, "{what}: {told}");
        if !cell.leaves && !late {
            assert_eq!(told.verdict, Verdict::StillUnknown, "{what}: {told}");
        }
        Some(told.verdict)
    }
}

fn invitation(sandbox: &Sandbox) -> Value {
    let (survey, panel) = (sandbox.survey_id(), sandbox.panel_id());
    let template = sandbox.message_template_id();
    json!({ "surveyId": survey, "panelId": panel, "messageTemplateId": template, "channel": "Email", "memberIds": [500_001, 500_002, 500_003] })
}

/// `done`: what the call did according to the ledger. `any`: whether anybody did it.
fn judge(what: &str, told: &Reconciled, done: &[Effect], any: bool) {
    match told.verdict {
        Verdict::Happened if told.attributed => assert!(!done.is_empty(), "{what}: wrong: {told}"),
        Verdict::Happened => assert!(any, "{what}: wrong: {told}"),
        Verdict::DidNotHappen => assert!(done.is_empty(), "{what}: wrong: {told}"),
        _ => {}
    }
    if told.verdict == Verdict::Happened && told.attributed {
        let made = &done[0].ids;
        match told.operation.as_str() {
            "CreateMembers" => {
                assert_eq!(&told.ids, made, "{what}");
                assert!(
                    told.missing == [1] || told.evidence.contains("confirms it"),
                    "{what}: {:?}",
                    told.missing
                );
            }
            "CreateSurvey" | "CreateWebHook" | "CreateArtifact" | "ResetInterview" if told.ids != *made => {
                // A late response has no id of an object that existed before.
                assert!(told.ids.is_empty(), "{what}: {:?} {made:?}", told.ids);
            }
            _ => {}
        }
    }
}

fn cells(long: bool) -> Vec<Cell> {
    let happens = if long { &HAPPENS[..] } else { &HAPPENS[..6] };
    let noises: &[Noise] = if long {
        &[Noise::Nobody, Noise::ColleagueBefore, Noise::ColleagueAfter, Noise::Ourselves]
    } else {
        &[Noise::Nobody, Noise::ColleagueBefore, Noise::Ourselves]
    };
    let mut cells = Vec::new();
    for (operation, leaves) in OPERATIONS {
        for happens in happens.iter().copied() {
            for lag in [0, 5] {
                for noise in noises.iter().copied() {
                    cells.push(Cell { operation, leaves, happens, lag, noise });
                }
            }
        }
    }
    cells
}

#[test]
fn no_verdict_is_wrong() {
    let begin = Instant::now();
    let cells = cells(std::env::var_os("SONDAGE_LONG").is_some());
    let workers = 2;
    let told = std::thread::scope(|scope| {
        let work = |worker: usize| {
            let cells: Vec<Cell> = cells.iter().copied().skip(worker).step_by(workers).collect();
            scope.spawn(move || {
                runtime::block_on(async move {
                    let (mut told, mut bench) = (Vec::new(), Bench::new().await);
                    for cell in cells {
                        // The number of vouchers is limited.
                        if cell.operation == "RedeemIncentiveCode" && bench.cells % 8 == 0 {
                            bench = Bench::new().await;
                        }
                        told.push((cell, bench.run(&cell).await));
                    }
                    Ok(told)
                })
            })
        };
        let running: Vec<_> = (0..workers).map(work).collect();
        running
            .into_iter()
            .flat_map(|worker| worker.join().expect("a worker").expect("cells"))
            .collect::<Vec<_>>()
    });
    let asked = told.iter().filter_map(|(cell, verdict)| Some((cell, (*verdict)?)));
    let mut alone: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut verdicts = [0; 3];
    for (cell, verdict) in asked {
        verdicts[Verdict::ALL.iter().position(|known| *known == verdict).expect("a verdict")] += 1;
        if cell.leaves && cell.noise == Noise::Nobody {
            let counts = alone.entry(cell.operation).or_default();
            counts[0] += 1;
            counts[1] += usize::from(verdict != Verdict::StillUnknown);
        }
    }
    assert_eq!(alone.len(), 11, "every operation that leaves something has a question: {alone:?}");
    let (asked, decided) =
        alone.values().fold((0, 0), |sum, [asked, decided]| (sum.0 + asked, sum.1 + decided));
    assert!(decided * 100 >= asked * 95, "decided {decided} of {asked}: {alone:?}");
    let [happened, not, unknown] = verdicts;
    println!(
        "{} cells, {} questions, 0 wrong verdicts, {happened} happened, {not} did not, {unknown} still unknown; without noise {decided} of {asked} decided, {} s",
        told.len(),
        happened + not + unknown,
        begin.elapsed().as_secs()
    );
}
