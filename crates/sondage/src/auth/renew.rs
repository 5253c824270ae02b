//! One renewal: where the next token comes from.

use super::endpoint::{Endpoint, Form};
use super::failed::{Failed, REFUSED};
use super::refusal::Step;
use super::store::{Guard, StoreKey, TokenStore};
use super::token_set::{LIFE, TokenSet};
use super::{Credentials, api_token, provider};
use crate::error::{Error, ErrorKind};
use crate::model::Secret;
use std::sync::Arc;

/// What is needed to renew.
pub(super) struct Renewer {
    pub endpoint: Endpoint,
    pub credentials: Credentials,
    pub store: Option<(Arc<dyn TokenStore>, StoreKey)>,
}

impl Renewer {
    /// Tokens that are newer than `old`: from the store, where somebody else has renewed them; by refresh; by the grant.
    pub(super) async fn renew(&self, old: Option<&TokenSet>) -> Result<TokenSet, Failed> {
        let clock = &self.endpoint.config.clock;
        match &self.credentials {
            Credentials::Token(token) if old.is_none() => {
                return Ok(TokenSet::new(token.clone(), clock.wall(), LIFE));
            }
            Credentials::Token(_) => return Err(Failed::new(fixed_refused(), REFUSED)),
            Credentials::Provider(asked) => {
                let token = provider::ask(asked.clone(), self.endpoint.config.token_timeout).await?;
                return Ok(TokenSet::new(token, clock.wall(), LIFE));
            }
            _ => {}
        }
        // Held until the new tokens are in the store.
        let _lock = self.lock().await;
        let known = self.newest(old, self.load().await);
        if let Some(known) = &known
            && self.good(known)
            && old.is_none_or(|old| old.access_token != known.access_token)
        {
            return Ok(known.clone());
        }
        let tokens = self.ask(known.as_ref()).await?;
        self.save(&tokens).await;
        Ok(tokens)
    }

    /// Of what the client has, what the store has and what a login brought, the latest. A refresh token that was replaced
    /// meanwhile is never shown again.
    fn newest(&self, old: Option<&TokenSet>, stored: Option<TokenSet>) -> Option<TokenSet> {
        let login = match &self.credentials {
            Credentials::Session(tokens) => Some(tokens.clone()),
            _ => None,
        };
        // Among equals the last one wins, and the store knows of refreshes that others have made.
        [login, old.cloned(), stored].into_iter().flatten().max_by_key(|tokens| tokens.issued_at)
    }

    /// Whether most of its life is still before it.
    fn good(&self, tokens: &TokenSet) -> bool {
        tokens.lives(self.endpoint.config.clock.wall()).is_some_and(|(left, whole)| {
            left * 4 > whole || matches!(self.credentials, Credentials::Session(_))
        })
    }

    async fn ask(&self, known: Option<&TokenSet>) -> Result<TokenSet, Failed> {
        let first = match &self.credentials {
            Credentials::RefreshToken(token) => Some(token),
            _ => None,
        };
        let refresh = known.and_then(|tokens| tokens.refresh_token.as_ref()).or(first);
        let Some(refresh) = refresh else { return self.grant(None).await };
        let redirect = known.and_then(|tokens| tokens.redirect_uri.clone());
        match self.refresh(refresh, redirect).await {
            Err(failed) if ended(&failed.error) => {
                log::debug!("the refresh token is not accepted any more");
                self.grant(Some(failed)).await
            }
            result => result,
        }
    }

    /// Shows a refresh token (spec 5.4).
    async fn refresh(&self, token: &Secret, redirect: Option<String>) -> Result<TokenSet, Failed> {
        let redirect = redirect.or_else(|| self.endpoint.config.redirect_uri.clone());
        let form = Form::new(Step::Refresh)
            .with_secret("refresh_token", token)
            .with_some("redirect_uri", redirect.as_deref())
            .with("scope", "openid");
        let mut tokens = self.endpoint.ask(form).await?;
        // A server that does not replace the refresh token may leave it out.
        tokens.refresh_token.get_or_insert_with(|| token.clone());
        tokens.redirect_uri = redirect;
        Ok(tokens)
    }

    /// Shows the credentials themselves. `refused`: what happened to the refresh before.
    async fn grant(&self, refused: Option<Failed>) -> Result<TokenSet, Failed> {
        match &self.credentials {
            Credentials::ClientCredentials => self.endpoint.ask(Form::new(Step::ClientCredentials)).await,
            Credentials::Password { username, password, panel_id } => {
                let form = Form::new(Step::Password)
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
            _ => Err(refused.unwrap_or_else(|| Failed::new(logged_out(&self.credentials), REFUSED))),
        }
    }

    async fn lock(&self) -> Option<Guard> {
        let (store, key) = self.store.as_ref()?;
        // A holder that hangs must not stop everybody else: then it is renewed twice, which does less harm.
        let longest = self.endpoint.config.token_timeout * 2;
        match tokio::time::timeout(longest, store.lock(key)).await {
            Ok(Ok(guard)) => Some(guard),
            Ok(Err(error)) => troubled(&error),
            Err(_) => troubled(&Error::configuration("its lock is held for too long")),
        }
    }

    async fn load(&self) -> Option<TokenSet> {
        let (store, key) = self.store.as_ref()?;
        let mut tokens = store.load(key).await.unwrap_or_else(|error| troubled(&error))?;
        // What a store gives back is as foreign as what a server says.
        super::access::AccessToken::new(tokens.access_token.reveal()).ok()?;
        tokens.refresh_token = tokens.refresh_token.filter(|token| !token.is_empty());
        Some(tokens)
    }

    pub(super) async fn save(&self, tokens: &TokenSet) {
        if let Some((store, key)) = &self.store
            && let Err(error) = store.save(key, tokens).await
        {
            troubled::<()>(&error);
        }
    }
}

/// Exchanges a code (spec 5.1), once in its life.
pub(super) async fn exchange(endpoint: &Endpoint, code: &super::Code) -> Result<TokenSet, Failed> {
    if !code.spend() {
        let error = Error::authentication("the code of the login has been used, and a code is good once")
            .with_hint("Log in again.");
        return Err(Failed::new(error, REFUSED));
    }
    let form = Form::new(Step::Code).with_secret("code", &code.text).with("redirect_uri", &code.redirect_uri);
    let form = match &code.verifier {
        Some(verifier) => form.with_secret("code_verifier", verifier),
        None => form,
    };
    let mut tokens = endpoint.ask(form).await?;
    tokens.redirect_uri = Some(code.redirect_uri.clone());
    Ok(tokens)
}

/// Whether the refresh token itself is what is no good: then the credentials behind it may still be.
fn ended(error: &Error) -> bool {
    error.kind() == ErrorKind::Authentication
        && !error.error_code().is_some_and(|code| matches!(code, "invalid_client" | "unauthorized_client"))
}

fn troubled<T>(error: &Error) -> Option<T> {
    log::warn!("the token store is of no help: {}", error.what());
    None
}

fn fixed_refused() -> Error {
    Error::authentication("the token is not accepted, and there is no way to another one")
        .with_hint("It may have ended: tokens live 30 minutes. Give a new one, or credentials from which tokens can be got.")
}

fn logged_out(credentials: &Credentials) -> Error {
    let what = match credentials {
        Credentials::Stored => "nobody is logged in: the token store has no tokens of this account",
        Credentials::AuthorizationCode(_) => "the login has ended",
        _ => "the token has ended, and no refresh token came with it",
    };
    Error::authentication(what).with_hint("Log in again.")
}
