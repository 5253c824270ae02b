//! Token stores: several clients and several processes, one renewal.

use super::{arrived, shown, tokens};
use crate::support::log::LogCapture;
use crate::support::sandbox::builder;
use futures_util::future::BoxFuture;
use sondage::auth::{FileStore, Guard, MemoryStore, StoreKey, StoredTokens, TokenStore};
use sondage::config::ClientBuilder;
use sondage::{Error, Result};
use sondage_sandbox::Sandbox;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A temporary folder for this test.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("sondage-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn password(sandbox: &Sandbox) -> ClientBuilder {
    builder(sandbox).username(sandbox.username()).password(sandbox.password())
}

/// What a client has put into its store.
#[derive(Clone, Default)]
struct Spy(Arc<Mutex<Vec<(StoreKey, StoredTokens)>>>);

impl TokenStore for Spy {
    fn load<'a>(&'a self, _: &'a StoreKey) -> BoxFuture<'a, Result<Option<StoredTokens>>> {
        Box::pin(async { Ok(None) })
    }

    fn save<'a>(&'a self, key: &'a StoreKey, tokens: &'a StoredTokens) -> BoxFuture<'a, Result<()>> {
        self.0.lock().unwrap().push((key.clone(), tokens.clone()));
        Box::pin(async { Ok(()) })
    }

    fn forget<'a>(&'a self, _: &'a StoreKey) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }
}

async fn saved(builder: &ClientBuilder) -> (StoreKey, StoredTokens) {
    let spy = Spy::default();
    tokens(&builder.clone().token_store(spy.clone())).token(None).await.unwrap();
    spy.0.lock().unwrap().pop().unwrap()
}

#[tokio::test]
async fn clients_share_what_is_in_memory() {
    let sandbox = Sandbox::demo().await.unwrap();
    let store = MemoryStore::new();
    let clients: Vec<_> = (0..8).map(|_| tokens(&password(&sandbox).token_store(store.clone()))).collect();
    let got = futures_util::future::join_all(clients.iter().map(|client| client.token(None))).await;
    assert!(got.iter().all(|token| token.as_ref().unwrap() == got[0].as_ref().unwrap()));
    assert_eq!(shown(&sandbox), ["password"]);

    sandbox.revoke_tokens();
    let first = got[0].as_ref().unwrap();
    let got = futures_util::future::join_all(clients.iter().map(|client| client.token(Some(first)))).await;
    assert!(got.iter().all(|token| token.as_ref().unwrap() != first));
    assert_eq!(shown(&sandbox), ["password", "refresh_token", "password"], "one client renews for all");

    let other = tokens(&builder(&sandbox).client_secret(sandbox.client_secret()).token_store(store.clone()));
    other.token(None).await.unwrap();
    assert_eq!(arrived(&sandbox), 4, "another grant has tokens of its own");
}

#[tokio::test]
async fn the_file_is_private_and_holds_no_half() {
    let sandbox = Sandbox::demo().await.unwrap();
    let folder = Folder::new("private");
    let path = folder.0.join("deeper/tokens.json");
    tokens(&password(&sandbox).token_file(&path)).token(None).await.unwrap();
    #[cfg(unix)]
    for (file, expected) in [(path.clone(), 0o600), (path.parent().unwrap().to_owned(), 0o700)] {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, expected);
    }
    let text = fs::read_to_string(&path).unwrap();
    let key = format!(
        "{} demo demo_api password {}",
        sandbox.auth_url().trim_end_matches('/'),
        sandbox.username().replace('@', "%40")
    );
    assert!(text.contains(&key), "{text}");
    assert!(!text.contains(sandbox.password()), "the token is not the password");

    tokens(&password(&sandbox).token_file(&path)).token(None).await.unwrap();
    assert_eq!(arrived(&sandbox), 1, "a later client finds the token");
    let left = fs::read_dir(path.parent().unwrap()).unwrap().count();
    assert_eq!(left, 3, "the file and its two locks");
}

#[cfg(unix)]
#[tokio::test]
async fn a_lock_is_not_made_through_a_link_and_an_open_file_is_told() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let log = LogCapture::begin();
    let sandbox = Sandbox::demo().await.unwrap();
    let folder = Folder::new("planted");
    let (path, victim) = (folder.0.join("tokens.json"), folder.0.join("victim"));
    for ending in [".lock", ".renew"] {
        symlink(&victim, folder.0.join(format!("tokens.json{ending}"))).unwrap();
    }
    tokens(&password(&sandbox).token_file(&path)).token(None).await.unwrap();
    assert!(!victim.exists(), "nothing is created at the target of a link");

    let path = folder.0.join("open.json");
    tokens(&password(&sandbox).token_file(&path)).token(None).await.unwrap();
    let path_in_log = path.display().to_string();
    assert!(!log.has(log::Level::Warn, &[&path_in_log]), "{}", log.text());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    tokens(&password(&sandbox).token_file(&path)).token(None).await.unwrap();
    let warning = "could be read or written by others, and is private now";
    assert!(log.has(log::Level::Warn, &[&path_in_log, warning]), "{}", log.text());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn a_store_that_is_of_no_help_fails_no_call() {
    struct Broken;
    impl TokenStore for Broken {
        fn load<'a>(&'a self, _: &'a StoreKey) -> BoxFuture<'a, Result<Option<StoredTokens>>> {
            Box::pin(async { Err(Error::configuration("broken")) })
        }
        fn save<'a>(&'a self, _: &'a StoreKey, _: &'a StoredTokens) -> BoxFuture<'a, Result<()>> {
            Box::pin(async { Err(Error::configuration("broken")) })
        }
        fn forget<'a>(&'a self, _: &'a StoreKey) -> BoxFuture<'a, Result<()>> {
            Box::pin(async { Err(Error::configuration("broken")) })
        }
    }
    let sandbox = Sandbox::demo().await.unwrap();
    tokens(&password(&sandbox).token_store(Broken)).token(None).await.unwrap();

    let folder = Folder::new("thesis");
    let path = folder.0.join("thesis.txt");
    fs::write(&path, "ten years of work").unwrap();
    tokens(&password(&sandbox).token_file(&path)).token(None).await.unwrap();
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "ten years of work",
        "a file with other content is left unchanged"
    );
}

/// Another process may hang while it holds the lock for a renewal.
#[tokio::test]
async fn a_lock_that_is_never_given_up_stops_nobody() {
    struct Held(MemoryStore);
    impl TokenStore for Held {
        fn load<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<Option<StoredTokens>>> {
            self.0.load(key)
        }
        fn save<'a>(&'a self, key: &'a StoreKey, tokens: &'a StoredTokens) -> BoxFuture<'a, Result<()>> {
            self.0.save(key, tokens)
        }
        fn forget<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<()>> {
            self.0.forget(key)
        }
        fn lock<'a>(&'a self, _: &'a StoreKey) -> BoxFuture<'a, Result<Guard>> {
            Box::pin(std::future::pending())
        }
    }
    let sandbox = Sandbox::demo().await.unwrap();
    let builder = password(&sandbox).token_store(Held(MemoryStore::new()));
    tokens(&builder.token_timeout(Duration::from_secs(1))).token(None).await.unwrap();
    assert_eq!(shown(&sandbox), ["password"]);
}

#[tokio::test]
async fn tokens_from_the_store_are_not_believed_blindly() {
    let sandbox = Sandbox::demo().await.unwrap();
    let (key, good) = saved(&password(&sandbox)).await;
    let tampered: [fn(&mut StoredTokens); 4] = [
        |set| set.tokens.access_token = "no\ntoken".into(),
        |set| set.tokens.expires_at = u64::MAX,
        |set| (set.tokens.issued_at, set.tokens.expires_at) = (u64::MAX - 5, u64::MAX),
        |set| (set.tokens.issued_at, set.tokens.expires_at) = (5, 1),
    ];
    for change in tampered {
        let store = MemoryStore::new();
        let mut set = good.clone();
        change(&mut set);
        store.save(&key, &set).await.unwrap();
        let before = arrived(&sandbox);
        tokens(&password(&sandbox).token_store(store)).token(None).await.unwrap();
        assert_eq!(arrived(&sandbox), before + 1);
    }
}

/// Not a test of its own: a process of the test below, which starts it with its settings in the environment.
#[tokio::test]
async fn process_with_a_file_store() {
    let Ok(settings) = std::env::var("SONDAGE_TEST_PROCESS") else { return };
    let builder = settings.lines().fold(ClientBuilder::new(), |builder, line| {
        let (name, value) = line.split_once('=').unwrap();
        builder.set(name, value).unwrap()
    });
    let token = tokens(&builder).token(None).await.unwrap();
    println!("TOKEN {:?}", token.header_value().to_str().unwrap());
}

#[tokio::test]
async fn eight_processes_refresh_once() {
    let sandbox = Sandbox::demo().await.unwrap();
    // A second use of a refresh token would revoke every token of the login.
    sandbox.change_profile(|profile| profile.rotate_refresh_tokens = true);
    let (key, mut set) = saved(&password(&sandbox)).await;
    (set.tokens.issued_at, set.tokens.expires_at) =
        (set.tokens.issued_at - 1900, set.tokens.expires_at - 1900);
    let folder = Folder::new("processes");
    let path = folder.0.join("tokens.json");
    FileStore::new(&path).save(&key, &set).await.unwrap();
    sandbox.ledger().clear();
    let settings = [
        ("tenant", sandbox.tenant()),
        ("base_url", sandbox.base_url()),
        ("auth_url", sandbox.auth_url()),
        ("username", sandbox.username()),
        ("password", sandbox.password()),
        ("token_file", path.to_str().unwrap()),
    ]
    .map(|(name, value)| format!("{name}={value}"))
    .join("\n");
    let start = || {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "auth::sharing::process_with_a_file_store", "--nocapture"])
            .env("SONDAGE_TEST_PROCESS", &settings)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let processes: Vec<_> = (0..8).map(|_| start()).collect();
    let waiting = tokio::task::spawn_blocking(move || {
        processes
            .into_iter()
            .map(|process| {
                let output = String::from_utf8(process.wait_with_output().unwrap().stdout).unwrap();
                let start = output.find("TOKEN").unwrap_or_else(|| panic!("a token: {output}"));
                output[start..].lines().next().unwrap().to_owned()
            })
            .collect::<Vec<_>>()
    });
    let got = waiting.await.unwrap();
    assert!(got.iter().all(|token| *token == got[0]), "all have the same token");
    assert_eq!(shown(&sandbox), ["refresh_token"]);
}

/// A file that has become too large could not be read again, and all its users would have to log in.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_would_become_too_large_to_be_read_is_left_as_it_was() {
    let sandbox = Sandbox::demo().await.unwrap();
    let folder = Folder::new("large");
    let path = folder.0.join("tokens.json");
    let store = FileStore::new(&path);
    let (key, one) = saved(&password(&sandbox)).await;
    store.save(&key, &one).await.unwrap();
    let mut content: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let mut another = content["entries"].as_object().unwrap().values().next().unwrap().clone();
    let used = 2 * fs::read(&path).unwrap().len();
    another["key"] = "x".repeat((16 << 20) - used).into();
    content["entries"]["somebody"] = another;
    fs::write(&path, serde_json::to_vec_pretty(&content).unwrap()).unwrap();
    assert!(store.load(&key).await.unwrap().is_some(), "it can be read");

    let (others_key, other) = saved(&builder(&sandbox).client_secret(sandbox.client_secret())).await;
    let said = store.save(&others_key, &other).await.unwrap_err().to_string();
    assert!(said.contains("16 MiB") && said.contains("was not changed"), "{said}");
    assert!(store.load(&key).await.unwrap().is_some(), "existing entries are kept");
}
