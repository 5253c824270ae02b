//! Who logged in, as a signed token (`OpenID` Connect).

use super::OAuthServer;
use crate::tokens::{ACCESS_SECONDS, TokenGrant};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use ring::rand::SystemRandom;
use ring::rsa::PublicKeyComponents;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// Published with the source, so worthless as a secret: see `data/README.md`.
static KEY: LazyLock<Option<RsaKeyPair>> = LazyLock::new(|| {
    RsaKeyPair::from_pkcs8(include_bytes!("../../data/public-worthless-rs256.pk8.der")).ok()
});

const KEY_ID: &str = "sandbox";

/// The key by which the signature can be verified.
pub(super) fn keys() -> Value {
    let part = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    let keys: Vec<Value> = KEY
        .iter()
        .map(|key| {
            let public = PublicKeyComponents::<Vec<u8>>::from(key.public());
            json!({
                "kty": "RSA", "use": "sig", "alg": "RS256", "kid": KEY_ID,
                "n": part(&public.n), "e": part(&public.e),
            })
        })
        .collect();
    json!({ "keys": keys })
}

/// `None` when there is no key, which does not happen.
pub(super) fn sign(
    server: &OAuthServer<'_>,
    pass: &TokenGrant,
    nonce: Option<&str>,
    now: DateTime<Utc>,
) -> Option<String> {
    let key = KEY.as_ref()?;
    let mut claims = json!({
        "iss": server.shared.address(server.data_center).auth,
        "sub": pass.user.as_deref().unwrap_or(&pass.client_id),
        "aud": pass.client_id,
        "iat": now.timestamp(),
        "exp": now.timestamp() + ACCESS_SECONDS,
        "tenant": pass.tenant,
    });
    if let Some(nonce) = nonce {
        claims["nonce"] = json!(nonce);
    }
    let head = json!({ "alg": "RS256", "typ": "JWT", "kid": KEY_ID });
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(&head), part(&claims));
    let mut signature = vec![0; key.public().modulus_len()];
    key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), signed.as_bytes(), &mut signature).ok()?;
    Some(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
}
