//! Everything that is not an API call: settings, refused webhooks, followed links, and the files of an archive.

use super::echo::{Act, CanaryEcho};
use super::markers::{ACCESS, LINK, PASSWORD, SECRET, find, personal};
use super::{faults, logged, say, settings, texts};
use crate::tally::Tally;
use serde_json::json;
use sondage::auth::Credentials;
use sondage::config::{ClientBuilder, Environment, SETTINGS};
use sondage::model::EventType;
use sondage::webhook::{Hook, Strategy};
use sondage_jobs::Jobs as _;
use sondage_jobs::options::ArchiveOptions;
use std::fs;
use std::path::Path;

pub fn run(tally: &mut Tally) {
    // A path is displayed unchanged.
    for setting in SETTINGS.iter().filter(|setting| !setting.name.ends_with("_file")) {
        let wrong = wrong_setting(setting.name);
        say(tally, &format!("the setting {}", setting.name), wrong);
    }
    say(tally, "settings, log", logged());
    webhooks(tally);
    // A link is tried three times, with delays.
    let faults = faults::ALL.iter().filter(|(fault, _)| !fault.contains("silence"));
    let archives: Vec<_> =
        faults.map(|(fault, act)| (fault, std::thread::spawn(|| archive(fault, *act)))).collect();
    for (fault, archive) in archives {
        let wrong = match archive.join() {
            Ok(wrong) => wrong.unwrap_or_else(|error| Some(error.to_string())),
            Err(_) => Some("it panicked".to_owned()),
        };
        say(tally, &format!("a link, {fault}"), wrong);
    }
    say(tally, "links, log", logged());
}

/// A secret in the wrong setting, set in code, in the environment and in a file.
fn wrong_setting(name: &str) -> Option<String> {
    let base =
        || ClientBuilder::new().environment(Environment::empty()).account("https://acme.survalyzer-eu.app");
    let file = std::env::temp_dir().join(format!("sondage-canaries-{}.toml", std::process::id()));
    let text = format!("[default]\n{name} = {}\n", json!(PASSWORD));
    if let Err(error) = fs::write(&file, text) {
        return Some(error.to_string());
    }
    let variable = format!("SONDAGE_{}", name.to_uppercase());
    let builders =
        [SECRET, ACCESS, LINK, &format!("https://somebody:{ACCESS}@acme.survalyzer-eu.app")].map(|value| {
            let environment = Environment::of([(variable.as_str(), value.to_owned())]);
            [base().set(name, value), Ok(base().environment(environment)), Ok(base().profile_file(&file))]
        });
    builders.into_iter().flatten().find_map(|builder| {
        let builder = match builder {
            Ok(builder) => builder,
            Err(error) => return find(&texts(&error)),
        };
        let shown = match builder.resolve() {
            Ok(config) => shown(name, &format!("{config:#?}\n{}", config.explain())),
            Err(error) => texts(&error),
        };
        find(&format!("{builder:?}")).or_else(|| find(&shown))
    })
}

/// Without the line of the setting itself if it is not a secret: its value may be displayed.
fn shown(name: &str, explained: &str) -> String {
    let secret = SETTINGS.iter().any(|setting| setting.name == name && setting.secret);
    explained.lines().filter(|line| secret || !line.contains(name)).collect::<Vec<_>>().join("\n")
}

fn webhooks(tally: &mut Tally) {
    let key = format!("{SECRET}0123456789abcdef0123456789");
    let strategies = [
        Strategy::obscure_url_with("QzvxKw0123456789abcdef0123456789QzvxKw"),
        Strategy::basic("somebody", PASSWORD),
        Strategy::bearer(key.as_str(), "me", 3),
        Strategy::signed_url(key.as_str(), 3),
        Strategy::azure_signed_url(key.as_str(), "/blob/QzvxKw", 3),
        Strategy::basic(PASSWORD, ""),
        Strategy::bearer("QzvxKw", "", 0),
    ];
    for (number, strategy) in strategies.into_iter().enumerate() {
        let wrong = match strategy.and_then(Hook::new) {
            Ok(hook) => refused(&hook),
            Err(error) => find(&texts(&error)),
        };
        say(tally, &format!("webhook {number}"), wrong);
    }
    say(tally, "webhooks, log", logged());
}

fn refused(hook: &Hook) -> Option<String> {
    let base = "https://acme.example/hooks";
    let url = hook.url(base).unwrap_or_default();
    let token = hook.security_token().reveal().to_owned();
    let event = json!({ "eventType": "MemberCreated", "entity": { "email": personal("email"), "id": personal("id") } }).to_string();
    let printed = [
        format!("{hook:?} {hook:#?} {:?}", hook.strategy()),
        format!("{:?}", hook.registration(base, EventType::Approved, "*")),
        hook.url(&format!("http://{ACCESS}/")).map_or_else(|error| texts(&error), drop_text),
        hook.registration(&format!("nowhere {LINK}"), EventType::Approved, "*")
            .map_or_else(|error| texts(&error), drop_text),
    ];
    let mut found = printed.iter().find_map(|text| find(text));
    for url in [url.as_str(), &format!("{url}x"), LINK, &format!("/hooks/{ACCESS}")] {
        for token in [
            token.as_str(),
            SECRET,
            &format!("Bearer {ACCESS}.{ACCESS}.{ACCESS}"),
            &format!("Basic {ACCESS}"),
        ] {
            for body in
                [event.as_str(), &event[..event.len() / 2], &format!("[{event}]"), "", &personal("name")]
            {
                let headers = [("Authorization", token.to_owned()), ("X-Else", SECRET.to_owned())];
                let refusal = hook.verify(url, headers, body.as_bytes()).err();
                found = found.or_else(|| refusal.and_then(|refusal| find(&format!("{refusal} {refusal:?}"))));
            }
        }
    }
    found
}

fn drop_text<T>(_: T) -> String {
    String::new()
}

/// An archive of one document, whose link leads to a failing service: its report, and the files that it leaves.
fn archive(fault: &str, act: fn(&str) -> Act) -> sondage::Result<Option<String>> {
    let internal = |error: std::io::Error| sondage::Error::internal(error.to_string());
    let behind = CanaryEcho::start(move |got| act(&format!("{} {ACCESS}", got.path))).map_err(internal)?;
    let link = format!("{}/QzvxKw0123456789QzvxKw?sig=QzvxKwabcdef%2FQzvxKw", behind.url());
    let api = CanaryEcho::start(move |_| {
        let row = json!({ "Id": "0b8a1e0c-0000-4000-8000-000000000001", "State": "Completed" });
        let answer = json!({ "isSuccess": true, "interviews": [row], "totalCount": 1, "downloadUrl": link });
        Act::answer(200, "", &answer.to_string())
    });
    let api = api.map_err(internal)?;
    let client = settings(&api.url(), &api.url()).credentials(Credentials::Token(ACCESS.into())).build()?;
    let folder = std::env::temp_dir().join(format!(
        "sondage-canaries-{}-{}",
        std::process::id(),
        fault.replace(' ', "-")
    ));
    let _ = fs::remove_dir_all(&folder);
    let result = client.archive_answers(ArchiveOptions::new(7, &folder).partial(true)).wait();
    let asked = behind.calls.lock().map_or(0, |calls| calls.len());
    let shown = match &result {
        Ok(report) => format!(
            "{report:?} {}",
            report.failed.iter().map(|failed| texts(&failed.error)).collect::<String>()
        ),
        Err(error) => texts(error),
    };
    let wrong = find(&shown).or_else(|| files(&folder));
    let _ = fs::remove_dir_all(&folder);
    Ok(wrong.or_else(|| (asked == 0).then(|| format!("the link was not followed: {shown}"))))
}

fn files(folder: &Path) -> Option<String> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    entries.into_iter().find_map(|entry| {
        let text = fs::read(entry.path()).unwrap_or_default();
        find(&format!("{} {}", entry.file_name().display(), String::from_utf8_lossy(&text)))
    })
}
