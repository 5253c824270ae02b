//! Python: an environment of its own under the target directory, the wheel, and the tests.

use crate::stage::{Stage, TestCounts, missing};
use crate::{Result, files, node, process, toolchain, workspace};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

pub const STAGES: &[Stage] = &[
    Stage::check("python", "Python wheel", install),
    Stage::check("python", "pyright on the examples", pyright),
    Stage::check("python", "pyright on the package", completeness),
    Stage::tests("python", "Python tests", tests),
    Stage::tests("python", "Python tests with the oldest packages", lowest),
];
pub const SPARK: &[Stage] = &[
    Stage::tests("spark", "Spark tests", spark),
    Stage::tests("lakes", "Delta Lake, Iceberg and dlt", lakes),
];
pub const DEMO: &[Stage] = &[Stage::check("demo", "demo", || install().and_then(|()| demo(&[])))];

const REQUIREMENTS: &str = "tests/python/requirements.txt";
/// Runs the notebooks.
pub const NOTEBOOKS: &str = "tests/notebooks/run.py";
/// The oldest versions that `pyproject.toml` allows; a test compares them.
const LOWEST: &str = "tests/python/lowest.txt";
/// The tests that use them.
const OF_TABLES: [&str; 8] =
    ["at_home", "create_from", "exports", "other_processes", "read_parquet", "scan", "tables", "update"];
/// The share of public names whose types pyright must know completely, in percent.
const KNOWN: f64 = 99.0;

/// A virtual environment that holds what `tests/python/requirements.txt` names.
#[derive(Clone, Debug)]
pub struct VirtualEnvironment(PathBuf);

impl VirtualEnvironment {
    /// A program of the environment.
    pub fn program(&self, name: &str) -> PathBuf {
        let folder = self.0.join(if cfg!(windows) { "Scripts" } else { "bin" });
        folder.join(name).with_extension(std::env::consts::EXE_EXTENSION)
    }

    /// Its Python, isolated from packages installed elsewhere.
    pub fn python(&self) -> Command {
        let mut command = Command::new(self.program("python"));
        command.env_remove("PYTHONPATH").env_remove("PYTHONHOME").env("PIP_USER", "0");
        command
    }

    /// Installs a wheel, and nothing else.
    pub fn install(&self, wheel: &Path) -> Result {
        let options = ["--force-reinstall", "--no-deps", "--no-index"];
        process::run(self.pip_install().args(options).arg(wheel))
    }

    /// A pip command that installs the arguments that follow.
    fn pip_install(&self) -> Command {
        let mut command = self.python();
        // Python compiles what it imports.
        command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]);
        command
    }
}

/// The environment of the tests.
pub fn ready() -> Result<VirtualEnvironment> {
    static READY: OnceLock<VirtualEnvironment> = OnceLock::new();
    if let Some(environment) = READY.get() {
        return Ok(environment.clone());
    }
    let environment = environment(&workspace::target()?.join("python"), REQUIREMENTS)?;
    Ok(READY.get_or_init(|| environment).clone())
}

/// An environment, created or updated if it does not match a requirements file.
pub fn environment(folder: &Path, requirements: &str) -> Result<VirtualEnvironment> {
    let environment = VirtualEnvironment(folder.to_owned());
    let wanted = environment.stamp(requirements)?;
    let stamp = fs::read_to_string(folder.join("requirements-installed"));
    if stamp.ok().as_ref() != Some(&wanted) || !works(&mut environment.python()) {
        create(folder)?;
    }
    environment.add(requirements, "requirements-installed")?;
    Ok(environment)
}

impl VirtualEnvironment {
    /// Installs what a requirements file names, unless a stamp says that it is there.
    pub fn add(&self, requirements: &str, stamp: &str) -> Result {
        let (stamp, wanted) = (self.0.join(stamp), self.stamp(requirements)?);
        if fs::read_to_string(&stamp).ok().as_ref() != Some(&wanted) {
            println!("installing {requirements} into {}", self.0.display());
            let file = workspace::root().join(requirements);
            process::run(self.pip_install().arg("--requirement").arg(file))?;
            fs::write(stamp, wanted)?;
        }
        Ok(())
    }

    /// The folder, because an environment that was moved has to be recreated, and the requirements.
    fn stamp(&self, requirements: &str) -> Result<String> {
        let file = workspace::root().join(requirements);
        Ok(format!("{}\n{}", self.0.display(), fs::read_to_string(file)?))
    }
}

/// An empty environment.
pub fn empty(folder: &Path) -> Result<VirtualEnvironment> {
    create(folder)?;
    Ok(VirtualEnvironment(folder.to_owned()))
}

/// Builds the wheel as it would be published, but unoptimised, and installs it into the environment.
pub fn install() -> Result {
    install_with(&workspace::PUBLISHED)
}

fn install_with(features: &[&str]) -> Result {
    static INSTALLED: OnceLock<()> = OnceLock::new();
    if INSTALLED.get().is_some() {
        return Ok(());
    }
    let wheel = wheel(&workspace::target()?.join("python-wheel"), features, &[])?;
    ready()?.install(&wheel)?;
    INSTALLED.get_or_init(|| ());
    Ok(())
}

/// The wheel that the tests use.
pub fn built() -> Result<PathBuf> {
    install()?;
    let wheel = fs::read_dir(workspace::target()?.join("python-wheel"))?.next();
    Ok(wheel.ok_or("there is no wheel")??.path())
}

/// Builds the wheel into a folder of its own, with these maturin arguments and this environment.
pub fn wheel(folder: &Path, words: &[&str], settings: &[(&str, &str)]) -> Result<PathBuf> {
    let environment = ready()?;
    files::fresh(folder)?;
    let mut maturin = environment.python();
    maturin.args(["-m", "maturin", "build", "--interpreter"]).arg(environment.program("python"));
    if !words.contains(&"--release") {
        // Not the profile that pip uses to build from source.
        maturin.args(["--profile", "dev"]);
    }
    maturin.args(words).envs(settings.iter().copied()).arg("--out").arg(folder);
    process::run(workspace::undescribed(&mut maturin).current_dir(workspace::root()))?;
    let wheel = fs::read_dir(folder)?.next().ok_or("maturin has built no wheel")?;
    Ok(wheel?.path())
}

/// A process for each core; the tests of a file stay together, because they share what is expensive.
fn tests() -> Result<TestCounts> {
    pytest(&["tests/python", "--numprocesses=auto", "--dist=loadfile"])
}

/// Pyright accepts the examples, and refuses a misspelt keyword in a copy of one. It finds errors that mypy does not, and editors
/// use it.
fn pyright() -> Result {
    install()?;
    let examples = workspace::root().join("examples");
    let misspelt = workspace::target()?.join("python/misspelt.py");
    fs::write(&misspelt, fs::read_to_string(examples.join("first.py"))?.replace("panel_id=", "panelid="))?;
    let mut programs = Vec::new();
    for folder in [examples.clone(), examples.join("webhooks")] {
        programs.extend(fs::read_dir(folder)?.flatten().map(|entry| entry.path()));
    }
    programs.retain(|path| files::has_extension(path, "py"));
    process::run(checker()?.args(["--level", "error"]).args(programs))?;
    if checker()?.arg(misspelt).stdout(Stdio::null()).status()?.success() {
        return Err("pyright accepts a misspelt keyword: it has not found the package".into());
    }
    Ok(())
}

/// Pyright, with the environment of the tests.
fn checker() -> Result<Command> {
    let mut check = node::node();
    check.arg(node::ready()?.join("pyright/index.js"));
    let python = ready()?.program("python");
    // `--verifytypes` uses the `python` on the path, whatever `--pythonpath` says.
    let here = python.parent().map(Path::to_owned).into_iter();
    let path = std::env::var_os("PATH").unwrap_or_default();
    check.env("PATH", std::env::join_paths(here.chain(std::env::split_paths(&path)))?);
    check.arg("--pythonpath").arg(python);
    Ok(check)
}

/// Pyright must know the types of all public names completely: an editor cannot complete a type that it has to guess.
fn completeness() -> Result {
    install()?;
    let words = ["--verifytypes", "sondage", "--ignoreexternal", "--outputjson"];
    let output = checker()?.args(words).stderr(Stdio::inherit()).output()?;
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let types = &report["typeCompleteness"];
    let known = 100.0 * types["completenessScore"].as_f64().ok_or("pyright has written no report")?;
    println!("{known:.1} % of the public names have a complete type");
    if known >= KNOWN {
        return Ok(());
    }
    for symbol in types["symbols"].as_array().into_iter().flatten() {
        if symbol["isTypeKnown"] == false || symbol["isTypeAmbiguous"] == true {
            println!("{}: {}", symbol["name"], symbol["diagnostics"][0]["message"]);
        }
    }
    Err(format!("{known:.1} % of the public names have a complete type; it has to be {KNOWN} %").into())
}

/// The environment of the oldest packages.
pub fn lowest_ready() -> Result<VirtualEnvironment> {
    environment(&workspace::target()?.join("python-lowest"), LOWEST)
}

/// The tests of tables with exactly the oldest versions that users may have.
fn lowest() -> Result<TestCounts> {
    let environment = lowest_ready()?;
    environment.install(&built()?)?;
    pytest_in(&environment, &OF_TABLES.map(|name| format!("tests/python/test_{name}.py")))
}

/// Half a gigabyte: installed only for the Spark tests.
pub fn spark_ready() -> Result {
    ready()?.add("tests/spark/requirements.txt", "spark-installed")
}

/// The Spark data source: Spark itself comes from the package index, Java from the machine.
fn spark() -> Result<TestCounts> {
    if !toolchain::works("java", &["-version"]) {
        let install = "apt-get install openjdk-17-jre-headless (Debian, Ubuntu)";
        return Err(missing("Java 17 or newer, for Spark.", install));
    }
    install()?;
    spark_ready()?;
    pytest(&["tests/spark"])
}

/// The recipes of docs/sync.md for tables of other projects, with their packages.
fn lakes() -> Result<TestCounts> {
    install()?;
    ready()?.add("tests/lakes/requirements.txt", "lakes-installed")?;
    pytest(&["tests/lakes"])
}

/// `cargo xtask demo`, which needs no account. `--console`: followed by its platform in a browser, until Ctrl-C.
pub fn show_demo(words: &[&str]) -> Result {
    // As pip does from source, but unoptimised: without the server for assistants, whose crates take half a minute.
    install_with(&[])?;
    demo(words)
}

fn demo(words: &[&str]) -> Result {
    let mut demo = ready()?.python();
    demo.arg("examples/demo.py").args(words).current_dir(workspace::root());
    if words.is_empty() { process::within_deadline(&mut demo) } else { process::run(&mut demo) }
}

/// These tests, with the environment of the tests.
pub fn pytest(words: &[&str]) -> Result<TestCounts> {
    pytest_in(&ready()?, words)
}

fn pytest_in(environment: &VirtualEnvironment, words: &[impl AsRef<OsStr>]) -> Result<TestCounts> {
    let mut pytest = environment.python();
    // From the root, so that the tests see the installed package and not the folder of the same name.
    TestCounts::run(pytest.args(["-P", "-m", "pytest"]).args(words).current_dir(workspace::root()))
}

fn create(folder: &Path) -> Result {
    let mut python = system_python()?;
    let status = python.args(["-m", "venv", "--clear"]).arg(folder).stdout(Stdio::null()).status()?;
    if status.success() {
        return Ok(());
    }
    let (what, install) = ("Python's module venv.", "apt-get install python3-venv (Debian, Ubuntu)");
    Err(missing(what, install))
}

/// The machine's Python, if it is new enough.
fn system_python() -> Result<Command> {
    let recent = "import sys; sys.exit(sys.version_info < (3, 10))";
    let found = ["python3", "python"].into_iter().find(|name| works(Command::new(name).args(["-c", recent])));
    let (what, install) = (
        "Python 3.10 or newer.",
        "apt-get install python3 python3-venv (Debian, Ubuntu), brew install python (macOS), \
         winget install Python.Python.3.13 (Windows)",
    );
    found.map(Command::new).ok_or_else(|| missing(what, install))
}

/// Whether a Python starts.
fn works(python: &mut Command) -> bool {
    if python.get_args().next().is_none() {
        python.args(["-c", ""]);
    }
    python.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
