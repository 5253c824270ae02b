//! A token file that two clients of a process share, and a server that detects a refresh token that is used twice.

use super::read;
use crate::service::answering::{AnsweringService, RawReply, ReceivedRequest};
use crate::temporary::Folder;
use sondage::auth::clock::Clock;
use sondage::config::ClientBuilder;
use sondage::{Client, internals::runtime};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Rotates refresh tokens.
#[derive(Default)]
struct Rotation {
    /// The number of tokens issued.
    given: usize,
    /// How often a replaced one was used.
    reused: usize,
}

struct Platform {
    api: AnsweringService,
    auth: AnsweringService,
    rotation: Arc<Mutex<Rotation>>,
    /// Access tokens below this number are rejected.
    valid_from: Arc<AtomicUsize>,
}

impl Platform {
    fn start() -> Result<Self, String> {
        let rotation = Arc::new(Mutex::new(Rotation { given: 1, reused: 0 }));
        let valid_from = Arc::new(AtomicUsize::new(0));
        let (theirs, valid) = (rotation.clone(), valid_from.clone());
        let auth = AnsweringService::start(move |arrived: &ReceivedRequest| {
            let mut rotation = theirs.lock().unwrap_or_else(PoisonError::into_inner);
            let shown = arrived.body.split('&').find_map(|pair| pair.strip_prefix("refresh_token=r"));
            let Some(shown) = shown.and_then(|number| number.parse::<usize>().ok()) else {
                return RawReply(400, String::new(), r#"{"error":"invalid_request"}"#.into());
            };
            if shown + 1 != rotation.given {
                rotation.reused += 1;
                return RawReply(400, String::new(), r#"{"error":"invalid_grant"}"#.into());
            }
            let number = rotation.given;
            rotation.given += 1;
            RawReply::ok(format!(
                r#"{{"access_token":"t{number}","token_type":"Bearer","expires_in":3600,"refresh_token":"r{number}"}}"#
            ))
        });
        let api = AnsweringService::start(move |arrived: &ReceivedRequest| {
            let number =
                arrived.token.as_deref().and_then(|token| token.strip_prefix("Bearer t")?.parse().ok());
            if number.is_some_and(|number: usize| number >= valid.load(Ordering::SeqCst)) {
                return RawReply::ok(r#"{"isSuccess":true}"#);
            }
            RawReply(401, String::new(), Vec::new())
        });
        let text = |error: std::io::Error| error.to_string();
        Ok(Self { api: api.map_err(text)?, auth: auth.map_err(text)?, rotation, valid_from })
    }

    fn reused(&self) -> usize {
        self.rotation.lock().unwrap_or_else(PoisonError::into_inner).reused
    }

    fn given(&self) -> usize {
        self.rotation.lock().unwrap_or_else(PoisonError::into_inner).given
    }
}

/// A client that starts with the refresh token `r0`.
pub fn sharing(api: &str, auth: &str, file: &Path) -> ClientBuilder {
    ClientBuilder::new()
        .environment(sondage::config::Environment::empty())
        .tenant("acme")
        .base_url(api)
        .auth_url(auth)
        .refresh_token("r0")
        .token_file(file)
        .retry_base(Duration::from_millis(2))
        .retry_cap(Duration::from_millis(5))
        .deadline(Duration::from_secs(30))
}

/// A computer whose clock is wrong by some seconds.
struct Behind(Instant, i64);

impl Clock for Behind {
    fn monotonic(&self) -> Duration {
        self.0.elapsed()
    }

    fn wall(&self) -> SystemTime {
        let away = Duration::from_secs(self.1.unsigned_abs());
        if self.1 > 0 { SystemTime::now() - away } else { SystemTime::now() + away }
    }
}

pub fn reads(client: &Client) -> Result<(), String> {
    let client = client.clone();
    runtime::block_on(async move { client.raw(read(0)).await }).map(drop).map_err(|error| error.to_string())
}

/// Two clients that use the token endpoint alternately.
pub fn two_clients(behind: i64) -> Result<Option<String>, String> {
    let (platform, folder) = (Platform::start()?, Folder::new()?);
    let settings = || sharing(&platform.api.url(), &platform.auth.url(), &folder.path().join("tokens.json"));
    let text = |error: sondage::Error| error.to_string();
    let one = settings().build().map_err(text)?;
    let other = settings().clock(Arc::new(Behind(Instant::now(), behind))).build().map_err(text)?;
    for round in 0..6 {
        // All tokens are rejected. One client gets the next one, and the other one must find it in the file.
        platform.valid_from.store(platform.given(), Ordering::SeqCst);
        let turns = if round % 2 == 0 { [&one, &other] } else { [&other, &one] };
        for client in turns {
            let result = reads(client);
            let reused = platform.reused();
            if reused > 0 || result.is_err() {
                return Ok(Some(format!("round {round}: spent tokens shown: {reused}; {result:?}")));
            }
        }
    }
    Ok(None)
}
