//! The data held about one person: read and erased, over HTTP against a sandbox.
use crate::support;
use sondage::condition::field;
use sondage::internals::runtime;
use sondage::model::{EmailItem, Member, OptOutOperation, WriteOptOutListRequest};
use sondage::{Error, ErrorKind, Result, blocking};
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::{
    ArchiveOptions, ErasePersonOptions, ExportPersonOptions, ImportOptions, InviteOptions,
    PlanErasePersonOptions, PlanExportPersonOptions,
};
use sondage_jobs::{
    ErasePlan, EraseReceipt, ErasureStep, Jobs as _, JournalSummary, PersonExport, PersonSource, Rows,
    SourceOutcome, StepOutcome,
};
use sondage_sandbox::{Cause, EffectKind, Fault, Sandbox};
use std::fs;
use std::path::{Path, PathBuf};

/// Values that nobody else in the sandbox has.
const EMAIL: &str = "Marker.Personne@example.com";
const NAME: &str = "Zebulonia-Marker";
const ANSWER: &str = "an-answer-marker-of-hers";

struct Scene {
    sandbox: Sandbox,
    client: blocking::Client,
    folder: PathBuf,
    member: i64,
}

impl Scene {
    /// A person who was imported and invited, has answered, and is in an archive.
    fn new(name: &str) -> Self {
        let sandbox = Sandbox::demo_blocking().expect("a sandbox");
        let client = blocking::Client::from(support::sandbox::client(&sandbox, 400));
        let folder = std::env::temp_dir().join(format!("sondage-persons-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let mut scene = Self { sandbox, client, folder, member: 0 };
        let rows = Rows::of([
            [("Email", EMAIL.to_owned()), ("FirstName", NAME.to_owned())],
            [("Email", "other@example.com".to_owned()), ("FirstName", "Other".to_owned())],
        ]);
        let options = ImportOptions::new(scene.panel(), "Email").journal(scene.journal());
        let report = scene.client.import_members(options).wait(rows).expect("a report");
        scene.member = report.row(0).and_then(|row| row.id).expect("a number");
        let survey = scene.sandbox.feedback_survey_id();
        let template = scene.sandbox.message_template_id();
        let options =
            InviteOptions::new(survey, scene.panel(), template).filter(field("Email").is_equal_to(EMAIL));
        let plan = scene.client.plan_invite(options).expect("a plan");
        plan.wait(plan.token()).expect("sent");
        let id = scene.interview();
        let answers = serde_json::json!({ "remark": ANSWER });
        assert!(
            scene
                .sandbox
                .emit(Cause::Complete { id, answers: answers.as_object().cloned().unwrap_or_default() })
        );
        scene.client.archive_answers(scene.archive_options()).wait().expect("an archive");
        scene
    }

    fn panel(&self) -> i64 {
        self.sandbox.panel_id()
    }

    fn journal(&self) -> PathBuf {
        self.folder.join("import.journal")
    }

    fn archive_options(&self) -> ArchiveOptions {
        ArchiveOptions::new(self.sandbox.feedback_survey_id(), self.archive())
    }

    fn archive(&self) -> PathBuf {
        self.folder.join("archive")
    }

    fn files(&self) -> Vec<String> {
        [self.journal(), self.archive()].map(|path| path.display().to_string()).to_vec()
    }

    fn members(&self) -> Vec<Member> {
        let members = self.client.as_async().members(self.panel()).interviews();
        runtime::block_on(async move { members.collect_all().await }).expect("members")
    }

    fn interview(&self) -> String {
        let members = self.members();
        let member = members.iter().find(|member| member.id == self.member).expect("the member");
        member.interviews[0].id.clone()
    }

    fn export(&self, folder: Option<&Path>) -> Result<PersonExport> {
        let mut options = ExportPersonOptions::new([self.panel()], "Email", EMAIL);
        options.folder = folder.map(Into::into);
        options.documents = folder.is_some();
        options.files = Some(self.files());
        self.client.export_person(options)
    }

    fn plan(&self) -> ErasePlan {
        let mut options = PlanErasePersonOptions::new([self.panel()], "Email", EMAIL, false);
        options.files = Some(self.files());
        self.client.plan_erase_person(options).expect("a plan")
    }

    fn options(&self, token: &str) -> ErasePersonOptions {
        let receipt = self.folder.join("receipt.json");
        let mut options = ErasePersonOptions::new([self.panel()], "Email", EMAIL, false, receipt, token);
        options.files = Some(self.files());
        options
    }

    fn erase(&self, token: &str) -> Result<EraseReceipt> {
        self.client.erase_person(self.options(token))
    }

    fn calls(&self) -> u64 {
        let known = |it: &&sondage_sandbox::Arrival| sondage::operations::find(&it.operation).is_some();
        self.sandbox.ledger().requests("*").iter().filter(known).count() as u64
    }

    /// Deleted interviews and members.
    fn deleted(&self) -> (u64, u64) {
        let count = |kind| self.sandbox.ledger().count("*", kind);
        (count(EffectKind::InterviewDeleted), count(EffectKind::MembersDeleted))
    }

    fn refused(&self, options: ErasePersonOptions) -> Error {
        let before = self.deleted();
        let error = self.client.erase_person(options).expect_err("a refusal");
        assert_eq!((error.kind(), self.deleted()), (ErrorKind::InvalidArgument, before), "{error}");
        assert!(error.to_string().contains("Nothing was changed"), "{error}");
        error
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn source<'a>(sources: &'a [PersonSource], name: &str) -> &'a PersonSource {
    sources.iter().find(|source| source.name == name).unwrap_or_else(|| panic!("{name}: {sources:?}"))
}

fn outcomes(steps: &[ErasureStep], what: &str) -> Vec<StepOutcome> {
    steps.iter().filter(|step| step.what == what).map(|step| step.outcome).collect()
}

/// Every file below a folder.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files
}

#[test]
fn an_export_says_of_each_source_what_was_read() {
    let scene = Scene::new("export");
    let mut planned = PlanExportPersonOptions::new([scene.panel()], "Email", EMAIL).documents(true);
    planned.files = Some(scene.files());
    let plan = scene.client.plan_export_person(planned).expect("a plan");
    let before = scene.calls();
    let folder = scene.folder.join("person");
    let export = scene.export(Some(&folder)).expect("an export");
    assert_eq!((scene.calls() - before, plan.cost.calls), (plan.calls, plan.calls), "{plan}");
    assert!(plan.cost.bytes > 1_000 && plan.cost.minutes > 0.0, "{:?}", plan.cost);
    for (name, items) in [
        ("members", 1),
        ("interviews", 1),
        ("documents", 1),
        ("distributors", 1),
        ("sampling_projects", 1),
        ("opt_outs", 0),
    ] {
        let source = source(&export.sources, name);
        assert_eq!((source.outcome, source.items), (SourceOutcome::Read, items), "{export}");
    }
    for name in ["public_links", "messages", "service_copies"] {
        assert_eq!(source(&export.sources, name).outcome, SourceOutcome::NotRead);
    }
    for path in scene.files() {
        assert_eq!(source(&export.sources, &path).items, 1, "{export}");
    }
    let text = fs::read_to_string(folder.join("person.json")).expect("what was read");
    assert!([EMAIL, NAME, ANSWER].iter().all(|marker| text.contains(marker)), "{text}");
    // Anyone who has a link can answer or read, so no link is written.
    assert!(!text.contains("http://") && !text.contains("https://"), "{text}");
    assert!(!export.text.contains(EMAIL) && !export.text.contains(NAME), "{export}");
    let pdf = fs::read(folder.join(format!("{}.pdf", scene.interview()))).expect("a document");
    assert!(pdf.starts_with(b"%PDF"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!(mode(&folder), 0o700);
        assert!(files_below(&folder).iter().all(|path| mode(path) == 0o600));
    }
    // Exporting the same person again replaces the export; the export of another person, or another folder, is left
    // unchanged.
    scene.export(Some(&folder)).expect("the same again");
    let other =
        ExportPersonOptions::new([scene.panel()], "Email", "other@example.com").folder(folder.as_path());
    let error = scene.client.export_person(other).expect_err("another person");
    assert!(error.what().contains("another person"), "{error}");
    let error = scene.export(Some(&scene.archive())).expect_err("another folder");
    assert!(error.what().contains("other files"), "{error}");
}

#[test]
fn without_a_folder_everything_comes_back_as_json() {
    let scene = Scene::new("json");
    let export = scene.export(None).expect("an export");
    let all: serde_json::Value = serde_json::from_str(&export.json.expect("JSON")).expect("JSON");
    assert_eq!(all["members"][0]["member"]["fields"]["Email"]["value"], EMAIL);
    assert_eq!(all["interviews"][0]["id"], scene.interview());
    let interview = &all["members"][0]["member"]["interviews"][0];
    assert_eq!(all["samplingProjects"][0]["samplingProjectId"], interview["samplingProjectId"]);
    assert!(export.files.is_empty());
}

#[test]
fn whoever_has_no_right_is_told_what_was_not_read() {
    let scene = Scene::new("rights");
    scene.sandbox.fault(Fault::on("ReadOptOutList").status(403).every());
    scene.sandbox.fault(Fault::on("ReadInterview").status(403).every());
    let export = scene.export(None).expect("an export");
    assert_eq!(source(&export.sources, "opt_outs").outcome, SourceOutcome::NotRead);
    assert!(source(&export.sources, "some_interviews").reason.contains("do not allow it"), "{export}");
    scene.sandbox.fault(Fault::on("ReadMemberList").status(403).every());
    assert_eq!(scene.export(None).expect_err("no members").kind(), ErrorKind::PermissionDenied);
}

#[test]
fn an_erasure_leaves_nothing_and_its_receipt_says_what_it_did() {
    let scene = Scene::new("erase");
    let folder = scene.folder.join("person");
    scene.export(Some(&folder)).expect("an export");
    let files = [scene.files(), vec![folder.display().to_string()]].concat();
    let mut planned = PlanErasePersonOptions::new([scene.panel()], "Email", EMAIL, false);
    planned.files = Some(files.clone());
    let plan = scene.client.plan_erase_person(planned).expect("a plan");
    assert!(plan.token.starts_with("5-"), "three files, an interview and a member: {plan}");
    assert_eq!(scene.deleted(), (0, 0));
    let (members, interview) = (scene.members().len(), scene.interview());
    let before = scene.calls();
    let mut options = scene.options(&plan.token);
    options.files = Some(files);
    let receipt = scene.client.erase_person(options.clone()).expect("a receipt");
    assert_eq!((scene.calls() - before, plan.cost.calls), (plan.calls, plan.calls), "{plan}");
    assert!(plan.cost.bytes > 1_000 && plan.cost.minutes > 0.0, "{:?}", plan.cost);
    assert_eq!((scene.deleted(), scene.members().len()), ((1, 1), members - 1));
    assert_eq!(outcomes(&receipt.steps, "file"), [StepOutcome::Erased; 3]);
    assert_eq!(outcomes(&receipt.steps, "interview"), [StepOutcome::Erased]);
    assert_eq!(outcomes(&receipt.steps, "member"), [StepOutcome::Erased]);
    assert_eq!(outcomes(&receipt.steps, "public_links"), [StepOutcome::Left]);
    assert_eq!(receipt.erased, 5, "{receipt}");
    // No file contains the person's data, not even the receipt.
    for path in files_below(&scene.folder) {
        let bytes = fs::read(&path).expect("a file");
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for marker in [EMAIL, NAME, ANSWER, interview.as_str()] {
            assert!(!text.contains(&marker.to_lowercase()), "{marker} in {}", path.display());
        }
    }
    // The journal is still valid, with the other row.
    let summary = JournalSummary::read(scene.journal()).expect("a journal");
    assert_eq!((summary.rows, summary.done, summary.ended), (2, 2, true));
    // The archive can be continued: the interview is deleted, so nothing is fetched.
    let archive = scene.client.archive_answers(scene.archive_options()).wait().expect("an archive");
    assert_eq!(archive.progress.stored, 0);
    // The same call again returns the receipt, and makes no call.
    let calls = scene.calls();
    assert_eq!(scene.client.erase_person(options).expect("the receipt"), receipt);
    assert_eq!(scene.calls(), calls);
}

#[test]
fn it_is_refused_when_something_else_would_be_erased() {
    let scene = Scene::new("changed");
    let plan = scene.plan();
    assert!(scene.refused(scene.options("1-aaaaaa")).what().contains(&plan.token));
    // The member's data change in the meantime.
    let fields = serde_json::json!({ "FirstName": "Changed" });
    let fields = fields.as_object().cloned().unwrap_or_default();
    assert!(scene.sandbox.emit(Cause::UpdateMember { member_id: scene.member, fields }));
    scene.refused(scene.options(&plan.token));
    assert!(!scene.folder.join("receipt.json").exists());
    scene.erase(&scene.plan().token).expect("a receipt");
    assert_eq!(scene.deleted(), (1, 1));
    // The receipt belongs to this erasure.
    assert!(scene.refused(scene.options("9-zzzzzz")).what().contains("another token"));
    let mut other = scene.options(&plan.token);
    other.value = "other@example.com".to_owned();
    assert!(scene.refused(other).what().contains("another erasure"));
}

#[test]
fn a_run_that_was_interrupted_goes_on() {
    for (operation, at) in [("DeleteInterview", 0), ("DeleteMembers", 1), ("ReadMemberList", 2)] {
        let scene = Scene::new(&format!("crash-{at}"));
        let token = scene.plan().token;
        let reads = || scene.sandbox.ledger().requests("ReadMemberList").len() as u64;
        let before = reads();
        scene.plan();
        // The member is read once more after every deletion.
        let skip = if operation == "ReadMemberList" { reads() - before } else { 0 };
        let fault = scene.sandbox.fault(Fault::on(operation).skip(skip).cut_after_effect().every());
        let error = scene.erase(&token).expect_err("an interruption");
        assert!(error.hint().contains("goes on from there"), "{operation}: {error}");
        let kept = fs::read_to_string(scene.folder.join("receipt.json")).expect("a receipt");
        assert!(kept.contains("\"sent\"") && !kept.contains(EMAIL) && !kept.contains(NAME), "{kept}");
        fault.remove();
        let receipt = scene.erase(&token).expect("it goes on");
        assert_eq!(outcomes(&receipt.steps, "planned"), []);
        assert!(receipt.steps.iter().all(|step| step.outcome != StepOutcome::Sent), "{receipt}");
        assert_eq!(scene.deleted(), (1, 1), "{operation}: {receipt}");
        assert_eq!(scene.sandbox.ledger().effects("DeleteMembers").len(), 1);
    }
}

#[test]
fn nobody_several_and_almost_the_same_are_told_apart() {
    let scene = Scene::new("who");
    let plan = |key: &str, value: &str, panels: &[i64]| {
        scene.client.plan_erase_person(PlanErasePersonOptions::new(panels.to_vec(), key, value, true))
    };
    let panel = [scene.panel()];
    for near in ["ｍarker.perſonne@example.com", " Marker.Personne@example.com"] {
        let error = plan("Email", near, &panel).expect_err("another key");
        assert!(error.what().contains(&scene.member.to_string()) && error.what().contains("case"), "{error}");
        assert!(!error.to_string().to_lowercase().contains("marker"), "{error}");
    }
    let error = plan("Email", "nobody@example.com", &panel).expect_err("nobody");
    assert!(error.what().starts_with("no member of the panels"), "{error}");
    assert!(plan("Language", "de", &panel).expect_err("many").what().contains("members of the panel"));
    for (key, value, panels) in [
        ("NoSuchField", EMAIL, &panel[..]),
        ("Email", " ", &panel[..]),
        ("Email", EMAIL, &[]),
        ("Email", EMAIL, &[panel[0], panel[0]]),
        ("Id", EMAIL, &panel[..]),
        ("Id", "5", &[panel[0], 99]),
    ] {
        let error = plan(key, value, panels).expect_err("an invalid argument");
        let said = error.to_string();
        assert!(error.kind() == ErrorKind::InvalidArgument && said.contains("Nothing was changed"), "{said}");
    }
    let by_number = plan("Id", &scene.member.to_string(), &panel).expect("a plan");
    assert_eq!((by_number.members.len(), by_number.members[0].member_id), (1, scene.member));
    assert_eq!(outcomes(&by_number.steps, "interview"), [StepOutcome::Left], "the plan was to keep them");
    assert_eq!(scene.deleted(), (0, 0));
}

#[test]
fn who_wants_no_messages_stays_on_the_list_unless_it_is_said() {
    let scene = Scene::new("optout");
    let mut request = WriteOptOutListRequest::new();
    request.workspace_id = Some(scene.sandbox.workspace_id());
    request.emails = Some(vec![EmailItem::new(EMAIL.to_lowercase(), OptOutOperation::Add)]);
    scene.client.write_opt_out_list(request).expect("written");
    let all = |steps: &[ErasureStep], outcome| {
        let outcomes = outcomes(steps, "opt_out");
        !outcomes.is_empty() && outcomes.iter().all(|one| *one == outcome)
    };
    assert!(all(&scene.plan().steps, StepOutcome::Left));
    let planned = PlanErasePersonOptions::new([scene.panel()], "Email", EMAIL, false).keep_opt_outs(false);
    let token = scene.client.plan_erase_person(planned).expect("a plan").token;
    let mut options = scene.options(&token).keep_opt_outs(false);
    options.files = None;
    let receipt = scene.client.erase_person(options).expect("a receipt");
    assert!(all(&receipt.steps, StepOutcome::Erased), "{receipt}");
}

#[test]
fn files_that_are_something_else_are_left_and_said() {
    let scene = Scene::new("files");
    let notes = scene.folder.join("notes.txt");
    fs::write(&notes, "somebody's notes").expect("written");
    let plan = |path: &Path| {
        let mut options = PlanErasePersonOptions::new([scene.panel()], "Email", EMAIL, true);
        options.files = Some(vec![path.display().to_string()]);
        scene.client.plan_erase_person(options)
    };
    let left = plan(&notes).expect("a plan");
    assert_eq!(outcomes(&left.steps, "file"), [StepOutcome::Left]);
    let missing = plan(&scene.folder.join("missing")).expect_err("it is not there");
    let said = missing.to_string();
    assert!(said.contains("missing") && said.contains("Nothing was changed"), "{said}");
    // A journal that was changed by hand is refused.
    let text = fs::read_to_string(scene.journal()).expect("a journal");
    fs::write(scene.journal(), text.replacen("\"chunk\":0", "\"chunk\":7", 1)).expect("written");
    let error = plan(&scene.journal()).expect_err("a damaged journal");
    assert!(error.what().contains("damaged"), "{error}");
    assert_eq!(fs::read_to_string(&notes).expect("still there"), "somebody's notes");
}

#[test]
fn an_import_that_is_not_over_keeps_its_journal() {
    let scene = Scene::new("unfinished");
    let journal = scene.folder.join("half.journal");
    // The file as a run that was killed just before its end leaves it.
    let text = fs::read_to_string(scene.journal()).expect("a journal");
    let last = text.trim_end().rfind('\n').expect("several lines");
    fs::write(&journal, &text[..=last]).expect("written");
    let before = fs::read(&journal).expect("a journal");
    let mut options = PlanErasePersonOptions::new([scene.panel()], "Email", EMAIL, true);
    options.files = Some(vec![journal.display().to_string()]);
    let plan = scene.client.plan_erase_person(options).expect("a plan");
    let step = plan.steps.iter().find(|step| step.what == "file").expect("a step");
    assert_eq!((step.outcome, step.reason.contains("not complete")), (StepOutcome::Left, true), "{plan}");
    assert_eq!(fs::read(&journal).expect("a journal"), before);
}

#[test]
fn the_journal_of_a_plan_forgets_the_person() {
    let scene = Scene::new("plan");
    let journal = scene.folder.join("invite.journal");
    let (survey, template) = (scene.sandbox.feedback_survey_id(), scene.sandbox.message_template_id());
    let invite = || {
        let again = InviteOptions::new(survey, scene.panel(), template).again(true);
        let two = field("Email").is_in([EMAIL, "other@example.com"]);
        scene.client.plan_invite(again.journal(journal.as_path()).filter(two)).expect("a plan")
    };
    let erase = || {
        let mut options = PlanErasePersonOptions::new([scene.panel()], "Email", EMAIL, true);
        options.files = Some(vec![journal.display().to_string()]);
        scene.client.plan_erase_person(options).expect("a plan")
    };
    // An incomplete journal is left unchanged, because it prevents the message from being sent twice.
    scene.sandbox.fault(Fault::on("InviteMembers").cut_after_effect());
    let plan = invite();
    assert_eq!(plan.wait(plan.token()).expect("a report").unknown, 2);
    let left = erase();
    assert_eq!(outcomes(&left.steps, "file"), [StepOutcome::Left]);
    assert!(left.text.contains("plan that is not complete"), "{left}");

    fs::remove_file(&journal).expect("taken away");
    let plan = invite();
    plan.wait(plan.token()).expect("sent");
    let token = erase().token;
    let receipt = scene.folder.join("receipt.json");
    let mut options = ErasePersonOptions::new([scene.panel()], "Email", EMAIL, true, receipt, token);
    options.files = Some(vec![journal.display().to_string()]);
    let receipt = scene.client.erase_person(options).expect("a receipt");
    assert_eq!(outcomes(&receipt.steps, "file"), [StepOutcome::Erased]);
    let text = fs::read_to_string(&journal).expect("a journal");
    assert!(!text.contains(&scene.member.to_string()), "{text}");
    // The journal is valid, and still contains the others.
    assert!(JournalSummary::read(&journal).expect("a journal").ended);
    let sent = scene.sandbox.ledger().requests("InviteMembers").len();
    let again = invite();
    let report = again.wait(again.token()).expect("a report");
    assert_eq!((report.done, report.resumed, report.rows.len()), (1, true, 1), "{report}");
    assert_eq!(scene.sandbox.ledger().requests("InviteMembers").len(), sent);
}

#[test]
fn files_of_downloads_are_named() {
    let scene = Scene::new("downloads");
    let (delta, spool) = (scene.folder.join("state.json"), scene.folder.join("answers.parquet.pages"));
    fs::write(&delta, r#"{"version":1,"of":"q","watermark":null,"recent":{},"known":null}"#)
        .expect("written");
    fs::create_dir(&spool).expect("a folder");
    let state = r#"{"version":1,"query":"q","begun":"2024-05-01T00:00:00Z","pages":1,"bookmark":null,"complete":false}"#;
    fs::write(spool.join("state.json"), state).expect("written");
    let mut options = PlanErasePersonOptions::new([scene.panel()], "Email", EMAIL, true);
    options.files = Some([&delta, &spool].map(|path| path.display().to_string()).to_vec());
    let plan = scene.client.plan_erase_person(options).expect("a plan");
    let said: Vec<&str> =
        plan.steps.iter().filter(|step| step.what == "file").map(|step| step.reason.as_str()).collect();
    assert!(said[0].contains("state of a delta load") && said[1].contains("pages of a download"), "{plan}");
    assert_eq!(outcomes(&plan.steps, "file"), [StepOutcome::Left; 2]);
}

#[test]
fn two_runs_with_one_receipt_do_not_meet() {
    let scene = Scene::new("two");
    let token = scene.plan().token;
    let runs: Vec<_> = (0..3)
        .map(|_| {
            let (client, options) = (scene.client.as_async().clone(), scene.options(&token));
            async move { client.erase_person(options).await }
        })
        .collect();
    let done = runtime::block_on(async move { Ok(futures_util::future::join_all(runs).await) }).expect("all");
    assert!(done.iter().any(Result::is_ok), "{done:?}");
    for error in done.into_iter().filter_map(Result::err) {
        assert!(error.what().contains("another run uses"), "{error}");
    }
    assert_eq!(scene.deleted(), (1, 1));
}
