//! Mails, vouchers and transitions that are planned, cut in every way and planned again until nothing is left. According to the
//! sandbox's ledger nothing happens twice, everything that the reports call done has happened, and without a fault exactly the
//! plan is carried out.
//!
//! `SONDAGE_LONG=1` takes 1,000 cells instead of 200, `SONDAGE_SEED` other ones.

use crate::support::happens::{HAPPENS, Happens, LATE, NOTHING};
use crate::support::sandbox::client;
use fastrand::Rng;
use sondage::CallOptions;
use sondage::blocking::Client;
use sondage::model::{
    CreateMembersRequest, CreatePanelRequest, CreateSurveyRequest, NewMember, ReadIncentiveListRequest,
};
use sondage::questionnaire::{self as ask, Questionnaire};
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::{RedeemOptions, SendMailOptions, TransitionOptions};
use sondage_jobs::{SendPlan, SendReport, SendRow, SendStatus};
use sondage_sandbox::{Fault, Sandbox};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Work {
    Mails,
    Vouchers,
    Transition,
}

impl Work {
    fn operation(self) -> &'static str {
        match self {
            Self::Mails => "ExecuteSendMail",
            Self::Vouchers => "RedeemIncentiveCode",
            Self::Transition => "ExecuteWorkflowTransition",
        }
    }
}

struct Scene {
    sandbox: Sandbox,
    client: Client,
    journal: PathBuf,
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.journal);
    }
}

/// The plan of a cell: for each target its name in the ledger.
struct Wanted {
    work: Work,
    panel: i64,
    /// The survey or the incentive.
    id: i64,
    targets: BTreeMap<i64, String>,
}

impl Scene {
    fn new(number: usize) -> Self {
        let sandbox = Sandbox::demo_blocking().expect("a sandbox");
        let client = Client::from(client(&sandbox, 100));
        let name = format!("sondage-plan-matrix-{}-{number}.journal", std::process::id());
        Self { sandbox, client, journal: std::env::temp_dir().join(name) }
    }

    fn wanted(&self, rng: &mut Rng, work: Work, cell: usize) -> Wanted {
        let workspace = self.sandbox.workspace_id();
        let mut wanted = Wanted { work, panel: 0, id: 0, targets: BTreeMap::new() };
        match work {
            Work::Mails => {
                let request = CreatePanelRequest::new(workspace, "Mails", "Basic");
                wanted.panel = self.client.create_panel(request).expect("a panel").id.expect("a number");
                let people: Vec<Option<String>> = (0..=rng.usize(..7))
                    .map(|number| (rng.usize(..5) > 0).then(|| format!("p{cell}x{number}@mails.example")))
                    .chain([Some(format!("last{cell}@mails.example"))])
                    .collect();
                let members = people.iter().map(|email| {
                    let email = email.iter().map(|email| ("Email", email.as_str()));
                    NewMember::of([("Language", "de")].into_iter().chain(email))
                });
                let made = self.client.create_members(CreateMembersRequest::new(wanted.panel, members));
                let ids = made.expect("members").members_ids.into_iter().flatten();
                wanted.targets = ids.zip(people).filter_map(|(id, email)| Some((id, email?))).collect();
            }
            Work::Vouchers => {
                let offers =
                    self.client.read_incentive_list(ReadIncentiveListRequest::new()).expect("offers");
                wanted.id = offers.panel_incentives[0].id;
                let count = 1 + rng.usize(..3);
                let count = i64::try_from(count).expect("a number");
                wanted.targets = (1..=count).map(|number| (number, wanted.id.to_string())).collect();
            }
            Work::Transition => {
                let asked = ask::open_question("why", [("en", "Why?")]);
                let definition = Questionnaire::new(["en"]).section("Visit", [asked]).definition();
                let request = CreateSurveyRequest::new(workspace, format!("Matrix {cell}"), definition);
                wanted.id =
                    self.client.create_survey(request).expect("a survey").survey_id.expect("a number");
                wanted.targets = [(wanted.id, wanted.id.to_string())].into();
            }
        }
        wanted
    }

    fn plan(&self, wanted: &Wanted, late: bool, journal: bool) -> sondage::Result<SendPlan> {
        let deadline = Duration::from_millis(if late { 800 } else { 60_000 });
        let client = Client::from(self.client.as_async().with(CallOptions::new().deadline(deadline)));
        let journal = journal.then(|| self.journal.clone());
        match wanted.work {
            Work::Mails => {
                let mut options = SendMailOptions::new(wanted.panel, "us@example.com")
                    .message_template_id(self.sandbox.message_template_id());
                options.journal = journal.map(Into::into);
                client.plan_send_mail(options)
            }
            Work::Vouchers => {
                let mut options =
                    RedeemOptions::new(wanted.id).count(wanted.targets.len()).quiet(Duration::ZERO);
                options.journal = journal.map(Into::into);
                client.plan_redeem(options)
            }
            Work::Transition => {
                let mut options = TransitionOptions::new("SurveyDesign", "Published")
                    .survey_id(wanted.id)
                    .quiet(Duration::ZERO);
                options.journal = journal.map(Into::into);
                client.plan_transition(options)
            }
        }
    }

    /// How often each target was reached.
    fn done(&self, work: Work) -> BTreeMap<String, usize> {
        let mut done = BTreeMap::new();
        for effect in self.sandbox.ledger().effects(work.operation()) {
            for id in effect.ids {
                *done.entry(id).or_default() += 1;
            }
        }
        done
    }

    fn calls(&self) -> u64 {
        self.sandbox.ledger().requests("*").iter().filter(|it| it.operation != "token").count() as u64
    }

    /// Waits for a call whose caller has given up.
    fn settle(&self) {
        let end = Instant::now() + Duration::from_secs(30);
        while !self.client.as_async().pending_writes().is_empty() {
            assert!(Instant::now() < end, "a call that does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn cell(&self, rng: &mut Rng, cell: usize, work: Work, happens: Happens, totals: &mut Totals) {
        let wanted = self.wanted(rng, work, cell);
        let skip = rng.usize(..wanted.targets.len());
        let journal = rng.usize(..3) > 0;
        let what = format!(
            "{work:?} {cell}: {}, call {skip} of {}, journal {journal}",
            happens.0,
            wanted.targets.len()
        );
        let _ = std::fs::remove_file(&self.journal);
        self.sandbox.clear_faults();
        let plan =
            self.plan(&wanted, happens.0 == LATE, journal).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(plan.count(), wanted.targets.len(), "{what}: {plan}");
        if work == Work::Mails {
            assert!(plan.members().iter().eq(wanted.targets.keys()), "{what}: {plan}");
        }
        self.sandbox.ledger().clear();
        let fault = Fault::on(work.operation()).skip(skip as u64);
        // The plan's deadline ends this call, and is long enough for the others.
        let late = || fault.clone().delay(Duration::from_millis(1_500));
        self.sandbox.fault(if happens.0 == LATE { late() } else { (happens.1)(fault.clone()) });
        let ran = plan.wait(plan.token());
        self.settle();
        self.sandbox.clear_faults();
        let report = match ran {
            Ok(report) => report,
            // Nothing was sent, and the ledger must confirm that.
            Err(error) => {
                assert!(error.changed_nothing() && self.done(work).is_empty(), "{what}: {error}");
                plan.report()
            }
        };
        let mut last = self.judge(&what, &wanted, &report);
        if happens.0 == NOTHING {
            assert!(report.complete && self.calls() == plan.calls(), "{what}: {report}");
        }
        // The same plan is made again and sends what is left: a journal records it, and the state shows it for a transition.
        if journal || work == Work::Transition {
            let mut complete = report.complete;
            for _ in 0..5 {
                if last.is_empty() || complete {
                    break;
                }
                let again = self.plan(&wanted, false, journal).and_then(|plan| plan.wait(plan.token()));
                let again = again.unwrap_or_else(|error| panic!("{what}, again: {error}"));
                last = self.judge(&format!("{what}, again"), &wanted, &again);
                complete = again.complete;
            }
            // A target that the service refused is finished if nothing else is open.
            assert!(last.is_empty() || complete, "{what}: {last:?} was never sent");
        }
        if journal && report.complete {
            let calls = self.calls();
            let told = self.plan(&wanted, false, true).and_then(|plan| plan.wait(plan.token()));
            let told = told.unwrap_or_else(|error| panic!("{what}, told again: {error}"));
            let rows = |report: &SendReport| -> Vec<(i64, SendStatus)> {
                let rows = report.rows.iter().filter(|row| row.status != SendStatus::LeftOut);
                rows.map(|row| (row.target, row.status)).collect()
            };
            assert_eq!((rows(&told), self.calls()), (rows(&report), calls), "{what}, told again");
        }
        totals.cells += 1;
        totals.faults += usize::from(happens.0 != NOTHING);
        totals.done += self.done(work).values().sum::<usize>();
    }

    /// Compares a report with the ledger. Returns what was not sent.
    fn judge(&self, what: &str, wanted: &Wanted, report: &SendReport) -> BTreeSet<i64> {
        let done = self.done(wanted.work);
        let rows: BTreeMap<i64, SendStatus> =
            report.rows.iter().map(|row| (row.target, row.status)).collect();
        let of = |status: SendStatus| rows.values().filter(|it| **it == status).count();
        match wanted.work {
            // Vouchers of an incentive cannot be distinguished, so only their number is compared.
            Work::Vouchers => {
                let bought = done.values().sum::<usize>();
                let least = of(SendStatus::Done);
                let most = least + of(SendStatus::Unknown);
                assert!((least..=most).contains(&bought), "{what}: {bought} bought: {report}");
                assert!(bought <= wanted.targets.len(), "{what}: {bought} bought: {report}");
                let codes: BTreeSet<&str> = report
                    .rows
                    .iter()
                    .filter_map(|row| row.voucher_code.as_ref())
                    .map(sondage::Secret::reveal)
                    .collect();
                // The code of a voucher that was read back is lost.
                let read_back = |row: &&SendRow| row.status == SendStatus::Done && row.reason.is_some();
                let lost = report.rows.iter().filter(read_back).count();
                assert_eq!(codes.len() + lost, least, "{what}: a code for each");
            }
            Work::Mails | Work::Transition => {
                for (target, name) in &wanted.targets {
                    let often = done.get(name).copied().unwrap_or_default();
                    let fits = match rows.get(target) {
                        Some(SendStatus::Done) => often == 1,
                        Some(SendStatus::Unknown) => often <= 1,
                        Some(SendStatus::Refused | SendStatus::NotSent) => often == 0,
                        _ => false,
                    };
                    assert!(fits, "{what}: {target} was done {often} times: {report:?}");
                }
                let others = done.keys().filter(|name| !wanted.targets.values().any(|it| it == *name));
                assert_eq!(others.count(), 0, "{what}: {done:?}");
            }
        }
        assert!(of(SendStatus::Unknown) <= 1, "{what}: a run stops at the first unknown: {report}");
        let left = |status: &SendStatus| matches!(status, SendStatus::Refused | SendStatus::NotSent);
        rows.into_iter().filter(|(_, status)| left(status)).map(|(target, _)| target).collect()
    }
}

#[derive(Default)]
struct Totals {
    cells: usize,
    faults: usize,
    done: usize,
}

#[test]
fn what_is_planned_is_done_once_whatever_happens() {
    let begun = Instant::now();
    let long = std::env::var_os("SONDAGE_LONG").is_some();
    let seed = std::env::var("SONDAGE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1996);
    let (cells, mut rng, mut totals) =
        (if long { 1_000 } else { 200 }, Rng::with_seed(seed), Totals::default());
    let mut scene = Scene::new(0);
    for cell in 0..cells {
        if long && cell > 0 && cell % 100 == 0 {
            println!("{cell} of {cells} cells after {} s", begun.elapsed().as_secs());
        }
        let work = [Work::Mails, Work::Vouchers, Work::Transition][cell % 3];
        let happens = HAPPENS[cell / 3 % HAPPENS.len()];
        // The credits of an account suffice for one order.
        if work == Work::Vouchers {
            scene = Scene::new(cell);
        }
        scene.cell(&mut rng, cell, work, happens, &mut totals);
    }
    let Totals { cells, faults, done } = totals;
    assert!(faults * 2 > cells && done > 0);
    println!(
        "{cells} plans of mails, vouchers and transitions, {faults} with a fault, {done} done, 0 twice, 0 against the plan, {} s",
        begun.elapsed().as_secs()
    );
}
