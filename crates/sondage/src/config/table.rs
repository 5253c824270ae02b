//! The table of settings.
//!
//! Environment, profile file, the builder's methods, [`ClientBuilder::set`](super::ClientBuilder::set), the explanation
//! and the documentation expand it. To add a setting, add its row here and say in `resolve.rs` what becomes of it.

/// Hands every setting to a macro: its documentation, its name, its environment variable, its type, and the text of its
/// default where it has one.
#[macro_export]
macro_rules! settings {
    ($apply:path) => {
        $apply! {
            /// The account's own address, for example `https://acme.survalyzer-eu.app`. Tenant and data center are read from it.
            account "SONDAGE_ACCOUNT": String;
            /// The tenant: the first part of the account's address.
            tenant "SONDAGE_TENANT": String;
            /// Where the account lives: `swiss` or `eu`. It decides `base_url` and `auth_url`.
            // API 1.2, published
            data_center "SONDAGE_DATA_CENTER": DataCenter;
            /// The address of the API. Plain http only on this machine.
            base_url "SONDAGE_BASE_URL": Url;
            /// The address of the authentication server. Plain http only on this machine.
            auth_url "SONDAGE_AUTH_URL": Url;
            /// The path of the login page at `auth_url`.
            // API 2.3
            authorize_path "SONDAGE_AUTHORIZE_PATH": String = "/openid/authorize";
            /// The path at `auth_url` that gives tokens.
            // API 2.2
            token_path "SONDAGE_TOKEN_PATH": String = "/openid/token";

            /// How to get tokens: `client_credentials`, `password`, `refresh_token`, `token`, `login` (what an earlier login
            /// of `identity` left in `token_file`) or `api_token` (deprecated by the service). Otherwise what is set decides.
            grant "SONDAGE_GRANT": Grant;
            /// The client id. Default: `{tenant}_api`.
            // API 2.1
            client_id "SONDAGE_CLIENT_ID": String;
            /// The client secret that the operator of the service issued. Phones and notebooks hold none.
            client_secret "SONDAGE_CLIENT_SECRET": Secret;
            /// The user, for the grant `password`.
            username "SONDAGE_USERNAME": String;
            /// The user's password, for the grant `password`.
            password "SONDAGE_PASSWORD": Secret;
            /// The one panel that the token shall be good for, for the grant `password`.
            // API 2.5
            panel_id "SONDAGE_PANEL_ID": i64;
            /// A refresh token from an earlier login.
            refresh_token "SONDAGE_REFRESH_TOKEN": Secret;
            /// An access token that something else renews. The client cannot.
            token "SONDAGE_TOKEN": Secret;
            /// The redirect address that is registered for the client: sent with a refresh when it is set.
            // API 2.6
            redirect_uri "SONDAGE_REDIRECT_URI": String;
            /// Whether a login sends a PKCE challenge (S256), without which whoever sees the code can use it. Whether the service
            /// knows PKCE is not published; a server that does not must ignore it (RFC 6749, 3.1).
            pkce "SONDAGE_PKCE": bool = "true";
            /// Whose login it is: a name of your own, one for each person, such as the person's id in your program. A login keeps
            /// its tokens under it, and the grant `login` takes only these. Default: `sub:` and the subject of the id token.
            identity "SONDAGE_IDENTITY": String;
            /// Keeps tokens in this file, which several processes and several people may share. Default: tokens are kept in
            /// memory.
            token_file "SONDAGE_TOKEN_FILE": PathBuf;
            /// How long a token request, or a token provider, may take.
            token_timeout "SONDAGE_TOKEN_TIMEOUT": Duration = "60 s";
            /// How long a person may take to log in.
            login_timeout "SONDAGE_LOGIN_TIMEOUT": Duration = "300 s";

            /// How long a call may take, repeats included; of a list, each page.
            deadline "SONDAGE_DEADLINE": Duration = "600 s";
            /// The number of the first page of a list (assumed).
            first_page "SONDAGE_FIRST_PAGE": i64 = "1";
            /// Rows on a page (assumed: the service has not published how many it allows).
            page_size "SONDAGE_PAGE_SIZE": i64 = "1000";

            /// Where the specification and the published definition name different paths, tries the published one first. The
            /// other is tried after a 404 or 405 all the same.
            published_paths "SONDAGE_PUBLISHED_PATHS": bool = "false";

            /// A proxy for everything but this machine's own addresses. Otherwise the environment's (`HTTPS_PROXY`).
            proxy "SONDAGE_PROXY": Url;
            /// A PEM file with certificate authorities to trust besides the usual ones.
            ca_file "SONDAGE_CA_FILE": PathBuf;
            /// What the client calls itself. Default: `sondage/` and the version.
            user_agent "SONDAGE_USER_AGENT": String;
            /// How long it may take to connect.
            connect_timeout "SONDAGE_CONNECT_TIMEOUT": Duration = "10 s";
            /// The longest silence inside an answer. The service computes up to 180 s before it says a word.
            // API 15.2, published
            read_timeout "SONDAGE_READ_TIMEOUT": Duration = "200 s";

            /// How often a call is tried that may be repeated.
            retry_attempts "SONDAGE_RETRY_ATTEMPTS": u32 = "3";
            /// The longest wait before the second attempt.
            retry_base "SONDAGE_RETRY_BASE": Duration = "0.5 s";
            /// By how much the longest wait grows with each attempt.
            retry_factor "SONDAGE_RETRY_FACTOR": f64 = "2";
            /// What the longest wait never exceeds.
            retry_cap "SONDAGE_RETRY_CAP": Duration = "20 s";
            /// The longest `Retry-After` that is waited for.
            retry_after_cap "SONDAGE_RETRY_AFTER_CAP": Duration = "120 s";
            /// The share of calls that may be repeats, between 0 and 1.
            retry_budget "SONDAGE_RETRY_BUDGET": f64 = "0.1";
            /// The largest answer, after decompression.
            answer_bytes "SONDAGE_ANSWER_BYTES": u64 = "512 MiB";
            /// The largest answer that is read into objects, after decompression. Tables and files are for more.
            object_bytes "SONDAGE_OBJECT_BYTES": u64 = "64 MiB";
            /// The most values in such an answer, objects and lists among them. What is made of it takes 128 bytes of memory for
            /// each at most.
            object_values "SONDAGE_OBJECT_VALUES": u32 = "3500000";
            /// How many times its answers a table may take in memory, beyond 64 MiB. It is more than that only where most rows
            /// lack most of the columns.
            table_growth "SONDAGE_TABLE_GROWTH": u32 = "4";
            /// The largest answer with a token.
            token_bytes "SONDAGE_TOKEN_BYTES": u64 = "256 KiB";
            /// How many bytes of an answer with an error status are read.
            error_bytes "SONDAGE_ERROR_BYTES": u64 = "64 KiB";

            /// The section of the profile file to use. Default: `default`, where the file has one.
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
    /// The name, the same on the builder, in a profile file, in the explanation and in every language.
    pub name: &'static str,
    /// The environment variable.
    pub variable: &'static str,
    /// What it is.
    pub docs: &'static str,
    /// What a value looks like.
    pub shape: &'static str,
    /// Whether the value is masked wherever it is shown.
    pub secret: bool,
    /// The default as text, where it is a fixed one.
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
            secret: <super::value::types::$Type as super::value::Value>::SECRET,
            default: rows!(@default $($default)?),
        }),*];
    };
    (@default) => { None };
    (@default $default:literal) => { Some($default) };
}
crate::settings!(rows);

/// The row of a setting.
pub fn find(name: &str) -> Option<&'static SettingInfo> {
    ALL.iter().find(|row| row.name == name)
}

/// The setting that somebody may have meant who wrote `name`.
pub(super) fn meant(name: &str) -> Option<&'static SettingInfo> {
    let plain = |text: &str| text.to_ascii_lowercase().replace(['_', '-'], "");
    let name = plain(name.strip_prefix("SONDAGE_").unwrap_or(name));
    let near =
        ALL.iter().map(|row| (distance(&plain(row.name), &name), row)).min_by_key(|(away, _)| *away)?;
    (near.0 <= 2).then_some(near.1)
}

/// How many letters must be changed, put in or taken out to make one word from the other.
pub(super) fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in other.bytes().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

/// A key may be any text, a secret in the wrong place among them: only what looks like a name is shown.
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
        assert!(meant("colour").is_none());
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
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
