//! Which tokens a store serves to which client: several people in one store, other passwords and secrets, logouts.

use super::clock::FakeClock;
use super::login::log_in_as;
use super::sharing::Folder;
use super::{arrived, shown, tokens};
use crate::support::sandbox::builder;
use futures_util::future::BoxFuture;
use serde_json::json;
use sondage::auth::{
    Credentials, Login, MemoryStore, Redirect, StoreKey, StoredTokens, TokenSet, TokenStore,
};
use sondage::config::{ClientBuilder, Grant};
use sondage::model::ReadPanelRequest;
use sondage::{ErrorKind, Result, blocking};
use sondage_sandbox::{Fault, FaultAction, Sandbox};
use std::fs;
use std::sync::{Arc, Mutex};

fn password(sandbox: &Sandbox) -> ClientBuilder {
    builder(sandbox).username(sandbox.username()).password(sandbox.password())
}

async fn login(sandbox: &Sandbox, builder: &ClientBuilder, user: &str) -> TokenSet {
    let login = Login::begin(builder, Redirect::Loopback).unwrap();
    login.paste(log_in_as(sandbox, &login, user).await.as_str()).await.unwrap()
}

fn session(builder: &ClientBuilder, set: &TokenSet) -> ClientBuilder {
    builder.clone().credentials(Credentials::Session(set.clone()))
}

fn bearer(set: &TokenSet) -> String {
    format!("Bearer {}", set.access_token.reveal())
}

async fn token(builder: &ClientBuilder) -> Result<String> {
    let token = tokens(builder).token(None).await?;
    Ok(token.header_value().to_str().unwrap().to_owned())
}

#[tokio::test]
async fn two_people_in_one_store_keep_their_own_tokens() {
    let sandbox = Sandbox::demo().await.unwrap();
    sandbox.change_profile(|profile| profile.rotate_refresh_tokens = true);
    let folder = Folder::new("people");
    let reader = sandbox.account().reader.clone();
    for names in [None, Some(["ada", "bob"])] {
        let path = folder.0.join(format!("{}.json", names.is_some()));
        let builder = builder(&sandbox).token_file(&path);
        let of = |who: usize| names.map_or(builder.clone(), |names| builder.clone().identity(names[who]));
        let ada = login(&sandbox, &of(0), sandbox.username()).await;
        let bob = login(&sandbox, &of(1), &reader).await;
        assert_ne!(ada.identity, bob.identity);
        assert_eq!(
            ada.identity.as_deref(),
            Some(names.map_or("sub:admin@demo.example.com", |names| names[0]))
        );
        for set in [&ada, &bob] {
            assert_eq!(token(&session(&builder, set)).await.unwrap(), bearer(set), "the session's own");
            let later = builder.clone().identity(set.identity.clone().unwrap());
            assert_eq!(token(&later).await.unwrap(), bearer(set), "a later program names the identity");
        }

        sandbox.ledger().clear();
        let clock = FakeClock::new();
        clock.advance(1900);
        let mut renewed = Vec::new();
        for set in [&ada, &bob] {
            let first = token(&session(&builder, set).clock(clock.clone())).await.unwrap();
            let later = builder.clone().identity(set.identity.clone().unwrap()).clock(clock.clone());
            assert_eq!(token(&later).await.unwrap(), first, "renewed once, and found by a later program");
            renewed.push(first);
        }
        assert_ne!(renewed[0], renewed[1]);
        assert_eq!(shown(&sandbox), ["refresh_token"; 2]);
        let nobody = token(&builder.clone().identity("carol")).await.unwrap_err();
        assert!(nobody.to_string().contains("nobody is logged in"), "{nobody}");
        let error = builder.resolve().unwrap_err();
        assert!(error.to_string().contains("`identity` is missing"), "no login is taken by chance: {error}");
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("id_token"), "an id token is personal data, and is not kept");
    }
}

#[tokio::test]
async fn a_name_that_two_people_were_given_mixes_them_not() {
    let sandbox = Sandbox::demo().await.unwrap();
    let base = builder(&sandbox).token_store(MemoryStore::new()).grant(Grant::Login);
    let builder = base.clone().identity("somebody");
    let ada = login(&sandbox, &builder, sandbox.username()).await;
    let bob = login(&sandbox, &builder, &sandbox.account().reader.clone()).await;
    assert_eq!(token(&session(&builder, &ada)).await.unwrap(), bearer(&ada));
    assert_eq!(token(&session(&builder, &bob)).await.unwrap(), bearer(&bob));

    let expected = base.identity(format!("sub:{}", sandbox.username()));
    let set = login(&sandbox, &expected, sandbox.username()).await;
    assert_eq!(token(&expected).await.unwrap(), bearer(&set));
    let begun = Login::begin(&expected, Redirect::Loopback).unwrap();
    let back = log_in_as(&sandbox, &begun, &sandbox.account().reader).await;
    let error = begun.paste(back.as_str()).await.unwrap_err();
    assert!(error.to_string().contains("a different person has logged in"), "{error}");
}

#[tokio::test]
async fn a_login_that_names_nobody_is_nobody_elses() {
    let sandbox = Sandbox::demo().await.unwrap();
    let builder = builder(&sandbox).token_store(MemoryStore::new());
    let mut seen = Vec::new();
    for name in ["one", "two"] {
        let answer = json!({ "access_token": name, "refresh_token": name, "id_token": "no token" });
        sandbox.fault(Fault::on("token").action(FaultAction::Body { text: answer.to_string() }));
        let set = login(&sandbox, &builder, sandbox.username()).await;
        assert!(set.identity.as_ref().unwrap().starts_with("session:"), "{set:?}");
        seen.push(set);
    }
    assert_ne!(seen[0].identity, seen[1].identity);
    for set in &seen {
        assert_eq!(token(&session(&builder, set)).await.unwrap(), bearer(set));
        let mut anonymous = set.clone();
        anonymous.identity = None;
        assert_eq!(
            token(&session(&builder, &anonymous)).await.unwrap(),
            bearer(set),
            "kept by the program itself"
        );
    }
}

#[tokio::test]
async fn two_refresh_tokens_in_one_store_are_two_people() {
    let sandbox = Sandbox::demo().await.unwrap();
    let base = builder(&sandbox);
    let shared = base.clone().token_store(MemoryStore::new());
    let mut got = Vec::new();
    for user in [sandbox.username(), &sandbox.account().reader] {
        let set = login(&sandbox, &base, user).await;
        let refresh = shared.clone().refresh_token(set.refresh_token.unwrap().reveal());
        got.push(token(&refresh).await.unwrap());
        assert_eq!(token(&refresh).await.unwrap(), *got.last().unwrap(), "found in the store");
    }
    assert_ne!(got[0], got[1]);
}

#[tokio::test]
async fn another_password_or_secret_is_refused_by_the_service_and_not_served_from_the_store() {
    let sandbox = Sandbox::demo().await.unwrap();
    let folder = Folder::new("verifier");
    let path = folder.0.join("tokens.json");
    let secret = sandbox.client_secret();
    let base = builder(&sandbox).token_file(&path);
    let user = base.clone().username(sandbox.username());
    let right = [
        base.clone().client_secret(secret),
        user.clone().password(sandbox.password()).client_secret(secret),
        user.clone().password(sandbox.password()).grant(Grant::ApiToken),
    ];
    let wrong = [
        vec![base.clone().client_secret("wrong")],
        vec![
            user.clone().password("wrong").client_secret(secret),
            user.clone().password(sandbox.password()).client_secret("wrong"),
        ],
        vec![user.clone().password("wrong").grant(Grant::ApiToken)],
    ];
    for (right, wrong) in right.iter().zip(wrong) {
        let good = token(right).await.unwrap();
        for wrong in wrong {
            let error = token(&wrong).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Authentication, "{error}");
        }
        let before = sandbox.ledger().token_requests().len();
        assert_eq!(token(right).await.unwrap(), good, "a refused login removes nothing");
        assert_eq!(sandbox.ledger().token_requests().len(), before);
    }
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains(secret) && !text.contains(sandbox.password()), "hashes only");
}

#[tokio::test]
async fn a_rotated_secret_is_noticed_at_once() {
    let sandbox = Sandbox::demo().await.unwrap();
    let base = builder(&sandbox).token_store(MemoryStore::new());
    let (old, new) = (base.clone().client_secret("old"), base.clone().client_secret(sandbox.client_secret()));
    // The service accepted the old secret until just now.
    let answer = json!({ "access_token": "before", "expires_in": 1800 });
    sandbox.fault(Fault::on("token").action(FaultAction::Body { text: answer.to_string() }));
    assert_eq!(token(&old).await.unwrap(), "Bearer before");
    assert_eq!(token(&old).await.unwrap(), "Bearer before", "from the store");
    assert_eq!(arrived(&sandbox), 1);

    let fresh = token(&new).await.unwrap();
    assert_ne!(fresh, "Bearer before", "the new secret is sent to the service");
    assert_eq!(token(&new).await.unwrap(), fresh);
    let error = token(&old).await.unwrap_err();
    assert_eq!(error.error_code(), Some("invalid_client"), "{error}");
}

#[tokio::test]
async fn a_login_is_shown_again_where_the_client_secret_is_another() {
    let sandbox = Sandbox::demo().await.unwrap();
    let base = builder(&sandbox).token_store(MemoryStore::new()).identity("ada").grant(Grant::Login);
    let right = base.clone().client_secret(sandbox.client_secret());
    let set = login(&sandbox, &right, sandbox.username()).await;
    let error = token(&base.clone().client_secret("wrong")).await.unwrap_err();
    assert_eq!(error.error_code(), Some("invalid_client"), "{error}");
    assert_eq!(token(&right).await.unwrap(), bearer(&set));
    assert_ne!(token(&base).await.unwrap(), bearer(&set), "without a secret the refresh token is sent");
    assert_eq!(shown(&sandbox), ["authorization_code", "refresh_token", "refresh_token"]);
}

/// A store with room for one entry, whatever the key.
#[derive(Clone, Default)]
struct OneSlot(Arc<Mutex<Option<StoredTokens>>>);

impl TokenStore for OneSlot {
    fn load<'a>(&'a self, _: &'a StoreKey) -> BoxFuture<'a, Result<Option<StoredTokens>>> {
        Box::pin(async { Ok(self.0.lock().unwrap().clone()) })
    }

    fn save<'a>(&'a self, _: &'a StoreKey, tokens: &'a StoredTokens) -> BoxFuture<'a, Result<()>> {
        *self.0.lock().unwrap() = Some(tokens.clone());
        Box::pin(async { Ok(()) })
    }

    fn forget<'a>(&'a self, _: &'a StoreKey) -> BoxFuture<'a, Result<()>> {
        *self.0.lock().unwrap() = None;
        Box::pin(async { Ok(()) })
    }
}

#[tokio::test]
async fn a_store_that_mixes_its_keys_gives_nobody_away() {
    let sandbox = Sandbox::demo().await.unwrap();
    let store = OneSlot::default();
    let base = builder(&sandbox).token_store(store.clone()).grant(Grant::Login);
    let bob = login(&sandbox, &base.clone().identity("bob"), &sandbox.account().reader).await;
    assert_eq!(token(&base.clone().identity("bob")).await.unwrap(), bearer(&bob));
    let error = token(&base.identity("ada")).await.unwrap_err();
    assert!(error.to_string().contains("nobody is logged in"), "{error}");
    let key = StoredTokens::clone(store.0.lock().unwrap().as_ref().unwrap());
    let text = serde_json::to_string(&key).unwrap();
    assert!(text.contains("demo demo_api login bob"), "the key names the identity: {text}");
}

#[tokio::test]
async fn after_a_logout_nothing_is_left() {
    let sandbox = Sandbox::demo().await.unwrap();
    let folder = Folder::new("logout");
    let path = folder.0.join("tokens.json");
    let base = builder(&sandbox).token_file(&path);
    let ada = login(&sandbox, &base, sandbox.username()).await;
    let bob = login(&sandbox, &base, &sandbox.account().reader).await;
    let client = session(&base, &ada).build().unwrap();
    let read = || client.read_panel(ReadPanelRequest::new(sandbox.panel_id()));
    read().await.unwrap();
    client.logout().await.unwrap();
    let before = arrived(&sandbox);
    let error = read().await.unwrap_err();
    assert!(error.to_string().contains("logged out"), "{error}");
    assert_eq!(arrived(&sandbox), before, "nothing is sent to the service");
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains("admin%40demo") && !text.contains(ada.access_token.reveal()), "{text}");
    let stored = base.clone().identity(bob.identity.clone().unwrap());
    assert_eq!(token(&stored).await.unwrap(), bearer(&bob), "others stay");
    let gone = base.clone().identity(ada.identity.clone().unwrap());
    assert!(token(&gone).await.unwrap_err().to_string().contains("nobody is logged in"));
    login(&sandbox, &base, sandbox.username()).await;
    token(&gone).await.expect("a new login works");

    // A password can get new tokens: only the stored entry is lost.
    let builder = password(&sandbox).token_file(&path);
    let client = builder.build().unwrap();
    client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap();
    client.logout().await.unwrap();
    assert!(!fs::read_to_string(&path).unwrap().contains(" password "));
    sandbox.ledger().clear();
    client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap();
    assert_eq!(shown(&sandbox), ["password"]);
}

/// A program that keeps running finds the new login, although it has seen more renewals of the old one.
#[tokio::test]
async fn a_new_login_comes_after_one_that_was_logged_out() {
    let (sandbox, clock) = (Sandbox::demo().await.unwrap(), FakeClock::new());
    let base = builder(&sandbox).token_store(MemoryStore::new()).identity("ada").clock(clock.clone());
    let stored = base.clone().grant(Grant::Login);
    let first = login(&sandbox, &base, sandbox.username()).await;
    let running = tokens(&stored);
    for _ in 0..3 {
        running.token(None).await.unwrap();
        clock.advance(1900);
    }
    stored.build().unwrap().logout().await.unwrap();
    let second = login(&sandbox, &base, sandbox.username()).await;
    assert!(second.generation > first.generation);
    let token = running.token(None).await.unwrap();
    assert_eq!(token.header_value().to_str().unwrap(), bearer(&second));
}

#[test]
fn a_logout_also_waits_and_needs_no_store() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let client: blocking::Client = password(&sandbox).build_blocking().unwrap();
    client.logout().unwrap();
    for _ in 0..2 {
        client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).unwrap();
        client.logout().unwrap();
    }
    assert_eq!(shown(&sandbox), ["password"; 2]);
}

#[tokio::test]
async fn a_file_of_the_first_version_is_read_without_harm_and_not_used() {
    let sandbox = Sandbox::demo().await.unwrap();
    let folder = Folder::new("version");
    let path = folder.0.join("tokens.json");
    let server = sandbox.auth_url().trim_end_matches('/').to_owned();
    let old = |who: &str| {
        let mut tokens = serde_json::Map::new();
        let set = json!({ "access_token": "old", "refresh_token": "old", "issued_at": 1, "expires_at": 4_000_000_000_u64 });
        tokens.insert(format!("{server} demo_api {who}"), set);
        json!({ "version": 1, "tokens": tokens }).to_string()
    };
    fs::write(&path, old("login")).unwrap();
    let login = builder(&sandbox).token_file(&path).identity("ada");
    assert!(token(&login).await.unwrap_err().to_string().contains("nobody is logged in"));
    assert_eq!(fs::read_to_string(&path).unwrap(), old("login"), "reading changes nothing");
    fs::write(&path, old(&format!("password {}", sandbox.username()))).unwrap();
    token(&password(&sandbox).token_file(&path)).await.unwrap();
    assert_eq!(shown(&sandbox), ["password"], "an entry without a verifier is not used");
    assert!(
        !fs::read_to_string(&path).unwrap().contains("\"old\""),
        "and is replaced by the first new token"
    );
}

/// A process that is killed between the response and the file leaves the spent token there. Every later process used to send it
/// again, which a server may take for theft.
#[tokio::test]
async fn a_spent_refresh_token_in_a_file_is_refused_once_for_all_processes() {
    let sandbox = Sandbox::demo().await.unwrap();
    sandbox.change_profile(|profile| profile.rotate_refresh_tokens = true);
    let folder = Folder::new("spent");
    let path = folder.0.join("tokens.json");
    let stored = builder(&sandbox).token_file(&path).identity("ada");
    let ada = login(&sandbox, &stored, sandbox.username()).await;
    let refresh = || Credentials::RefreshToken(ada.refresh_token.clone().unwrap());
    // The process that was killed: it has spent the token, and saved nothing.
    token(&builder(&sandbox).credentials(refresh())).await.unwrap();
    let clock = FakeClock::new();
    clock.advance(1900);
    sandbox.ledger().clear();
    let shared = |builder: ClientBuilder| builder.token_file(&path).clock(clock.clone());
    let later = [
        shared(stored.clone()),
        shared(stored.clone()),
        shared(session(&stored, &ada)),
        // An identity of its own in the same file, which nobody has used yet.
        shared(builder(&sandbox).credentials(refresh())),
        shared(builder(&sandbox).credentials(refresh())),
    ];
    for builder in &later {
        let error = token(builder).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Authentication, "{error}");
        let words = ["the refresh token was not accepted", "Log in again"];
        assert!(words.iter().all(|words| error.to_string().contains(words)), "{error}");
    }
    assert_eq!(shown(&sandbox), ["refresh_token"; 2], "once for each entry");
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches("\"refused\"").count(), 2, "{text}");

    // A new login is not affected.
    let again = login(&sandbox, &stored, sandbox.username()).await;
    assert_eq!(token(&stored).await.unwrap(), bearer(&again));
    assert_eq!(fs::read_to_string(&path).unwrap().matches("\"refused\"").count(), 1);
}

#[tokio::test]
async fn a_spent_refresh_token_is_never_shown_again_though_a_clock_is_set_back() {
    let sandbox = Sandbox::demo().await.unwrap();
    sandbox.change_profile(|profile| profile.rotate_refresh_tokens = true);
    let folder = Folder::new("set-back");
    let builder = password(&sandbox).token_file(folder.0.join("tokens.json"));
    let (right, wrong) = (FakeClock::new(), FakeClock::new());
    // Two programs share one file, and the clock of the second one is an hour slow.
    wrong.set_back(3600);
    let first = tokens(&builder.clone().clock(right.clone()));
    let second = tokens(&builder.clone().clock(wrong.clone()));
    first.token(None).await.unwrap();
    for _ in 0..3 {
        right.advance(1900);
        wrong.advance(1900);
        second.token(None).await.unwrap();
        let token = first.token(None).await.unwrap();
        // Rejected: the first program has to get another one, from the tokens that the second one has saved.
        first.token(Some(&token)).await.unwrap();
    }
    let requests = sandbox.ledger().token_requests();
    assert!(requests.iter().all(|request| request.error.is_none()), "{requests:?}");
    let grants: Vec<_> = requests.iter().map(|request| request.grant.as_str()).collect();
    assert_eq!(grants[0], "password");
    assert!(grants.len() > 4 && grants[1..].iter().all(|grant| *grant == "refresh_token"), "{grants:?}");
}
