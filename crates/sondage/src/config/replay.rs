//! How the settings `record` and `replay` affect other settings.

use super::layers::{FoundSetting, Settings, Source};
use crate::budget::BudgetMode;
use crate::cassette::{Cassette, Player, Recorder};
use crate::error::{Error, Result};
use crate::model::Secret;
use crate::text;
use std::sync::Arc;
use url::Url;

/// The addresses of a replay, to which nothing can be sent.
const NOWHERE: &str = "https://replay.invalid/";

/// The recorder or player. For a replay, the settings of the account are set to placeholders, so that none is
/// needed and none is used.
pub(super) fn cassette(settings: &mut Settings) -> Result<Option<Cassette>> {
    let replay = match (&settings.record, &settings.replay) {
        (Some(record), Some(replay)) => {
            return Err(Error::configuration(text!(
                "{} and {} exclude each other",
                record.place(),
                replay.place()
            ))
            .with_hint("Record first, with an account or the sandbox; replay afterwards, without."));
        }
        (Some(record), None) => {
            return Ok(Some(Cassette::Record(Arc::new(Recorder::new(record.value.clone())))));
        }
        (None, None) => return Ok(None),
        (None, Some(replay)) => replay,
    };
    let player = Player::new(replay.value.clone());
    let source = replay.source.clone();
    let nowhere: Url = NOWHERE.parse().map_err(|_| Error::internal("a built-in address is invalid"))?;
    settings.tenant.get_or_insert_with(|| set("tenant", "replay".to_owned(), &source));
    settings.base_url = Some(set("base_url", nowhere.clone(), &source));
    settings.auth_url = Some(set("auth_url", nowhere, &source));
    settings.client_secret = Some(set("client_secret", Secret::from("replay"), &source));
    settings.budget = Some(set("budget", BudgetMode::Off, &source));
    settings.token_file = None;
    settings.token_keyring = None;
    Ok(Some(Cassette::Replay(Arc::new(player))))
}

fn set<T>(name: &'static str, value: T, source: &Source) -> FoundSetting<T> {
    FoundSetting { name, value, source: source.clone() }
}
