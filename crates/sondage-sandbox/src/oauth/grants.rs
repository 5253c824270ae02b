//! The token endpoint: four grants.
// API 2.3; API 2.4; API 2.5; API 2.6

use super::form::{FormParameters, basic, is_form};
use super::{OAuthServer, id_token};
use crate::ledger::TokenRequest;
use crate::server::{BufferedRequest, Reply};
use crate::tokens::{ACCESS_SECONDS, InvalidToken, TokenGrant, TokenRegistry};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::StatusCode;
use http::header::AUTHORIZATION;
use serde_json::{Value, json};

/// An error as in RFC 6749, 5.2.
struct No {
    error: &'static str,
    why: String,
}

impl No {
    fn new(error: &'static str, why: impl Into<String>) -> Self {
        Self { error, why: why.into() }
    }
}

impl From<String> for No {
    fn from(why: String) -> Self {
        Self::new("invalid_request", why)
    }
}

pub(super) fn answer(server: &OAuthServer<'_>, received: &BufferedRequest) -> Reply {
    let form = if is_form(&received.headers) {
        FormParameters::parse(&received.body).map_err(No::from)
    } else {
        Err(No::new("invalid_request", "The body must be application/x-www-form-urlencoded."))
    };
    let of = |form: &Result<FormParameters, No>, name| {
        form.as_ref().ok().and_then(|form| form.get(name)).unwrap_or_default().to_owned()
    };
    let grant = of(&form, "grant_type");
    let form = form.and_then(|form| with_header(form, received));
    let client_id = of(&form, "client_id");
    let result = form.and_then(|form| exchange(server, &form));
    server.shared.ledger.note_token(TokenRequest {
        at: server.shared.clock.now(),
        grant,
        client_id,
        error: result.as_ref().err().map(|no| no.error.to_owned()),
    });
    let mut reply = match result {
        Ok(tokens) => Reply::json(StatusCode::OK, tokens.to_string()),
        Err(no) => {
            let status =
                if no.error == "invalid_client" { StatusCode::UNAUTHORIZED } else { StatusCode::BAD_REQUEST };
            let mut reply =
                Reply::json(status, json!({ "error": no.error, "error_description": no.why }).to_string());
            if status == StatusCode::UNAUTHORIZED && received.headers.contains_key(AUTHORIZATION) {
                // A client that authenticated by header gets a `WWW-Authenticate` header (RFC 6749, 5.2).
                reply.set("www-authenticate", "Basic realm=\"token\"");
            }
            reply
        }
    };
    reply.set("cache-control", "no-store");
    reply.set("pragma", "no-cache");
    reply
}

/// A client authenticates in the body, as specified, or in a header, as ordinary OAuth libraries do, but not in both (RFC
/// 6749, 2.3).
// API 2.1
fn with_header(mut form: FormParameters, received: &BufferedRequest) -> Result<FormParameters, No> {
    let Some(shown) = basic(&received.headers) else { return Ok(form) };
    let (id, secret) = shown.map_err(|why| No::new("invalid_client", why))?;
    if form.get("client_id").is_some_and(|other| other != id) {
        return Err(No::new(
            "invalid_client",
            "The client_id of the body is not that of the Authorization header.",
        ));
    }
    if form.get("client_id").is_none() {
        form.add("client_id", id)?;
    }
    form.add("client_secret", secret)?;
    Ok(form)
}

fn exchange(server: &OAuthServer<'_>, form: &FormParameters) -> Result<Value, No> {
    let grant = form.need("grant_type")?;
    let client = authenticate(server, form, grant)?;
    match grant {
        "authorization_code" => authorization_code(server, form, &client),
        "client_credentials" => Ok(client_credentials(server, client)),
        "password" => password(server, form, client),
        "refresh_token" => refresh(server, form, &client),
        other => Err(No::new("unsupported_grant_type", format!("The grant {other} is not supported."))),
    }
}

/// The client that requests a token, before the account is known.
struct GrantClient {
    id: String,
    tenant: String,
}

/// A wrong secret is always refused. A missing one is refused only if the grant needs it, because apps on phones and in
/// notebooks have none. The specification has it in every grant.
// API 2.1, published
fn authenticate(server: &OAuthServer<'_>, form: &FormParameters, grant: &str) -> Result<GrantClient, No> {
    let id = form.need("client_id")?;
    let world = server.shared.world();
    let tenant = world.client(server.data_center, id).ok_or_else(|| {
        No::new("invalid_client", format!("The client {id} is not known in this data center."))
    })?;
    let needed = grant == "client_credentials" || server.shared.profile().client_secret_always_required;
    match form.get("client_secret") {
        Some(secret) if secret != tenant.client_secret => {
            Err(No::new("invalid_client", "The client_secret is wrong."))
        }
        None if needed => Err(No::new("invalid_client", "The client_secret is missing.")),
        _ => Ok(GrantClient { id: id.to_owned(), tenant: tenant.name.clone() }),
    }
}

fn authorization_code(
    server: &OAuthServer<'_>,
    form: &FormParameters,
    client: &GrantClient,
) -> Result<Value, No> {
    let now = server.shared.clock.now();
    let (given, redirect_uri) = (form.need("code")?, form.need("redirect_uri")?);
    let mut tokens = server.shared.tokens();
    let checked = tokens.code(given, now).map_err(no_good("code")).and_then(|code| {
        if code.pass.client_id != client.id {
            return Err(No::new("invalid_grant", "The code was given to another client."));
        }
        if code.redirect_uri != redirect_uri {
            return Err(No::new(
                "invalid_grant",
                "The redirect_uri is not the one of the authorization request.",
            ));
        }
        prove(code.challenge.as_deref(), form.get("code_verifier"))?;
        Ok((code.pass.clone(), code.nonce.clone()))
    });
    // A wrong verifier uses up the code too, so that it can be guessed only once.
    tokens.spend_code(given);
    let (pass, nonce) = checked?;
    let mut answer = issue(&mut tokens, server, &pass, true);
    answer["id_token"] = json!(id_token::sign(server, &pass, nonce.as_deref(), now));
    Ok(answer)
}

/// PKCE: the verifier must hash to the challenge, and there must be none if no challenge was sent.
fn prove(challenge: Option<&str>, verifier: Option<&str>) -> Result<(), No> {
    let digest = |text: &str| {
        let hash = ring::digest::digest(&ring::digest::SHA256, text.as_bytes());
        URL_SAFE_NO_PAD.encode(hash)
    };
    match (challenge, verifier) {
        (None, None) => Ok(()),
        (Some(challenge), Some(verifier)) if digest(verifier) == challenge => Ok(()),
        (Some(_), None) => Err(No::new("invalid_grant", "The code_verifier is missing.")),
        _ => Err(No::new("invalid_grant", "The code_verifier does not fit the code_challenge.")),
    }
}

/// A client without a user has the permissions of the account.
// API 2.9, published
fn client_credentials(server: &OAuthServer<'_>, client: GrantClient) -> Value {
    let mut tokens = server.shared.tokens();
    let pass = TokenGrant {
        data_center: server.data_center,
        tenant: client.tenant,
        client_id: client.id,
        user: None,
        may_write: true,
        panel_id: None,
        family: tokens.new_family(),
    };
    let with_refresh = server.shared.profile().refresh_token_for_client_credentials;
    issue(&mut tokens, server, &pass, with_refresh)
}

fn password(server: &OAuthServer<'_>, form: &FormParameters, client: GrantClient) -> Result<Value, No> {
    let (username, password) = (form.need("username")?, form.need("password")?);
    // RFC 6749, 4.3.2: the scope is optional.
    if form.get("scope").is_some_and(|scope| !scope.split(' ').any(|word| word == "openid")) {
        return Err(No::new("invalid_scope", "The scope must contain openid."));
    }
    let panel_id = match form.get("panel_id").map(str::parse::<i64>) {
        None => None,
        Some(Ok(id)) => Some(id),
        Some(Err(_)) => return Err(No::new("invalid_request", "The panel_id is not a number.")),
    };
    let may_write = {
        let world = server.shared.world();
        let tenant =
            world.tenant(&client.tenant).ok_or_else(|| No::new("invalid_client", "The account is gone."))?;
        if let Some(id) = panel_id.filter(|id| !tenant.panels.contains_key(id)) {
            return Err(No::new("invalid_request", format!("There is no panel {id} in this account.")));
        }
        let wrong = || No::new("invalid_grant", "The user name or the password is wrong.");
        tenant.user(username, password).ok_or_else(wrong)?.may_write
    };
    let mut tokens = server.shared.tokens();
    let pass = TokenGrant {
        data_center: server.data_center,
        tenant: client.tenant,
        client_id: client.id,
        user: Some(username.to_owned()),
        may_write,
        panel_id,
        family: tokens.new_family(),
    };
    let mut answer = issue(&mut tokens, server, &pass, true);
    answer["id_token"] = json!(id_token::sign(server, &pass, None, server.shared.clock.now()));
    Ok(answer)
}

fn refresh(server: &OAuthServer<'_>, form: &FormParameters, client: &GrantClient) -> Result<Value, No> {
    let token = form.need("refresh_token")?;
    let now = server.shared.clock.now();
    let rotate = server.shared.profile().rotate_refresh_tokens;
    let mut tokens = server.shared.tokens();
    let pass = match tokens.refresh(token, now) {
        Ok(pass) => pass.clone(),
        Err(why) => {
            // A replaced token that is used again was copied, and it is unknown by whom: all tokens of its family are
            // revoked.
            if why == InvalidToken::Spent
                && let Some(family) = tokens.refresh_family(token)
            {
                tokens.end_family(family);
            }
            return Err(no_good("refresh_token")(why));
        }
    };
    if pass.client_id != client.id {
        return Err(No::new("invalid_grant", "The refresh_token was given to another client."));
    }
    let mut answer = issue(&mut tokens, server, &pass, rotate);
    if rotate {
        tokens.spend_refresh(token);
    } else {
        // The same one, with its remaining lifetime (assumed).
        answer["refresh_token"] = json!(token);
    }
    Ok(answer)
}

fn no_good(what: &'static str) -> impl Fn(InvalidToken) -> No {
    move |why| {
        let why = match why {
            InvalidToken::Unknown => format!("The {what} is not known."),
            InvalidToken::Expired => format!("The {what} has expired."),
            InvalidToken::Spent => format!("The {what} was used already."),
        };
        No::new("invalid_grant", why)
    }
}

fn issue(
    tokens: &mut TokenRegistry,
    server: &OAuthServer<'_>,
    pass: &TokenGrant,
    with_refresh: bool,
) -> Value {
    let now = server.shared.clock.now();
    let mut answer = json!({
        "access_token": tokens.issue_access(pass.clone(), now, ACCESS_SECONDS),
        "token_type": "bearer",
        "expires_in": ACCESS_SECONDS,
    });
    if with_refresh {
        answer["refresh_token"] = json!(tokens.issue_refresh(pass.clone(), now));
    }
    answer
}
