//! The table of settings.
//!
//! Environment, profile file, the builder's methods, [`ClientBuilder::set`](super::ClientBuilder::set), the explanation
//! and the documentation expand it. To add a setting, add its row here and handle it in `resolve.rs`.

use crate::words::Words;

/// Passes every setting to a macro: its documentation, its name, its environment variable, its type, and the text of its
/// default if it has one.
#[macro_export]
macro_rules! settings {
    ($apply:path) => {
        $apply! {
            /// The account's own address, for example `https://acme.survalyzer-eu.app`. Tenant and data center are read from it.
            account "SONDAGE_ACCOUNT": String;
            /// The tenant: the first part of the account's address.
            tenant "SONDAGE_TENANT": String;
            /// The data center: `"swiss"` or `"eu"`. It determines `base_url` and `auth_url`.
            // API 1.2, published
            data_center "SONDAGE_DATA_CENTER": DataCenter;
            /// The address of the API. Plain http is allowed only on this machine.
            base_url "SONDAGE_BASE_URL": Url;
            /// The address of the authentication server. Plain http is allowed only on this machine.
            auth_url "SONDAGE_AUTH_URL": Url;
            /// The path of the login page at `auth_url`.
            // API 2.3
            authorize_path "SONDAGE_AUTHORIZE_PATH": String = "/openid/authorize";
            /// The path of the token endpoint at `auth_url`.
            // API 2.2
            token_path "SONDAGE_TOKEN_PATH": String = "/openid/token";

            /// How to get tokens: `"client_credentials"`, `"password"`, `"refresh_token"`, `"token"`, `"login"` (the tokens of an
            /// earlier login of `identity`, from `token_file` or the keyring) or `"api_token"` (deprecated by the service). Default: derived
            /// from the credentials that are set.
            grant "SONDAGE_GRANT": Grant;
            /// The client id. Default: `{tenant}_api`.
            // API 2.1
            client_id "SONDAGE_CLIENT_ID": String;
            /// The client secret that the operator of the service issued. Do not store it in apps on phones or notebooks.
            client_secret "SONDAGE_CLIENT_SECRET": Secret;
            /// The user name, for the grant `"password"`.
            username "SONDAGE_USERNAME": String;
            /// The user's password, for the grant `"password"`.
            password "SONDAGE_PASSWORD": Secret;
            /// The only panel for which the token is valid, for the grant `"password"`.
            // API 2.5
            panel_id "SONDAGE_PANEL_ID": i64;
            /// A refresh token from an earlier login.
            refresh_token "SONDAGE_REFRESH_TOKEN": Secret;
            /// An access token that is renewed elsewhere: the client cannot renew it.
            token "SONDAGE_TOKEN": Secret;
            /// The redirect address that is registered for the client. If it is set, it is sent with a refresh.
            // API 2.6
            redirect_uri "SONDAGE_REDIRECT_URI": String;
            /// Whether a login sends a PKCE challenge (S256). Without it, anyone who sees the code can use it. Whether the
            /// service supports PKCE is not published; a server that does not must ignore it (RFC 6749, 3.1).
            pkce "SONDAGE_PKCE": bool = "true";
            /// The identity of a login: a name of your own, one for each person, such as the person's id in your program. A login
            /// stores its tokens under it, and the grant `"login"` uses only these. Default: `sub:` and the subject of the id
            /// token.
            identity "SONDAGE_IDENTITY": String;
            /// The file in which tokens are stored; several processes and several people may share it. Default: tokens are
            /// kept in memory only.
            token_file "SONDAGE_TOKEN_FILE": PathBuf;
            /// Whether tokens are stored in the keyring of the system instead, by the system's own program: `secret-tool` on Linux,
            /// `security` on macOS. The keyring may ask the person.
            token_keyring "SONDAGE_TOKEN_KEYRING": bool = "false";
            /// The timeout of a token request, or of a call to the token provider.
            token_timeout "SONDAGE_TOKEN_TIMEOUT": Duration = "60 s";
            /// How long to wait for a person to log in.
            login_timeout "SONDAGE_LOGIN_TIMEOUT": Duration = "300 s";

            /// How long a call may take, including retries; for a list, each page.
            deadline "SONDAGE_DEADLINE": Duration = "600 s";
            /// The number of the first page of a list (assumed).
            first_page "SONDAGE_FIRST_PAGE": i64 = "1";
            /// Rows per page (assumed: the service has not published its maximum).
            page_size "SONDAGE_PAGE_SIZE": i64 = "1000";

            /// Whether to try the published path first, where the specification and the published definition name different
            /// paths. In either case the other path is tried after a 404 or 405.
            published_paths "SONDAGE_PUBLISHED_PATHS": bool = "false";

            /// A proxy for all connections except to this machine. A proxy on this machine that is set in code is used for this
            /// machine too, to record what a program sends to the sandbox. Default: from the environment (`HTTPS_PROXY`, `NO_PROXY`).
            proxy "SONDAGE_PROXY": Url;
            /// A PEM file with certificate authorities to trust in addition to the usual ones.
            ca_file "SONDAGE_CA_FILE": PathBuf;
            /// A PEM file with the certificate of this client and any intermediate certificates, for a service or a proxy that
            /// requires one (mutual TLS).
            client_certificate "SONDAGE_CLIENT_CERTIFICATE": PathBuf;
            /// A PEM file with the private key of `client_certificate`, not encrypted. Default: it is in the same file.
            client_key "SONDAGE_CLIENT_KEY": PathBuf;
            /// The `User-Agent` header. Default: `sondage/` and the version.
            user_agent "SONDAGE_USER_AGENT": String;
            /// The timeout for establishing a connection.
            connect_timeout "SONDAGE_CONNECT_TIMEOUT": Duration = "10 s";
            /// The longest time without data while waiting for a response. The service may compute for up to 180 s before
            /// it sends anything.
            // API 15.2, published
            read_timeout "SONDAGE_READ_TIMEOUT": Duration = "200 s";

            /// The maximum number of attempts of a call that may be retried.
            retry_attempts "SONDAGE_RETRY_ATTEMPTS": u32 = "3";
            /// The maximum delay before the second attempt.
            retry_base "SONDAGE_RETRY_BASE": Duration = "0.5 s";
            /// The factor by which the maximum delay grows with each attempt.
            retry_factor "SONDAGE_RETRY_FACTOR": f64 = "2";
            /// The upper bound of the maximum delay.
            retry_cap "SONDAGE_RETRY_CAP": Duration = "20 s";
            /// The longest rest of a pause, named by `Retry-After`, that a call waits for. The pause itself is kept whole.
            retry_after_cap "SONDAGE_RETRY_AFTER_CAP": Duration = "120 s";
            /// The maximum share of retries among all calls, between 0 and 1.
            retry_budget "SONDAGE_RETRY_BUDGET": f64 = "0.1";
            /// The maximum size of a response, after decompression.
            answer_bytes "SONDAGE_ANSWER_BYTES": u64 = "512 MiB";
            /// The maximum size of a response that is read into objects, after decompression. For more, use tables and
            /// files.
            object_bytes "SONDAGE_OBJECT_BYTES": u64 = "64 MiB";
            /// The maximum number of values in such a response, counting objects and lists. Each value takes at most 128 bytes
            /// of memory.
            object_values "SONDAGE_OBJECT_VALUES": u32 = "3500000";
            /// The memory of a table, as a multiple of the size of its responses, beyond 64 MiB. A table needs more only if
            /// most rows lack most columns.
            table_growth "SONDAGE_TABLE_GROWTH": u32 = "4";
            /// What happens when the calls or bytes of a day are used up: `"warn"` (a warning is logged at 80 and at 100 %), `"stop"`
            /// (the same, and calls above the limit are not sent), `"hard_stop"` (also, calls that cannot be counted are not sent), or
            /// `"off"` (nothing is counted).
            budget "SONDAGE_BUDGET": BudgetMode = "warn";
            /// The calls of a day. Each request to the API counts, including retries and each page of a list.
            // API 15.1, published
            budget_calls "SONDAGE_BUDGET_CALLS": u32 = "500";
            /// The bytes of a day, before compression.
            // API 15.1, published
            budget_bytes "SONDAGE_BUDGET_BYTES": u64 = "500000000";
            /// Which bytes count: `"received"` (those of responses, as the service's pages say) or `"both"` (those of requests too).
            budget_counted "SONDAGE_BUDGET_COUNTED": CountedBytes = "received";
            /// When the day begins, for example `00:00Z` or `00:00+01:00` (assumed: the service has not published it).
            budget_day "SONDAGE_BUDGET_DAY": DayStart = "00:00Z";
            /// Keeps the count in this folder, in a small file for each tenant, shared by all processes of the machine that use the
            /// folder. Default: in memory, for this process alone.
            budget_folder "SONDAGE_BUDGET_FOLDER": PathBuf;
            /// Also counts calls to this machine's own addresses, for tests.
            budget_loopback "SONDAGE_BUDGET_LOOPBACK": bool = "false";
            /// Whether what was learned about the service (the first page of lists, what their counts count) is used to make fewer calls: `"on"`
            /// or `"off"`.
            facts "SONDAGE_FACTS": FactsMode = "on";
            /// The folder for these facts, in a small file for each tenant, shared by all processes of the machine. Default: `budget_folder`, or
            /// the user's folder for such files. On phones, and for this machine's own addresses without `budget_loopback`, they are kept in
            /// memory.
            facts_folder "SONDAGE_FACTS_FOLDER": PathBuf;
            /// One list in so many, at random, is confirmed by one more call although the facts would do. `0`: none, as for this
            /// machine's own addresses without `budget_loopback`.
            facts_sample "SONDAGE_FACTS_SAMPLE": u32 = "20";
            /// Records the calls and their responses in this file for `replay`, without secrets and personal data. An existing
            /// file is continued.
            record "SONDAGE_RECORD": PathBuf;
            /// Answers calls from this file, which `record` wrote, without a network and without credentials. A call that is not
            /// in the file is an error.
            replay "SONDAGE_REPLAY": PathBuf;
            /// Refuses every operation that changes something, before anything is sent: for programs that must only read. A path
            /// that is not in the table of operations is refused unless `operations` lists it.
            read_only "SONDAGE_READ_ONLY": bool = "false";
            /// Refuses every address that is not a loopback address of this machine, also those of links: for tests,
            /// whose tools may block only what their own language sends. In the environment it counts even if `use_environment` is
            /// `false`.
            loopback_only "SONDAGE_LOOPBACK_ONLY": bool = "false";
            /// The only operations that may be called, by the names of the API, separated by commas; those that are not in the
            /// table by their paths. Requests for tokens are always allowed. Default: all.
            operations "SONDAGE_OPERATIONS": String;
            /// How many entries of the client's trace are kept for `trace()`. An entry takes some 300 bytes; a call makes at least
            /// two.
            trace_entries "SONDAGE_TRACE_ENTRIES": u32 = "0";
            /// Whether each request carries the id of its call, the same for all its attempts, in the header `X-Correlation-Id`. The
            /// service does not need it.
            correlation_id "SONDAGE_CORRELATION_ID": bool = "true";
            /// The maximum size of a token response.
            token_bytes "SONDAGE_TOKEN_BYTES": u64 = "256 KiB";
            /// How many bytes of an error response are read.
            error_bytes "SONDAGE_ERROR_BYTES": u64 = "64 KiB";

            /// Whether settings (`SONDAGE_*`) and proxies are read from environment variables. With `false` only this variable and
            /// that of `loopback_only` are, and the profile file is still used.
            use_environment "SONDAGE_USE_ENVIRONMENT": bool = "true";
            /// The section of the profile file to use. Default: `default`, if the file has one.
            profile "SONDAGE_PROFILE": String;
            /// The profile file. Default: `sondage/config.toml` in the user's configuration folder.
            profile_file "SONDAGE_CONFIG": PathBuf;
        }
    };
}

/// A row of the table as data.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SettingInfo {
    /// The name, which is the same on the builder, in a profile file, in the explanation and in every language.
    pub name: &'static str,
    /// The environment variable.
    pub variable: &'static str,
    /// What the setting means.
    pub docs: &'static str,
    /// The expected format of a value.
    pub shape: &'static str,
    /// The words of which it is one.
    pub choices: Option<&'static Words>,
    /// Whether the value is masked wherever it is displayed.
    pub secret: bool,
    /// The default as text, if it is fixed.
    pub default: Option<&'static str>,
}

macro_rules! rows {
    ($($(#[doc = $doc:literal])* $name:ident $variable:literal: $Type:ident $(= $default:literal)?;)*) => {
        /// Every setting, in the order of the table.
        pub const ALL: &[SettingInfo] = &[$(SettingInfo {
            name: stringify!($name),
            variable: $variable,
            docs: concat!($($doc, "\n"),*),
            shape: <super::value::types::$Type as super::value::Value>::SHAPE,
            choices: <super::value::types::$Type as super::value::Value>::CHOICES,
            secret: <super::value::types::$Type as super::value::Value>::SECRET,
            default: rows!(@default $($default)?),
        }),*];
    };
    (@default) => { None };
    (@default $default:literal) => { Some($default) };
}
crate::settings!(rows);

/// Looks up the row of a setting.
pub fn find(name: &str) -> Option<&'static SettingInfo> {
    ALL.iter().find(|row| row.name == name)
}

/// Names that other clients give their settings, in lower case and without `_`, and the setting for it here.
const NAMED_ELSEWHERE: [(&str, &str); 14] = [
    ("timeout", "deadline"),
    ("requesttimeout", "deadline"),
    ("maxretries", "retry_attempts"),
    ("retries", "retry_attempts"),
    ("apikey", "client_secret"),
    ("apisecret", "client_secret"),
    ("secret", "client_secret"),
    ("accesstoken", "token"),
    ("agent", "proxy"),
    ("httpagent", "proxy"),
    ("httpsagent", "proxy"),
    ("fetch", "proxy"),
    ("endpoint", "base_url"),
    ("verify", "ca_file"),
];

/// The setting that `name` probably means, for a suggestion: its name in other clients, or the most similar one here.
pub(super) fn meant(name: &str) -> Option<&'static SettingInfo> {
    let plain = |text: &str| text.to_ascii_lowercase().replace(['_', '-'], "");
    let name = plain(name.strip_prefix("SONDAGE_").unwrap_or(name));
    if let Some((_, setting)) = NAMED_ELSEWHERE.iter().find(|(elsewhere, _)| *elsewhere == name) {
        return find(setting);
    }
    let near = ALL
        .iter()
        .map(|row| (crate::spelling::distance(&plain(row.name), &name), row))
        .min_by_key(|(away, _)| *away)?;
    (near.0 <= 2).then_some(near.1)
}

/// A key may be any text, including a misplaced secret: it is shown only if it looks like a name.
pub(super) fn shown(name: &str) -> String {
    let like_a_name =
        name.len() <= 40 && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    if like_a_name { name.to_owned() } else { "…".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_what_was_meant() {
        for (slip, name) in
            [("clientsecret", "client_secret"), ("tenat", "tenant"), ("SONDAGE_BASEURL", "base_url")]
        {
            assert_eq!(meant(slip).map(|row| row.name), Some(name), "{slip}");
        }
        for (elsewhere, name) in NAMED_ELSEWHERE {
            assert_eq!(meant(elsewhere).map(|row| row.name), Some(name), "{elsewhere}");
        }
        assert_eq!(meant("maxRetries").map(|row| row.name), Some("retry_attempts"));
        assert!(meant("colour").is_none());
    }

    #[test]
    fn variables_and_names_are_unique() {
        for (i, row) in ALL.iter().enumerate() {
            assert!(
                ALL[i + 1..].iter().all(|other| other.name != row.name && other.variable != row.variable)
            );
            assert!(row.variable.starts_with("SONDAGE_"));
        }
    }
}
