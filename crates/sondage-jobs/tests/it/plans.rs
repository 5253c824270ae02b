//! Planned mails, vouchers and transitions, over HTTP against a sandbox: who is in the plan, that each is sent once, and what the
//! journal records.

use crate::support::sandbox::config;
use sondage::blocking::Client;
use sondage::condition::field;
use sondage::model::{
    CreateMembersRequest, ExecuteWorkflowTransitionRequest, MemberChange, NewMember,
    ReadCreditBalanceRequest, ReadIncentiveListRequest, UpdateMembersRequest, WorkflowType,
};
use sondage::{Error, ErrorKind};
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::{
    InviteOptions, RedeemOptions, RemindOptions, SendMailOptions, TransitionOptions,
};
use sondage_jobs::{JournalSummary, LeftOutReason, SendPlan, SendReport, SendStatus};
use sondage_sandbox::{EffectKind, Fault, Sandbox};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use LeftOutReason::{NoAddress, SameAddress, Sent, Unknown as Perhaps};
use SendStatus::{Done, LeftOut, NotSent, Unknown};

static SCENES: AtomicUsize = AtomicUsize::new(0);

struct Scene {
    sandbox: Sandbox,
    client: Client,
    journal: PathBuf,
}

impl Scene {
    fn new() -> Self {
        let sandbox = Sandbox::demo_blocking().expect("a sandbox");
        let client = Client::new(config(&sandbox, 400)).expect("a client");
        let number = SCENES.fetch_add(1, Ordering::Relaxed);
        let name = format!("sondage-plan-{}-{number}.journal", std::process::id());
        Self { sandbox, client, journal: std::env::temp_dir().join(name) }
    }

    fn journal(&self) -> PathBuf {
        self.journal.clone()
    }

    /// Three members of a division, of whom one has no address and two the same one.
    fn people(&self) -> Vec<i64> {
        let member = |email: Option<&str>| {
            let fields = [("Division", "Mails"), ("Language", "de")].into_iter();
            NewMember::of(fields.chain(email.map(|email| ("Email", email))))
        };
        let members = [
            member(Some("ada@mails.example")),
            member(None),
            member(Some("Ada@mails.example")),
            member(Some("bea@mails.example")),
            member(Some("cem@mails.example")),
        ];
        let made = self
            .client
            .create_members(CreateMembersRequest::new(self.sandbox.panel_id(), members))
            .expect("members");
        made.members_ids.into_iter().flatten().collect()
    }

    fn mails(&self) -> SendMailOptions {
        SendMailOptions::new(self.sandbox.panel_id(), "us@example.com")
            .message_template_id(self.sandbox.message_template_id())
            .filter(field("Division").is_equal_to("Mails"))
    }

    /// Changes a field of a member.
    fn set(&self, member: i64, field: &str, value: &str) {
        let change = MemberChange::of(member, [(field, value)]);
        let request = UpdateMembersRequest::new(self.sandbox.panel_id(), [change]);
        self.client.update_members(request).expect("a changed member");
    }

    /// The addresses to which mails went.
    fn sent(&self) -> Vec<String> {
        let effects = self.sandbox.ledger().effects("ExecuteSendMail");
        effects.into_iter().filter(|it| it.kind == EffectKind::MessagesSent).flat_map(|it| it.ids).collect()
    }

    fn count(&self, operation: &str) -> usize {
        self.sandbox.ledger().requests(operation).len()
    }

    fn calls(&self) -> u64 {
        self.sandbox.ledger().requests("*").iter().filter(|it| it.operation != "token").count() as u64
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.journal);
    }
}

fn statuses(report: &SendReport) -> Vec<SendStatus> {
    report.rows.iter().map(|row| row.status).collect()
}

fn refused<T: std::fmt::Debug>(result: sondage::Result<T>, why: &str) -> Error {
    let error = result.expect_err("a refusal");
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    assert!(error.to_string().contains(why) && error.hint().contains("Nothing was sent"), "{error}");
    error
}

fn run(plan: &SendPlan) -> SendReport {
    plan.wait(plan.token()).expect("a report")
}

#[test]
fn each_mail_of_the_plan_is_sent_once_and_has_a_row() {
    let scene = Scene::new();
    let people = scene.people();
    let plan = scene.client.plan_send_mail(scene.mails()).expect("a plan");
    let text = plan.to_string();
    assert!(
        text.contains("reaches 3 of 5: 1 has no address, 1 has the address of another member\n"),
        "{text}"
    );
    assert_eq!((plan.members(), plan.count()), (&[people[0], people[3], people[4]][..], 3));
    let cost = plan.cost();
    assert!(cost.calls == plan.calls() && cost.minutes > 0.0, "{cost:?}");
    let before = scene.calls();
    let report = run(&plan);
    assert_eq!(scene.calls() - before, plan.calls(), "the plan predicted the number of calls");
    assert_eq!(scene.sent(), ["ada@mails.example", "bea@mails.example", "cem@mails.example"]);
    let sizes: u64 = scene.sandbox.ledger().requests("ExecuteSendMail").iter().map(|it| it.bytes).sum();
    assert!(cost.bytes > sizes, "{cost:?}, of which {sizes} are the mails");
    assert_eq!(statuses(&report), [Done, LeftOut, LeftOut, Done, Done]);
    assert_eq!(report.rows[1].reason.as_deref(), Some("no_address"));
    assert!(report.complete && report.next.is_none() && report.stopped.is_none(), "{report:?}");
}

#[test]
fn the_wrong_orders_are_refused_before_anything_is_read() {
    let scene = Scene::new();
    let [panel, template] = [scene.sandbox.panel_id(), scene.sandbox.message_template_id()];
    let mail = || SendMailOptions::new(panel, "us@example.com");
    refused(scene.client.plan_send_mail(mail()), "there is nothing to send");
    refused(scene.client.plan_send_mail(mail().subject("a").body("b")), "`language` is missing");
    refused(
        scene.client.plan_send_mail(mail().subject("a").message_template_id(template)),
        "both a message template and",
    );
    refused(scene.client.plan_send_mail(scene.mails().cap(0_usize)), "`cap` is 0");
    refused(scene.client.plan_redeem(RedeemOptions::new(1)), "unknown how many");
    refused(scene.client.plan_redeem(RedeemOptions::new(1).count(0_usize)), "`count` is 0");
    refused(scene.client.plan_redeem(RedeemOptions::new(1).member_ids([7, 7])), "twice");
    let transition = TransitionOptions::new("Reminder", "Executed");
    refused(scene.client.plan_transition(transition), "cannot be read");
    refused(
        scene.client.plan_transition(TransitionOptions::new("SurveyDesign", "Closed")),
        "changes the state of a survey",
    );
    assert_eq!(scene.calls(), 0);
    scene.people();
    let named = scene.mails().member_ids([1, 2]);
    refused(scene.client.plan_send_mail(named), "2 of `member_ids` are not in the panel");
}

#[test]
fn a_mail_that_may_have_been_sent_is_not_sent_again_and_the_others_go_on() {
    let scene = Scene::new();
    let people = scene.people();
    let mails = || scene.mails().journal(scene.journal());
    let plan = scene.client.plan_send_mail(mails()).expect("a plan");
    scene.sandbox.fault(Fault::on("ExecuteSendMail").skip(1).cut_after_effect());
    let report = run(&plan);
    assert_eq!(statuses(&report), [Done, LeftOut, LeftOut, Unknown, NotSent]);
    assert_eq!(report.stopped.as_ref().map(Error::kind), Some(ErrorKind::OutcomeUnknown));
    assert!(
        !report.complete && report.next.as_deref().is_some_and(|next| next.contains("goes on with them"))
    );
    assert_eq!(statuses(&plan.report()), statuses(&report));
    let shown = JournalSummary::read(scene.journal()).expect("a summary");
    assert_eq!((shown.done, &shown.unknown_targets[..], shown.ended), (1, &people[3..4], false));

    // The same plan again: one member got the mail, one may have got it, one is left.
    let again = scene.client.plan_send_mail(mails()).expect("a plan");
    assert_eq!(again.members(), &people[4..]);
    let reasons: Vec<_> = again.left_out().iter().map(|left| left.reason).collect();
    assert_eq!(reasons, [Sent, NoAddress, SameAddress, Perhaps]);
    let report = run(&again);
    assert_eq!(statuses(&report), [Done, LeftOut, LeftOut, Unknown, Done]);
    assert!(report.resumed && !report.complete);
    assert_eq!((scene.sent().len(), scene.count("ExecuteSendMail")), (3, 3));
}

#[test]
fn a_finished_journal_is_reported_and_another_message_refused() {
    let scene = Scene::new();
    scene.people();
    let mails = || scene.mails().journal(scene.journal());
    let report = run(&scene.client.plan_send_mail(mails()).expect("a plan"));
    assert!(report.complete);
    let again = scene.client.plan_send_mail(mails()).expect("a plan");
    assert!(again.to_string().contains("is of a job that is complete"), "{again}");
    let before = scene.calls();
    let told = run(&again);
    assert_eq!((told.done, told.done_before, told.resumed, scene.calls() - before), (3, 3, true, 0));
    assert!(told.to_string().contains("by an earlier run; nothing was sent now"), "{told}");
    refused(scene.client.plan_send_mail(mails().sender_name("Other")), "its message, its survey");
    let box_ = &scene.sandbox;
    let invite = InviteOptions::new(box_.survey_id(), box_.panel_id(), box_.message_template_id());
    refused(scene.client.plan_invite(invite.journal(scene.journal())), "it is of the job \"plan send mail\"");
}

#[test]
fn an_interrupted_run_goes_on_with_the_token_that_was_given_for_it() {
    let scene = Scene::new();
    scene.people();
    let mails = || scene.mails().journal(scene.journal());
    let plan = scene.client.plan_send_mail(mails()).expect("a plan");
    let (token, count) = (plan.token().to_owned(), plan.count());
    scene.sandbox.fault(Fault::on("ExecuteSendMail").skip(1).cut_after_effect());
    let report = run(&plan);
    assert!(report.not_sent > 0 && report.stopped.is_some(), "{report}");

    // The same plan and the same token: only what is left is sent.
    let rest = scene.client.plan_send_mail(mails()).expect("a plan");
    assert!(rest.count() < count && rest.token() != token && rest.is_confirmed_by(&token));
    let done = rest.wait(&token).expect("a report");
    assert_eq!((done.not_sent, scene.sent().len()), (0, count));
    let over = scene.client.plan_send_mail(mails()).expect("a plan");
    assert!(over.is_confirmed_by(&token) && !over.is_confirmed_by("5-aaaaaa"));

    // A member who was added later was not part of the confirmed plan.
    let scene = Scene::new();
    scene.people();
    let mails = || scene.mails().journal(scene.journal());
    let plan = scene.client.plan_send_mail(mails()).expect("a plan");
    let token = plan.token().to_owned();
    scene.sandbox.fault(Fault::on("ExecuteSendMail").skip(1).cut_after_effect());
    run(&plan);
    let late = NewMember::of([("Division", "Mails"), ("Language", "de"), ("Email", "late@mails.example")]);
    scene
        .client
        .create_members(CreateMembersRequest::new(scene.sandbox.panel_id(), [late]))
        .expect("a member");
    let grown = scene.client.plan_send_mail(mails()).expect("a plan");
    let sent = scene.sent().len();
    refused(grown.wait(&token), "does not confirm this plan");
    assert_eq!(scene.sent().len(), sent);

    // Neither was an address that a member of it has got since.
    let scene = Scene::new();
    let people = scene.people();
    let mails = || scene.mails().journal(scene.journal());
    let plan = scene.client.plan_send_mail(mails()).expect("a plan");
    let token = plan.token().to_owned();
    scene.sandbox.fault(Fault::on("ExecuteSendMail").skip(1).cut_after_effect());
    run(&plan);
    scene.set(people[4], "Email", "somebody.else@mails.example");
    let moved = scene.client.plan_send_mail(mails()).expect("a plan");
    let sent = scene.sent().len();
    refused(moved.wait(&token), "does not confirm this plan");
    assert_eq!(scene.sent().len(), sent);
}

#[test]
fn a_plan_is_refused_if_a_recipient_has_another_address_or_language() {
    let scene = Scene::new();
    let [survey, panel, template] =
        [scene.sandbox.survey_id(), scene.sandbox.panel_id(), scene.sandbox.message_template_id()];
    let people = scene.people();
    let invite =
        || InviteOptions::new(survey, panel, template).filter(field("Division").is_equal_to("Mails"));
    let invited = run(&scene.client.plan_invite(invite()).expect("a plan"));
    let distributor = invited.distributor_id.expect("a distributor");
    let plans: [(&str, &dyn Fn() -> SendPlan); 3] = [
        ("InviteMembers", &|| scene.client.plan_invite(invite().again(true)).expect("a plan")),
        ("RemindMembers", &|| {
            scene.client.plan_remind(RemindOptions::new(distributor, template)).expect("a plan")
        }),
        ("ExecuteSendMail", &|| scene.client.plan_send_mail(scene.mails()).expect("a plan")),
    ];
    for (number, (operation, plan)) in plans.into_iter().enumerate() {
        let sent = scene.count(operation);
        for (field, value) in
            [("Email", format!("other{number}@mails.example")), ("Language", ["en", "de"][number % 2].into())]
        {
            let before = plan();
            scene.set(people[3], field, &value);
            refused(before.wait(before.token()), "an address or a language has changed since it was planned");
            assert_eq!(scene.count(operation), sent, "{operation} {field}");
            assert_ne!(plan().token(), before.token(), "{operation} {field}");
        }
        // The number is no part of a message by mail.
        let before = plan();
        scene.set(people[3], "CellPhoneNumber", &format!("4179000000{number}"));
        assert_eq!(plan().token(), before.token(), "{operation}");
        run(&before);
        assert!(scene.count(operation) > sent, "{operation}");
    }
}

#[test]
fn a_journal_that_somebody_went_on_with_is_refused() {
    let scene = Scene::new();
    scene.people();
    let mails = || scene.mails().journal(scene.journal());
    let [first, second] = [(); 2].map(|()| scene.client.plan_send_mail(mails()).expect("a plan"));
    run(&first);
    refused(second.wait(second.token()), "another run has continued the journal");
    assert_eq!(scene.count("ExecuteSendMail"), 3);
}

#[test]
fn refusals_are_rows_and_three_in_a_row_stop_it() {
    let scene = Scene::new();
    scene.people();
    let plan = scene.client.plan_send_mail(scene.mails()).expect("a plan");
    scene.sandbox.fault(Fault::on("ExecuteSendMail").status(400));
    let report = run(&plan);
    assert_eq!((report.refused, report.done), (1, 2), "{report}");
    let mut broken = scene.mails();
    "nobody".clone_into(&mut broken.sender);
    let report = run(&scene.client.plan_send_mail(broken).expect("a plan"));
    assert_eq!((report.refused, report.done, report.stopped.is_some()), (3, 0, true), "{report}");
}

#[test]
fn vouchers_are_bought_once_and_their_codes_outlive_a_crash() {
    let scene = Scene::new();
    let offers = scene.client.read_incentive_list(ReadIncentiveListRequest::new()).expect("offers");
    let offer = &offers.panel_incentives[0];
    let balance = || {
        let read = scene.client.read_credit_balance(ReadCreditBalanceRequest::new()).expect("a balance");
        read.balance.expect("a number")
    };
    let (price, credits) = (offer.price_in_credits.expect("a price"), balance());
    let order = || RedeemOptions::new(offer.id).count(2_usize).journal(scene.journal()).quiet(Duration::ZERO);
    let plan = scene.client.plan_redeem(order()).expect("a plan");
    let text = plan.to_string();
    assert!(text.contains(&format!("2 vouchers at {price} credits, {} of {credits}", 2 * price)), "{text}");
    scene.sandbox.fault(Fault::on("RedeemIncentiveCode").skip(1).status(503));
    let report = run(&plan);
    let code = report.rows[0].voucher_code.clone().expect("a code");
    assert!(!code.is_empty() && !format!("{report:?}").contains(code.reveal()));
    let again = scene.client.plan_redeem(order()).expect("a plan");
    let report = run(&again);
    assert_eq!(report.rows[0].voucher_code.as_ref(), Some(&code), "the code is in the journal");
    let bought = scene.sandbox.ledger().effects("RedeemIncentiveCode").len();
    assert_eq!(credits - balance(), price * i64::try_from(bought).expect("few"));
    // The first call left an identical transaction in the same seconds: the plan must not guess which is which.
    assert_eq!((report.done, report.unknown, bought), (1, 1, 1), "{report:?}");
    let dear = RedeemOptions::new(offer.id).count(1_usize).max_credits(price - 1);
    refused(scene.client.plan_redeem(dear), "`max_credits` is");
    refused(scene.client.plan_redeem(RedeemOptions::new(offer.id).count(1_000_000_usize)), "and there are");
    refused(scene.client.plan_redeem(RedeemOptions::new(99).count(1_usize)), "there is no incentive 99");
}

#[test]
fn a_transition_is_made_once_and_from_the_state_that_was_planned() {
    let scene = Scene::new();
    let survey = scene.sandbox.survey_id();
    let to = |state: &str| TransitionOptions::new("SurveyDesign", state).survey_id(survey);
    let plan = scene.client.plan_transition(to("Closed")).expect("a plan");
    assert!(plan.to_string().starts_with(&format!("survey {survey}: from Published to Closed by Close\n")));
    refused(scene.client.plan_transition(to("Draft")), "from which it can change to Revision, Closed");
    refused(scene.client.plan_transition(to("Published")), "is Published already");

    // Somebody else changes the state in the meantime.
    let mut other = ExecuteWorkflowTransitionRequest::new(WorkflowType::SurveyDesign, "Revision");
    other.survey_id = Some(survey);
    scene.client.execute_workflow_transition(other).expect("a transition");
    refused(plan.wait(plan.token()), "then survey");
    let plan = scene.client.plan_transition(to("Closed")).expect("a plan");
    let before = scene.calls();
    let report = run(&plan);
    assert_eq!((report.done, report.rows[0].target, scene.calls() - before), (1, survey, plan.calls()));
    assert_eq!(scene.sandbox.ledger().effects("ExecuteWorkflowTransition").len(), 2);
}

/// A call without a response is read back when the same plan is made again.
#[test]
fn an_invitation_without_an_answer_is_settled_by_the_same_plan() {
    let scene = Scene::new();
    let people = scene.people();
    let box_ = &scene.sandbox;
    let invite = || {
        InviteOptions::new(box_.survey_id(), box_.panel_id(), box_.message_template_id())
            .member_ids(vec![people[0], people[3]])
            .journal(scene.journal())
            .quiet(Duration::ZERO)
    };
    let messages = || {
        box_.ledger().effects("InviteMembers").iter().filter(|it| it.kind == EffectKind::MessagesSent).count()
    };
    // The write did not happen: it is planned again.
    box_.fault(Fault::on("InviteMembers").status(503));
    let report = run(&scene.client.plan_invite(invite()).expect("a plan"));
    assert_eq!((statuses(&report), messages()), (vec![Unknown, Unknown], 0));
    box_.fault(Fault::on("InviteMembers").cut_after_effect());
    let again = scene.client.plan_invite(invite()).expect("a plan");
    assert_eq!(again.members(), [people[0], people[3]]);
    let report = run(&again);
    assert_eq!((statuses(&report), messages(), report.distributor_id), (vec![Unknown, Unknown], 1, None));
    // The write happened: it is reported with its result, and not sent again.
    let again = scene.client.plan_invite(invite()).expect("a plan");
    assert_eq!((again.count(), again.left_out()[0].reason), (0, Sent));
    let report = run(&again);
    assert_eq!((statuses(&report), report.complete, report.resumed), (vec![Done, Done], true, true));
    assert!(report.distributor_id.is_some() && report.next.is_none(), "{report:?}");
    assert_eq!((messages(), scene.count("InviteMembers")), (1, 2));
    assert!(
        scene
            .client
            .plan_invite(invite())
            .expect("a plan")
            .to_string()
            .contains("is of a job that is complete")
    );
}

#[test]
fn a_voucher_and_a_transition_without_an_answer_are_settled_too() {
    let scene = Scene::new();
    let offers = scene.client.read_incentive_list(ReadIncentiveListRequest::new()).expect("offers");
    let order = || {
        RedeemOptions::new(offers.panel_incentives[0].id)
            .count(1_usize)
            .journal(scene.journal())
            .quiet(Duration::ZERO)
    };
    scene.sandbox.fault(Fault::on("RedeemIncentiveCode").cut_after_effect());
    assert_eq!(statuses(&run(&scene.client.plan_redeem(order()).expect("a plan"))), [Unknown]);
    let report = run(&scene.client.plan_redeem(order()).expect("a plan"));
    assert_eq!((statuses(&report), scene.count("RedeemIncentiveCode")), (vec![Done], 1));
    let row = &report.rows[0];
    assert!(row.voucher_code.is_none(), "nobody can read it again");
    assert!(row.reason.as_deref().is_some_and(|reason| reason.contains("cannot be read again")), "{row:?}");

    let close = || {
        TransitionOptions::new("SurveyDesign", "Closed")
            .survey_id(scene.sandbox.survey_id())
            .journal(scene.journal().with_extension("closing"))
            .quiet(Duration::ZERO)
    };
    scene.sandbox.fault(Fault::on("ExecuteWorkflowTransition").cut_after_effect());
    assert_eq!(statuses(&run(&scene.client.plan_transition(close()).expect("a plan"))), [Unknown]);
    let report = run(&scene.client.plan_transition(close()).expect("a plan"));
    assert_eq!((statuses(&report), scene.count("ExecuteWorkflowTransition")), (vec![Done], 1));
    let _ = std::fs::remove_file(scene.journal().with_extension("closing"));
}

/// If it is too early for a verdict, planning waits, unless `quiet` says that nothing is being processed any more.
#[test]
fn a_caller_who_gave_up_leaves_a_call_that_is_found_again() {
    let scene = Scene::new();
    let people = scene.people();
    let box_ = &scene.sandbox;
    let invite = || {
        InviteOptions::new(box_.survey_id(), box_.panel_id(), box_.message_template_id())
            .member_ids(vec![people[0]])
            .journal(scene.journal())
            .quiet(Duration::ZERO)
    };
    let hasty = scene.client.with(sondage::CallOptions::new().deadline(Duration::from_millis(400)));
    let plan = hasty.plan_invite(invite()).expect("a plan");
    box_.fault(Fault::on("InviteMembers").delay(Duration::from_millis(900)));
    assert_eq!(statuses(&run(&plan)), [Unknown]);
    // The call continues in this process; the plan waits for its response.
    let report = run(&scene.client.plan_invite(invite()).expect("a plan"));
    assert_eq!((statuses(&report), scene.count("InviteMembers")), (vec![Done], 1));
    assert!(report.distributor_id.is_some(), "{report:?}");
}
