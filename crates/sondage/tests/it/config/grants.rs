//! Which credentials the settings mean.

use super::{empty, refused};
use sondage::config::{ClientBuilder, Environment};

fn meant(code: &[(&str, &str)], environment: &[(&str, &str)]) -> Result<String, String> {
    let account = [("SONDAGE_ACCOUNT", "https://acme.survalyzer-eu.app")];
    let environment = Environment::of(account.iter().chain(environment).copied());
    let builder = code.iter().fold(ClientBuilder::new().environment(environment), |builder, (name, text)| {
        builder.set(name, *text).unwrap()
    });
    builder.resolve().map(|config| config.credentials.name().to_owned()).map_err(|error| error.to_string())
}

#[test]
fn what_is_set_decides() {
    let secret = ("SONDAGE_CLIENT_SECRET", "s");
    let user = [("SONDAGE_USERNAME", "u"), ("SONDAGE_PASSWORD", "p")];
    for (code, environment, expected) in [
        (vec![], vec![secret], "client_credentials"),
        (vec![], vec![secret, user[0], user[1]], "password"),
        (vec![("username", "u"), ("password", "p")], vec![secret, ("SONDAGE_TOKEN", "t")], "password"),
        (vec![("client_secret", "s")], vec![user[0], user[1]], "client_credentials"),
        (vec![("client_secret", "s"), ("username", "u"), ("password", "p")], vec![], "password"),
        (vec![("username", "u")], vec![user[1]], "password"),
        (vec![("token", "t")], vec![secret, user[0], user[1]], "token"),
        (vec![("refresh_token", "r")], vec![secret], "refresh_token"),
        (vec![("token_file", "/tmp/x"), ("identity", "ada")], vec![], "login"),
        (vec![("token_file", "/tmp/x")], vec![secret], "client_credentials"),
        #[cfg(not(windows))]
        (vec![("token_keyring", "true"), ("identity", "ada")], vec![], "login"),
        (vec![("grant", "client_credentials")], vec![secret, user[0], user[1]], "client_credentials"),
        (vec![("grant", "api_token")], vec![user[0], user[1]], "api_token"),
    ] {
        assert_eq!(meant(&code, &environment).as_deref(), Ok(expected), "{code:?} {environment:?}");
    }
}

#[test]
fn halves_and_contradictions_are_refused() {
    for (code, words) in [
        (vec![("username", "u")], "`password` is missing"),
        (vec![("password", "p")], "`username` is missing"),
        (vec![("token", "t"), ("refresh_token", "r")], "`token` and `refresh_token` are both set (explicit)"),
        (vec![("token", "t"), ("username", "u"), ("password", "p")], "are both set"),
        (vec![("grant", "password")], "`username` is missing, which the grant `password` needs"),
        (vec![("grant", "client_credentials")], "`client_secret` is missing"),
        (vec![("grant", "refresh_token")], "`refresh_token` is missing"),
        (vec![("grant", "login")], "Set `token_file`"),
        (vec![("token_file", "/tmp/x")], "`identity` is missing"),
        (vec![("grant", "login"), ("token_keyring", "false")], "Set `token_file`"),
        (
            vec![("token_file", "/tmp/x"), ("token_keyring", "true")],
            "are both set, and tokens can be kept in one place",
        ),
        (vec![("grant", "kerberos")], "must be `client_credentials`, `password`"),
        (vec![], "credentials are missing"),
    ] {
        let error = meant(&code, &[]).unwrap_err();
        assert!(error.contains(words), "`{words}` is not in: {error}");
    }
}

#[test]
fn a_misspelt_variable_is_found() {
    let environment = Environment::of([
        ("SONDAGE_ACCOUNT", "https://acme.survalyzer-eu.app"),
        ("SONDAGE_CLIENTSECRET", "s"),
        ("SONDAGE_COLOUR", "blue"),
    ]);
    let error = refused(
        &empty().environment(environment),
        &["SONDAGE_CLIENTSECRET is set, but there is no such setting: did you mean SONDAGE_CLIENT_SECRET?"],
    );
    assert!(!error.to_string().contains("COLOUR"), "{error}");
}
