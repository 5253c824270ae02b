//! The webhook that `ensure_web_hook` registered, by its state file.

use super::report::{HealthCheck, HealthTopic};
use super::service::Seen;
use crate::text;
use crate::webhook::registered;
use chrono::{DateTime, TimeDelta, Utc};
use std::path::Path;

/// By default, `ensure_web_hook` renews a token when it expires within this many days.
const SOON: TimeDelta = TimeDelta::days(30);

pub(super) fn examine(path: &Path, seen: &Seen, now: DateTime<Utc>) -> HealthCheck {
    let file_name = path.display().to_string();
    let registration = match registered(path) {
        Ok(Some(known)) => known,
        Ok(None) => {
            let finding = text!("the state file {file_name} does not exist");
            return HealthCheck::warning(
                HealthTopic::WebHook,
                finding,
                "Check its name, or register the webhook.",
            );
        }
        Err(error) => return HealthCheck::of(HealthTopic::WebHook, &error),
    };
    let Some(id) = registration.web_hook_id else {
        let finding = text!("the state file {file_name} knows no registration");
        return HealthCheck::warning(HealthTopic::WebHook, finding, "Run `ensure_web_hook` with it again.");
    };
    if let Some(hooks) = &seen.web_hooks
        && hooks.iter().all(|hook| hook.id != id)
    {
        let finding = text!("the service does not have the webhook {id} of the state file {file_name}");
        let cure = "Run `ensure_web_hook` with it again: it registers a new one.";
        return HealthCheck::failed(HealthTopic::WebHook, finding, cure);
    }
    match registration.ends {
        Some(ends) if ends.0 - now <= SOON => HealthCheck::warning(
            HealthTopic::WebHook,
            text!("the credential of the webhook {id} expires at {ends}"),
            "Run `ensure_web_hook` again: it renews the registration.",
        ),
        _ if seen.web_hooks.is_none() => {
            HealthCheck::skipped(HealthTopic::WebHook, "the webhooks of the account could not be read")
        }
        _ => HealthCheck::passed(HealthTopic::WebHook, text!("the webhook {id} is registered")),
    }
}
