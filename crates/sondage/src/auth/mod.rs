//! Tokens: the ways to get them, the one place that renews them, and where they are kept.
//!
//! Every call carries an access token. [`Tokens`] has the one in use and gets the next one early, in a task of its
//! own, by one request however many calls wait. What it gets it by are the [`Credentials`]; what people do in a browser is
//! [`Login`]; what survives the process is in a [`TokenStore`], where each entry belongs to an identity.
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
