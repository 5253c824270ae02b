//! Which proxy is used, and where it comes from.

use super::address;
use super::environment::Environment;
use super::layers::{FoundSetting, Source};
use crate::error::{Error, Result};
use crate::text;
use crate::transport::settings::{avoids, is_loopback, without_login};
use url::Url;

/// The variables that name a proxy for https, the first one first.
const NAMES: [&str; 4] = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
/// The variables with the hosts that are reached without a proxy.
const DIRECT: [&str; 2] = ["NO_PROXY", "no_proxy"];

/// Those, and the ones that other programs read, in upper and lower case.
pub(super) const VARIABLES: [&str; 4] = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY"];

/// The proxy in use.
#[derive(Default)]
pub(super) struct ChosenProxy {
    pub url: Option<Url>,
    /// The variable that names it, if no setting does.
    pub variable: Option<&'static str>,
    /// Hosts that are reached without it.
    pub direct: Option<String>,
    /// Whether it is used for addresses of this machine.
    pub here: bool,
    /// What the explanation says, if no setting names it.
    pub told: Option<(String, Source)>,
}

/// The setting, or what the environment names.
pub(super) fn choose(
    set: Option<&FoundSetting<Url>>,
    environment: &Environment,
    base_url: &Url,
) -> Result<ChosenProxy> {
    if let Some(set) = set {
        address::proxy(&set.value, &set.place())?;
        // A proxy elsewhere could not reach this machine, and plain http must not leave it.
        let here = set.source == Source::Explicit && is_loopback(&set.value);
        return Ok(ChosenProxy { url: Some(set.value.clone()), here, ..ChosenProxy::default() });
    }
    // The proxy is not used for this machine, so nothing about it can be wrong.
    if is_loopback(base_url) {
        return Ok(ChosenProxy::default());
    }
    let Some((variable, text)) = first(environment, &NAMES)? else { return Ok(ChosenProxy::default()) };
    let source = text!("{variable}");
    let url = if text.contains("://") { text.parse() } else { format!("http://{text}").parse() };
    let url: Url = url.map_err(|_| {
        Error::configuration(text!("{source} is not the address of a proxy"))
            .with_hint("For example http://proxy.example.com:3128.")
    })?;
    address::proxy(&url, &source)?;
    let direct = first(environment, &DIRECT)?;
    let reason = if let Some((variable, hosts)) = direct
        && avoids(hosts, base_url)
    {
        let host = base_url.host_str().unwrap_or_default();
        (format!("none for {host}"), Source::Environment(variable))
    } else {
        (without_login(&url), Source::Environment(variable))
    };
    let direct = direct.map(|(_, hosts)| hosts.to_owned());
    Ok(ChosenProxy { url: Some(url), variable: Some(variable), direct, told: Some(reason), here: false })
}

fn first<'a>(
    environment: &'a Environment,
    names: &[&'static str],
) -> Result<Option<(&'static str, &'a str)>> {
    for name in names {
        let value = environment.get(name);
        let value = value.map_err(|()| Error::configuration(text!("{name} is not Unicode text")))?;
        if let Some(value) = value.map(str::trim).filter(|value| !value.is_empty()) {
            return Ok(Some((name, value)));
        }
    }
    Ok(None)
}
