//! The daily budget across processes: `sondage budget` shows it, and a pause that one process was told to keep also
//! delays the next one.

use sondage_sandbox::{Fault, Sandbox};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

struct Scene {
    sandbox: Sandbox,
    folder: PathBuf,
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Scene {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("sondage-cli-budget-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self { sandbox: Sandbox::demo_blocking().unwrap(), folder }
    }

    fn command(&self, program: &str) -> Command {
        let sandbox = &self.sandbox;
        let mut command = Command::new(program);
        command
            .env("SONDAGE_BASE_URL", sandbox.base_url())
            .env("SONDAGE_AUTH_URL", sandbox.auth_url())
            .env("SONDAGE_TENANT", sandbox.tenant())
            .env("SONDAGE_CLIENT_SECRET", sandbox.client_secret())
            .env("SONDAGE_BUDGET_FOLDER", &self.folder)
            .env("SONDAGE_BUDGET_LOOPBACK", "true")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn sondage(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_sondage"));
        command.args(arguments);
        command
    }

    /// A command that makes some calls and changes nothing.
    fn plan(&self) -> Command {
        let ids = [self.sandbox.survey_id(), self.sandbox.panel_id()].map(|id| id.to_string());
        let template = self.sandbox.message_template_id().to_string();
        self.sondage(&["invite", &ids[0], &ids[1], "--template", &template, "--where", "Language=de"])
    }

    fn told(&self) -> serde_json::Value {
        let output = self.sondage(&["budget", "--json"]).output().unwrap();
        assert!(output.status.success(), "{}", error(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn arrived(&self) -> u64 {
        self.sandbox.ledger().requests("*").iter().filter(|it| it.operation != "token").count() as u64
    }

    fn file(&self) -> PathBuf {
        let files = std::fs::read_dir(&self.folder).unwrap().flatten();
        files
            .map(|file| file.path())
            .find(|path| path.extension().is_some_and(|end| end == "budget"))
            .unwrap()
    }
}

/// What a command learns about the service, the next one need not ask for.
#[test]
fn the_surveys_cost_four_calls_and_two_when_they_were_listed_before() {
    let scene = Scene::new("facts");
    let surveys = || {
        let before = scene.arrived();
        let output = scene.sondage(&["surveys"]).env("SONDAGE_FACTS_SAMPLE", "0").output().unwrap();
        assert!(output.status.success(), "{}", error(&output));
        scene.arrived() - before
    };
    assert_eq!([surveys(), surveys()], [4, 2]);
    let shown = scene.sondage(&["budget", "--facts"]).output().unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("ReadSurveyList: first_page 1 (tail probe, "), "{shown}");
    assert!(
        shown.starts_with("facts in ") && shown.contains("ReadWorkspaceList: counts_list true"),
        "{shown}"
    );
    let off = scene.sondage(&["budget", "--facts"]).env("SONDAGE_FACTS", "off").output().unwrap();
    assert_eq!(String::from_utf8(off.stdout).unwrap().trim_end(), "facts are off");
    let no_folder = std::env::current_exe().unwrap();
    let unusable =
        scene.sondage(&["budget", "--facts"]).env("SONDAGE_FACTS_FOLDER", &no_folder).output().unwrap();
    let shown = String::from_utf8(unusable.stdout).unwrap();
    assert!(
        shown.lines().count() > 1 && unusable.status.success(),
        "it says why the folder cannot be used: {shown}"
    );
    let wrong = scene.sondage(&["surveys"]).env("SONDAGE_FACTS", "maybe").output().unwrap();
    assert!(
        error(&wrong).starts_with("sondage: `facts` (environment SONDAGE_FACTS) must be "),
        "{}",
        error(&wrong)
    );
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_command_tells_what_others_have_used() {
    let scene = Scene::new("tells");
    let before = scene.told();
    assert_eq!(
        (&before["calls"], &before["callsLeft"], &before["since"]),
        (&0.into(), &500.into(), &().into())
    );
    let planned = scene.plan().output().unwrap();
    assert!(planned.status.success(), "{}", error(&planned));
    let used = scene.told();
    assert_eq!((&used["calls"], &used["counted"]), (&scene.arrived().into(), &true.into()));
    let sent: u64 = scene
        .sandbox
        .ledger()
        .requests("*")
        .iter()
        .filter(|it| it.operation != "token")
        .map(|it| it.bytes)
        .sum();
    assert_eq!(used["sent"], sent);
    assert_eq!(used["file"], scene.file().display().to_string());
    let said = scene.sondage(&["budget"]).output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    let calls = scene.arrived();
    let first = format!("demo: {calls} of 500 calls are used, {} are left until ", 500 - calls);
    assert!(
        said.starts_with(&first) && said.contains("at the limit: warn") && said.contains("counted since "),
        "{said}"
    );
    let alone = scene.sondage(&["budget"]).env_remove("SONDAGE_BUDGET_FOLDER").output().unwrap();
    let alone = String::from_utf8(alone.stdout).unwrap();
    assert!(alone.starts_with("demo: 0 of 500") && alone.contains("set SONDAGE_BUDGET_FOLDER"), "{alone}");
}

#[test]
fn warnings_are_on_standard_error_and_a_stop_ends_the_command() {
    let scene = Scene::new("stops");
    let planned = scene.plan().env("SONDAGE_BUDGET_CALLS", "2").output().unwrap();
    assert!(
        planned.status.success()
            && error(&planned).contains("note: 100 % of the calls of the day are used by demo: 2 of 2"),
        "{}",
        error(&planned)
    );
    let arrived = scene.arrived();
    let stopped =
        scene.plan().env("SONDAGE_BUDGET", "hard_stop").env("SONDAGE_BUDGET_CALLS", "2").output().unwrap();
    assert!(!stopped.status.success() && error(&stopped).contains("The day ends at "), "{}", error(&stopped));
    assert_eq!(scene.arrived(), arrived);
}

/// Four concurrent processes send exactly as many calls as the daily budget allows.
#[test]
fn processes_do_not_go_beyond_a_hard_stop_together() {
    let scene = Scene::new("many");
    let limited = |scene: &Scene| {
        let mut command = scene.plan();
        command.env("SONDAGE_BUDGET", "hard_stop").env("SONDAGE_BUDGET_CALLS", "40");
        command
    };
    let mut stopped = 0;
    for _ in 0..5 {
        let running: Vec<_> = (0..4).map(|_| limited(&scene).spawn().unwrap()).collect();
        for process in running {
            let output = process.wait_with_output().unwrap();
            stopped += u32::from(error(&output).contains("the 40 calls of the day are used up"));
        }
    }
    assert!(stopped > 0, "the commands make more than 40 calls together");
    assert_eq!((scene.arrived(), &scene.told()["calls"]), (40, &40.into()));
}

/// One process gets a 429; another one waits as long as the service asked.
#[test]
fn a_pause_holds_the_calls_of_other_processes_back() {
    let scene = Scene::new("pause");
    scene.sandbox.fault(Fault::on("ReadMemberList").times(1).status(429).header("retry-after", "2"));
    let refused = scene.plan().spawn().unwrap();
    let end = Instant::now() + Duration::from_secs(20);
    while scene.told()["pausedUntil"].is_null() {
        assert!(Instant::now() < end, "nobody was refused");
    }
    let others: Vec<_> = (0..2).map(|_| scene.plan().spawn().unwrap()).collect();
    for process in std::iter::once(refused).chain(others) {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", error(&output));
    }
    let ledger = scene.sandbox.ledger().requests("*");
    let calls = ledger.iter().filter(|it| it.operation != "token");
    let first = calls.clone().find(|it| it.status == Some(429)).unwrap();
    let next = calls.map(|it| it.at).filter(|at| *at > first.at).min().unwrap();
    assert!((next - first.at).num_milliseconds() >= 2_000, "{first:?}, then {next}");
}

/// A process that is killed while it counts leaves a valid file, which others continue.
#[test]
fn a_killed_process_leaves_the_count_whole() {
    let scene = Scene::new("killed");
    for n in 0..12 {
        let mut process = scene.plan().spawn().unwrap();
        std::thread::sleep(Duration::from_millis(20 + n * 7));
        let _ = process.kill();
        process.wait().unwrap();
    }
    let planned = scene.plan().output().unwrap();
    assert!(planned.status.success() && !error(&planned).contains("note:"), "{}", error(&planned));
    // A call that was about to be sent when its process was killed was counted but may not have arrived: at most one
    // call for each process.
    let (used, arrived) = (scene.told()["calls"].as_u64().unwrap(), scene.arrived());
    assert!(used >= arrived && used <= arrived + 12, "{used} counted, {arrived} arrived");
    assert!(scene.told()["trouble"].is_null());
}

/// A file system that is full.
#[cfg(unix)]
#[test]
fn a_full_disk_blocks_no_call_unless_a_hard_stop_was_chosen() {
    let scene = Scene::new("full");
    // The shell ignores the signal, so that writes fail with an error, as on a full disk.
    let full = |plan: &Command, mode: &str| {
        let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
        let mut command = scene.command("sh");
        command
            .arg("-c")
            .arg(script)
            .arg(plan.get_program())
            .args(plan.get_args())
            .env("SONDAGE_BUDGET", mode);
        command.output().unwrap()
    };
    let sent = full(&scene.plan(), "stop");
    assert!(
        sent.status.success() && error(&sent).matches("note: the budget file").count() == 1,
        "{}",
        error(&sent)
    );
    let arrived = scene.arrived();
    assert!(arrived > 0);
    let refused = full(&scene.plan(), "hard_stop");
    assert!(
        !refused.status.success() && error(&refused).contains("cannot be counted"),
        "{}",
        error(&refused)
    );
    assert_eq!(scene.arrived(), arrived);
    assert!(Path::new(&scene.file()).metadata().unwrap().len() == 0, "nothing half");
    assert_eq!(scene.told()["calls"], 0);
}
