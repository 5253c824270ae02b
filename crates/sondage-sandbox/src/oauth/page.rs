//! The pages of the authentication server.

use super::form::FormParameters;
use crate::console::{SCRIPT_PATH, STYLE_PATH};
use crate::text::escape;
use std::fmt::Write as _;
use url::Url;

/// The parameters of an authorization request that the login form passes on.
const CARRIED: [&str; 9] = [
    "response_type",
    "client_id",
    "redirect_uri",
    "scope",
    "state",
    "nonce",
    "response_mode",
    "code_challenge",
    "code_challenge_method",
];

/// A form with name and password, and the error of the previous attempt.
pub(super) fn login(tenant: &str, request: &FormParameters, mistake: Option<&str>) -> String {
    let mistake = mistake.map(|text| format!("<p role=\"alert\">{}</p>", escape(text))).unwrap_or_default();
    let carried = hidden(CARRIED.iter().filter_map(|name| Some((*name, request.get(name)?))));
    let tenant = escape(tenant);
    document(
        &format!("Log in to {tenant}"),
        &format!(
            "{mistake}<form method=\"post\" action=\"/openid/authorize\">{carried}\
             <label>User name <input name=\"username\" autocomplete=\"username\" autofocus></label>\
             <label>Password <input name=\"password\" type=\"password\" autocomplete=\"current-password\"></label>\
             <button name=\"decision\" value=\"allow\">Log in</button>\
             <button class=\"plain\" name=\"decision\" value=\"deny\">Cancel</button></form>"
        ),
    )
}

/// Shows the error to the person, because the redirect address cannot be trusted.
pub(super) fn error(what: &str) -> String {
    document("This login cannot continue", &format!("<p role=\"alert\">{}</p>", escape(what)))
}

/// A page that posts parameters to an address automatically.
pub(super) fn form_post(to: &Url, parameters: &[(&str, &str)]) -> String {
    let fields = hidden(parameters.iter().copied());
    let to = escape(to.as_str());
    let form =
        format!("<form method=\"post\" action=\"{to}\" data-at-once>{fields}<button>Go on</button></form>");
    document("Going back", &format!("{form}<script src=\"{SCRIPT_PATH}\"></script>"))
}

fn hidden<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    fields.fold(String::new(), |mut out, (name, value)| {
        let _ = write!(out, "<input type=\"hidden\" name=\"{}\" value=\"{}\">", escape(name), escape(value));
        out
    })
}

fn document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title>\
         <link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"{STYLE_PATH}\"></head>\
         <body class=\"narrow\"><header class=\"bar\"><p class=\"brand\">sondage <span>sandbox</span></p></header>\
         <main><h1>{title}</h1>{body}</main></body></html>"
    )
}
