//! `sondage login` and `logout`: a person logs in with a browser, other commands use the session, and it ends.

use sondage_sandbox::Sandbox;
use std::ffi::OsStr;
#[cfg(target_os = "linux")]
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use url::Url;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("sondage-cli-login-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A program that ends with the test.
#[cfg(target_os = "linux")]
struct Killed(std::process::Child);

#[cfg(target_os = "linux")]
impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn command(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
    command
        .args(arguments)
        .env("SONDAGE_BASE_URL", sandbox.base_url())
        .env("SONDAGE_AUTH_URL", sandbox.auth_url())
        .env("SONDAGE_TENANT", sandbox.tenant());
    command
}

/// Sends what a browser would send, and returns the response.
fn send(method: &str, url: &Url, form: &str) -> String {
    let host = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap());
    let target = url.query().map_or(url.path().to_owned(), |query| format!("{}?{query}", url.path()));
    let mut stream = TcpStream::connect(&host).unwrap();
    write!(
        stream,
        "{method} {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\n\r\n{form}",
        form.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Logs a person in, uses the login in another command, and ends it. The variables locate the tokens and this user's settings.
fn logs_in_and_out(sandbox: &Sandbox, place: &[(&str, &OsStr)], folder: &Folder) {
    let mut login = command(sandbox, &["login"])
        .env("XDG_CONFIG_HOME", &folder.0)
        .envs(place.iter().copied())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(login.stdout.take().unwrap()).lines().map(Result::unwrap);
    let url: Url = lines.find(|line| line.starts_with("http")).unwrap().parse().unwrap();
    let form =
        format!("{}&username={}&password={}", url.query().unwrap(), sandbox.username(), sandbox.password());
    let mut page = url.clone();
    page.set_query(None);
    let answer = send("POST", &page, &form);
    let back =
        answer.lines().find_map(|line| line.strip_prefix("location: ")).unwrap_or_else(|| panic!("{answer}"));
    send("GET", &back.trim().parse().unwrap(), "");
    let said = lines.find(|line| line.starts_with("Logged in as sub:")).unwrap();
    assert!(login.wait().unwrap().success(), "{said}");
    assert!(said.contains("Other commands use this login"), "{said}");

    // No further variables: the login knows the account, and where its tokens are.
    let panel = sandbox.panel_id().to_string();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
        let path = place.iter().copied().filter(|(name, _)| !name.starts_with("SONDAGE_"));
        command.args(arguments).envs(path).env("XDG_CONFIG_HOME", &folder.0).output().unwrap()
    };
    let used = run(&["panel", &panel]);
    assert!(used.status.success(), "{}", String::from_utf8_lossy(&used.stderr));
    // Another account is not the one of the login, and other credentials are used instead of it.
    let mut other = command(sandbox, &["panel", &panel]);
    other.env("XDG_CONFIG_HOME", &folder.0).envs(place.iter().copied()).env("SONDAGE_TENANT", "other");
    assert!(!other.output().unwrap().status.success());
    let mut secret = command(sandbox, &["panel", &panel]);
    secret.env("XDG_CONFIG_HOME", &folder.0).env("SONDAGE_CLIENT_SECRET", "wrong");
    assert!(!secret.output().unwrap().status.success());
    let out = run(&["logout"]);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(!folder.0.join("sondage/login.json").exists());
    let after = run(&["panel", &panel]);
    assert!(!after.status.success(), "the session has ended");
}

#[test]
fn a_session_is_kept_used_and_ended() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let folder = Folder::new("file");
    logs_in_and_out(&sandbox, &[("SONDAGE_TOKEN_FILE", folder.0.join("tokens.json").as_ref())], &folder);
    // Without a place for the tokens there is one beside the profile file.
    logs_in_and_out(&sandbox, &[], &folder);
    assert!(folder.0.join("sondage/tokens.json").exists());
}

/// What `secret-tool` does with its entries, and the arguments of every call.
#[cfg(target_os = "linux")]
const SECRET_TOOL: &str = r#"#!/bin/sh
cd "$(dirname "$0")"
echo "$*" >> calls
case $1 in
store) cat > "entry$(echo "$7" | tr / _)";;
lookup) [ -f "entry$(echo "$5" | tr / _)" ] && cat "entry$(echo "$5" | tr / _)";;
clear) [ -f "entry$(echo "$5" | tr / _)" ] && rm "entry$(echo "$5" | tr / _)";;
esac
"#;

/// The program of the keyring in a folder, which becomes the PATH of commands.
#[cfg(target_os = "linux")]
fn keyring(folder: &Folder, program: &str) -> [(&'static str, OsString); 3] {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.0.join("secret-tool");
    std::fs::write(&path, program).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
    let others = std::env::var_os("PATH").unwrap();
    let path = std::env::join_paths([folder.0.clone()].into_iter().chain(std::env::split_paths(&others)));
    [
        ("PATH", path.unwrap()),
        ("SONDAGE_TOKEN_KEYRING", "true".into()),
        ("XDG_CONFIG_HOME", folder.0.clone().into_os_string()),
    ]
}

#[cfg(target_os = "linux")]
#[test]
fn a_session_is_kept_in_the_keyring_and_never_in_an_argument() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let folder = Folder::new("keyring");
    let place = keyring(&folder, SECRET_TOOL);
    logs_in_and_out(&sandbox, &place.each_ref().map(|(name, value)| (*name, value.as_os_str())), &folder);
    let calls = std::fs::read_to_string(folder.0.join("calls")).unwrap();
    for verb in ["store --label", "lookup service sondage username", "clear service sondage username"] {
        assert!(calls.contains(verb), "{calls}");
    }
    assert!(!calls.contains("access_token") && !calls.contains("expires"), "{calls}");
    let files = std::fs::read_dir(&folder.0).unwrap().map(|file| file.unwrap().file_name());
    let entries = files.filter(|name| name.to_string_lossy().starts_with("entry")).count();
    assert_eq!(entries, 0, "the logout removed the entry");
}

#[cfg(target_os = "linux")]
fn wait(what: &str, ready: impl Fn() -> bool) {
    let enough = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !ready() {
        assert!(std::time::Instant::now() < enough, "{what} did not start");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// With the real program, and a keyring of the test's own. Left out where they are not installed, except in CI: `cargo xtask
/// test` says what to install.
#[cfg(target_os = "linux")]
#[test]
fn a_session_is_kept_in_a_real_keyring() {
    const TOOLS: [&str; 3] = ["secret-tool", "gnome-keyring-daemon", "dbus-daemon"];
    let path = std::env::var_os("PATH").unwrap();
    let installed = |tool: &&str| std::env::split_paths(&path).any(|folder| folder.join(tool).exists());
    if !TOOLS.iter().all(installed) {
        assert!(std::env::var_os("CI").is_none(), "CI must have {TOOLS:?}");
        return;
    }
    let sandbox = Sandbox::demo_blocking().unwrap();
    let folder = Folder::new("real-keyring");
    let bus = format!("unix:path={}", folder.0.join("bus").display());
    let own = |program: &str| {
        let mut command = Command::new(program);
        command
            .env("DBUS_SESSION_BUS_ADDRESS", &bus)
            .env("XDG_RUNTIME_DIR", &folder.0)
            .env("XDG_DATA_HOME", &folder.0)
            .env("XDG_CONFIG_HOME", &folder.0)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    };
    // A bus that starts no program by itself, such as a second keyring that is locked.
    let config = folder.0.join("bus.conf");
    let rules = "<policy context='default'><allow send_destination='*' eavesdrop='true'/><allow eavesdrop='true'/><allow own='*'/></policy>";
    std::fs::write(&config, format!("<busconfig><listen>{bus}</listen>{rules}</busconfig>")).unwrap();
    let daemon = own("dbus-daemon").arg("--nofork").arg("--config-file").arg(config).spawn().unwrap();
    let _daemon = Killed(daemon);
    wait("the bus", || folder.0.join("bus").exists());
    let mut keyring = own("gnome-keyring-daemon")
        .args(["--foreground", "--unlock", "--components=secrets"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    keyring.stdin.take().unwrap().write_all(b"a password").unwrap();
    let _keyring = Killed(keyring);
    wait("the keyring", || {
        let mut lookup = own("secret-tool");
        lookup
            .args(["lookup", "service", "nothing"])
            .stderr(Stdio::piped())
            .output()
            .unwrap()
            .stderr
            .is_empty()
    });
    let place = [
        ("SONDAGE_TOKEN_KEYRING", "true".as_ref()),
        ("DBUS_SESSION_BUS_ADDRESS", bus.as_ref()),
        ("XDG_CONFIG_HOME", folder.0.as_os_str()),
    ];
    logs_in_and_out(&sandbox, &place, &folder);
}

#[cfg(target_os = "linux")]
#[test]
fn a_keyring_that_cannot_be_used_is_named_before_anybody_logs_in() {
    let folder = Folder::new("no-keyring");
    let refusing = keyring(&folder, "#!/bin/sh\necho 'secret-tool: no bus' >&2\nexit 1\n");
    let none =
        [("PATH", folder.0.join("nothing").into_os_string()), refusing[1].clone(), refusing[2].clone()];
    for (place, words) in [(refusing, "secret-tool: no bus"), (none, "libsecret-tools")] {
        let sandbox = Sandbox::demo_blocking().unwrap();
        // The doctor, which comes last, asks whether the servers respond.
        for arguments in [["login"], ["doctor"]] {
            assert!(sandbox.ledger().requests("*").is_empty());
            let mut command = command(&sandbox, &arguments);
            let settings = place.iter().map(|(name, value)| (name, value));
            let output = command.envs(settings).env("SONDAGE_IDENTITY", "ada").output().unwrap();
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            assert!(!output.status.success() && said.contains(words), "{arguments:?}: {said}");
        }
    }
}

#[test]
fn a_login_that_would_be_lost_is_refused_before_anybody_logs_in() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut command = command(&sandbox, &["login"]);
    for folder in ["HOME", "XDG_CONFIG_HOME", "APPDATA"] {
        command.env_remove(folder);
    }
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("SONDAGE_TOKEN_FILE"), "{said}");
    assert!(sandbox.ledger().requests("*").is_empty());
}

#[test]
fn a_damaged_login_is_reported_and_removed_by_the_logout() {
    let folder = Folder::new("damaged");
    let place = folder.0.join("sondage");
    std::fs::create_dir_all(&place).unwrap();
    let run = |argument: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
        let output = command.arg(argument).env("XDG_CONFIG_HOME", &folder.0).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    for name in ["login.json", "tokens.json"] {
        std::fs::write(place.join(name), "{\"settings\": secret").unwrap();
    }
    let (code, _, errors) = run("surveys");
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("login.json is damaged (line 1, column"), "{errors}");
    assert!(errors.contains("`sondage login`") && !errors.contains(": secret"), "{errors}");
    let (code, text, errors) = run("logout");
    assert_eq!(code, Some(0), "{errors}");
    assert!(text.contains("login.json") && text.contains("tokens.json"), "{text}");
    assert!(std::fs::read_dir(&place).unwrap().next().is_none());
    // Without a login and without settings, an error names the command for a person.
    let (_, _, errors) = run("surveys");
    assert!(errors.contains("or `sondage login`"), "{errors}");
    assert!(!errors.contains("damaged"), "{errors}");
}
