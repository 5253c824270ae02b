//! `sondage login` and `sondage logout`: a person's session in the token file or the keyring.

use crate::account;
use crate::output::{Output, failed};
use crate::progress;
use clap::Args;
use serde_json::json;
use sondage::Client;
use sondage::auth::{Credentials, Login, Redirect};
use std::io::{self, BufRead as _};

#[derive(Args)]
#[command(
    after_help = "The session is kept in a file beside the profile file that only you can read, or in the token file (SONDAGE_TOKEN_FILE, or \
                  `token_file` in the profile), or in the keyring of the system (SONDAGE_TOKEN_KEYRING=true, or `token_keyring`). Commands \
                  without credentials of their own use it until `sondage logout`.\n\n\
                  Example: SONDAGE_ACCOUNT=https://acme.survalyzer-eu.app sondage login"
)]
pub struct LoginArgs {
    /// The redirect address that is registered for the client. Default: a free port of this machine.
    #[arg(long, value_name = "ADDRESS")]
    redirect: Option<String>,
}

pub fn run(arguments: &LoginArgs, output: Output) -> io::Result<()> {
    let mut builder = Client::builder();
    // The credentials do not matter here: only whether the login is stored beyond this command.
    let credentials = || Credentials::Token("none".into());
    let mut config = builder.clone().credentials(credentials()).resolve().map_err(failed)?;
    if config.token_store.is_none() {
        let Some(file) = account::token_file() else {
            let why = "there is no place to keep the login: this user has no home folder. Nothing was sent. Set SONDAGE_TOKEN_FILE \
                       to a file of your own, or SONDAGE_TOKEN_KEYRING to true";
            return Err(io::Error::other(why));
        };
        builder = builder.token_file(file);
        config = builder.clone().credentials(credentials()).resolve().map_err(failed)?;
    }
    if config.explain().value("token_keyring") == Some("true") {
        sondage::internals::auth::examine_keyring().map_err(|why| {
            io::Error::other(format!(
                "the keyring of the system cannot be used ({why}), so the login would be lost. Nothing was sent. Unlock it, \
                 or use SONDAGE_TOKEN_FILE"
            ))
        })?;
    }
    let redirect = arguments.redirect.clone().map_or(Redirect::Loopback, Redirect::Address);
    let login = Login::begin(&builder, redirect).map_err(failed)?;
    let url = login.url();
    output.show(
        || json!({ "url": url.as_str() }),
        format!("Open this address in a browser and log in:\n{url}"),
    )?;
    let tokens = if login.can_listen() {
        login.listen_blocking()
    } else {
        eprintln!("Then paste the address at which the browser ended up:");
        let mut address = String::new();
        io::stdin().lock().read_line(&mut address)?;
        login.paste_blocking(address.trim())
    };
    let tokens = tokens.map_err(failed)?;
    let identity = tokens.identity.clone().unwrap_or_default();
    let used = account::keep(&config, &identity)?;
    let next = if used {
        "Other commands use this login until `sondage logout`.".to_owned()
    } else {
        format!(
            "Other commands have credentials of their own, and use this login with SONDAGE_GRANT=login and SONDAGE_IDENTITY={identity}"
        )
    };
    output.show(|| json!({ "identity": identity, "used": used }), format!("Logged in as {identity}. {next}"))
}

pub fn logout(output: Output) -> io::Result<()> {
    let damaged = account::remove_damaged()?;
    if !damaged.is_empty() {
        let names: Vec<_> = damaged.iter().map(|path| path.display().to_string()).collect();
        return output.show(
            || json!({ "loggedOut": true, "removed": names }),
            format!(
                "The login was damaged. Removed: {}. Tokens in a token file of your own or in the keyring remain.",
                names.join(", ")
            ),
        );
    }
    let client = progress::connect(&account::builder())?;
    let identity = client.as_async().config().identity.clone();
    client.logout().map_err(failed)?;
    account::forget(identity.as_deref())?;
    output.show(|| json!({ "loggedOut": true }), "Logged out: no token is kept any more.")
}
