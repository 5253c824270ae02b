//! A digest of the registered address and secret: it shows whether they have changed, without revealing them.

use super::super::Strategy;
use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD as BASE64};
use ring::pbkdf2::{self, PBKDF2_HMAC_SHA256};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;
use zeroize::Zeroizing;

/// A short password could be guessed by somebody who has read the file, so each guess costs this many hash iterations.
const ROUNDS: NonZeroU32 = NonZeroU32::new(50_000).expect("not zero");

/// The digest and its salt: different in every file, and after every change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Print {
    salt: String,
    rounds: NonZeroU32,
    digest: String,
}

impl Print {
    /// Computes a digest with a new salt.
    pub fn of(text: &Zeroizing<String>) -> crate::Result<Self> {
        let mut salt = [0; 16];
        let random = getrandom::fill(&mut salt);
        random.map_err(|_| crate::Error::internal("the operating system provides no random numbers"))?;
        let mut digest = [0; 32];
        pbkdf2::derive(PBKDF2_HMAC_SHA256, ROUNDS, &salt, text.as_bytes(), &mut digest);
        Ok(Self { salt: BASE64.encode(salt), rounds: ROUNDS, digest: BASE64.encode(digest) })
    }

    /// Whether it is the digest of these values.
    pub fn is_of(&self, text: &Zeroizing<String>) -> bool {
        let (Ok(salt), Ok(digest)) = (BASE64.decode(&self.salt), BASE64.decode(&self.digest)) else {
            return false;
        };
        // A file with more iterations was not written by this library, and would only cost time.
        let rounds = self.rounds.min(ROUNDS);
        pbkdf2::verify(PBKDF2_HMAC_SHA256, rounds, &salt, text.as_bytes(), &digest).is_ok()
    }
}

/// The values that identify a registration: the address and the secret, but not the time at which a token was issued.
pub(super) fn identity(base: &str, strategy: &Strategy) -> Zeroizing<String> {
    match strategy {
        Strategy::ObscureUrl(it) => joined(base, &["obscureUrl", it.secret.reveal()]),
        Strategy::Basic(it) => joined(base, &["basic", &it.user, it.password.reveal()]),
        Strategy::Bearer(it) => {
            joined(base, &["bearer", it.key.reveal(), &it.audience, &it.issuer, &it.days.to_string()])
        }
        Strategy::SignedUrl(it) => {
            let (days, profile) = (it.days.to_string(), format!("{:?}", it.profile));
            let permission = it.permission.as_deref().unwrap_or_default();
            joined(base, &["signedUrl", it.key.reveal(), &profile, &it.resource, permission, &days])
        }
    }
}

/// Each part is preceded by its length, so that different lists of parts never give the same text.
fn joined(base: &str, parts: &[&str]) -> Zeroizing<String> {
    let length: usize = base.len() + parts.iter().map(|part| part.len() + 21).sum::<usize>() + 21;
    // Allocated in full: a buffer that grows leaves copies of its contents in freed memory.
    let mut text = Zeroizing::new(String::with_capacity(length));
    for part in [base].iter().chain(parts) {
        text.push_str(&part.len().to_string());
        text.push(':');
        text.push_str(part);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;
    use crate::webhook::Bearer;

    #[test]
    fn a_token_made_on_another_day_is_the_same_registration() {
        let key = "0123456789abcdef0123456789abcdef";
        let (mut one, mut other) = (Bearer::new(key, "acme", 365), Bearer::new(key, "acme", 365));
        one.issued_at = Timestamp(chrono::DateTime::UNIX_EPOCH);
        let text = |bearer: &Bearer| identity("https://a.example", &Strategy::Bearer(bearer.clone()));
        assert_eq!(text(&one), text(&other));
        other.days = 30;
        assert_ne!(text(&one), text(&other));
        assert_ne!(text(&one), identity("https://b.example", &Strategy::Bearer(one.clone())));
    }

    #[test]
    fn a_digest_knows_its_text_and_shows_nothing_of_it() {
        let text = identity("https://a.example", &Strategy::basic("user", "a secret").unwrap());
        let (one, two) = (Print::of(&text).unwrap(), Print::of(&text).unwrap());
        assert!(one.is_of(&text) && two.is_of(&text) && one != two);
        let other = identity("https://a.example", &Strategy::basic("user", "another").unwrap());
        assert!(!one.is_of(&other));
        assert!(!serde_json::to_string(&one).unwrap().contains("secret"));
    }
}
