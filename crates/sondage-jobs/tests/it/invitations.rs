//! Planned invitations, over HTTP against a sandbox: who is in the plan, when it is refused, and that it is sent once.

use crate::support::sandbox::config;
use sondage::blocking::Client;
use sondage::condition::field;
use sondage::internals::runtime;
use sondage::model::{CreateMembersRequest, EmailItem, NewMember, OptOutOperation, WriteOptOutListRequest};
use sondage::{Error, ErrorKind, Timestamp};
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::{FieldReportOptions, InviteOptions, RemindOptions, SendMailOptions};
use sondage_jobs::{LeftOutReason, SendPlan};
use sondage_sandbox::{EffectKind, Fault, Sandbox};
use std::time::Duration;

struct Scene {
    sandbox: Sandbox,
    client: Client,
}

impl Scene {
    fn new() -> Self {
        let sandbox = Sandbox::demo_blocking().expect("a sandbox");
        let client = Client::new(config(&sandbox, 400)).expect("a client");
        Self { sandbox, client }
    }

    fn options(&self) -> InviteOptions {
        let sandbox = &self.sandbox;
        InviteOptions::new(sandbox.survey_id(), sandbox.panel_id(), sandbox.message_template_id())
    }

    /// Members who read German, some of whom cannot be reached.
    fn germans(&self) -> InviteOptions {
        self.options().filter(field("Language").is_equal_to("de"))
    }

    fn plan(&self, options: InviteOptions) -> SendPlan {
        self.client.plan_invite(options).expect("a plan")
    }

    /// The messages sent, by the ids of the members.
    fn sent(&self) -> Vec<i64> {
        let effects = self.sandbox.ledger().effects("*");
        let messages = effects.into_iter().filter(|effect| effect.kind == EffectKind::MessagesSent);
        let mut ids: Vec<i64> =
            messages.flat_map(|effect| effect.ids).map(|id| id.parse().expect("a number")).collect();
        ids.sort_unstable();
        ids
    }

    /// Calls of operations so far.
    fn calls(&self) -> u64 {
        self.sandbox.ledger().requests("*").iter().filter(|it| it.operation != "token").count() as u64
    }

    fn invitations(&self) -> usize {
        self.sandbox.ledger().requests("InviteMembers").len()
    }

    fn refused(&self, options: InviteOptions) -> Error {
        let error = self.client.plan_invite(options).expect_err("a refusal");
        assert_eq!((error.kind(), self.invitations()), (ErrorKind::InvalidArgument, 0), "{error}");
        assert!(error.hint().contains("Nothing was sent"), "{error}");
        error
    }
}

#[test]
fn the_number_of_the_plan_is_the_number_of_messages() {
    let scene = Scene::new();
    let plan = scene.plan(scene.germans());
    let text = plan.to_string();
    assert!(text.contains("reaches 58 of 66: 6 have no address, 2 opted out\n"), "{text}");
    assert_eq!((plan.members().len(), plan.matches(), scene.sent()), (58, 66, vec![]));
    assert!(text.contains(plan.token()) && plan.token().starts_with("58-"), "{text}");

    let before = scene.calls();
    let report = plan.wait(plan.token()).expect("a report");
    assert_eq!((scene.sent(), report.members.clone()), (plan.members().to_vec(), plan.members().to_vec()));
    assert_eq!(scene.calls() - before, plan.calls(), "the plan predicted the number of calls");
    assert!(report.stopped.is_none() && report.distributor_id.is_some());
    assert!(report.to_string().starts_with("sent to 58 by distributor "), "{report}");

    // The same plan is not run again, and another one finds nobody left.
    let error = plan.wait(plan.token()).expect_err("a refusal");
    assert!(error.to_string().contains("this plan has already been run"), "{error}");
    let none = scene.plan(scene.germans());
    let reached = "0 of 66: 6 have no address, 2 opted out, 58 were invited before";
    assert!(none.to_string().contains(reached) && none.count() == 0, "{none}");
    assert_eq!(none.wait(none.token()).expect("a report").done, 0);
    assert_eq!((scene.sent().len(), scene.invitations()), (58, 1));
    assert_eq!(scene.plan(scene.germans().again(true)).members().len(), 58);
}

/// The block is sent with the invitation, in both languages, whatever the order in which they were given.
#[test]
fn text_blocks_are_sent_and_are_part_of_the_order() {
    const BLOCK: &str = "6f1c1f8e-7b0a-4f57-9d2e-2f0c3a5b9e11";
    let scene = Scene::new();
    scene.sandbox.change_profile(|profile| profile.keep_bodies = true);
    let journal = std::env::temp_dir().join(format!("sondage-blocks-{}.journal", std::process::id()));
    let with = |texts: &[(&str, &str)]| {
        let texts = texts.iter().map(|(language, text)| ((*language).to_owned(), (*text).to_owned()));
        let blocks = [(BLOCK.to_owned(), texts.collect())].into_iter().collect();
        let mut options = scene.germans().cap(2_usize).journal(journal.clone());
        options.text_blocks = Some(blocks);
        options
    };
    let plan = scene.plan(with(&[("de", "Hallo"), ("en", "Hello")]));
    let report = plan.wait(plan.token()).expect("a report");
    let body = scene.sandbox.ledger().requests("InviteMembers").remove(0).body.expect("a body");
    let sent = concat!(
        r#""textBlocks":[{"name":"6f1c1f8e-7b0a-4f57-9d2e-2f0c3a5b9e11","type":"editarea","#,
        r#""text":[{"languageCode":"de","text":"Hallo"},{"languageCode":"en","text":"Hello"}]}]"#
    );
    assert!(body.contains(sent), "{body}");
    let again = scene.client.plan_invite(with(&[("en", "Hello"), ("de", "Hallo")])).expect("the same order");
    let again = again.wait(again.token()).expect("a report");
    assert!(again.resumed && again.complete, "{again:?}, before {report:?}");
    let error = scene.client.plan_invite(with(&[("de", "Guten Tag")])).expect_err("another message");
    assert!(error.to_string().contains("its message, its survey"), "{error}");
    let error = scene.client.plan_invite(with(&[])).expect_err("no text");
    assert!(error.to_string().contains("has no text"), "{error}");
    let mut mail = SendMailOptions::new(scene.sandbox.panel_id(), "us@example.com").subject("a").body("b");
    (mail.language, mail.text_blocks) = (Some("de".to_owned()), with(&[("de", "x")]).text_blocks);
    let error = scene.client.plan_send_mail(mail).expect_err("no template");
    assert!(error.to_string().contains("there are `text_blocks`, but no message template"), "{error}");
    assert_eq!(scene.invitations(), 1);
    let _ = std::fs::remove_file(journal);
}

#[test]
fn what_is_wrong_is_said_before_anything_is_sent() {
    let scene = Scene::new();
    assert!(scene.refused(scene.options().cap(0_usize)).to_string().contains("`cap` is 0"));
    let past: Timestamp = "2024-01-01T00:00:00Z".parse().expect("a time");
    assert!(scene.refused(scene.options().schedule_date_time(past)).to_string().contains("has passed"));
    assert!(scene.refused(scene.options().channel("LinkList")).to_string().contains("LinkList"));
    assert_eq!(scene.calls(), 0, "mistakes that need no reading are refused without a call");

    let nobody = field("Division").is_equal_to("Nobody");
    let plan = scene.client.plan_invite(scene.options().filter(nobody)).expect("nothing to do");
    assert!(
        plan.to_string().contains("reaches 0 of 0\n  nobody is left: running it sends nothing"),
        "{plan}"
    );
    let report = plan.wait(plan.token()).expect("a report");
    assert_eq!(
        (plan.count(), report.done, report.to_string()),
        (0, 0, "nothing was sent: nobody was left".to_owned())
    );
    let [survey, panel, template] =
        [scene.sandbox.survey_id(), scene.sandbox.panel_id(), scene.sandbox.message_template_id()];
    let error = scene.refused(InviteOptions::new(survey, panel, 99));
    assert!(error.to_string().contains("there is no message template 99"), "{error}");
    let error = scene.refused(InviteOptions::new(99, panel, template));
    assert!(error.to_string().contains("no workspace of the account has the survey 99"), "{error}");
    let error =
        scene.refused(InviteOptions::new(survey, scene.sandbox.customer_panel_id(), template).channel("Sms"));
    assert!(error.to_string().contains("no field \"CellPhoneNumber\""), "{error}");
}

/// Plans that are refused, each with a part of the reason.
fn refuses(scene: &Scene, plan: &SendPlan, token: &str, why: &str) {
    let error = plan.wait(token).expect_err("a refusal");
    assert_eq!((error.kind(), scene.invitations()), (ErrorKind::InvalidArgument, 0), "{error}");
    assert!(error.to_string().contains(why) && error.hint().contains("Nothing was sent"), "{error}");
}

#[test]
fn a_plan_that_is_not_true_any_more_is_refused_with_the_difference() {
    let scene = Scene::new();
    let plan = scene.plan(scene.germans());
    refuses(&scene, &plan, "58-zzzzzz", "does not confirm this plan");
    let old = scene.plan(scene.germans().max_age(Duration::ZERO));
    refuses(&scene, &old, old.token(), "may be at most 0");
    let soon = Timestamp(Timestamp::now().0 + chrono::TimeDelta::milliseconds(700));
    let scheduled = scene.plan(scene.germans().schedule_date_time(soon));
    while Timestamp::now() < soon {
        std::thread::yield_now();
    }
    refuses(&scene, &scheduled, scheduled.token(), "has passed");

    let zoe = NewMember::of([("Email", "zoe@example.com"), ("Language", "de")]);
    let made = scene
        .client
        .create_members(CreateMembersRequest::new(scene.sandbox.panel_id(), [zoe]))
        .expect("a member");
    let zoe = made.members_ids[0].expect("an id");
    refuses(&scene, &plan, plan.token(), &format!("1 added ({zoe}), 0 removed (nobody)"));
    let gone = plan.members()[3];
    scene.sandbox.opt_out(gone);
    refuses(&scene, &plan, plan.token(), &format!("1 added ({zoe}), 1 removed ({gone})"));

    // A new plan can be run.
    let plan = scene.plan(scene.germans());
    assert!(plan.members().contains(&zoe) && !plan.members().contains(&gone));
    plan.wait(plan.token()).expect("a report");
    assert_eq!(scene.sent(), plan.members());
}

#[test]
fn a_token_is_that_of_the_message_and_its_members() {
    let scene = Scene::new();
    let token = |options: InviteOptions| scene.plan(options).token().to_owned();
    let first = token(scene.germans());
    assert_eq!(first, token(scene.germans()), "the same token confirms the same plan made again");
    assert_ne!(first, token(scene.germans().sender("us@example.com")));
    scene.sandbox.opt_out(scene.plan(scene.germans()).members()[0]);
    assert_ne!(first, token(scene.germans()));
}

#[test]
fn a_list_of_opt_outs_counts_whoever_wrote_it_and_however() {
    let scene = Scene::new();
    let plan = scene.plan(scene.germans().cap(4_usize));
    assert_eq!(plan.members().len(), 4);
    assert_eq!(plan.left_out().iter().filter(|left| left.reason == LeftOutReason::BeyondCap).count(), 54);
    let address = |id: i64| {
        let mut members = scene.client.members(scene.sandbox.panel_id()).iter();
        let member = members.find_map(|it| it.ok().filter(|it| it.id == id)).expect("the member");
        member.text("Email").expect("an address").to_uppercase()
    };
    let (panel, workspace) = (scene.sandbox.panel_id(), scene.sandbox.workspace_id());
    for (place, id) in plan.members().iter().take(2).enumerate() {
        let mut request = WriteOptOutListRequest::new();
        if place == 0 {
            request.panel_id = Some(panel);
        } else {
            request.workspace_id = Some(workspace);
        }
        request.emails = Some(vec![EmailItem::new(address(*id), OptOutOperation::Add)]);
        scene.client.write_opt_out_list(request).expect("the list");
    }
    let again = scene.plan(scene.germans());
    assert!(again.to_string().contains("reaches 56 of 66: 6 have no address, 4 opted out"), "{again}");
}

#[test]
fn an_answer_that_is_lost_is_in_the_report_and_nothing_is_sent_twice() {
    let scene = Scene::new();
    let plan = scene.plan(scene.germans());
    scene.sandbox.fault(Fault::on("InviteMembers").status(403));
    assert_eq!(plan.wait(plan.token()).expect_err("a refusal").kind(), ErrorKind::PermissionDenied);
    assert_eq!(scene.sent().len(), 0, "nothing was sent, so the plan can still be run");

    scene.sandbox.fault(Fault::on("InviteMembers").cut_after_effect());
    let report = plan.wait(plan.token()).expect("a report");
    let stopped = report.stopped.clone().expect("what stopped it");
    assert_eq!((stopped.kind(), report.distributor_id), (ErrorKind::OutcomeUnknown, None));
    assert!(stopped.reconcile().expect("how to go on").contains("`read_distributor_list`"));
    assert!(report.to_string().starts_with("perhaps sent to 58: "), "{report}");
    assert!(plan.wait(plan.token()).expect_err("a refusal").to_string().contains("already been run"));
    assert_eq!(scene.sent(), plan.members(), "once");
}

#[test]
fn a_reminder_that_would_have_to_leave_somebody_out_is_refused() {
    let scene = Scene::new();
    let plan = scene.plan(scene.options().filter(field("Language").is_equal_to("fr")));
    let soon = Timestamp(Timestamp::now().0 + chrono::TimeDelta::hours(1));
    let waiting = scene.plan(scene.germans().cap(2_usize).schedule_date_time(soon));
    let distributor = plan.wait(plan.token()).expect("a report").distributor_id.expect("a distributor");
    let waiting = waiting.wait(waiting.token()).expect("a report").distributor_id.expect("a distributor");
    // The reminder in the seed has no text in French.
    let template = scene.sandbox.message_template_id() + 1;
    let count = plan.members().len();
    let refused = |options: RemindOptions, why: &str| {
        let error = scene.client.plan_remind(options).expect_err("a refusal");
        assert!(error.to_string().contains(why) && error.hint().contains("Nothing was sent"), "{error}");
    };
    refused(
        RemindOptions::new(distributor, template),
        &format!("no text in the language of {count} members"),
    );
    let anyway = || RemindOptions::new(distributor, template).other_languages(true);
    refused(anyway().cap(0_usize), "`cap` is 0");
    refused(anyway().cap(3_usize), &format!("the reminder would reach {count} members, `cap` is 3"));
    refused(RemindOptions::new(99, template), "there is no distributor 99");
    refused(RemindOptions::new(waiting, template), "has not sent yet");
    assert!(scene.sandbox.ledger().requests("RemindMembers").is_empty());

    let plan = scene.client.plan_remind(anyway().cap(count)).expect("a plan");
    scene.sandbox.fault(Fault::on("RemindMembers").cut_after_effect());
    let report = plan.wait(plan.token()).expect("a report");
    let stopped = report.stopped.expect("what stopped it");
    assert!(stopped.reconcile().expect("how to go on").contains("Nothing in the API lists reminders"));
    assert_eq!(scene.sandbox.ledger().count("RemindMembers", EffectKind::MessagesSent), count as u64);
    assert!(plan.wait(plan.token()).expect_err("a refusal").to_string().contains("already been run"));
}

#[test]
fn whoever_gives_up_while_it_sends_does_not_send_twice() {
    let scene = Scene::new();
    let plan = scene.plan(scene.germans());
    scene.sandbox.fault(Fault::on("InviteMembers").delay(Duration::from_millis(300)));
    let (running, ledger) = (plan.clone(), scene.sandbox.ledger());
    let given_up = runtime::block_on(async move {
        tokio::select! {
            done = running.run(running.token()) => Ok(done.is_ok()),
            () = async {
                while ledger.requests("InviteMembers").is_empty() {
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
            } => Ok(false),
        }
    });
    assert!(!given_up.expect("an end"), "the invitation was sent before the caller gave up");
    assert!(plan.wait(plan.token()).expect_err("a refusal").to_string().contains("already been run"));
    scene.client.close(Duration::from_secs(20));
    assert_eq!(
        (scene.sent(), scene.invitations()),
        (plan.members().to_vec(), 1),
        "an invitation that was sent is completed, once"
    );
}

#[test]
fn a_field_report_counts_everybody_who_was_invited() {
    let scene = Scene::new();
    let survey = scene.sandbox.survey_id();
    let count = |partial: bool| {
        scene.client.field_report(FieldReportOptions::new(survey).partial(partial)).expect("a report")
    };
    let before = count(false);
    assert_eq!((before.cases, before.rr1), (0, None), "its interviews came by a public link");
    assert!(before.uninvited > 100, "{before}");
    let plan = scene.plan(scene.germans());
    plan.wait(plan.token()).expect("a report");
    let mut members = scene.client.members(scene.sandbox.panel_id()).interviews().iter();
    for member in members.by_ref().map(|member| member.expect("a member")) {
        let open = member.interviews.iter().find(|interview| interview.survey_id == Some(survey));
        if let Some(interview) = open
            && member.id % 2 == 0
        {
            assert!(scene.sandbox.complete_interview(&interview.id, &[]));
        }
    }
    let completed = plan.members().iter().filter(|id| *id % 2 == 0).count();
    let report = count(false);
    assert_eq!((report.cases, report.complete, report.unknown), (58, completed, 58 - completed));
    assert_eq!((report.uninvited, report.eligibility, report.rr5), (before.uninvited, Some(1.0), Some(1.0)));
    assert!(report.to_string().contains("survey 1004: 58 invited: "), "{report}");

    // The other survey of the seed has interviews in every state.
    let survey = scene.sandbox.feedback_survey_id();
    let of = |partial: bool| {
        scene.client.field_report(FieldReportOptions::new(survey).partial(partial)).expect("a report")
    };
    let (broken_off, partial) = (of(false), of(true));
    assert!(broken_off.refusal > 0 && broken_off.not_eligible > 0 && broken_off.unknown > 0, "{broken_off}");
    assert_eq!((broken_off.partial, partial.partial, partial.refusal), (0, broken_off.refusal, 0));
    assert_eq!(broken_off.rr1, partial.rr1);
    assert!(partial.rr2 > partial.rr1 && broken_off.rr2 == broken_off.rr1);
    let counted = [
        partial.complete,
        partial.partial,
        partial.refusal,
        partial.other,
        partial.unknown,
        partial.not_eligible,
    ];
    assert_eq!(counted.iter().sum::<usize>(), partial.cases);
}
