//! A person's login in a browser.
// API 2.3

mod answer;
#[cfg(fuzzing)]
pub(super) mod fuzzing;
mod listener;
mod page;
mod request;
mod saved;

use self::answer::LoginAnswer;
use self::listener::Listener;
use self::saved::SavedLogin;
use super::endpoint::Endpoint;
use super::renew::{Renewer, exchange};
use super::token_set::PERSON;
use super::{Code, Credentials, TokenSet};
use crate::config::{ClientBuilder, Config};
use crate::error::{Error, Result};
use crate::model::Secret;
use crate::runtime;
use crate::transport::http::Http;
use crate::transport::settings::is_loopback;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fmt;
use std::sync::Arc;
use url::Url;

/// Where the browser is sent after the login.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Redirect {
    /// To this program, on a free port of this machine.
    Loopback,
    /// To this address, exactly as it is registered for the client. If it is plain http on this machine, with a port, the
    /// program can wait there; otherwise the person pastes the address at which the browser ended up.
    Address(String),
}

/// A login in progress. Show [`Login::url`] to the person, then wait with [`Login::listen`], or pass what the person
/// pastes to [`Login::paste`]. Both return the tokens, for [`Credentials::Session`], and save them in the token store.
///
/// Where several people log in to one program, each login has an identity of its own: the name given by the setting
/// `identity`, or the subject of the id token, or a random name. [`TokenSet::identity`] is the value that a later program
/// sets as `identity` to find this login in the store.
///
/// ```no_run
/// # use sondage::{auth::{Credentials, Login, Redirect}, config::ClientBuilder};
/// # async fn example() -> sondage::Result<()> {
/// let builder = ClientBuilder::new().account("https://acme.survalyzer-eu.app");
/// let login = Login::begin(&builder, Redirect::Loopback)?;
/// println!("Log in at {}", login.url());
/// let client = builder.credentials(Credentials::Session(login.listen().await?)).build()?;
/// # Ok(()) }
/// ```
pub struct Login {
    url: Url,
    shared: Arc<LoginState>,
}

struct LoginState {
    config: Config,
    redirect: String,
    state: Secret,
    verifier: Secret,
    /// The listener. With a port of our own choice it is open from the start; otherwise it is opened only on request,
    /// because a server of the user's may already be listening there.
    place: Option<ReturnAddress>,
}

enum ReturnAddress {
    Open(Listener),
    At(u16, String),
}

impl ReturnAddress {
    /// Where a program can wait: plain http on this machine, with a port.
    fn of(url: &Url) -> Option<Self> {
        let here = url.scheme() == "http" && !matches!(url.host(), Some(url::Host::Ipv6(_)));
        let port = url.port().filter(|_| here)?;
        Some(Self::At(port, url.path().to_owned()))
    }
}

/// The settings of a login, which needs no credentials yet.
fn session_config(builder: &ClientBuilder) -> Result<Config> {
    builder.clone().credentials(Credentials::Session(none())).resolve()
}

impl Login {
    /// Prepares a login: a random `state`, a PKCE challenge if the setting `pkce` asks for it, and the URL of the login
    /// page. Nothing is sent.
    ///
    /// The builder needs no credentials; a client secret, if one is set, is sent with the code exchange.
    pub fn begin(builder: &ClientBuilder, redirect: Redirect) -> Result<Self> {
        let config = session_config(builder)?;
        let (redirect, place) = match redirect {
            Redirect::Loopback => {
                let listener = Listener::bind(0, "/")?;
                (format!("http://127.0.0.1:{}/", listener.port()), Some(ReturnAddress::Open(listener)))
            }
            Redirect::Address(address) => {
                let place = ReturnAddress::of(&redirect_address(&address)?);
                (address, place)
            }
        };
        let verifier = if config.pkce { unguessable()? } else { String::new() };
        Ok(Self::of(config, redirect, unguessable()?.into(), verifier.into(), place))
    }

    /// Goes on with a login that this or another process has begun, from what [`Login::saved`] returned there. Nothing is sent.
    ///
    /// The builder has the settings of that process. A login that began with [`Redirect::Loopback`] can listen at the same port,
    /// which any other program may have taken in the meantime.
    pub fn resume(builder: &ClientBuilder, saved: &Secret) -> Result<Self> {
        let config = session_config(builder)?;
        let saved = SavedLogin::read(saved)?;
        for (name, same) in [
            ("auth_url", saved.auth_url == config.auth_url.as_str()),
            ("client_id", saved.client_id == config.client_id),
        ] {
            if !same {
                return Err(Error::invalid_argument(format!("this login was begun with another `{name}`"))
                    .with_hint("Resume it with the settings with which it was begun, or begin a new one."));
            }
        }
        let place = ReturnAddress::of(&redirect_address(&saved.redirect)?);
        Ok(Self::of(config, saved.redirect, saved.state, saved.verifier, place))
    }

    fn of(
        config: Config,
        redirect: String,
        state: Secret,
        verifier: Secret,
        place: Option<ReturnAddress>,
    ) -> Self {
        let mut url = config.auth_url.clone();
        url.set_path(&config.authorize_path);
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &config.client_id)
            .append_pair("redirect_uri", &redirect)
            .append_pair("scope", "openid")
            .append_pair("state", state.reveal());
        if !verifier.is_empty() {
            let digest = ring::digest::digest(&ring::digest::SHA256, verifier.reveal().as_bytes());
            url.query_pairs_mut()
                .append_pair("code_challenge", &URL_SAFE_NO_PAD.encode(digest))
                .append_pair("code_challenge_method", "S256");
        }
        Self { url, shared: Arc::new(LoginState { config, redirect, state, verifier, place }) }
    }

    /// What [`Login::resume`] needs to go on with this login in another process, for systems that end a process while its person is in
    /// the browser. It is a secret: with it and the address at which the browser ends up, anybody gets the tokens. Store it as such, and
    /// delete it when the login has ended.
    pub fn saved(&self) -> Secret {
        SavedLogin {
            version: SavedLogin::VERSION,
            auth_url: self.shared.config.auth_url.to_string(),
            client_id: self.shared.config.client_id.clone(),
            redirect: self.shared.redirect.clone(),
            state: self.shared.state.clone(),
            verifier: self.shared.verifier.clone(),
        }
        .text()
    }

    /// The address that the person opens in a browser.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The redirect address to which the service sends the browser.
    pub fn redirect(&self) -> &str {
        &self.shared.redirect
    }

    /// Whether [`Login::listen`] can wait for the browser.
    pub fn can_listen(&self) -> bool {
        self.shared.place.is_some()
    }

    /// Takes the address at which the browser ended up, or the part of it after `?` or `#`, and gets the
    /// tokens.
    pub async fn paste(&self, text: &str) -> Result<TokenSet> {
        let shared = self.shared.clone();
        let code = LoginAnswer::pasted(text).and_then(|answer| answer.code(&shared.state))?;
        runtime::spawn(async move { shared.exchange(code).await }).await
    }

    /// Waits until the browser returns to this program, and gets the tokens. Gives up after `login_timeout`.
    pub async fn listen(&self) -> Result<TokenSet> {
        let shared = self.shared.clone();
        runtime::spawn(async move {
            let until = runtime::after(shared.config.login_timeout);
            let code = match &shared.place {
                Some(ReturnAddress::Open(listener)) => listener.wait(&shared.state, until).await?,
                Some(ReturnAddress::At(port, path)) => Listener::bind(*port, path)?.wait(&shared.state, until).await?,
                None => {
                    return Err(Error::invalid_argument("this login does not redirect to this program")
                        .with_hint("Paste the address at which the browser ended up, or begin the login with a loopback redirect."));
                }
            };
            shared.exchange(code).await
        })
        .await
    }

    /// [`Login::paste`], blocking.
    #[cfg(feature = "blocking")]
    pub fn paste_blocking(&self, text: &str) -> Result<TokenSet> {
        let shared = self.shared.clone();
        let code = LoginAnswer::pasted(text).and_then(|answer| answer.code(&shared.state))?;
        runtime::block_on(async move { shared.exchange(code).await })
    }

    /// [`Login::listen`], blocking.
    #[cfg(feature = "blocking")]
    pub fn listen_blocking(&self) -> Result<TokenSet> {
        let login = Self { url: self.url.clone(), shared: self.shared.clone() };
        runtime::block_on(async move { login.listen().await })
    }
}

impl LoginState {
    async fn exchange(&self, code: Secret) -> Result<TokenSet> {
        let verifier = Some(self.verifier.clone()).filter(|verifier| !verifier.is_empty());
        let code = Code::new(code, self.redirect.clone(), verifier);
        let config = self.config.clone();
        let http = Arc::new(Http::new(config.http.clone()));
        let endpoint = Endpoint { config: config.clone(), http: http.clone() };
        let mut tokens = exchange(&endpoint, &code).await.map_err(|failed| failed.error)?;
        tokens.identity = Some(identity(&config, tokens.subject.as_deref())?);
        Renewer::new(&config, http, Credentials::Session(tokens.clone())).begin(&mut tokens).await;
        Ok(tokens)
    }
}

/// The identity of the login: the name that the caller gave, or the subject that the server names, or a
/// random name that is used nowhere else.
fn identity(config: &Config, subject: Option<&str>) -> Result<String> {
    let person = subject.map(|subject| format!("{PERSON}{subject}"));
    match &config.identity {
        // Names of this form are made by the library, and each means one person.
        Some(name) if name.starts_with(PERSON) && person.as_ref() != Some(name) => {
            Err(Error::authentication("a different person has logged in than `identity` names")
                .with_hint("Log in as that person, or leave `identity` out."))
        }
        Some(name) => Ok(name.clone()),
        None => person.map_or_else(|| Ok(format!("session:{}", unguessable()?)), Ok),
    }
}

/// Placeholder until the login provides the credentials.
fn none() -> TokenSet {
    TokenSet {
        access_token: "".into(),
        refresh_token: None,
        id_token: None,
        issued_at: 0,
        expires_at: 0,
        redirect_uri: None,
        identity: None,
        subject: None,
        generation: 0,
    }
}

fn redirect_address(text: &str) -> Result<Url> {
    let refuse = |why: &str| {
        Error::invalid_argument(format!("the redirect address {why}")).with_hint(
            "Give it exactly as it is registered for the client, for example https://example.com/back.",
        )
    };
    let url: Url = text.parse().map_err(|_| refuse("is not an address"))?;
    if url.fragment().is_some() {
        return Err(refuse("has a fragment (`#`)"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refuse("contains a user name or a password"));
    }
    // Apps register schemes of their own, so only plain http to another machine is refused: the code could be
    // read on the network.
    if url.scheme() == "http" && !is_loopback(&url) {
        return Err(refuse("is plain http to another machine, where the code could be read on the way"));
    }
    Ok(url)
}

/// 256 random bits as text.
fn unguessable() -> Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|_| Error::internal("the operating system provides no random numbers"))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Login").field("redirect", &self.shared.redirect).finish_non_exhaustive()
    }
}
