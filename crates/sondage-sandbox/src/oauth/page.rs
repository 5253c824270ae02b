//! The pages of the authentication server.

use super::form::FormParameters;
use crate::console::{SCRIPT_PATH, STYLE_PATH};
use maud::{DOCTYPE, Markup, html};
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
    let carried = CARRIED.iter().filter_map(|name| Some((*name, request.get(name)?)));
    let form = html! {
        @if let Some(mistake) = mistake { p role="alert" { (mistake) } }
        form method="post" action="/openid/authorize" {
            (hidden(carried))
            label { "User name " input name="username" autocomplete="username" autofocus; }
            label { "Password " input name="password" type="password" autocomplete="current-password"; }
            button name="decision" value="allow" { "Log in" }
            button.plain name="decision" value="deny" { "Cancel" }
        }
    };
    document(&format!("Log in to {tenant}"), &form)
}

/// Shows the error to the person, because the redirect address cannot be trusted.
pub(super) fn error(what: &str) -> String {
    document("This login cannot continue", &html! { p role="alert" { (what) } })
}

/// A page that posts parameters to an address automatically.
pub(super) fn form_post(to: &Url, parameters: &[(&str, &str)]) -> String {
    let form = html! {
        form method="post" action=(to) data-at-once {
            (hidden(parameters.iter().copied()))
            button { "Go on" }
        }
        script src=(SCRIPT_PATH) {}
    };
    document("Going back", &form)
}

fn hidden<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> Markup {
    html! { @for (name, value) in fields { input type="hidden" name=(name) value=(value); } }
}

fn document(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="icon" href="data:,";
                link rel="stylesheet" href=(STYLE_PATH);
            }
            body.narrow {
                header.bar { p.brand { "sondage " span { "sandbox" } } }
                main { h1 { (title) } (body) }
            }
        }
    };
    page.into_string()
}
