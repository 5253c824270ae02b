//! Tokens: the ways to get them, the one place that renews them, and where they are stored.
//!
//! Every call carries an access token. [`Tokens`] holds the current one and renews it early, in a separate task, with one
//! request no matter how many calls wait. [`Credentials`] say how tokens are obtained; [`Login`] is the login of a person
//! in a browser; a [`TokenStore`] keeps tokens between processes, each entry for one identity.
// API 1.3

mod access;
mod api_token;
pub mod clock;
mod credentials;
mod current;
mod endpoint;
mod failed;
#[cfg(fuzzing)]
pub mod fuzzing;
#[cfg(feature = "login")]
mod login;
mod oauth_error;
mod provider;
mod refusal;
mod renew;
mod store;
mod token_set;
mod tokens;
mod verifier;

pub use access::AccessToken;
pub use credentials::{Code, Credentials};
#[cfg(feature = "login")]
pub use login::{Login, Redirect};
pub use provider::TokenProvider;
pub use store::{FileStore, Guard, MemoryStore, StoreKey, StoredTokens, TokenStore};
pub use token_set::TokenSet;
pub use tokens::Tokens;

pub(crate) use store::{KeyringStore, examine_token_file};
