//! The token endpoint fails in every way, for every grant; and token stores are broken.

use super::echo::{Act, CanaryEcho};
use super::markers::{ACCESS, CODE, ENCODINGS, PASSWORD, REFRESH, SECRET, find};
use super::{faults, judged, logged, requests, say, settings, texts};
use crate::tally::Tally;
use serde_json::json;
use sondage::auth::{Code, Credentials, FileStore, Login, Redirect, TokenSet};
use sondage::config::{ClientBuilder, Grant};
use sondage::internals::runtime;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

/// No response at all is the same for each of them, and takes long.
fn all() -> impl Iterator<Item = &'static faults::CanaryFault> {
    faults::ALL.iter().filter(|(name, _)| !name.contains("silence"))
}

fn session() -> TokenSet {
    let mut set = TokenSet::new(ACCESS, UNIX_EPOCH + Duration::from_secs(1), Duration::from_secs(1));
    set.refresh_token = Some(REFRESH.into());
    set.id_token = Some(ACCESS.into());
    set
}

fn every_grant(builder: &ClientBuilder) -> Vec<(&'static str, ClientBuilder)> {
    let password = builder.clone().username("somebody").password(PASSWORD);
    let code = Code::new(CODE, "http://127.0.0.1:1/", Some(REFRESH.into()));
    vec![
        ("client secret", builder.clone()),
        ("password", password.clone()),
        ("api token", password.grant(Grant::ApiToken)),
        ("refresh token", builder.clone().refresh_token(REFRESH)),
        ("session", builder.clone().credentials(Credentials::Session(session()))),
        ("code", builder.clone().credentials(Credentials::AuthorizationCode(code))),
    ]
}

pub fn run(tally: &mut Tally, encoding: usize) {
    for (fault, act) in all() {
        let name = |rest: &str| format!("{}, token endpoint, {fault}: {rest}", ENCODINGS[encoding].0);
        let Ok(service) = CanaryEcho::start(move |got| act(&got.words(encoding))) else {
            return say(tally, &name("start"), Some("no service".to_owned()));
        };
        for (grant, builder) in every_grant(&settings(&service.url(), &service.url())) {
            let wrong = printed(&builder).or_else(|| judged(&read(&builder)));
            say(tally, &name(grant), wrong);
        }
        let login = Login::begin(&settings(&service.url(), &service.url()), Redirect::Loopback);
        let wrong = login.map_or_else(|error| find(&texts(&error)), |login| log_in(&login));
        say(tally, &name("login"), wrong);
        say(tally, &name("log"), logged());
    }
    stores(tally);
}

fn printed(builder: &ClientBuilder) -> Option<String> {
    let config = builder.resolve();
    let explained = config.as_ref().map_or(String::new(), |config| config.explain().to_string());
    find(&format!("{builder:?} {builder:#?} {config:?} {config:#?} {explained}"))
}

fn read(builder: &ClientBuilder) -> sondage::Result<String> {
    let client = builder.build()?;
    let row = sondage::operations::ALL.iter().find(|row| row.name == "ReadPanel");
    let request = row.map(|row| requests::model(row.request)).unwrap_or_default();
    runtime::block_on(async move { requests::call(&client, "ReadPanel", &request).await })
}

/// The pasted text contains the code, with the right state and with a wrong one.
fn log_in(login: &Login) -> Option<String> {
    let state = login.url().query_pairs().find(|(name, _)| name == "state")?.1.into_owned();
    let code: String = url::form_urlencoded::byte_serialize(CODE.as_bytes()).collect();
    let pasted = [
        format!("http://x/?code={code}&state=wrong"),
        format!("http://x/?error={code}&error_description={code}&code={code}&state={state}"),
        format!("{CODE} {SECRET}"),
        format!("http://x/?code={code}&state={state}"),
    ];
    find(&format!("{login:?}"))
        .or_else(|| pasted.iter().find_map(|pasted| find(&texts(&login.paste_blocking(pasted).err()?))))
}

/// Files in place of a token file.
fn broken() -> Vec<(&'static str, String)> {
    let entry = |tokens: serde_json::Value| {
        json!({ "version": 2, "entries": { ACCESS: { "tokens": tokens } } }).to_string()
    };
    vec![
        ("nothing", String::new()),
        ("no JSON", format!("{ACCESS}\n{REFRESH}")),
        ("a token as a file", format!("\"{ACCESS}\"")),
        ("cut", entry(json!({ "access_token": ACCESS }))[..60].to_owned()),
        ("wrong types", entry(json!({ "access_token": [ACCESS], "refresh_token": { REFRESH: 1 } }))),
        ("another version", json!({ "version": ACCESS, "entries": [REFRESH] }).to_string()),
        ("unknown fields", entry(json!({ ACCESS: REFRESH, "access_token": ACCESS, "issued_at": REFRESH }))),
    ]
}

fn stores(tally: &mut Tally) {
    let answer = json!({ "access_token": ACCESS, "refresh_token": REFRESH, "token_type": "Bearer", "expires_in": 3600 });
    let Ok(service) = CanaryEcho::start(move |got| {
        let body =
            if got.call() == "token" { answer.to_string() } else { r#"{"isSuccess":true}"#.to_owned() };
        Act::answer(200, "", &body)
    }) else {
        return say(tally, "stores", Some("no service".to_owned()));
    };
    let folder = std::env::temp_dir().join(format!("sondage-canaries-{}", std::process::id()));
    let settings = settings(&service.url(), &service.url()).deadline(Duration::from_secs(5));
    for (name, text) in broken() {
        for mode in [0o600, 0o666] {
            let wrong = store(&folder, &settings, Some((&text, mode)));
            say(
                tally,
                &format!("a token file, {name}, {mode:o}"),
                wrong.unwrap_or_else(|error| Some(error.to_string())),
            );
        }
    }
    let wrong = store(&folder, &settings, None).unwrap_or_else(|error| Some(error.to_string()));
    say(tally, "a folder in the place of the token file", wrong);
    say(tally, "token files, log", logged());
    let _ = fs::remove_dir_all(&folder);
}

/// Runs a client with this file, or with a folder in its place: returns its error, and the folder's content afterwards.
fn store(
    folder: &Path,
    settings: &ClientBuilder,
    file: Option<(&str, u32)>,
) -> std::io::Result<Option<String>> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder)?;
    let path = folder.join("tokens.json");
    match file {
        Some((text, mode)) => {
            fs::write(&path, text)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(mode))?;
        }
        None => fs::create_dir(&path)?,
    }
    let result = read(&settings.clone().token_store(FileStore::new(&path)));
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let text = fs::read(entry.path()).unwrap_or_default();
        let shown = find(&String::from_utf8_lossy(&text)).is_some();
        if find(&name).is_some() || shown && name != "tokens.json" {
            return Ok(Some(format!("a token stands in {name}")));
        }
        let mode = entry.metadata()?.permissions().mode() & 0o777;
        if file.is_some_and(|(_, before)| mode & 0o077 != 0 && mode != before) {
            return Ok(Some(format!("{name} has mode {mode:o}")));
        }
    }
    Ok(judged(&result))
}
