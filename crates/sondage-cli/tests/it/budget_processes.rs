//! Four processes share one daily count: it equals what the sandbox has received, and a hard stop is never exceeded.
//!
//! Here all four run this command. In the long form (`cargo xtask jobs`) two run Python and one runs Node.js: the variables
//! `SONDAGE_BUDGET_PYTHON` and `SONDAGE_BUDGET_NODE` contain a command that takes the id of a panel and a number of calls,
//! and with `SONDAGE_LONG=1` it makes 10,000 calls.

use sondage_sandbox::Sandbox;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// The number of calls that a worker makes in one run of its program.
struct Worker {
    words: Vec<String>,
    /// How often the program is run, sequentially.
    runs: usize,
}

struct Scene {
    sandbox: Sandbox,
    folder: PathBuf,
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn long() -> bool {
    std::env::var("SONDAGE_LONG").is_ok_and(|long| long == "1")
}

impl Scene {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("sondage-budget-processes-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self { sandbox: Sandbox::demo_blocking().unwrap(), folder }
    }

    /// Two Python programs, one Node.js program, and this command. A missing program is replaced by this command.
    fn workers(&self) -> Vec<Worker> {
        let sandbox = &self.sandbox;
        let ids =
            [sandbox.survey_id(), sandbox.panel_id(), sandbox.message_template_id()].map(|id| id.to_string());
        let [survey, panel, template] = &ids;
        let command = [
            env!("CARGO_BIN_EXE_sondage"),
            "invite",
            survey,
            panel,
            "--template",
            template,
            "--where",
            "Language=de",
        ];
        let command = command.map(str::to_owned).to_vec();
        let program = |variable: &str, calls: &str| {
            let words = std::env::var(variable).ok()?;
            let words = words.split('\n').chain([panel.as_str(), calls]).map(str::to_owned).collect();
            Some(Worker { words, runs: 1 })
        };
        let runs = if long() { 80 } else { 8 };
        let three = [
            ("SONDAGE_BUDGET_PYTHON", "3400"),
            ("SONDAGE_BUDGET_PYTHON", "3400"),
            ("SONDAGE_BUDGET_NODE", "3000"),
        ];
        let mut workers: Vec<_> = three
            .into_iter()
            .map(|(variable, calls)| program(variable, calls))
            .collect::<Option<_>>()
            .unwrap_or_default();
        workers.resize_with(4, || Worker { words: command.clone(), runs });
        workers
    }

    /// Runs all of them concurrently, with these additional settings.
    fn run(&self, workers: &[Worker], settings: &[(&str, &str)]) {
        std::thread::scope(|scope| {
            for worker in workers {
                scope.spawn(move || {
                    for _ in 0..worker.runs {
                        let output = self.start(worker, settings).wait_with_output().unwrap();
                        let said = String::from_utf8_lossy(&output.stderr);
                        assert!(output.status.success() || said.contains("of the day are used up"), "{said}");
                    }
                });
            }
        });
    }

    fn start(&self, worker: &Worker, settings: &[(&str, &str)]) -> Child {
        let sandbox = &self.sandbox;
        Command::new(&worker.words[0])
            .args(&worker.words[1..])
            .env("SONDAGE_BASE_URL", sandbox.base_url())
            .env("SONDAGE_AUTH_URL", sandbox.auth_url())
            .env("SONDAGE_TENANT", sandbox.tenant())
            .env("SONDAGE_CLIENT_SECRET", sandbox.client_secret())
            .env("SONDAGE_BUDGET_FOLDER", &self.folder)
            .env("SONDAGE_BUDGET_LOOPBACK", "true")
            .envs(settings.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// The calls that arrived, and the bytes of their bodies.
    fn arrived(&self) -> (u64, u64) {
        let calls = self.sandbox.ledger().requests("*");
        let calls = calls.iter().filter(|it| it.operation != "token");
        calls.fold((0, 0), |(calls, bytes), arrival| (calls + 1, bytes + arrival.bytes))
    }

    fn counted(&self) -> (u64, u64) {
        let client = self.sandbox.client().budget_loopback(true).budget_folder(self.folder.as_path());
        let report = client.build_blocking().unwrap().budget();
        assert!(report.trouble.is_none(), "{report}");
        (report.calls, report.sent)
    }

    fn begin_anew(&self) {
        std::fs::remove_dir_all(Path::new(&self.folder)).unwrap();
        self.sandbox.ledger().clear();
    }
}

#[test]
fn four_processes_count_together_what_the_sandbox_has_seen() {
    let (scene, begin) = (Scene::new(), Instant::now());
    let workers = scene.workers();
    let languages = workers.iter().filter(|worker| worker.runs == 1).count();
    scene.run(&workers, &[("SONDAGE_BUDGET", "warn")]);
    let (counted, arrived) = (scene.counted(), scene.arrived());
    assert_eq!(counted, arrived);
    assert!(!long() || arrived.0 >= 10_000, "{} calls", arrived.0);

    // Half of the calls that they would make.
    scene.begin_anew();
    let limit = arrived.0 / 2;
    scene.run(&workers, &[("SONDAGE_BUDGET", "hard_stop"), ("SONDAGE_BUDGET_CALLS", &limit.to_string())]);
    let (stopped, sent) = (scene.counted(), scene.arrived());
    assert_eq!((stopped, sent.0), (sent, limit));
    println!(
        "{} calls of 4 processes ({languages} of other languages) are {} in the count; of a hard stop at {limit}, {} left; {} s",
        arrived.0,
        counted.0,
        sent.0,
        begin.elapsed().as_secs()
    );
}
