//! Writes of processes that are killed (`kill -9`) while the service is at work on them, and what another process then finds out:
//! by `send_once`, and by the journals of plans. Nothing is sent twice, and nobody claims more than the ledger shows.

use sondage::blocking::Client;
use sondage::condition::field;
use sondage::model::{
    CreateMembersRequest, CreateSurveyRequest, ExecuteSendMailRequest, InviteMembersRequest, NewMember,
    ReadIncentiveListRequest, RedeemIncentiveCodeRequest,
};
use sondage::questionnaire::{self as ask, Questionnaire};
use sondage::{Error, ErrorKind};
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::{InviteOptions, RedeemOptions, SendMailOptions, SendOnceOptions};
use sondage_jobs::{SendPlan, SendStatus};
use sondage_sandbox::{EffectKind, Fault, FaultAction, Sandbox};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Longer than the sandbox is at work on a call in these tests.
const QUIET: Duration = Duration::from_millis(1_500);
/// When a scene gives up waiting for what must happen.
const DEADLINE: Duration = Duration::from_secs(300);
const SETTINGS: &str = "SONDAGE_TEST_KILLED";

static SCENES: AtomicUsize = AtomicUsize::new(0);

/// What the killed process does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Work {
    Members,
    Invitation,
    Survey,
    /// Leaves no evidence.
    Mail,
    /// Bought after another one of the same kind, under another key.
    Voucher,
    PlanInvite,
    PlanMails,
    PlanVouchers,
}

/// When it is killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// The service has the request, and will not carry it out.
    WithoutEffect,
    /// The service has the request, and carries it out afterwards, if at all.
    BeforeEffect,
    /// The service has carried it out, and has not answered.
    AfterEffect,
    /// So many microseconds after the first line of the journal.
    Any(u64),
}

const MOMENTS: [Moment; 7] = [
    Moment::WithoutEffect,
    Moment::BeforeEffect,
    Moment::AfterEffect,
    Moment::Any(0),
    Moment::Any(700),
    Moment::Any(2_000),
    Moment::Any(9_000),
];

impl Work {
    fn of(name: &str) -> Self {
        let all = [Self::Members, Self::Invitation, Self::Survey, Self::Mail, Self::Voucher];
        let plans = [Self::PlanInvite, Self::PlanMails, Self::PlanVouchers];
        all.into_iter().chain(plans).find(|work| format!("{work:?}") == name).expect("a name")
    }

    fn operation(self) -> &'static str {
        match self {
            Self::Members => "CreateMembers",
            Self::Invitation | Self::PlanInvite => "InviteMembers",
            Self::Survey => "CreateSurvey",
            Self::Mail | Self::PlanMails => "ExecuteSendMail",
            Self::Voucher | Self::PlanVouchers => "RedeemIncentiveCode",
        }
    }

    /// The effect that a call has at most once.
    fn effect(self) -> EffectKind {
        match self {
            Self::Members => EffectKind::MembersCreated,
            Self::Invitation | Self::PlanInvite => EffectKind::MembersInvited,
            Self::Survey => EffectKind::SurveyCreated,
            Self::Mail | Self::PlanMails => EffectKind::MessagesSent,
            Self::Voucher | Self::PlanVouchers => EffectKind::IncentiveRedeemed,
        }
    }
}

/// What a process knows of the platform: the settings of the one that is killed are lines of text.
struct Account {
    client: Client,
    numbers: [i64; 4],
    folder: PathBuf,
}

impl Account {
    fn new([base, auth, secret]: [&str; 3], numbers: [i64; 4], folder: &Path) -> Self {
        let settings = sondage::config::ClientBuilder::new()
            .environment(sondage::config::Environment::empty())
            .tenant("demo")
            .base_url(base)
            .auth_url(auth)
            .client_secret(secret)
            .resolve()
            .expect("settings");
        Self { client: Client::new(settings).expect("a client"), numbers, folder: folder.to_owned() }
    }

    /// What the call has made, in words that are the same for the same effect.
    fn call(&self, work: Work) -> sondage::Result<String> {
        let [survey, panel, template, workspace] = self.numbers;
        let once = SendOnceOptions::new("once").folder(self.folder.clone()).quiet(QUIET);
        let client = self.client.send_once(once)?;
        let address = "ada@killed.example";
        Ok(match work {
            Work::Members => {
                let person = NewMember::of([("Email", address), ("FirstName", "Ada")]);
                let made = client.create_members(CreateMembersRequest::new(panel, [person]))?;
                format!("{:?}", made.members_ids)
            }
            Work::Invitation => {
                let mut request = InviteMembersRequest::new(survey, panel, template);
                request.channel = Some("Email".into());
                request.member_ids = Some(vec![500_001, 500_002]);
                format!("{:?}", client.invite_members(request)?.distributor_id)
            }
            Work::Survey => {
                let asked = ask::open_question("why", [("en", "Why?")]);
                let definition = Questionnaire::new(["en"]).section("Visit", [asked]).definition();
                let request = CreateSurveyRequest::new(workspace, "Killed", definition);
                format!("{:?}", client.create_survey(request)?.survey_id)
            }
            Work::Voucher => {
                let offers = self.client.read_incentive_list(ReadIncentiveListRequest::new())?;
                let request = RedeemIncentiveCodeRequest::new(offers.panel_incentives[0].id);
                let before = SendOnceOptions::new("before").folder(self.folder.clone()).quiet(QUIET);
                self.client.send_once(before)?.redeem_incentive_code(request.clone())?;
                client.redeem_incentive_code(request)?;
                "bought".to_owned()
            }
            _ => {
                let mut mail = ExecuteSendMailRequest::new("de", "us@example.com", address);
                mail.message_template_id = Some(template);
                client.execute_send_mail(mail)?;
                "sent".to_owned()
            }
        })
    }

    fn plan(&self, work: Work) -> sondage::Result<SendPlan> {
        let [survey, panel, template, _] = self.numbers;
        let journal = self.folder.join("journal");
        let ours = || field("Division").is_equal_to("Killed");
        match work {
            Work::PlanInvite => {
                let options = InviteOptions::new(survey, panel, template).filter(ours());
                self.client.plan_invite(options.journal(journal).quiet(QUIET))
            }
            Work::PlanMails => {
                let options = SendMailOptions::new(panel, "us@example.com").message_template_id(template);
                self.client.plan_send_mail(options.filter(ours()).journal(journal))
            }
            _ => {
                let offers = self.client.read_incentive_list(ReadIncentiveListRequest::new())?;
                let options = RedeemOptions::new(offers.panel_incentives[0].id).count(3_usize);
                self.client.plan_redeem(options.journal(journal).quiet(QUIET))
            }
        }
    }

    fn is_begun(&self) -> bool {
        let files = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        files.filter_map(|file| file.metadata().ok()).any(|file| file.len() > 0)
    }
}

/// Not a test of its own: the process that the tests start and kill.
#[test]
fn the_process_that_is_killed() {
    let Ok(settings) = std::env::var(SETTINGS) else { return };
    let lines: Vec<&str> = settings.lines().collect();
    let [work, base, auth, secret, folder, numbers @ ..] = &lines[..] else { panic!("{settings}") };
    let numbers: Vec<i64> = numbers.iter().map(|number| number.parse().expect("a number")).collect();
    let numbers = numbers.try_into().expect("four numbers");
    let account = Account::new([base, auth, secret], numbers, Path::new(folder));
    match Work::of(work) {
        plan @ (Work::PlanInvite | Work::PlanMails | Work::PlanVouchers) => {
            let plan = account.plan(plan).expect("a plan");
            plan.wait(plan.token()).expect("a report");
        }
        call => drop(account.call(call).expect("an answer")),
    }
}

struct Scene {
    sandbox: Sandbox,
    account: Account,
    work: Work,
    what: String,
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.account.folder);
    }
}

impl Scene {
    fn new(work: Work, moment: Moment) -> Self {
        let sandbox = Sandbox::demo_blocking().expect("a sandbox");
        let number = SCENES.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("sondage-killed-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let numbers =
            [sandbox.survey_id(), sandbox.panel_id(), sandbox.message_template_id(), sandbox.workspace_id()];
        let addresses = [sandbox.base_url(), sandbox.auth_url(), sandbox.client_secret()];
        let account = Account::new(addresses, numbers, &folder);
        Self { account, sandbox, work, what: format!("{work:?}, killed {moment:?}") }
    }

    /// Three members for the plans.
    fn people(&self) {
        let member = |name: &str| {
            let email = format!("{name}@killed.example");
            NewMember::of([("Email", email.as_str()), ("Division", "Killed"), ("Language", "de")])
        };
        let request = CreateMembersRequest::new(self.sandbox.panel_id(), ["ada", "bea", "cem"].map(member));
        self.account.client.create_members(request).expect("members");
    }

    /// Starts the process and kills it.
    fn kill(&self, moment: Moment, skip: u64) {
        let on = || Fault::on(self.work.operation()).skip(skip);
        match moment {
            Moment::WithoutEffect => self.sandbox.fault(on().delay(Duration::from_secs(5)).status(503)),
            Moment::BeforeEffect => self.sandbox.fault(on().delay(Duration::from_millis(300))),
            Moment::AfterEffect => self.sandbox.fault(on().after_effect().action(FaultAction::Stall)),
            // Without it a quick process is done before it can be killed.
            Moment::Any(_) => self.sandbox.fault(on().delay(Duration::from_millis(4))),
        };
        let sandbox = &self.sandbox;
        let name = format!("{:?}", self.work);
        let folder = self.account.folder.display().to_string();
        let numbers = self.account.numbers.map(|number| number.to_string());
        let texts = [&name, sandbox.base_url(), sandbox.auth_url(), sandbox.client_secret(), &folder];
        let settings: Vec<&str> = texts.into_iter().chain(numbers.iter().map(String::as_str)).collect();
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "killed_writes::the_process_that_is_killed"])
            .env(SETTINGS, settings.join("\n"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a process");
        let arrived = usize::try_from(skip).expect("a number") + 1;
        match moment {
            Moment::Any(micros) => {
                self.wait_for(&mut child, || self.account.is_begun());
                std::thread::sleep(Duration::from_micros(micros));
            }
            Moment::AfterEffect => self.wait_for(&mut child, || self.effects() >= arrived),
            Moment::WithoutEffect | Moment::BeforeEffect => {
                self.wait_for(&mut child, || self.requests() >= arrived);
            }
        }
        child.kill().expect("killed");
        child.wait().expect("gone");
        self.sandbox.clear_faults();
    }

    fn wait_for(&self, child: &mut Child, done: impl Fn() -> bool) {
        let begun = Instant::now();
        while !done() && child.try_wait().expect("a process").is_none() {
            assert!(begun.elapsed() < DEADLINE, "{}: it does not come to that", self.what);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn requests(&self) -> usize {
        self.sandbox.ledger().requests(self.work.operation()).len()
    }

    fn effects(&self) -> usize {
        let effects = self.sandbox.ledger().effects(self.work.operation());
        effects.iter().filter(|effect| effect.kind == self.work.effect()).count()
    }
}

fn all(works: &[Work], cell: fn(Work, Moment)) {
    let cells: Vec<(Work, Moment)> =
        works.iter().flat_map(|work| MOMENTS.map(|moment| (*work, moment))).collect();
    // They mostly wait for the quiet time.
    std::thread::scope(|scope| {
        for part in cells.chunks(cells.len().div_ceil(4)) {
            scope.spawn(move || part.iter().for_each(|(work, moment)| cell(*work, *moment)));
        }
    });
}

#[test]
fn another_process_gives_what_the_killed_one_has_done_or_sends_it() {
    all(&[Work::Members, Work::Invitation, Work::Survey], |work, moment| {
        let scene = Scene::new(work, moment);
        scene.kill(moment, 0);
        let what = &scene.what;
        let found = scene.account.call(work).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(scene.effects(), 1, "{what}");
        let expected = match moment {
            Moment::WithoutEffect => 2..=2,
            Moment::AfterEffect => 1..=1,
            Moment::BeforeEffect | Moment::Any(_) => 1..=2,
        };
        assert!(expected.contains(&scene.requests()), "{what}: {} requests", scene.requests());
        let requests = scene.requests();
        assert_eq!(scene.account.call(work).expect("the same"), found, "{what}");
        assert_eq!((scene.requests(), scene.effects()), (requests, 1), "{what}");
    });
}

#[test]
fn what_leaves_no_evidence_stays_unknown_and_is_not_sent_again() {
    all(&[Work::Mail], |work, moment| {
        let scene = Scene::new(work, moment);
        scene.kill(moment, 0);
        let what = &scene.what;
        match scene.account.call(work) {
            // It was answered before it was killed.
            Ok(_) => assert_eq!((scene.requests(), scene.effects()), (1, 1), "{what}"),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{what}: {error}");
                let advice = error.reconcile().unwrap_or_default();
                assert!(advice.contains("This call sent nothing"), "{what}: {advice}");
                assert!(scene.requests() <= 1 && scene.effects() <= 1, "{what}");
            }
        }
    });
}

/// Vouchers look alike: that another one was bought at the same time proves nothing about this one.
#[test]
fn a_voucher_of_another_key_is_not_taken_for_this_one() {
    all(&[Work::Voucher], |work, moment| {
        let scene = Scene::new(work, moment);
        scene.kill(moment, 1);
        let what = &scene.what;
        match scene.account.call(work) {
            Ok(_) => assert_eq!(scene.effects(), 2, "{what}"),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{what}: {error}");
                assert!(scene.requests() <= 2 && scene.effects() <= 2, "{what}");
            }
        }
    });
}

/// A plan of three calls is killed in the second, and one of one call in that.
#[test]
fn a_plan_of_a_killed_process_goes_on_and_reaches_everybody_once() {
    all(&[Work::PlanInvite, Work::PlanMails, Work::PlanVouchers], |work, moment| {
        let scene = Scene::new(work, moment);
        scene.people();
        scene.kill(moment, u64::from(work != Work::PlanInvite));
        let what = &scene.what;
        let begun = Instant::now();
        let report = loop {
            match scene.account.plan(work) {
                Ok(plan) => break plan.wait(plan.token()).unwrap_or_else(|error| panic!("{what}: {error}")),
                // Nobody is left until it is known what became of the call.
                Err(error) => assert!(is_early(&error), "{what}: {error}"),
            }
            assert!(begun.elapsed() < DEADLINE, "{what}: it comes to no end");
            std::thread::sleep(Duration::from_millis(200));
        };
        let count = |status| report.rows.iter().filter(|row| row.status == status).count();
        let (done, unknown) = (count(SendStatus::Done), count(SendStatus::Unknown));
        // One call reaches all three, or each has one.
        let calls = if work == Work::PlanInvite { done / 3 } else { done };
        assert_eq!(done + unknown, 3, "{what}: {report}");
        let sent = scene.effects();
        assert!((calls..=calls + unknown).contains(&sent), "{what}: {sent} effects, {report}");
        match work {
            Work::PlanInvite => assert_eq!(unknown, 0, "{what}: {report}"),
            _ => assert!(unknown <= 1, "{what}: {report}"),
        }
        let again = scene.account.plan(work);
        if let Ok(again) = &again {
            let told = again.wait(again.token()).expect("a report");
            assert_eq!(told.rows.len(), report.rows.len(), "{what}");
        }
        assert_eq!(scene.effects(), sent, "{what}: nothing more is sent");
    });
}

fn is_early(error: &Error) -> bool {
    error.changed_nothing()
}
