//! Ensured webhook registrations: what is registered, what is left unchanged, and what happens if a response is lost.

use super::*;
use sondage::arguments::EnsureWebHookOptions;
use sondage::webhook::{Bearer, EnsureOutcome, EnsuredWebHook};
use sondage::{Error, ErrorKind, Timestamp};
use sondage_sandbox::{EffectKind, Fault};
use std::path::PathBuf;

const ADDRESS: &str = "https://acme.example/hooks";
const PASSWORD: &str = "a password that is in no file";

struct Scene {
    sandbox: Sandbox,
    client: Client,
    folder: PathBuf,
}

impl Scene {
    fn new(name: &str) -> Self {
        let sandbox = sandbox();
        let folder = std::env::temp_dir().join(format!("sondage-ensure-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self { client: client(&sandbox), sandbox, folder }
    }

    fn state(&self) -> PathBuf {
        self.folder.join("webhook.json")
    }

    fn kept(&self) -> String {
        std::fs::read_to_string(self.state()).expect("a state file")
    }

    fn options(&self) -> EnsureWebHookOptions {
        EnsureWebHookOptions::new(ADDRESS, "InterviewComplete").state(self.state())
    }

    fn ensure(&self, hook: &Hook, options: EnsureWebHookOptions) -> sondage::Result<EnsuredWebHook> {
        let (client, hook) = (self.client.clone(), hook.clone());
        wait(async move { client.ensure_web_hook(&hook, options).await })
    }

    fn run(&self, hook: &Hook) -> sondage::Result<EnsuredWebHook> {
        self.ensure(hook, self.options())
    }

    /// How often the sandbox created and changed a registration.
    fn effects(&self) -> (usize, usize) {
        let effects = self.sandbox.ledger().effects("*");
        let count = |kind| effects.iter().filter(|effect| effect.kind == kind).count();
        (count(EffectKind::WebHookCreated), count(EffectKind::WebHookUpdated))
    }

    fn refused(&self, hook: &Hook, options: EnsureWebHookOptions) -> Error {
        let before = self.effects();
        let error = self.ensure(hook, options).expect_err("a refusal");
        assert_eq!(self.effects(), before, "{error}");
        assert!(error.to_string().matches("Nothing was changed.").count() <= 1, "{error}");
        error
    }

    /// The next registration takes effect, but its response is lost.
    fn lose_the_answer(&self) {
        self.sandbox.fault(Fault::on("CreateWebHook").cut_after_effect());
        let error = self.run(&basic(PASSWORD)).expect_err("nobody heard the answer");
        assert_eq!((error.kind(), self.effects()), (ErrorKind::OutcomeUnknown, (1, 0)), "{error}");
        assert!(error.hint().contains("Run the same again"), "{error}");
    }

    /// Moves the times in the state file into the past.
    fn later(&self) {
        let text = self.kept();
        let at = text.split("\"at\": \"").nth(1).and_then(|rest| rest.split('"').next()).expect("a time");
        std::fs::write(self.state(), text.replace(at, "2020-01-01T00:00:00Z")).expect("written");
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn basic(password: &str) -> Hook {
    Hook::new(Strategy::basic("survalyzer", password).unwrap()).unwrap()
}

fn of(outcome: EnsureOutcome, done: sondage::Result<EnsuredWebHook>) -> EnsuredWebHook {
    let done = done.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(done.outcome, outcome, "{done}");
    done
}

#[test]
fn it_is_made_once_changed_when_it_has_to_be_and_left_alone_otherwise() {
    let scene = Scene::new("once");
    let made = of(EnsureOutcome::Created, scene.run(&basic(PASSWORD)));
    assert_eq!((made.entity_identifier.as_str(), made.others.len(), made.ends), ("*", 0, None));
    for _ in 0..2 {
        let same = of(EnsureOutcome::Unchanged, scene.run(&basic(PASSWORD)));
        assert_eq!(same.web_hook_id, made.web_hook_id);
    }
    assert_eq!(scene.effects(), (1, 0));
    let other = of(EnsureOutcome::Updated, scene.run(&basic("another password")));
    assert_eq!((other.web_hook_id, scene.effects()), (made.web_hook_id, (1, 1)));
    let moved =
        EnsureWebHookOptions::new("https://acme.example/moved", "InterviewComplete").state(scene.state());
    of(EnsureOutcome::Updated, scene.ensure(&basic("another password"), moved));
    assert_eq!(scene.effects(), (1, 2));
}

#[test]
fn the_state_file_is_its_owners_alone_and_holds_no_secret() {
    let scene = Scene::new("secret");
    of(EnsureOutcome::Created, scene.run(&basic(PASSWORD)));
    let kept = scene.kept();
    for secret in [PASSWORD, ADDRESS, "survalyzer", "Basic "] {
        assert!(!kept.contains(secret), "{kept}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: PathBuf| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!((mode(scene.state()), mode(scene.folder.clone())), (0o600, 0o700));
    }
}

#[test]
fn a_token_that_ends_soon_is_made_anew() {
    let scene = Scene::new("ends");
    let token = |ago: i64| {
        let mut bearer = Bearer::new(KEY, "acme", 100);
        bearer.issued_at = Timestamp(Timestamp::now().0 - chrono::TimeDelta::days(ago));
        Hook::new(Strategy::Bearer(bearer)).unwrap()
    };
    let made = of(EnsureOutcome::Created, scene.run(&token(10)));
    // The same key on another day gives the same registration.
    let same = of(EnsureOutcome::Unchanged, scene.run(&token(0)));
    assert_eq!((same.ends, scene.effects()), (made.ends, (1, 0)));
    let soon = scene.options().renew_days(95);
    // At most half of its validity.
    of(EnsureOutcome::Unchanged, scene.ensure(&token(10), soon));
    let kept = scene.kept().replace(&made.ends.unwrap().to_string(), "2026-01-01T00:00:00Z");
    std::fs::write(scene.state(), kept).expect("written");
    let renewed = of(EnsureOutcome::Updated, scene.run(&token(99)));
    let left = renewed.ends.expect("an end").0 - Timestamp::now().0;
    assert_eq!(left.num_days(), 99, "{renewed}");
    of(EnsureOutcome::Unchanged, scene.run(&token(99)));
    assert_eq!(scene.effects(), (1, 1));
}

#[test]
fn one_that_is_there_is_never_taken_over() {
    let scene = Scene::new("candidate");
    let request = basic("theirs").registration(ADDRESS, EventType::InterviewComplete, "*").unwrap();
    let client = scene.client.clone();
    let theirs = wait(async move { client.create_web_hook(request).await }).unwrap().web_hook_id.unwrap();
    let error = scene.refused(&basic(PASSWORD), scene.options());
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.what().contains(&theirs) && error.hint().contains("web_hook_id"), "{error}");
    // An id from the caller is accepted, and stored in the file from then on.
    let taken = of(
        EnsureOutcome::Updated,
        scene.ensure(&basic(PASSWORD), scene.options().web_hook_id(theirs.clone())),
    );
    assert_eq!(taken.web_hook_id, theirs);
    of(EnsureOutcome::Unchanged, scene.run(&basic(PASSWORD)));
    let error = scene.refused(&basic(PASSWORD), scene.options().web_hook_id("another"));
    assert!(error.what().contains("another"), "{error}");
}

#[test]
fn without_a_file_the_id_tells_and_what_cannot_be_seen_is_registered_again() {
    let scene = Scene::new("id");
    let options = || {
        EnsureWebHookOptions::new(ADDRESS, "SurveyClosed")
            .entity_identifier(scene.sandbox.survey_id().to_string())
    };
    let made = of(EnsureOutcome::Created, scene.ensure(&basic(PASSWORD), options()));
    let again = options().web_hook_id(made.web_hook_id.clone());
    of(EnsureOutcome::Updated, scene.ensure(&basic(PASSWORD), again));
    assert!(scene.refused(&basic(PASSWORD), options()).what().contains(&made.web_hook_id));
    assert_eq!(scene.effects(), (1, 1));
}

#[test]
fn one_that_somebody_has_deleted_is_made_again() {
    let scene = Scene::new("gone");
    let made = of(EnsureOutcome::Created, scene.run(&basic(PASSWORD)));
    let (client, id) = (scene.client.clone(), made.web_hook_id.clone());
    wait(async move { client.delete_web_hook(DeleteWebHookRequest::new(id)).await }).expect("deleted");
    let anew = of(EnsureOutcome::Created, scene.run(&basic(PASSWORD)));
    assert!(anew.web_hook_id != made.web_hook_id && anew.reason.contains("no longer exists"), "{anew}");
    assert_eq!(scene.effects(), (2, 0));
}

#[test]
fn an_answer_that_is_lost_makes_no_second_one() {
    let scene = Scene::new("lost");
    scene.lose_the_answer();
    let found = of(EnsureOutcome::Created, scene.run(&basic(PASSWORD)));
    assert!(found.reason.contains("an earlier run"), "{found}");
    of(EnsureOutcome::Unchanged, scene.run(&basic(PASSWORD)));
    assert_eq!(scene.effects(), (1, 0));
}

#[test]
fn a_call_that_did_not_arrive_is_made_again_when_that_is_sure() {
    let scene = Scene::new("late");
    // A gateway responds instead of the service, which the client cannot detect.
    scene.sandbox.fault(Fault::on("CreateWebHook").status(502));
    let error = scene.run(&basic(PASSWORD)).expect_err("nobody heard the answer");
    assert_eq!((error.kind(), scene.effects()), (ErrorKind::OutcomeUnknown, (0, 0)), "{error}");
    let error = scene.refused(&basic(PASSWORD), scene.options());
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown);
    assert!(error.hint().contains("This run has sent nothing"), "{error}");
    scene.later();
    of(EnsureOutcome::Created, scene.run(&basic(PASSWORD)));
    assert_eq!(scene.effects(), (1, 0));
}

#[test]
fn several_that_came_meanwhile_are_shown_and_none_is_taken() {
    let scene = Scene::new("noise");
    scene.lose_the_answer();
    let request = basic("theirs").registration(ADDRESS, EventType::InterviewComplete, "*").unwrap();
    let client = scene.client.clone();
    let theirs = wait(async move { client.create_web_hook(request).await }).unwrap().web_hook_id.unwrap();
    let error = scene.refused(&basic(PASSWORD), scene.options());
    assert!(error.what().contains("several") && error.what().contains(&theirs), "{error}");
}

#[test]
fn a_file_that_is_not_this_ones_is_refused_and_left_as_it_is() {
    let scene = Scene::new("file");
    let made = of(EnsureOutcome::Created, scene.run(&basic(PASSWORD)));
    let good = scene.kept();
    let other = EnsureWebHookOptions::new(ADDRESS, "SurveyClosed").state(scene.state());
    let error = scene.refused(&basic(PASSWORD), other);
    assert!(error.what().contains("InterviewComplete"), "{error}");
    for (bad, said) in [
        (good[..good.len() / 2].to_owned(), "damaged"),
        ("{\"sondage\": \"import\", \"version\": 1}".to_owned(), "of the kind `webhook`"),
        (good.replace("\"version\": 1", "\"version\": 9"), "version 9"),
        (good.replace("\"tenant\": \"demo\"", "\"tenant\": \"other\""), "keeps a webhook of other"),
        (String::new(), "damaged"),
    ] {
        std::fs::write(scene.state(), &bad).expect("written");
        let error = scene.refused(&basic(PASSWORD), scene.options());
        assert!(error.what().contains(said) && error.to_string().contains("Nothing was"), "{error}");
        assert_eq!(scene.kept(), bad);
    }
    std::fs::write(scene.state(), good).expect("written");
    assert_eq!(of(EnsureOutcome::Unchanged, scene.run(&basic(PASSWORD))).web_hook_id, made.web_hook_id);
}

#[test]
#[cfg(unix)]
fn a_folder_that_cannot_be_written_stops_it_before_anything_is_sent() {
    use std::os::unix::fs::symlink;
    let scene = Scene::new("link");
    std::fs::create_dir_all(&scene.folder).expect("a folder");
    let target = scene.folder.join("elsewhere");
    std::fs::write(&target, "somebody's").expect("written");
    symlink(&target, scene.folder.join("webhook.json")).expect("a link");
    let error = scene.refused(&basic(PASSWORD), scene.options());
    assert_eq!(error.kind(), ErrorKind::Configuration, "{error}");
    assert!(error.hint().contains("Nothing was sent"), "{error}");
    assert_eq!(std::fs::read_to_string(&target).expect("still there"), "somebody's");
    // A path below a file cannot be created.
    let nowhere = EnsureWebHookOptions::new(ADDRESS, "InterviewComplete").state(target.join("webhook.json"));
    assert_eq!(scene.refused(&basic(PASSWORD), nowhere).kind(), ErrorKind::Configuration);
}

#[test]
fn two_runs_on_one_file_make_one_webhook() {
    let scene = Scene::new("two");
    let (hook, client) = (basic(PASSWORD), scene.client.clone());
    let runs = (0..4).map(|_| {
        let (hook, client, options) = (hook.clone(), client.clone(), scene.options());
        async move { client.ensure_web_hook(&hook, options).await }
    });
    let runs: Vec<_> = runs.collect();
    let done = wait(async move { Ok(futures_util::future::join_all(runs).await) }).expect("all of them");
    assert!(done.iter().any(Result::is_ok), "{done:?}");
    for error in done.into_iter().filter_map(Result::err) {
        assert!(error.what().contains("another run uses"), "{error}");
    }
    assert_eq!(scene.effects().0, 1);
}

#[test]
fn an_address_that_cannot_be_registered_is_refused_before_anything_is_read() {
    let scene = Scene::new("address");
    let options = EnsureWebHookOptions::new("http://acme.example/hooks", "InterviewComplete");
    let error = scene.refused(&basic(PASSWORD), options);
    assert!(error.what().contains("https"), "{error}");
    let error = scene.refused(&basic(PASSWORD), EnsureWebHookOptions::new(ADDRESS, "NoSuchEvent"));
    assert_eq!(error.kind(), ErrorKind::Api, "{error}");
}
