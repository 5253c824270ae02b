//! Ties stored tokens to the secrets with which they were obtained.
//!
//! A client with another password or client secret must be refused by the service, and must not be served tokens that
//! the right secret obtained. So each entry carries a salted hash of the secrets, and a client compares it.

use super::Credentials;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::model::Secret;
use arc_swap::ArcSwapOption;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::pbkdf2::{PBKDF2_HMAC_SHA256, derive, verify};
use std::num::NonZeroU32;
use std::sync::Arc;
use zeroize::Zeroizing;

/// Passwords chosen by people can be guessed, so each guess must be slow. A client pays this cost once.
const PASSWORD_ROUNDS: NonZeroU32 = NonZeroU32::new(100_000).unwrap();
/// A client secret is random (RFC 6819, 5.1.4.2.2): one HMAC suffices.
const SECRET_ROUNDS: NonZeroU32 = NonZeroU32::MIN;

/// The secrets of one client, and the proof of them that an entry carries.
pub(super) struct Verifier {
    secrets: Zeroizing<Vec<u8>>,
    rounds: NonZeroU32,
    /// The last proof that matched: the same one is checked again and again.
    known: ArcSwapOption<Secret>,
}

impl Verifier {
    /// `None`: these credentials contain no secret of a client or a user, such as a login without a client secret: the
    /// name of its identity selects its entry.
    pub(super) fn of(config: &Config, credentials: &Credentials) -> Option<Self> {
        let password = match credentials {
            Credentials::Password { password, .. } | Credentials::ApiToken { password, .. } => Some(password),
            _ => None,
        };
        // The deprecated call does not send the client secret.
        let is_proof_needed = !matches!(credentials, Credentials::ApiToken { .. });
        let client = config.client_secret.as_ref().filter(|_| is_proof_needed);
        let rounds = if password.is_some() { PASSWORD_ROUNDS } else { SECRET_ROUNDS };
        let mut secrets = Zeroizing::new(Vec::new());
        for secret in [client, password] {
            let text = secret.map_or("", Secret::reveal);
            secrets.extend((text.len() as u64).to_le_bytes());
            secrets.extend(text.as_bytes());
        }
        (client.is_some() || password.is_some()).then(|| Self {
            secrets,
            rounds,
            known: ArcSwapOption::empty(),
        })
    }

    /// Whether an entry was made with the same secrets. This takes a while: do not call it on an I/O thread.
    pub(super) fn fits(&self, proof: &Secret) -> bool {
        if self.known.load().as_ref().is_some_and(|known| **known == *proof) {
            return true;
        }
        let fits = self.compare(proof.reveal()).is_some();
        if fits {
            self.known.store(Some(Arc::new(proof.clone())));
        }
        fits
    }

    fn compare(&self, proof: &str) -> Option<()> {
        let mut parts = proof.split('.');
        let rounds: NonZeroU32 = parts.next()?.parse().ok()?;
        let mut bytes = || URL_SAFE_NO_PAD.decode(parts.next()?).ok();
        let (salt, hash) = (bytes()?, bytes()?);
        // Limited, so that a manipulated file cannot make a client compute for hours.
        let ours = rounds == self.rounds && hash.len() == HASH;
        ours.then(|| verify(PBKDF2_HMAC_SHA256, rounds, &salt, &self.secrets, &hash).ok()).flatten()
    }

    /// Computes the proof that is stored with a new entry.
    pub(super) fn make(&self) -> Result<Secret> {
        if let Some(known) = &*self.known.load() {
            return Ok(Secret::clone(known));
        }
        let (mut salt, mut hash) = ([0; 16], [0; HASH]);
        getrandom::fill(&mut salt)
            .map_err(|_| Error::internal("the operating system provides no random numbers"))?;
        derive(PBKDF2_HMAC_SHA256, self.rounds, &salt, &self.secrets, &mut hash);
        let text = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let proof = Secret::from(format!("{}.{}.{}", self.rounds, text(&salt), text(&hash)));
        self.known.store(Some(Arc::new(proof.clone())));
        Ok(proof)
    }
}

const HASH: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    fn verifier(secrets: &str) -> Verifier {
        let secrets = Zeroizing::new(secrets.as_bytes().to_vec());
        Verifier { secrets, rounds: SECRET_ROUNDS, known: ArcSwapOption::empty() }
    }

    #[test]
    fn a_proof_fits_its_secrets_and_no_others() {
        let proof = verifier("one").make().unwrap();
        assert!(verifier("one").fits(&proof));
        assert!(!verifier("two").fits(&proof));
        assert_ne!(verifier("one").make().unwrap(), proof, "salted");
        assert!(!proof.reveal().contains("one"));
        let rest = proof.reveal().strip_prefix("1.").unwrap().to_owned();
        for wrong in ["", "1", "1..", "0.a.b", &format!("4000000000.{rest}"), &rest, "1.AAAA."] {
            assert!(!verifier("one").fits(&wrong.into()), "{wrong}");
        }
    }
}
