//! One renewal: where the next token comes from.

use super::endpoint::{Endpoint, TokenForm};
use super::failed::{PAUSE, REFUSED, SharedFailure};
use super::refusal::{self, TokenGrantKind};
use super::store::{Guard, StoreKey, StoredTokens, TokenStore, fingerprint};
use super::token_set::{LIFE, TokenSet, subject};
use super::verifier::Verifier;
use super::{Credentials, api_token, provider};
use crate::config::{Config, is_secret_length};
use crate::error::{Error, ErrorKind, Redactor, Result as OrError, Text};
use crate::model::Secret;
use crate::runtime;
use crate::transport::http::Http;
use arc_swap::ArcSwapOption;
use std::sync::Arc;
use std::time::Duration;

/// What a renewal needs.
pub(super) struct Renewer {
    pub endpoint: Endpoint,
    pub credentials: Credentials,
    pub store: Option<TokenSlot>,
    /// The hash of the last refresh token that the server has refused.
    refused: ArcSwapOption<String>,
}

/// Where the tokens of one identity are stored.
pub(super) struct TokenSlot {
    store: Arc<dyn TokenStore>,
    key: StoreKey,
    verifier: Option<Arc<Verifier>>,
}

/// Tokens from which a renewal may start.
struct KnownTokens {
    tokens: TokenSet,
    /// Whether the access token may be used as well, and not only the refresh token: for a refresh token, the
    /// service checks which secret it comes with.
    usable: bool,
}

/// What the store has about this identity.
#[derive(Default)]
struct Loaded {
    known: Option<KnownTokens>,
    /// The number of the newest set, whether or not it is ours.
    generation: u64,
    /// The hash of a refresh token that the server has refused.
    refused: Option<String>,
    /// There is an entry, and it was made with other secrets than ours.
    foreign: bool,
}

impl Renewer {
    pub(super) fn new(config: &Config, http: Arc<Http>, credentials: Credentials) -> Self {
        let store = config.token_store.clone().map(|store| TokenSlot {
            store,
            key: StoreKey::of(config, &credentials),
            verifier: Verifier::of(config, &credentials).map(Arc::new),
        });
        let refused = ArcSwapOption::empty();
        Self { endpoint: Endpoint { config: config.clone(), http }, credentials, store, refused }
    }

    /// Returns tokens newer than `old`: from the store, if another process has renewed them; by the refresh token; by
    /// the grant. `ended`: the login was ended by a logout, and the tokens in the credentials are not used again.
    pub(super) async fn renew(&self, old: Option<&TokenSet>, ended: bool) -> Result<TokenSet, SharedFailure> {
        if ended && !self.credentials.lasting() {
            let error = Error::authentication("the client was logged out").with_hint("Log in again.");
            return Err(SharedFailure::new(error, PAUSE));
        }
        let clock = &self.endpoint.config.clock;
        match &self.credentials {
            Credentials::Token(token) if old.is_none() => {
                return Ok(TokenSet::new(token.clone(), clock.wall(), LIFE));
            }
            Credentials::Token(_) => return Err(SharedFailure::new(fixed_refused(), REFUSED)),
            Credentials::Provider(asked) => {
                let (timeout, redactor) = (self.endpoint.config.token_timeout, self.endpoint.redactor(&[]));
                let token = provider::ask(asked.clone(), timeout, &redactor).await?;
                return Ok(TokenSet::new(token, clock.wall(), LIFE));
            }
            _ => {}
        }
        // Held until the new tokens are in the store.
        let _lock = self.lock().await;
        let Loaded { known: stored, generation, refused, foreign } = self.load().await;
        if let Some(refused) = refused {
            self.refused.store(Some(Arc::new(refused)));
        }
        let newest = self.newest(old, stored);
        if let Some(KnownTokens { tokens, usable: true }) = &newest
            && self.good(tokens)
            && old.is_none_or(|old| old.access_token != tokens.access_token)
        {
            return Ok(tokens.clone());
        }
        let newest_tokens = newest.map(|newest| newest.tokens);
        let mut tokens = self.ask(newest_tokens.as_ref(), generation, foreign).await?;
        let start = if newest_tokens.is_none() { tokens.issued_at } else { 0 };
        let before =
            newest_tokens.as_ref().map_or(0, |newest_tokens| newest_tokens.generation).max(generation);
        tokens.generation = before.saturating_add(1).max(start);
        if let Some(newest_tokens) = newest_tokens {
            tokens.identity = newest_tokens.identity;
            tokens.subject = newest_tokens.subject;
        }
        self.save(&tokens).await;
        Ok(tokens)
    }

    /// Chooses the newest token set of this identity from the client's, the store's and the login's. A refresh token that
    /// has been replaced meanwhile is never sent again. Sets are numbered, because a clock may be set back between two of
    /// them.
    fn newest(&self, old: Option<&TokenSet>, stored: Option<KnownTokens>) -> Option<KnownTokens> {
        let login = match &self.credentials {
            Credentials::Session(tokens) => Some(tokens),
            _ => None,
        };
        let of = |tokens: &TokenSet| tokens.subject.clone().or_else(|| subject(tokens.id_token.as_ref()?));
        let own = old.or(login).and_then(of);
        let stored = stored.filter(|stored| match (&own, &stored.tokens.subject) {
            (Some(own), Some(other)) => own == other,
            _ => true,
        });
        let own = |tokens: &TokenSet| KnownTokens { tokens: tokens.clone(), usable: true };
        // Among equally new sets the store's wins, because it knows about refreshes by other processes.
        let sources = [login.map(own), old.map(own), stored];
        sources.into_iter().flatten().max_by_key(|sources| sources.tokens.generation)
    }

    /// Whether it has most of its lifetime left.
    fn good(&self, tokens: &TokenSet) -> bool {
        tokens.lifetime(self.endpoint.config.clock.wall()).is_some_and(|(left, whole)| {
            left * 4 > whole || matches!(self.credentials, Credentials::Session(_))
        })
    }

    async fn ask(
        &self,
        known: Option<&TokenSet>,
        generation: u64,
        foreign: bool,
    ) -> Result<TokenSet, SharedFailure> {
        let first = match &self.credentials {
            Credentials::RefreshToken(token) => Some(token),
            _ => None,
        };
        let refresh = known.and_then(|tokens| tokens.refresh_token.as_ref()).or(first);
        let Some(refresh) = refresh else { return self.grant(None).await };
        if self.refused.load().as_ref().is_some_and(|refused| **refused == fingerprint(refresh)) {
            let error = refusal::refresh_refused(&Text::default());
            return self.grant(Some(SharedFailure::new(error, REFUSED))).await;
        }
        let redirect = known.and_then(|tokens| tokens.redirect_uri.clone());
        match self.refresh(refresh, redirect).await {
            Err(failed) if ended(&failed.error) => {
                log::debug!("the refresh token is not accepted any more");
                if failed
                    .error
                    .error_code()
                    .is_some_and(|code| matches!(code, "invalid_grant" | "invalid_token"))
                {
                    self.note_refusal(refresh, known, generation, foreign).await;
                }
                self.grant(Some(failed)).await
            }
            result => result,
        }
    }

    /// Sends a refresh token.
    // API 2.6
    async fn refresh(&self, token: &Secret, redirect: Option<String>) -> Result<TokenSet, SharedFailure> {
        let redirect = redirect.or_else(|| self.endpoint.config.redirect_uri.clone());
        let form = TokenForm::new(TokenGrantKind::Refresh)
            .with_secret("refresh_token", token)
            .with_some("redirect_uri", redirect.as_deref())
            .with("scope", "openid");
        let mut tokens = self.endpoint.ask(form).await?;
        // A server that does not rotate the refresh token may omit it from the response.
        tokens.refresh_token.get_or_insert_with(|| token.clone());
        tokens.redirect_uri = redirect;
        Ok(tokens)
    }

    /// Requests a token with the credentials. `refused`: why the preceding refresh failed.
    async fn grant(&self, refused: Option<SharedFailure>) -> Result<TokenSet, SharedFailure> {
        match &self.credentials {
            Credentials::ClientCredentials => {
                self.endpoint.ask(TokenForm::new(TokenGrantKind::ClientCredentials)).await
            }
            Credentials::Password { username, password, panel_id } => {
                let form = TokenForm::new(TokenGrantKind::Password)
                    .with("username", username)
                    .with_secret("password", password)
                    .with("scope", "openid")
                    .with_some("panel_id", panel_id.map(|id| id.to_string()));
                self.endpoint.ask(form).await
            }
            Credentials::ApiToken { username, password } => {
                api_token::ask(&self.endpoint, username, password).await
            }
            Credentials::AuthorizationCode(code) if refused.is_none() => exchange(&self.endpoint, code).await,
            _ => Err(refused.unwrap_or_else(|| SharedFailure::new(logged_out(&self.credentials), REFUSED))),
        }
    }

    async fn lock(&self) -> Option<Guard> {
        let TokenSlot { store, key, .. } = self.store.as_ref()?;
        // A lock holder that hangs must not block the others: after this timeout the token is renewed a second time,
        // which does less harm.
        let longest = self.endpoint.config.token_timeout.saturating_mul(2);
        match tokio::time::timeout(longest, store.lock(key)).await {
            Ok(Ok(guard)) => Some(guard),
            Ok(Err(error)) => self.troubled(error, None),
            Err(_) => self.troubled(Error::configuration("its lock has been held for too long"), None),
        }
    }

    /// The server has refused this refresh token for good: it was used, perhaps by a process that was killed before it had saved
    /// the next one. No process is to send it again.
    async fn note_refusal(&self, refresh: &Secret, known: Option<&TokenSet>, generation: u64, foreign: bool) {
        let refused = fingerprint(refresh);
        self.refused.store(Some(Arc::new(refused.clone())));
        if foreign {
            return;
        }
        let mut tokens = known.cloned().unwrap_or_else(|| {
            // No access token has been obtained yet.
            TokenSet::new(Secret::from(""), self.endpoint.config.clock.wall(), Duration::ZERO)
        });
        tokens.generation = tokens.generation.max(generation);
        self.write(&tokens, Some(refused)).await;
    }

    /// The store's entry for this identity.
    async fn load(&self) -> Loaded {
        let Some(TokenSlot { store, key, verifier }) = &self.store else { return Loaded::default() };
        let entry = store.load(key).await.unwrap_or_else(|error| self.troubled(error, None));
        let Some(StoredTokens { key: of, proof, refused, mut tokens }) = entry else {
            return Loaded::default();
        };
        if of != key.as_str() {
            log::warn!("the token store returned tokens of another key, which are not used");
            return Loaded { foreign: true, ..Loaded::default() };
        }
        let generation = tokens.generation;
        // A password or secret that differs from the stored one must be verified by the service: it must not be served the
        // token that the right one obtained.
        let usable = fits(verifier.clone(), proof).await;
        if !usable && self.credentials.reusable() {
            return Loaded { generation, foreign: true, ..Loaded::default() };
        }
        // Text from a store is as untrusted as text from a server.
        if super::access::AccessToken::new(tokens.access_token.reveal()).is_err() {
            return Loaded { generation, refused, foreign: !usable, known: None };
        }
        tokens.refresh_token =
            tokens.refresh_token.filter(|token| !token.is_empty() && is_secret_length(token.reveal()));
        Loaded { known: Some(KnownTokens { tokens, usable }), generation, refused, foreign: !usable }
    }

    async fn save(&self, tokens: &TokenSet) {
        self.write(tokens, None).await;
    }

    async fn write(&self, tokens: &TokenSet, refused: Option<String>) {
        let Some(TokenSlot { store, key, verifier }) = &self.store else { return };
        let saved = async {
            let proof = prove(verifier.clone()).await?;
            let tokens = TokenSet { id_token: None, ..tokens.clone() };
            store.save(key, &StoredTokens { key: key.as_str().to_owned(), proof, refused, tokens }).await
        };
        if let Err(error) = saved.await {
            self.troubled::<()>(error, Some(tokens));
        }
    }

    /// A store is written by the application, and its errors may echo what it was given to keep.
    fn troubled<T>(&self, error: Error, tokens: Option<&TokenSet>) -> Option<T> {
        let session = tokens.map(|tokens| Credentials::Session(tokens.clone()));
        let secrets = session.iter().flat_map(Credentials::secrets).chain(self.endpoint.config.secrets());
        log::warn!("the token store failed: {}", error.without(&Redactor::new(secrets)).what());
        None
    }

    /// Saves the tokens of a login as the newest of their identity.
    #[cfg(feature = "login")]
    pub(super) async fn begin(&self, tokens: &mut TokenSet) {
        let _lock = self.lock().await;
        tokens.generation = self.load().await.generation.saturating_add(1).max(tokens.issued_at);
        self.save(tokens).await;
    }

    /// Removes the tokens from the store.
    pub(super) async fn forget(&self) -> OrError<()> {
        let Some(TokenSlot { store, key, .. }) = &self.store else { return Ok(()) };
        let _lock = self.lock().await;
        store.forget(key).await
    }
}

/// Whether an entry with this proof was made with the secrets of this client. An entry without a proof does not match a
/// client that has secrets.
async fn fits(verifier: Option<Arc<Verifier>>, proof: Option<Secret>) -> bool {
    match (verifier, proof) {
        (None, None) => true,
        (Some(verifier), Some(proof)) => {
            runtime::handle().spawn_blocking(move || verifier.fits(&proof)).await.unwrap_or(false)
        }
        _ => false,
    }
}

async fn prove(verifier: Option<Arc<Verifier>>) -> OrError<Option<Secret>> {
    let Some(verifier) = verifier else { return Ok(None) };
    let proof = runtime::handle().spawn_blocking(move || verifier.make()).await;
    proof.unwrap_or_else(|_| Err(Error::internal("the work on the token store was cancelled"))).map(Some)
}

/// Exchanges a code. A code can be exchanged only once.
// API 2.3
pub(super) async fn exchange(endpoint: &Endpoint, code: &super::Code) -> Result<TokenSet, SharedFailure> {
    if !code.spend() {
        let error =
            Error::authentication("the code of the login has been used, and a code can be used only once")
                .with_hint("Log in again.");
        return Err(SharedFailure::new(error, REFUSED));
    }
    let form = TokenForm::new(TokenGrantKind::Code)
        .with_secret("code", &code.text)
        .with("redirect_uri", &code.redirect_uri);
    let form = match &code.verifier {
        Some(verifier) => form.with_secret("code_verifier", verifier),
        None => form,
    };
    let mut tokens = endpoint.ask(form).await?;
    tokens.redirect_uri = Some(code.redirect_uri.clone());
    tokens.subject = tokens.id_token.as_ref().and_then(subject);
    Ok(tokens)
}

/// Whether the refresh token itself was rejected: the credentials may then still work.
fn ended(error: &Error) -> bool {
    error.kind() == ErrorKind::Authentication
        && !error.error_code().is_some_and(|code| matches!(code, "invalid_client" | "unauthorized_client"))
}

fn fixed_refused() -> Error {
    Error::authentication("the token is not accepted, and there are no credentials to request another one")
        .with_hint(
            "It may have expired: tokens are valid for 30 minutes. Pass a new one, or credentials with which \
                    tokens can be requested.",
        )
}

fn logged_out(credentials: &Credentials) -> Error {
    let what = match credentials {
        Credentials::Stored => "nobody is logged in: the token store has no tokens of this identity",
        Credentials::AuthorizationCode(_) => "the login has ended",
        _ => "the token has expired, and there is no refresh token",
    };
    Error::authentication(what).with_hint("Log in again.")
}
