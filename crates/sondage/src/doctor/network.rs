//! The connection to the two servers, before a request is made: names and the proxy.

use super::report::{HealthCheck, HealthTopic};
use crate::config::Config;
use crate::text;
use crate::transport::settings::without_login;
use std::collections::BTreeSet;
use tokio::net::{TcpStream, lookup_host};
use url::Url;

/// Which servers can be reached.
pub(super) struct Reachable {
    pub auth: bool,
    pub base: bool,
}

/// Looks up the names of the servers, or connects to the proxy, which looks them up itself.
pub(super) async fn examine(config: &Config, checks: &mut Vec<HealthCheck>) -> Reachable {
    let behind = |url: &Url| config.http.proxy_to(url).and(config.http.proxy.clone());
    if let Some(proxy) = behind(&config.auth_url).or_else(|| behind(&config.base_url)) {
        let check = dial(config, &proxy).await;
        let well = check.cure.is_none();
        checks.push(check);
        let reaches = |url: &Url| well || behind(url).is_none();
        return Reachable { auth: reaches(&config.auth_url), base: reaches(&config.base_url) };
    }
    let (auth, base) = (known(&config.auth_url).await, known(&config.base_url).await);
    let lost: BTreeSet<&str> = [(auth, &config.auth_url), (base, &config.base_url)]
        .into_iter()
        .filter_map(|(known, url)| url.host_str().filter(|_| !known))
        .collect();
    checks.push(if lost.is_empty() {
        HealthCheck::passed(HealthTopic::Dns, "the names of the servers are known")
    } else {
        let hosts = lost.into_iter().collect::<Vec<_>>().join(" and ");
        let finding = text!("the name {hosts} cannot be looked up");
        let cure = text!(
            "Check the network and its name server. If other names can be looked up, check {} and {}.",
            config.place("base_url"),
            config.place("auth_url")
        );
        HealthCheck::failed(HealthTopic::Dns, finding, cure)
    });
    Reachable { auth, base }
}

async fn known(url: &Url) -> bool {
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else { return false };
    // The brackets of an IPv6 address belong to the URL.
    let host = host.trim_matches(['[', ']']);
    lookup_host((host, port)).await.is_ok_and(|mut found| found.next().is_some())
}

async fn dial(config: &Config, proxy: &Url) -> HealthCheck {
    let address = without_login(proxy);
    let host = proxy.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let port = proxy.port_or_known_default().unwrap_or(80);
    let dialled = tokio::time::timeout(config.http.connect_timeout, TcpStream::connect((host, port))).await;
    let why = match dialled {
        Ok(Ok(_)) => {
            return HealthCheck::passed(HealthTopic::Proxy, text!("the proxy {address} accepts connections"));
        }
        Ok(Err(error)) => error.to_string(),
        Err(_) => "it did not answer in time".to_owned(),
    };
    let finding = text!("the proxy {address} cannot be reached ({why})");
    let cure = text!("Start the proxy, correct {}, or remove it if none is needed.", config.place("proxy"));
    HealthCheck::failed(HealthTopic::Proxy, finding, cure)
}
