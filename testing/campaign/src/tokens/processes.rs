//! Processes that share a token file and are killed at any moment: which lost tokens a kill explains.
//!
//! The service replaces the refresh token with each response. If a process is killed after the service has read its request,
//! and before the response is saved in the file, the new token is lost: the file still contains the old one, and the next
//! process can only send that one. No client can prevent this, because the file and the service cannot change atomically.
//! Each kill can cost at most one token: the one for which the killed process had sent a request. So a replaced refresh
//! token may be sent again only if
//!
//! - it is the one that was replaced last,
//! - the process that requested its successor has been killed since, and no other lost token was attributed to that kill,
//! - nobody has used the successor: a process saves a token before it uses it, so the successor would be in the file.
//!
//! Every other reuse is a bug: a lock that was not taken, or a file that was written late or partially.

use super::shared_file::{reads, sharing};
use crate::cells::CampaignLength;
use crate::service::answering::{AnsweringService, RawReply, ReceivedRequest};
use crate::temporary::Folder;
use crate::worker::{self, Worker};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const PROCESSES: usize = 8;
/// How long each form kills processes, and how many must have died by then.
const SHORT: (Duration, usize) = (Duration::from_secs(5), 8);
const LONG: (Duration, usize) = (Duration::from_secs(60), 150);
/// How often the service rejects all its tokens, so that one process has to renew.
const LIFE: Duration = Duration::from_millis(40);

/// The response to a refresh request.
#[derive(Clone, Debug)]
struct RefreshAnswer {
    /// The refresh token that was sent, and is now replaced.
    shown: usize,
    to: String,
}

#[derive(Default)]
struct IssuedTokens {
    /// The number of the valid refresh token; the access token of the same number was issued with it.
    good: usize,
    /// How the valid one was issued.
    last: Option<RefreshAnswer>,
    /// The newest access token that was used in a call.
    used: usize,
    /// Access tokens below this number are rejected.
    valid_from: usize,
    /// Which process has used which token. Each process may use a token once, however late it read the file.
    seen: BTreeSet<(String, usize)>,
    /// The processes that were killed, or are about to be.
    killed: BTreeSet<String>,
    /// The killed processes to which a loss was attributed.
    explained: BTreeSet<String>,
    /// Who is waiting for the response to a refresh.
    renewing: Option<String>,
    calls: usize,
    lost: usize,
    late: usize,
    reused: Vec<String>,
}

impl IssuedTokens {
    /// A refresh token is sent. Returns the number of the next one, or nothing.
    fn refresh(&mut self, shown: usize, by: &str) -> Option<usize> {
        let last = self.last.clone();
        if shown != self.good {
            let replaced = last.as_ref().filter(|given| given.shown == shown);
            // The process was killed while its request was in progress, and another process has renewed since.
            if replaced.is_some() && self.killed.contains(by) && self.explained.insert(by.to_owned()) {
                self.late += 1;
                return None;
            }
            let excused = replaced.is_some_and(|given| {
                self.used < self.good
                    && self.killed.contains(&given.to)
                    && self.explained.insert(given.to.clone())
            });
            if !excused {
                self.reused.push(format!("{by} showed r{shown}; r{} was good, given as {last:?}", self.good));
                return None;
            }
            // Here a real user would have to log in again. The run continues as if that had happened.
            self.lost += 1;
        }
        self.good += 1;
        self.last = Some(RefreshAnswer { shown, to: by.to_owned() });
        Some(self.good)
    }

    /// Somebody makes a call with an access token.
    fn call(&mut self, number: usize, by: &str) -> bool {
        self.calls += 1;
        self.used = self.used.max(number);
        self.seen.insert((by.to_owned(), number)) || number >= self.valid_from
    }
}

#[derive(Default)]
struct SharedTokens {
    state: Mutex<IssuedTokens>,
    turned: Condvar,
}

impl SharedTokens {
    fn lock(&self) -> MutexGuard<'_, IssuedTokens> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a process renews, and returns its name.
    fn renewing(&self, most: Duration) -> Option<String> {
        let waited = self.turned.wait_timeout_while(self.lock(), most, |state| state.renewing.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.renewing.clone()
    }
}

/// The service: access tokens and calls.
fn serve(shared: &Arc<SharedTokens>) -> std::io::Result<(AnsweringService, AnsweringService)> {
    let theirs = shared.clone();
    let auth = AnsweringService::start(move |arrived: &ReceivedRequest| {
        let by = arrived.agent.clone().unwrap_or_default();
        let shown =
            arrived.body.split('&').find_map(|pair| pair.strip_prefix("refresh_token=r")?.parse().ok());
        let Some(shown) = shown else {
            return RawReply(400, String::new(), r#"{"error":"invalid_request"}"#.into());
        };
        let number = theirs.lock().refresh(shown, &by);
        let Some(number) = number else {
            return RawReply(400, String::new(), r#"{"error":"invalid_grant"}"#.into());
        };
        // The token is replaced, and the response takes a while: kills happen before, during and after this moment.
        theirs.lock().renewing = Some(by.clone());
        theirs.turned.notify_all();
        std::thread::sleep(Duration::from_millis(number as u64 * 7 % 10));
        theirs.lock().renewing.take_if(|renewing| *renewing == by);
        RawReply::ok(format!(
            r#"{{"access_token":"t{number}","token_type":"Bearer","expires_in":3600,"refresh_token":"r{number}"}}"#
        ))
    })?;
    let theirs = shared.clone();
    let api = AnsweringService::start(move |arrived: &ReceivedRequest| {
        let by = arrived.agent.as_deref().unwrap_or_default();
        let token = arrived.token.as_deref().and_then(|token| token.strip_prefix("Bearer t")?.parse().ok());
        if token.is_some_and(|number| theirs.lock().call(number, by)) {
            RawReply::ok(r#"{"isSuccess":true}"#)
        } else {
            RawReply(401, String::new(), Vec::new())
        }
    })?;
    Ok((api, auth))
}

/// Recorded before the kill, because the process may act until the kill takes effect.
fn kill(worker: &mut Worker, shared: &SharedTokens) {
    shared.lock().killed.insert(worker.name.clone());
    worker.kill();
}

pub fn run(form: CampaignLength) -> Result<Option<String>, String> {
    let (time, least) = if form == CampaignLength::Short { SHORT } else { LONG };
    let (shared, folder) = (Arc::new(SharedTokens::default()), Folder::new()?);
    let (api, auth) = serve(&shared).map_err(|error| error.to_string())?;
    let (api_url, auth_url, file) = (api.url(), auth.url(), folder.path().join("tokens.json"));
    let start = |number: usize| {
        let arguments = [OsStr::new(&api_url), OsStr::new(&auth_url), file.as_os_str()];
        Worker::start("token-worker", format!("worker-{number}"), &arguments)
    };
    let mut workers = (0..PROCESSES).map(start).collect::<Result<Vec<_>, _>>()?;
    let (begin, mut kills) = (Instant::now(), 0);
    // Otherwise the run tested nothing: too few kills happened during a renewal.
    let enough =
        |kills: usize, state: &IssuedTokens| kills >= least && state.good * 2 >= kills && state.lost > 0;
    while begin.elapsed() < time || !enough(kills, &shared.lock()) && begin.elapsed() < time * 4 {
        let moment = Duration::from_millis(kills as u64 * 37 % 25);
        std::thread::sleep(LIFE.saturating_sub(moment));
        {
            let mut state = shared.lock();
            state.valid_from = state.good + 1;
        }
        // Two of three kills hit a process during a renewal, in the answer or shortly after it; the others hit a random
        // process.
        let victim = if kills % 3 < 2 { shared.renewing(Duration::from_secs(1)) } else { None };
        let at = victim.and_then(|name| workers.iter().position(|worker| worker.name == name));
        std::thread::sleep(moment);
        let at = at.unwrap_or(kills % PROCESSES);
        kill(&mut workers[at], &shared);
        kills += 1;
        workers[at] = start(PROCESSES + kills)?;
    }
    for worker in &mut workers {
        kill(worker, &shared);
    }
    let state = shared.lock();
    println!(
        "tokens: {kills} processes killed, {} refresh tokens issued, {} lost with their process, {} requests of killed processes, {} tokens reused, {} calls",
        state.good,
        state.lost,
        state.late,
        state.reused.len(),
        state.calls
    );
    if let Some(first) = state.reused.first() {
        return Ok(Some(format!("{} times; first: {first}", state.reused.len())));
    }
    Ok((!enough(kills, &state))
        .then(|| format!("{kills} kills, {} renewals, {} losses: too few to tell", state.good, state.lost)))
}

/// `token-worker NAME API AUTH FILE`: makes calls until it is killed, or until the campaign that started it is gone.
pub fn work(words: &[String]) -> Result<(), String> {
    let [name, api, auth, file] = words else { return Err("token-worker NAME API AUTH FILE".to_owned()) };
    let client = sharing(api, auth, Path::new(file)).user_agent(name.as_str());
    let client = client.build().map_err(|error| error.to_string())?;
    worker::end_with_parent();
    loop {
        let _ = reads(&client);
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `r0` was sent by `one`, which received `r1`.
    fn state() -> IssuedTokens {
        let mut state = IssuedTokens::default();
        assert_eq!(state.refresh(0, "one"), Some(1));
        state
    }

    #[test]
    fn a_token_that_died_with_its_process_is_a_loss_and_once_only() {
        let mut state = state();
        state.killed.insert("one".to_owned());
        assert_eq!(state.refresh(0, "two"), Some(2));
        assert_eq!((state.lost, state.reused.len()), (1, 0));
        assert_eq!(state.refresh(0, "three"), None, "`two` lives");
        assert_eq!(state.reused.len(), 1);
    }

    #[test]
    fn a_reuse_is_excused_by_no_life_no_use_and_no_other_token() {
        let mut living = state();
        assert_eq!(living.refresh(0, "two"), None);
        let mut used = state();
        used.killed.insert("one".to_owned());
        assert!(used.call(1, "two"));
        assert_eq!(used.refresh(0, "three"), None, "`r1` was in the file");
        let mut older = state();
        assert_eq!(older.refresh(1, "two"), Some(2));
        older.killed.extend(["one".to_owned(), "two".to_owned()]);
        assert_eq!(older.refresh(0, "three"), None);
        for state in [living, used, older] {
            assert_eq!((state.lost, state.reused.len()), (0, 1));
        }
    }

    #[test]
    fn a_request_that_outlives_its_process_is_no_reuse() {
        let mut state = state();
        state.killed.insert("dead".to_owned());
        assert_eq!(state.refresh(0, "dead"), None);
        assert_eq!((state.late, state.reused.len()), (1, 0));
    }
}
