//! Derives the settings in use from the settings that are set. This is the only place where settings are checked against
//! each other.

use super::builder::ClientBuilder;
use super::explain::{Explained, Explanation};
use super::layers::{self, FoundSetting, Layers, Settings, Source, place};
use super::origins::{IgnoredFile, Origins, UnknownVariable};
use super::permitted::Permitted;
use super::profile::{self, ProfileSection};
use super::{
    Config, DataCenter, Environment, Limits, RetryPolicy, account, address, certificates, grant, proxy,
    replay, table,
};
use crate::auth::clock::SystemClock;
use crate::auth::{Credentials, FileStore, KeyringStore, TokenStore};
use crate::budget::BudgetSettings;
use crate::error::{Error, Result, Text, Wording};
use crate::facts::{FactsMode, FactsSettings};
use crate::text;
use crate::transport::settings::{HttpSettings, is_loopback};
use std::sync::Arc;
use url::Url;

pub(super) fn resolve(builder: &ClientBuilder) -> Result<Config> {
    let variables = builder.environment.clone().unwrap_or_else(Environment::process);
    let without = variables.without_settings();
    let mut layers = Layers { explicit: &builder.explicit, environment: &variables, profile: None };
    ignore_environment(&mut layers, &without)?;
    let path = layers.get("profile_file", "SONDAGE_CONFIG", None)?;
    let name = layers.get("profile", "SONDAGE_PROFILE", None)?;
    let (path, name) = (path.map(|found| found.value), name.map(|found| found.value));
    let (profile, ignored) = ProfileSection::find(path, name, layers.environment)?;
    layers.profile = profile;
    // The profile may contain this setting as well.
    ignore_environment(&mut layers, &without)?;
    let environment = layers.environment;
    let settings = Settings::read(&layers)?;
    let origins = Origins { ignored, ..Origins::of(&builder.explicit, environment, layers.profile.as_ref()) };
    UnknownVariable::warn(&origins.unknown);
    origins.ignored.iter().for_each(IgnoredFile::warn);
    complete(builder, settings, origins, environment).map_err(|error| advise(error, &layers))
}

/// Ignores the settings and proxies of the environment if a setting says so.
fn ignore_environment<'a>(layers: &mut Layers<'a>, without: &'a Environment) -> Result<()> {
    let setting = layers.get::<bool>("use_environment", "SONDAGE_USE_ENVIRONMENT", None)?;
    if setting.is_some_and(|setting| !setting.value) {
        layers.environment = without;
    }
    Ok(())
}

fn complete(
    builder: &ClientBuilder,
    mut settings: Settings,
    origins: Origins,
    environment: &Environment,
) -> Result<Config> {
    from_account(&mut settings)?;
    let cassette = replay::cassette(&mut settings)?;
    let replays = settings.replay.as_ref().map(|found| found.source.clone());
    let credentials = match (&replays, &builder.credentials) {
        // Tokens are made up: real ones are neither used nor stored.
        (Some(source), _) => Some((Credentials::ClientCredentials, source.clone())),
        (None, Some(credentials)) => Some((credentials.clone(), Source::Explicit)),
        (None, None) => grant::choose(&settings)?,
    };
    nothing_missing(&settings, credentials.is_some())?;
    let (Some(tenant), Some((credentials, source))) = (settings.tenant.clone(), credentials) else {
        return Err(Error::internal("a missing setting was not detected"));
    };
    check_tenant(&tenant)?;
    let (base_url, auth_url) = addresses(&mut settings)?;
    settings.client_id.get_or_insert_with(|| FoundSetting {
        name: "client_id",
        value: format!("{}_api", tenant.value),
        source: Source::Default,
    });
    if matches!(credentials, Credentials::ClientCredentials) && settings.client_secret.is_none() {
        return Err(Error::configuration(text!("`client_secret` is missing, which the grant `{}` needs", credentials.name()))
            .with_hint(
                "Set it in code, as SONDAGE_CLIENT_SECRET, or in the profile file. The operator of the service issues it.",
            ));
    }
    let token_store = match &builder.token_store {
        Some(store) if replays.is_none() => Some(store.clone()),
        _ => stored(&settings, environment)?,
    };
    if matches!(credentials, Credentials::Stored) && token_store.is_none() {
        return Err(Error::configuration(
            "the grant `login` needs a place where an earlier login left its tokens",
        )
        .with_hint("Set `token_file` (SONDAGE_TOKEN_FILE) or `token_keyring` (SONDAGE_TOKEN_KEYRING), or give a token store."));
    }
    match &credentials {
        // A store may hold the logins of several people, so the identity must be named.
        Credentials::Stored if settings.identity.is_none() => {
            return Err(Error::configuration("`identity` is missing, which the grant `login` needs: it says whose login")
                .with_hint(
                    "Set it in code, as SONDAGE_IDENTITY, or in the profile file, to the name that the login was given, or to the \
                     identity of its tokens.",
                ));
        }
        Credentials::Session(tokens) => {
            let of = |value| FoundSetting { name: "identity", value, source: Source::Explicit };
            settings.identity = tokens.identity.clone().map(of).or(settings.identity);
        }
        _ => {}
    }
    let mut explanation = explained(&settings);
    explanation.put("grant", credentials.name(), source);
    if let Some(file) = &origins.ignored {
        explanation.put("profile_file", file.to_string(), Source::Default);
    }
    let facts = facts(&settings, environment, &base_url)?;
    let (mut http, told) = http(&settings, environment, &base_url)?;
    http.cassette = cassette;
    http.system_proxy = taken(settings.use_environment.as_ref())? && builder.environment.is_none();
    if let Some((value, source)) = told {
        explanation.put("proxy", value, source);
    }
    Ok(Config {
        tenant: tenant.value,
        data_center: settings.data_center.as_ref().map(|found| found.value),
        base_url,
        auth_url,
        authorize_path: path(settings.authorize_path.as_ref())?,
        token_path: path(settings.token_path.as_ref())?,
        client_id: taken(settings.client_id.as_ref())?,
        client_secret: settings.client_secret.as_ref().map(|found| found.value.clone()),
        redirect_uri: redirect(settings.redirect_uri.as_ref())?,
        credentials,
        pkce: taken(settings.pkce.as_ref())?,
        identity: settings.identity.as_ref().map(|found| found.value.clone()),
        token_store,
        token_timeout: taken(settings.token_timeout.as_ref())?,
        login_timeout: taken(settings.login_timeout.as_ref())?,
        clock: builder.clock.clone().unwrap_or_else(|| Arc::new(SystemClock::default())),
        http,
        limits: limits(&settings)?,
        retry: retry(&settings)?,
        budget: budget(builder, &settings)?,
        facts,
        loopback_only: taken(settings.loopback_only.as_ref())?,
        permitted: Permitted::new(taken(settings.read_only.as_ref())?, settings.operations.as_ref())?,
        trace_entries: within(settings.trace_entries.as_ref(), |n| *n <= 1_000_000, "up to 1000000")?
            as usize,
        trace_observer: builder.trace_observer.clone(),
        correlation_id: taken(settings.correlation_id.as_ref())?,
        deadline: taken(settings.deadline.as_ref())?,
        first_page: within(settings.first_page.as_ref(), |page| *page >= 0, "0 or more")?,
        published_paths: taken(settings.published_paths.as_ref())?,
        page_size: within(settings.page_size.as_ref(), |size| *size >= 1, "1 or more")?,
        explanation,
        origins,
    })
}

fn limits(settings: &Settings) -> Result<Limits> {
    Ok(Limits {
        answer_bytes: taken(settings.answer_bytes.as_ref())?,
        object_bytes: taken(settings.object_bytes.as_ref())?,
        object_values: taken(settings.object_values.as_ref())?,
        table_growth: taken(settings.table_growth.as_ref())?,
        token_bytes: taken(settings.token_bytes.as_ref())?,
        error_bytes: taken(settings.error_bytes.as_ref())?,
    })
}

/// The place for tokens that the settings name.
fn stored(settings: &Settings, environment: &Environment) -> Result<Option<Arc<dyn TokenStore>>> {
    match (&settings.token_file, grant::keyring(settings)) {
        (Some(file), None) => Ok(Some(Arc::new(FileStore::new(file.value.clone())))),
        (None, Some(_)) => {
            let lock = environment.profile_file().map(|file| file.with_file_name("keyring"));
            Ok(Some(Arc::new(KeyringStore::new(lock)?)))
        }
        (None, None) => Ok(None),
        (Some(file), Some(source)) => Err(Error::configuration(text!(
            "{} and {} are both set, and tokens can be kept in one place only",
            layers::quoted("token_file", &file.source),
            layers::quoted("token_keyring", &source)
        ))
        .with_hint("Remove one of them.")),
    }
}

/// Every setting as it is set.
fn explained(settings: &Settings) -> Explanation {
    let line = |(setting, shown): (_, Option<(_, _)>)| {
        let (value, source) = shown.unzip();
        Explained { setting, value, source }
    };
    Explanation(settings.shown().into_iter().map(line).collect())
}

/// Applies what follows from the account's address. It has the lowest precedence, but if a setting with lower precedence
/// than the address itself contradicts it, the caller is probably about to work on the wrong account.
fn from_account(settings: &mut Settings) -> Result<()> {
    let Some(account) = settings.account.clone() else { return Ok(()) };
    let (tenant, center) = account::read(&account.value, &account.place())?;
    agree(&account, settings.tenant.as_ref(), &tenant)?;
    agree(&account, settings.data_center.as_ref(), &center)?;
    let source = Source::Account;
    settings.tenant.get_or_insert(FoundSetting { name: "tenant", value: tenant, source: source.clone() });
    settings.data_center.get_or_insert(FoundSetting { name: "data_center", value: center, source });
    Ok(())
}

fn agree<T: PartialEq + std::fmt::Display>(
    account: &FoundSetting<String>,
    other: Option<&FoundSetting<T>>,
    says: &T,
) -> Result<()> {
    match other {
        Some(other) if other.source >= account.source && other.value != *says => {
            Err(Error::configuration(text!(
                "{} means the {} `{says}`, but {} is `{}`",
                account.place(),
                other.name.replace('_', " "),
                other.place(),
                table::shown(&other.value.to_string())
            ))
            .with_hint("Remove one of the two."))
        }
        _ => Ok(()),
    }
}

fn nothing_missing(settings: &Settings, credentials: bool) -> Result<()> {
    let mut missing = Vec::new();
    if settings.tenant.is_none() {
        missing.push("the account: give its address as `account` (SONDAGE_ACCOUNT), for example https://acme.survalyzer-eu.app, or its `tenant`");
    } else if settings.data_center.is_none() && settings.base_url.is_none() && settings.auth_url.is_none() {
        missing.push("where the account lives: give its address as `account` (SONDAGE_ACCOUNT), or its `data_center`, `swiss` or `eu`");
    }
    if !credentials {
        missing.push(
            "credentials: give `client_secret` (SONDAGE_CLIENT_SECRET), or `username` and `password`, or `token_provider`",
        );
    }
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = missing.iter().map(|text| text.split(':').next().unwrap_or_default()).collect();
    let mut hint = Text::default();
    for (number, text) in missing.iter().enumerate() {
        hint.append(&text!("{}For {}.", if number > 0 { " " } else { "" }, Text::from(*text)));
    }
    Err(Error::configuration(text!("required settings are missing: {} missing", list(&names)))
        .with_hint(hint))
}

fn list(names: &[&str]) -> String {
    match names {
        [one] => format!("{one} {}", if *one == "credentials" { "are" } else { "is" }),
        _ => format!("{} are", names.join(" and ")),
    }
}

fn check_tenant(tenant: &FoundSetting<String>) -> Result<()> {
    let like_a_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if tenant.value.chars().all(like_a_name) && tenant.value.len() <= 128 {
        return Ok(());
    }
    Err(Error::configuration(text!("{} is not the name of a tenant", tenant.place()))
        .with_hint("The tenant is the first part of the account's address: `acme` in https://acme.survalyzer-eu.app. Set \
                    an address as `account`."))
}

/// The two base addresses, each as set or as the data center defines it.
fn addresses(settings: &mut Settings) -> Result<(Url, Url)> {
    let center = settings.data_center.clone();
    let derived = settings.base_url.is_none() || settings.auth_url.is_none();
    let base = one_address("base_url", &mut settings.base_url, center.as_ref(), DataCenter::base_url)?;
    let auth = one_address("auth_url", &mut settings.auth_url, center.as_ref(), DataCenter::auth_url)?;
    if derived && is_loopback(&base) != is_loopback(&auth) {
        let (here, there) =
            if is_loopback(&base) { ("base_url", "auth_url") } else { ("auth_url", "base_url") };
        let (here, there) = (Text::from(here), Text::from(there));
        return Err(Error::configuration(text!("`{here}` is on this machine, and `{there}` is not"))
            .with_hint(text!("Set `{there}` as well: credentials of one are invalid at the other.")));
    }
    // A replay sends nothing.
    if settings.replay.is_none() {
        on_this_machine(settings)?;
    }
    Ok((base, auth))
}

/// Checks every address to which a client would connect, if it may only talk to this machine.
fn on_this_machine(settings: &Settings) -> Result<()> {
    let Some(because) = settings.loopback_only.as_ref().filter(|only| only.value) else { return Ok(()) };
    for found in [&settings.base_url, &settings.auth_url, &settings.proxy].into_iter().flatten() {
        address::on_this_machine(&found.value, &found.place(), &because.place())?;
    }
    Ok(())
}

fn one_address(
    name: &'static str,
    set: &mut Option<FoundSetting<Url>>,
    center: Option<&FoundSetting<DataCenter>>,
    of: fn(DataCenter) -> String,
) -> Result<Url> {
    if let Some(found) = set {
        address::server(&found.value, &found.place())?;
        return Ok(found.value.clone());
    }
    let Some(center) = center else {
        let name = Text::from(name);
        return Err(Error::configuration(text!(
            "`{name}` is missing, and there is no `data_center` from which it follows"
        ))
        .with_hint(text!("Set `{name}` as well, or `data_center`, or the account's address as `account`.")));
    };
    let value: Url =
        of(center.value).parse().map_err(|_| Error::internal("a built-in address is invalid"))?;
    *set = Some(FoundSetting { name, value: value.clone(), source: center.source.clone() });
    Ok(value)
}

fn path(found: Option<&FoundSetting<String>>) -> Result<String> {
    let path = taken(found)?;
    if let Some(found) = found {
        address::path(&path, &found.place())?;
    }
    Ok(path)
}

fn redirect(found: Option<&FoundSetting<String>>) -> Result<Option<String>> {
    let Some(found) = found else { return Ok(None) };
    match found.value.parse::<Url>() {
        Ok(url) if url.fragment().is_none() => Ok(Some(found.value.clone())),
        _ => Err(Error::configuration(text!("{} is not an address", found.place()))
            .with_hint("Give it exactly as it is registered for the client.")),
    }
}

/// How connections are made, and what the explanation says about a proxy that no setting names.
fn http(
    settings: &Settings,
    environment: &Environment,
    base_url: &Url,
) -> Result<(HttpSettings, Option<(String, Source)>)> {
    let defaults = HttpSettings::default();
    let proxy = proxy::choose(settings.proxy.as_ref(), environment, base_url)?;
    let user_agent = match &settings.user_agent {
        Some(found) if !found.value.bytes().all(|b| matches!(b, b' '..=b'~')) => {
            return Err(Error::configuration(text!("{} must be plain ASCII text", found.place())));
        }
        Some(found) => found.value.clone(),
        None => defaults.user_agent,
    };
    let http = HttpSettings {
        connect_timeout: taken(settings.connect_timeout.as_ref())?,
        read_timeout: taken(settings.read_timeout.as_ref())?,
        extra_roots: certificates::roots(settings.ca_file.as_ref())?,
        client_certificate: certificates::of_client(
            settings.client_certificate.as_ref(),
            settings.client_key.as_ref(),
        )?,
        proxy: proxy.url,
        proxy_variable: proxy.variable,
        no_proxy: proxy.direct,
        proxy_here: proxy.here,
        system_proxy: defaults.system_proxy,
        user_agent,
        cassette: None,
    };
    Ok((http, proxy.told))
}

fn retry(settings: &Settings) -> Result<RetryPolicy> {
    Ok(RetryPolicy {
        attempts: within(settings.retry_attempts.as_ref(), |n| (1..=20).contains(n), "from 1 to 20")?,
        base: taken(settings.retry_base.as_ref())?,
        factor: within(settings.retry_factor.as_ref(), |f| (1.0..=100.0).contains(f), "from 1 to 100")?,
        cap: taken(settings.retry_cap.as_ref())?,
        retry_after_cap: taken(settings.retry_after_cap.as_ref())?,
        budget: within(settings.retry_budget.as_ref(), |share| (0.0..=1.0).contains(share), "from 0 to 1")?,
    })
}

fn budget(builder: &ClientBuilder, settings: &Settings) -> Result<BudgetSettings> {
    Ok(BudgetSettings {
        mode: taken(settings.budget.as_ref())?,
        calls: within(settings.budget_calls.as_ref(), |calls| *calls >= 1, "1 or more")?,
        bytes: taken(settings.budget_bytes.as_ref())?,
        counted_bytes: taken(settings.budget_counted.as_ref())?,
        day: taken(settings.budget_day.as_ref())?,
        folder: settings.budget_folder.as_ref().map(|found| found.value.clone()),
        loopback: taken(settings.budget_loopback.as_ref())?,
        store: builder.budget_store.clone(),
    })
}

/// Facts are kept on disk where there is a disk for it, and where the address will still mean the same service tomorrow.
fn facts(settings: &Settings, environment: &Environment, base_url: &Url) -> Result<FactsSettings> {
    let mut facts = FactsSettings::default();
    facts.mode = taken(settings.facts.as_ref())?;
    facts.sample = taken(settings.facts_sample.as_ref())?;
    // A recording and its replay make the same calls, whatever was known before.
    if settings.record.is_some() || settings.replay.is_some() {
        (facts.own, facts.sample) = (true, 0);
        return Ok(facts);
    }
    let is_lasting = !is_loopback(base_url) || taken(settings.budget_loopback.as_ref())?;
    if is_lasting && facts.mode == FactsMode::On {
        let folder = settings.facts_folder.as_ref().or(settings.budget_folder.as_ref());
        facts.folder = folder.map(|found| found.value.clone()).or_else(|| environment.state_folder());
    }
    if !is_lasting {
        // A sandbox is a service that does not change: each list makes the same calls in every run.
        facts.sample = 0;
    }
    Ok(facts)
}

fn taken<T: Clone>(found: Option<&FoundSetting<T>>) -> Result<T> {
    found
        .map(|found| found.value.clone())
        .ok_or_else(|| Error::internal("a setting without a default was treated as having one"))
}

fn within<T: Copy + std::fmt::Display>(
    found: Option<&FoundSetting<T>>,
    good: impl Fn(&T) -> bool,
    range: &str,
) -> Result<T> {
    let value = taken(found)?;
    let source = found.map_or(Source::Default, |found| found.source.clone());
    if good(&value) {
        return Ok(value);
    }
    let name = found.map_or("", |found| found.name);
    Err(Error::configuration(text!("{} must be {range}, and is {value}", place(name, &source))))
}

/// Adds a likely reason for a missing setting: a misspelt variable, or a profile file from which no profile was selected.
fn advise(error: Error, layers: &Layers<'_>) -> Error {
    if !error.what().contains("missing") {
        return error;
    }
    let mut hint = error.advice(&Wording::RUST);
    for variable in UnknownVariable::all(layers.environment) {
        if variable.meant.is_some() {
            hint.append(&text!(" {variable}"));
        }
    }
    if layers.profile.is_none()
        && let Some(available) = profile::available(layers.environment)
    {
        hint.append(&text!(" {available}"));
    }
    error.with_hint(hint)
}
