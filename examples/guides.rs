//! The parts of the guides in Rust, on a platform in this process.

use sondage::arguments::{DoctorOptions, EnsureWebHookOptions, TraceOptions};
use sondage::blocking::Client;
use sondage::condition::field;
use sondage::doctor::HealthState;
use sondage::model::{
    CreateMembersRequest, ExecuteWorkflowTransitionRequest, NewMember, ReadCreditBalanceRequest,
    ReadIncentiveListRequest, ReadInterviewListRequest, ReadInterviewRequest, ReadPanelRequest,
    ReadSurveyRequest, ReadWorkflowTransitionsRequest, RedeemIncentiveCodeRequest, WorkflowType,
};
use sondage::webhook::{Hook, Strategy};
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::{
    CreateAndInviteOptions, ImportOptions, InviteOptions, ReconcileOptions, RedeemOptions, RowSource,
    SendMailOptions, SendOnceOptions, TransitionOptions,
};
use sondage_jobs::{Rows, Verdict};
use sondage_sandbox::{Fault, Sandbox};
use std::error::Error;
use std::path::Path;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let sandbox = Sandbox::demo_blocking()?;
    let client = sandbox.client().build_blocking()?;
    let folder = std::env::temp_dir().join(format!("sondage-guides-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    import(&sandbox, &client, &folder)?;
    distribution(&sandbox, &client)?;
    newcomers(&sandbox, &client)?;
    interview(&sandbox, &client)?;
    incentives(&client)?;
    workflows(&sandbox, &client)?;
    web_hook(&client, &folder)?;
    mails(&sandbox, &client, &folder)?;
    vouchers(&client)?;
    transition(&sandbox, &client)?;
    once(&sandbox, &client, &folder)?;
    reconcile(&sandbox, &client)?;
    trace(&sandbox)?;
    doctor(&sandbox)?;
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

fn import(sandbox: &Sandbox, client: &Client, folder: &Path) -> Result<(), Box<dyn Error>> {
    let panel = sandbox.panel_id();
    let people = Rows::of([
        [("Email", "ada@example.com"), ("FirstName", "Ada"), ("Language", "en")],
        [("Email", "alan@example.com"), ("FirstName", "Alan"), ("Language", "en")],
    ]);

    // The same call again goes on where it was stopped.
    let options = ImportOptions::new(panel, "Email").journal(folder.join("people.journal"));
    let report = client.import_members(options).wait(people)?;
    println!("{report}");
    Ok(())
}

fn distribution(sandbox: &Sandbox, client: &Client) -> Result<(), Box<dyn Error>> {
    let [survey, panel] = [sandbox.feedback_survey_id(), sandbox.panel_id()];
    let template = sandbox.message_template_id();

    // Plan the invitation, to see whom it reaches. These members were invited before, and are invited again.
    let sales = field("Division").is_equal_to("Sales");
    let plan = client.plan_invite(InviteOptions::new(survey, panel, template).filter(sales).again(true))?;
    println!("{}", plan.facts().text.lines().next().unwrap_or_default());
    let invited = plan.wait(plan.token())?;
    println!("invited: {}", invited.members.len());
    Ok(())
}

fn newcomers(sandbox: &Sandbox, client: &Client) -> Result<(), Box<dyn Error>> {
    let [survey, panel] = [sandbox.survey_id(), sandbox.panel_id()];
    let template = sandbox.message_template_id();
    let people = Rows::of([
        [("Email", "zoe@example.com"), ("FirstName", "Zoe"), ("Language", "en")],
        [("Email", "bea@example.com"), ("FirstName", "Bea"), ("Language", "de")],
        [("Email", "bea@example.com"), ("FirstName", "Beatrice"), ("Language", "de")],
    ]);

    let options = CreateAndInviteOptions::new(survey, panel, template, "Email").rows(RowSource::of(people)?);
    let plan = client.plan_create_and_invite(options)?;
    for left in &plan.facts().rows_left_out {
        println!("row {}: {}", left.row, left.reason.as_str());
    }
    let report = plan.wait(plan.token())?;
    println!("{} was created and invited", report.done);
    Ok(())
}

fn interview(sandbox: &Sandbox, client: &Client) -> Result<(), Box<dyn Error>> {
    let survey = sandbox.feedback_survey_id();
    let wanted = ReadInterviewListRequest::new(survey).fields_to_download(["Id"]);
    let rows = client.read_interview_list_compact(wanted)?.interviews;
    let id = rows[0]["Id"].as_str().ok_or("an id is a text")?;

    // One interview, with all its data.
    let request = ReadInterviewRequest::new(id, survey).load_survey_definition(true);
    let data = client.read_interview(request)?.response_data;
    println!("{:?} {:?}", data["State"], data["nps"]);
    Ok(())
}

fn incentives(client: &Client) -> Result<(), Box<dyn Error>> {
    // The credits, and the incentives that they can buy.
    let balance = client.read_credit_balance(ReadCreditBalanceRequest::new())?.balance;
    println!("credits: {}", balance.unwrap_or_default());
    let offers = client.read_incentive_list(ReadIncentiveListRequest::new())?.panel_incentives;
    for offer in &offers {
        println!(
            "{}: {} credits",
            offer.name.as_deref().unwrap_or_default(),
            offer.price_in_credits.unwrap_or_default()
        );
    }

    // Buy one voucher. Printing the response does not print its code.
    let redeemed = client.redeem_incentive_code(RedeemIncentiveCodeRequest::new(offers[0].id))?;
    println!("{}", if redeemed.voucher_code.is_some() { "a voucher was bought" } else { "no voucher came" });
    Ok(())
}

fn workflows(sandbox: &Sandbox, client: &Client) -> Result<(), Box<dyn Error>> {
    let survey = sandbox.feedback_survey_id();

    // The current state, and the transitions from it.
    let state = client.read_survey(ReadSurveyRequest::new(survey))?.survey_state.ok_or("no state")?;
    println!("it is {state}");
    let from_here = ReadWorkflowTransitionsRequest::new(WorkflowType::SurveyDesign, state);
    for way in client.read_workflow_transitions(from_here)?.transitions {
        println!("{} makes it {}", way.name.unwrap_or_default(), way.new_state.unwrap_or_default());
    }

    // There.
    let close = ExecuteWorkflowTransitionRequest::new(WorkflowType::SurveyDesign, "Closed").survey_id(survey);
    client.execute_workflow_transition(close)?;
    Ok(())
}

fn web_hook(client: &Client, folder: &Path) -> Result<(), Box<dyn Error>> {
    let hook = Hook::new(Strategy::basic("survalyzer", "correct horse battery staple")?)?;
    let address = "https://receiver.example.com/events";

    let options = EnsureWebHookOptions::new(address, "InterviewComplete").state(folder.join("hook.json"));
    let done = client.ensure_web_hook(&hook, options)?;
    println!("{}", done.outcome.as_str());
    Ok(())
}

fn mails(sandbox: &Sandbox, client: &Client, folder: &Path) -> Result<(), Box<dyn Error>> {
    let (panel, template) = (sandbox.panel_id(), sandbox.message_template_id());

    let news = || {
        let options = SendMailOptions::new(panel, "us@example.com").message_template_id(template);
        let options = options.filter(field("Language").is_equal_to("de")).cap(5_usize);
        client.plan_send_mail(options.journal(folder.join("news.journal")))
    };
    let plan = news()?;
    println!("{}", plan.facts().text.lines().next().unwrap_or_default());
    sandbox.fault(Fault::on("ExecuteSendMail").skip(2).cut_after_effect());
    let report = plan.wait(plan.token())?;
    println!("{} done, {} unknown, {} not sent", report.done, report.unknown, report.not_sent);

    let plan = news()?; // calling the same again continues the run
    let report = plan.wait(plan.token())?;
    println!("{} done, {} unknown, {} not sent", report.done, report.unknown, report.not_sent);
    Ok(())
}

fn vouchers(client: &Client) -> Result<(), Box<dyn Error>> {
    let offer = client.read_incentive_list(ReadIncentiveListRequest::new())?.panel_incentives[0].id;
    let vouchers = client.plan_redeem(RedeemOptions::new(offer).count(2_usize).max_credits(1000))?;
    println!("{}", vouchers.facts().text.lines().next().unwrap_or_default());
    let report = vouchers.wait(vouchers.token())?;
    println!("{} codes", report.rows.iter().filter(|row| row.voucher_code.is_some()).count());
    Ok(())
}

fn transition(sandbox: &Sandbox, client: &Client) -> Result<(), Box<dyn Error>> {
    let survey = sandbox.survey_id();
    let close = client.plan_transition(TransitionOptions::new("SurveyDesign", "Closed").survey_id(survey))?;
    println!("{}", close.facts().text.lines().next().unwrap_or_default());
    println!("{}", close.wait(close.token())?.complete);
    Ok(())
}

fn once(sandbox: &Sandbox, client: &Client, folder: &Path) -> Result<(), Box<dyn Error>> {
    let panel = sandbox.panel_id();
    let people = || [NewMember::of([("Email", "once@example.com")])];

    let once =
        client.send_once(SendOnceOptions::new("wave-3").folder(folder.join("once")).quiet(Duration::ZERO))?;
    let first = once.create_members(CreateMembersRequest::new(panel, people()))?.members_ids;
    let again = once.create_members(CreateMembersRequest::new(panel, people()))?.members_ids;
    println!("{}", first == again);
    Ok(())
}

fn reconcile(sandbox: &Sandbox, client: &Client) -> Result<(), Box<dyn Error>> {
    let member = [NewMember::of([("Email", "lost@example.com")])];
    let request = CreateMembersRequest::new(sandbox.panel_id(), member);

    // The call is lost before it is carried out.
    sandbox.fault(Fault::on("CreateMembers").status(504));
    if let Err(error) = client.create_members(request.clone()) {
        let id = error.write_id().ok_or("it is certain that nothing was created")?;
        let became = client.reconcile(ReconcileOptions::new(id).quiet(Duration::ZERO))?;
        println!("{}: {}", became.verdict.as_str(), became.evidence);
        if became.verdict == Verdict::DidNotHappen {
            client.create_members(request)?;
        }
    }
    Ok(())
}

fn trace(sandbox: &Sandbox) -> Result<(), Box<dyn Error>> {
    let client = sandbox.client().trace_entries(1000_u32).build_blocking()?;
    client.read_panel(ReadPanelRequest::new(sandbox.panel_id()))?;

    let told = client.trace(TraceOptions::new())?;
    for entry in &told.entries {
        println!("{} {:?} {}", entry.kind.as_str(), entry.status, entry.attempts);
    }
    Ok(())
}

fn doctor(sandbox: &Sandbox) -> Result<(), Box<dyn Error>> {
    let client = sandbox.client().client_secret("mistyped").build_blocking()?;

    let diagnosis = client.doctor(DoctorOptions::new())?;
    for check in diagnosis.checks.iter().filter(|check| check.state == HealthState::Failed) {
        println!("{} - {} {}", check.check.as_str(), check.found, check.cure.as_deref().unwrap_or_default());
    }
    Ok(())
}
