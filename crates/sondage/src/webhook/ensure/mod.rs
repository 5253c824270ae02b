//! Ensures a webhook registration: creates it, updates it if needed, and otherwise leaves it unchanged.
//!
//! The service shows neither the address nor the token of a registration, so a list does not tell to whom a registration belongs.
//! Only the id does, which the caller or a state file keeps. An existing registration whose id is not known is assumed to be
//! somebody else's, unless the caller says otherwise.

mod print;
mod state;

use super::Hook;
use crate::arguments::EnsureWebHookOptions;
use crate::error::{Error, Result, Text};
use crate::job::{Job, Observer};
use crate::model::{
    CreateWebHookRequest, EventType, ReadWebHookListRequest, Secret, Timestamp, UpdateWebHookRequest, WebHook,
};
use crate::{Client, runtime, text};
use chrono::TimeDelta;
use futures_util::future::BoxFuture;
use sondage_macros::{report, words};
pub(crate) use state::registered;
use state::{Pending, State};
use std::fmt;

/// How long the service may still be processing a call that got no response.
const QUIET: TimeDelta = TimeDelta::minutes(3);

/// What was done with a registration.
#[words]
#[non_exhaustive]
pub enum EnsureOutcome {
    /// Created, by this run or by an earlier one that got no response.
    Created,
    /// Existed, and was registered again with another address, secret, event or entity.
    Updated,
    /// Existed and was up to date. Nothing was changed.
    Unchanged,
}

/// The registration that exists now.
#[report]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EnsuredWebHook {
    /// GUID of the registration. Store it, unless a state file does.
    pub web_hook_id: String,
    /// What was done.
    pub outcome: EnsureOutcome,
    /// The reason, in a sentence without a secret.
    pub reason: String,
    /// The event to which it subscribes.
    pub event_type: EventType,
    /// The survey that it watches, by its id, or `*` for all.
    pub entity_identifier: String,
    /// When the registered credential expires, if it does. A run in the last days before that registers a new one.
    pub ends: Option<Timestamp>,
    /// Other registrations for the same event and entity. The service calls each of them too.
    pub others: Vec<String>,
}

/// The registration to ensure.
struct WantedHook {
    hook: Hook,
    address: String,
    event_type: EventType,
    entity: String,
    /// Days before expiry in which the token is renewed.
    days: i64,
}

/// The decision.
enum Step {
    Create(String),
    Update(String, String),
    Leave(String, EnsureOutcome, &'static str),
}

async fn ensure(client: Client, hook: Hook, options: EnsureWebHookOptions) -> Result<EnsuredWebHook> {
    let hook_definition = WantedHook::new(hook, &options)?;
    let mut state = State::open(&client, &hook_definition, options.state.map(|path| path.0)).await?;
    let registration = match (options.web_hook_id, &state.kept.web_hook_id) {
        (Some(given), Some(kept)) if given != *kept => {
            let what = text!("`web_hook_id` is {given}, and the state file has {kept}");
            return Err(refused(what, "Give one of them."));
        }
        (given, kept) => given.or_else(|| kept.clone()),
    };
    let list = client.read_web_hook_list(ReadWebHookListRequest::new()).await?.web_hooks;
    let alike: Vec<&WebHook> = list.iter().filter(|hook| hook_definition.is_for(hook)).collect();
    let step = match registration {
        Some(id) => decide(&state, &hook_definition, id, &list, &alike).await?,
        None => search(&mut state, &hook_definition, &alike).await?,
    };
    let (id, outcome, reason) = match step {
        Step::Create(reason) => {
            (create(&client, &mut state, &hook_definition, &list).await?, EnsureOutcome::Created, reason)
        }
        Step::Update(id, reason) => {
            update(&client, &mut state, &hook_definition, &id).await?;
            (id, EnsureOutcome::Updated, reason)
        }
        Step::Leave(id, outcome, reason) => (id, outcome, reason.to_owned()),
    };
    let others = alike.iter().map(|hook| hook.id.clone()).filter(|other| *other != id).collect();
    let WantedHook { event_type, entity, hook, .. } = hook_definition;
    // An unchanged registration expires with the token that was registered, not with the one of the current hook.
    let ends = if outcome == EnsureOutcome::Unchanged { state.kept.ends } else { hook.ends() };
    Ok(EnsuredWebHook {
        web_hook_id: id,
        outcome,
        reason,
        event_type,
        entity_identifier: entity,
        ends,
        others,
    })
}

/// Decides about a registration whose id is known.
async fn decide(
    state: &State,
    wanted: &WantedHook,
    id: String,
    list: &[WebHook],
    alike: &[&WebHook],
) -> Result<Step> {
    let Some(there) = list.iter().find(|hook| hook.id == id) else {
        if alike.is_empty() {
            return Ok(Step::Create(format!("the registration {id} no longer exists")));
        }
        let what = text!(
            "the registration {id} no longer exists, and there are others for the same: {}",
            shown(alike)
        );
        return Err(refused(what, ADOPT));
    };
    if !wanted.is_for(there) {
        return Ok(Step::Update(id, "it was registered for another event or entity".to_owned()));
    }
    if !state.is_kept() {
        let why =
            "the service does not show what is registered, and there is no state file with a digest of it";
        return Ok(Step::Update(id, why.to_owned()));
    }
    if state.kept.print.is_none() {
        return Ok(Step::Update(id, "it is not known which address and secret are registered".to_owned()));
    }
    if !state.holds(wanted).await? {
        return Ok(Step::Update(id, "the address or the secret has changed".to_owned()));
    }
    if let Some(ends) = state.kept.ends.filter(|ends| wanted.is_near(*ends)) {
        return Ok(Step::Update(id, format!("the registration ends at {ends}")));
    }
    Ok(Step::Leave(id, EnsureOutcome::Unchanged, "it is registered with this address and this secret"))
}

/// Decides if no id is known: an earlier run may have sent a call without getting the response.
async fn search(state: &mut State, wanted: &WantedHook, alike: &[&WebHook]) -> Result<Step> {
    let Some(pending) = state.kept.pending.clone() else {
        if alike.is_empty() {
            return Ok(Step::Create("there was none".to_owned()));
        }
        let (event, entity) = (wanted.event_type.as_str(), &wanted.entity);
        let what = text!("there are webhooks for {event} of {entity} already: {}", shown(alike));
        return Err(refused(what, ADOPT));
    };
    let new: Vec<&WebHook> =
        alike.iter().copied().filter(|hook| !pending.before.contains(&hook.id)).collect();
    match new[..] {
        [] => {
            let decided = pending.at.0 + QUIET;
            if decided > Timestamp::now().0 {
                let what =
                    text!("whether a run at {} has registered the webhook is not known yet", pending.at);
                return Err(Error::outcome_unknown(what).with_hint(text!(
                    "This run has sent nothing. The service may still be at work until {}: run this again then.",
                    Timestamp(decided)
                )));
            }
            // The call did not take effect, so the other registrations are irrelevant: they existed when it was sent.
            state.kept.pending = None;
            Ok(Step::Create("an earlier run sent it, and it did not arrive".to_owned()))
        }
        [one] => {
            let id = one.id.clone();
            state.kept.web_hook_id = Some(id.clone());
            state.kept.pending = None;
            if state.holds(wanted).await? {
                state.write(Text::from("Nothing was sent.")).await?;
                let reason = "an earlier run sent it, and the list shows that it was created";
                return Ok(Step::Leave(id, EnsureOutcome::Created, reason));
            }
            Ok(Step::Update(id, "an earlier run registered it with another address or secret".to_owned()))
        }
        ref several => {
            let what = text!(
                "a run at {} was not answered, and several webhooks were made since: {}",
                pending.at,
                shown(several)
            );
            Err(refused(what, ADOPT))
        }
    }
}

async fn create(client: &Client, state: &mut State, wanted: &WantedHook, list: &[WebHook]) -> Result<String> {
    state.kept.web_hook_id = None;
    state.kept.pending =
        Some(Pending { before: list.iter().map(|hook| hook.id.clone()).collect(), at: Timestamp::now() });
    state.expect(wanted).await?;
    state.write(Text::from("Nothing was sent. Name a `state` in a folder where there is room.")).await?;
    let answer = match client.create_web_hook(wanted.registration()?).await {
        Ok(answer) => answer,
        Err(error) if error.changed_nothing() => {
            state.kept.pending = None;
            // A file that remains is resolved by the next run, which finds nothing to do.
            let _ = state.write(Text::default()).await;
            return Err(error);
        }
        Err(error) if state.is_kept() => {
            return Err(error.with_hint(
                "Run the same again after three minutes: it compares the list with what it was before, and registers nothing twice.",
            ));
        }
        Err(error) => {
            return Err(error.with_hint(
                "Compare `read_web_hook_list` with what it was before the call. With a `state`, the next run does so.",
            ));
        }
    };
    let id = answer.web_hook_id.ok_or_else(|| Error::unexpected_response("the response names no webhook"))?;
    let happened = text!("The webhook was registered as {id}. Give that as `web_hook_id`.");
    state.registered(&id, wanted, happened).await?;
    Ok(id)
}

async fn update(client: &Client, state: &mut State, wanted: &WantedHook, id: &str) -> Result<()> {
    // After a crash from here on, the next run does not know what is registered, and registers it again: that has no
    // further effect.
    state.kept.web_hook_id = Some(id.to_owned());
    state.kept.print = None;
    state.kept.pending = None;
    state.write(Text::from("Nothing was sent.")).await?;
    let CreateWebHookRequest { event_type, entity_identifier, web_hook_url, security_token, .. } =
        wanted.registration()?;
    let request = UpdateWebHookRequest::new(id)
        .event_type(event_type)
        .entity_identifier(entity_identifier)
        .web_hook_url(web_hook_url)
        // A previous token must not remain: empty is the published value for none (API 10.1).
        .security_token(security_token.unwrap_or_else(|| Secret::from("")));
    client.update_web_hook(request).await?;
    let happened = text!("The webhook {id} was changed. Run this again: it is then changed once more.");
    state.registered(id, wanted, happened).await
}

impl WantedHook {
    fn new(hook: Hook, options: &EnsureWebHookOptions) -> Result<Self> {
        // An invalid address is reported before anything is read.
        hook.url(&options.address)?;
        if options.entity_identifier.as_ref().is_some_and(String::is_empty) {
            let hint = "Leave it out if you mean all surveys.";
            return Err(Error::invalid_argument("`entity_identifier` is empty").with_hint(hint));
        }
        let mut hook_definition = Self {
            hook,
            address: options.address.clone(),
            event_type: options.event_type.clone(),
            entity: options.entity_identifier.clone().unwrap_or_else(|| "*".to_owned()),
            days: i64::try_from(options.renew_days).unwrap_or(i64::MAX),
        };
        if let Some(days) = hook_definition.hook.strategy().days() {
            // At most half of the validity: otherwise a token that is valid for a week would be renewed every day.
            hook_definition.days = hook_definition.days.min(i64::from(days / 2));
        }
        if hook_definition.hook.ends().is_some_and(|ends| hook_definition.is_near(ends)) {
            hook_definition.hook = hook_definition.hook.made_now();
        }
        Ok(hook_definition)
    }

    fn is_near(&self, ends: Timestamp) -> bool {
        let days = TimeDelta::try_days(self.days).unwrap_or(TimeDelta::MAX);
        ends.0.signed_duration_since(Timestamp::now().0) <= days
    }

    fn is_for(&self, hook: &WebHook) -> bool {
        hook.event_type.as_ref() == Some(&self.event_type)
            && hook.entity_identifier.as_deref() == Some(self.entity.as_str())
    }

    fn registration(&self) -> Result<CreateWebHookRequest> {
        self.hook.registration(&self.address, self.event_type.clone(), self.entity.clone())
    }
}

const ADOPT: &str = "If one of them is this one, give its id as `web_hook_id`: it is then registered with this address and secret. \
                     If it belongs to somebody else, subscribe with `create_web_hook`, and keep the id.";

/// `id (made 2026-05-01T10:00:00Z by somebody)`
fn shown(hooks: &[&WebHook]) -> String {
    let one = |hook: &&WebHook| {
        let created = hook.created_at.map(|at| format!("made {at}"));
        created.map_or_else(|| hook.id.clone(), |created| format!("{} ({created})", hook.id))
    };
    hooks.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn refused(what: impl Into<Text>, hint: &'static str) -> Error {
    Error::invalid_argument(what).with_hint(hint)
}

impl fmt::Display for EnsuredWebHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { web_hook_id, outcome, reason, event_type, entity_identifier, .. } = self;
        let word = outcome.as_str();
        write!(f, "webhook {web_hook_id} for {event_type} of {entity_identifier}: {word}, {reason}")?;
        if let Some(ends) = self.ends {
            write!(f, "\n  ends {ends}")?;
        }
        if !self.others.is_empty() {
            write!(f, "\n  others for the same: {}", self.others.join(", "))?;
        }
        Ok(())
    }
}

impl Job for EnsureWebHookOptions {
    type With = Hook;
    type Progress = ();
    type Report = EnsuredWebHook;

    fn run(
        self,
        client: &Client,
        hook: Hook,
        _: Option<Observer<()>>,
    ) -> BoxFuture<'static, Result<EnsuredWebHook>> {
        let client = client.clone();
        // The job continues if its caller is gone, so that what was sent is recorded.
        Box::pin(async move { runtime::spawn(ensure(client, hook, self)).await })
    }
}

impl Client {
    /// Ensures a registration: creates it, registers it again if the address or the secret has changed or expires soon, or
    /// leaves it unchanged.
    ///
    /// ```no_run
    /// # async fn example(client: sondage::Client, hook: sondage::webhook::Hook) -> sondage::Result<()> {
    /// use sondage::arguments::EnsureWebHookOptions;
    ///
    /// let options = EnsureWebHookOptions::new("https://acme.example/hooks", "InterviewComplete").state("webhook.json");
    /// println!("{}", client.ensure_web_hook(&hook, options).await?);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn ensure_web_hook(
        &self,
        hook: &Hook,
        options: EnsureWebHookOptions,
    ) -> Result<EnsuredWebHook> {
        options.run(self, hook.clone(), None).await
    }
}

#[cfg(feature = "blocking")]
impl crate::blocking::Client {
    /// Ensures a registration: see [`Client::ensure_web_hook`].
    pub fn ensure_web_hook(&self, hook: &Hook, options: EnsureWebHookOptions) -> Result<EnsuredWebHook> {
        runtime::block_on(options.run(self.as_async(), hook.clone(), None))
    }
}
