//! The first half of the authorization code flow: a person logs in, a code is returned.

use super::form::{FormParameters, is_form};
use super::{OAuthServer, page, redirect};
use crate::profile::CodeDelivery;
use crate::server::{BufferedRequest, Reply};
use crate::tokens::TokenGrant;
use http::StatusCode;
use url::Url;

/// An authorization request whose client and redirect address are valid. From here on errors are returned to the client.
struct AuthorizeRequest {
    tenant: String,
    redirect_uri: Url,
    delivery: CodeDelivery,
    form: FormParameters,
}

pub(super) fn show(server: &OAuthServer<'_>, query: &str) -> Reply {
    match request(server, query.as_bytes()) {
        Ok(request) => match request.wrong() {
            Some((error, why)) => request.refuse(error, why),
            None => Reply::html(StatusCode::OK, page::login(&request.tenant, &request.form, None)),
        },
        Err(reply) => *reply,
    }
}

pub(super) fn submit(server: &OAuthServer<'_>, received: &BufferedRequest) -> Reply {
    if !is_form(&received.headers) {
        let why = "The login form must be sent as a form.";
        return Reply::html(StatusCode::UNSUPPORTED_MEDIA_TYPE, page::error(why));
    }
    let request = match request(server, &received.body) {
        Ok(request) => request,
        Err(reply) => return *reply,
    };
    if let Some((error, why)) = request.wrong() {
        return request.refuse(error, why);
    }
    if request.form.get("decision") == Some("deny") {
        return request.refuse("access_denied", "The user cancelled the login.");
    }
    if let Some(code) = request.log_in(server) {
        return request.back(&[("code", &code)]);
    }
    let page = page::login(&request.tenant, &request.form, Some("The user name or the password is wrong."));
    Reply::html(StatusCode::UNAUTHORIZED, page)
}

/// The browser must not be redirected to an unknown client or an unregistered address (RFC 6749, 4.1.2.1).
fn request(server: &OAuthServer<'_>, text: &[u8]) -> Result<AuthorizeRequest, Box<Reply>> {
    let stop = |why: String| Box::new(Reply::html(StatusCode::BAD_REQUEST, page::error(&why)));
    let form = FormParameters::parse(text).map_err(stop)?;
    let client_id = form.need("client_id").map_err(stop)?;
    let world = server.shared.world();
    let tenant = world
        .client(server.data_center, client_id)
        .ok_or_else(|| stop(format!("The client {client_id} is not known in this data center.")))?;
    let redirect = form.need("redirect_uri").map_err(stop)?;
    let redirect_uri = redirect::allowed(tenant, redirect)
        .ok_or_else(|| stop(format!("The address {redirect} is not registered for this client.")))?;
    let delivery = match form.get("response_mode") {
        Some("query") => CodeDelivery::Query,
        Some("fragment") => CodeDelivery::Fragment,
        Some("form_post") => CodeDelivery::FormPost,
        _ => server.shared.profile().code_delivery,
    };
    let tenant = tenant.name.clone();
    drop(world);
    Ok(AuthorizeRequest { tenant, redirect_uri, delivery, form })
}

impl AuthorizeRequest {
    /// The error of the rest of the request: code and description.
    fn wrong(&self) -> Option<(&'static str, &'static str)> {
        let form = &self.form;
        match form.get("response_type") {
            Some("code") => {}
            Some(_) => return Some(("unsupported_response_type", "Only response_type=code is supported.")),
            None => return Some(("invalid_request", "The parameter response_type is missing.")),
        }
        if !form.get("scope").is_some_and(|scope| scope.split(' ').any(|word| word == "openid")) {
            return Some(("invalid_scope", "The scope must contain openid."));
        }
        match (form.get("code_challenge"), form.get("code_challenge_method")) {
            (None, None) => None,
            (Some(challenge), Some("S256")) if challenge.len() == 43 => None,
            _ => {
                Some(("invalid_request", "PKCE needs a code_challenge of 43 characters and the method S256."))
            }
        }
    }

    fn log_in(&self, server: &OAuthServer<'_>) -> Option<String> {
        let form = &self.form;
        let (client_id, may_write) = {
            let world = server.shared.world();
            let tenant = world.tenant(&self.tenant)?;
            let user = tenant.user(form.get("username")?, form.get("password")?)?;
            (tenant.client_id(), user.may_write)
        };
        let mut tokens = server.shared.tokens();
        let pass = TokenGrant {
            data_center: server.data_center,
            tenant: self.tenant.clone(),
            client_id,
            user: form.get("username").map(str::to_owned),
            may_write,
            panel_id: None,
            family: tokens.new_family(),
        };
        let text = |name: &str| form.get(name).map(str::to_owned);
        let redirect_uri = text("redirect_uri")?;
        let now = server.shared.clock.now();
        Some(tokens.issue_code(pass, redirect_uri, text("code_challenge"), text("nonce"), now))
    }

    fn refuse(&self, error: &str, why: &str) -> Reply {
        self.back(&[("error", error), ("error_description", why)])
    }

    /// `state` is returned unchanged, so that the client recognises its own request.
    fn back(&self, parameters: &[(&str, &str)]) -> Reply {
        let mut all = parameters.to_vec();
        all.extend(self.form.get("state").map(|state| ("state", state)));
        redirect::back(&self.redirect_uri, self.delivery, &all)
    }
}
