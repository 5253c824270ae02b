//! The handle of a running sandbox.

use crate::account::{Account, Facts, KeptState};
use crate::builder::Builder;
use crate::clock::{Clock, ClockState};
use crate::console;
use crate::delivery::{Cause, Deliveries, Fill, GivenRows};
use crate::fault::{Fault, FaultHandle};
use crate::ledger::Ledger;
use crate::profile::Profile;
use crate::server::SandboxServer;
use crate::state::ServerState;
use crate::storage::{self, StateHead};
use crate::world::PlatformState;
use indexmap::IndexMap;
use serde_json::Value;
use sondage::config::{ClientBuilder, Environment};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A survey platform that runs in this process. It stops when it is dropped.
///
/// It starts with three accounts: `demo` and `other` in the data center `eu`, `alpine` in `swiss`. The shortcuts here
/// ([`base_url`](Self::base_url), [`panel_id`](Self::panel_id), ...) are those of `demo`.
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// let sandbox = sondage_sandbox::Sandbox::demo_blocking()?;
/// assert!(sandbox.base_url().starts_with("http://127.0.0.1:"));
/// assert!(sandbox.ledger().requests("*").is_empty());
/// # Ok(())
/// # }
/// ```
pub struct Sandbox {
    shared: Arc<ServerState>,
    server: SandboxServer,
    accounts: Vec<Account>,
    /// Its settings, to begin anew.
    builder: Builder,
    head: StateHead,
    kept: Option<KeptState>,
    console: String,
}

impl Sandbox {
    /// Starts one with the demo seed on free ports.
    pub async fn demo() -> io::Result<Self> {
        Self::builder().start().await
    }

    /// The same from blocking code.
    pub fn demo_blocking() -> io::Result<Self> {
        Self::builder().start_blocking()
    }

    /// Starts one with other settings.
    pub fn builder() -> Builder {
        Builder::default()
    }

    pub(crate) fn new(
        shared: Arc<ServerState>,
        server: SandboxServer,
        accounts: Vec<Account>,
        (builder, head, kept): (Builder, StateHead, Option<KeptState>),
    ) -> io::Result<Self> {
        if accounts.is_empty() || head.seeded.is_empty() {
            return Err(io::Error::other("the seed made no account"));
        }
        let console = console::address(&accounts[0].base_url, &shared.console_key);
        Ok(Self { shared, server, accounts, builder, head, kept, console })
    }

    /// The account `demo`.
    pub fn account(&self) -> &Account {
        &self.accounts[0]
    }

    /// All accounts, `demo` first.
    pub fn accounts(&self) -> &[Account] {
        &self.accounts
    }

    /// An account by its tenant.
    pub fn account_of(&self, tenant: &str) -> Option<&Account> {
        self.accounts.iter().find(|account| account.tenant == tenant)
    }

    /// The settings of a client of `demo`, with client credentials. The environment and profile files are ignored.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let sandbox = sondage_sandbox::Sandbox::demo_blocking()?;
    /// let client = sandbox.client().build_blocking()?;
    /// assert_eq!(client.members(sandbox.panel_id()).into_iter().count(), 200);
    /// # Ok(())
    /// # }
    /// ```
    pub fn client(&self) -> ClientBuilder {
        ClientBuilder::new()
            .environment(Environment::empty())
            .base_url(self.base_url())
            .auth_url(self.auth_url())
            .tenant(self.tenant())
            .client_secret(self.client_secret())
    }

    /// The address of the public API.
    pub fn base_url(&self) -> &str {
        &self.account().base_url
    }

    /// The address of the authentication server.
    pub fn auth_url(&self) -> &str {
        &self.account().auth_url
    }

    /// `demo`
    pub fn tenant(&self) -> &str {
        &self.account().tenant
    }

    /// `demo_api`
    pub fn client_id(&self) -> &str {
        &self.account().client_id
    }

    /// The secret of that client, new in each sandbox.
    pub fn client_secret(&self) -> &str {
        &self.account().client_secret
    }

    /// A user with all permissions.
    pub fn username(&self) -> &str {
        &self.account().username
    }

    /// That user's password, new in each sandbox.
    pub fn password(&self) -> &str {
        &self.account().password
    }

    /// The panel `Newsletter readers`: 200 members.
    pub fn panel_id(&self) -> i64 {
        self.account().panel_id
    }

    /// The panel `Customers`: 12 members, with mandatory and unique fields.
    pub fn customer_panel_id(&self) -> i64 {
        self.head.seeded[0].customer_panel_id
    }

    /// The American National Election Study 1996: 944 completed interviews. With [`Builder::frame`] or [`Builder::survey`], the first of
    /// those, frames before files; else with
    /// [`Content::Waves`](crate::Content::Waves) the newer wave.
    pub fn survey_id(&self) -> i64 {
        self.account().survey_id
    }

    /// The survey `Newsletter feedback`: 60 interviews in every state, with members behind them.
    pub fn feedback_survey_id(&self) -> i64 {
        self.head.seeded[0].feedback_survey_id
    }

    /// The survey of [`Builder::generated_survey`].
    pub fn generated_survey_id(&self) -> Option<i64> {
        self.head.added.generated
    }

    /// The survey of [`Builder::data`].
    pub fn data_survey_id(&self) -> Option<i64> {
        self.head.added.data
    }

    /// The surveys of [`Builder::content`], then those of [`Builder::survey`]: their ids by their names, which are those of the files,
    /// with their folders if two files have the same name.
    pub fn survey_ids(&self) -> &IndexMap<String, i64> {
        &self.head.added.own
    }

    /// What of a survey's questionnaire is not carried out when people answer, such as calculations and loops: a line for each
    /// kind, with all places. The error says that there is no such survey.
    pub fn not_carried_out(&self, survey_id: i64) -> io::Result<Vec<String>> {
        let world = self.shared.world();
        let survey = world.tenants.iter().find_map(|tenant| tenant.surveys.get(&survey_id));
        let why = || io::Error::new(io::ErrorKind::InvalidInput, format!("there is no survey {survey_id}"));
        survey.map(|survey| survey.not_carried_out.clone()).ok_or_else(why)
    }

    /// The demo account, its other ids and the key for the control endpoints: everything that another program needs.
    pub fn facts(&self) -> Facts<'_> {
        Facts {
            account: self.account(),
            customer_panel_id: self.customer_panel_id(),
            feedback_survey_id: self.feedback_survey_id(),
            generated_survey_id: self.generated_survey_id(),
            data_survey_id: self.data_survey_id(),
            survey_ids: self.survey_ids(),
            state: self.state().map(|state| state.folder.as_str()),
            state_cut_bytes: self.state().map(|state| state.cut_bytes),
            console_url: self.console(),
            control_key: self.control_key(),
        }
    }

    /// The folder of [`Builder::state`], and what was found there.
    pub fn state(&self) -> Option<&KeptState> {
        self.kept.as_ref()
    }

    /// The address of the console: pages that show the state of the sandbox in a browser, on this machine only. It contains a
    /// key that is new in each run; without it the status is 403.
    pub fn console(&self) -> &str {
        &self.console
    }

    /// A message template for invitations.
    pub fn message_template_id(&self) -> i64 {
        self.account().message_template_id
    }

    /// The workspace that holds the surveys.
    pub fn workspace_id(&self) -> i64 {
        self.account().workspace_id
    }

    /// The clock, which can be moved. A sandbox with a state stores each change at once.
    pub fn clock(&self) -> Clock {
        self.shared.clock.kept_by(&self.shared)
    }

    /// The requests that arrived and the effects so far.
    pub fn ledger(&self) -> Ledger {
        self.shared.catch_up();
        self.shared.ledger.clone()
    }

    /// Injects a fault into future calls.
    ///
    /// # Panics
    ///
    /// If it names a target that does not exist, because such a fault would never be hit.
    #[allow(clippy::must_use_candidate)]
    pub fn fault(&self, fault: Fault) -> FaultHandle {
        self.shared.faults.put(fault)
    }

    /// Removes all faults.
    pub fn clear_faults(&self) {
        self.shared.faults.clear();
    }

    /// The behaviour where nothing is published.
    pub fn profile(&self) -> Profile {
        (*self.shared.profile()).clone()
    }

    /// Changes the behaviour for future calls.
    pub fn change_profile(&self, change: impl FnOnce(&mut Profile)) {
        let mut profile = self.profile();
        change(&mut profile);
        self.shared.set_profile(profile);
    }

    /// Revokes every token immediately, as a service does after a breach.
    pub fn revoke_tokens(&self) {
        self.shared.tokens().end_all();
    }

    /// The key for the endpoints below `/_sandbox/`: `Authorization: Sandbox <key>`. They set clock, faults and profile
    /// and read the ledger from any language.
    pub fn control_key(&self) -> &str {
        &self.shared.control_key
    }

    /// Lets invented people answer a published survey, and returns the ids of their interviews: first those who were invited and have
    /// not answered, then others through its public link. They see what the conditions show them, keep to types, choices and ranges,
    /// choose unevenly, leave questions out, answer "not available" where that is offered, and write beside choices.
    ///
    /// The error says why nobody answered; one of the kind [`io::ErrorKind::Other`] says that their answers could not be stored yet.
    pub fn fill(&self, fill: &Fill) -> io::Result<Vec<String>> {
        let ids = self.shared.fill(fill).map_err(|why| io::Error::new(io::ErrorKind::InvalidInput, why))?;
        self.shared.check_stored().map_err(io::Error::other).map(|()| ids)
    }

    /// Adds interviews with these answers to a published survey, and returns their ids. The error names every row and column
    /// that the survey does not accept, at most 20 of them; then nothing was added. [`Profile::accepted_answers`] decides which are
    /// accepted.
    pub fn answer(&self, given: &GivenRows) -> io::Result<Vec<String>> {
        let ids =
            self.shared.answer(given).map_err(|why| io::Error::new(io::ErrorKind::InvalidInput, why))?;
        self.shared.check_stored().map_err(io::Error::other).map(|()| ids)
    }

    /// An error if changes are made, but could not be stored yet, for example those of the [clock](Self::clock).
    pub fn ensure_stored(&self) -> io::Result<()> {
        self.shared.check_stored().map_err(io::Error::other)
    }

    /// A member opts out.
    pub fn opt_out(&self, member_id: i64) {
        self.emit(Cause::OptOut { member_id });
    }

    /// Somebody completes an interview, with answers by the codes of the survey's variables. `false` if there is no such
    /// interview.
    ///
    /// # Panics
    ///
    /// If the survey does not accept these answers, as [`emit`](Self::emit).
    #[allow(clippy::must_use_candidate)]
    pub fn complete_interview(&self, id: &str, answers: &[(&str, Value)]) -> bool {
        let answers = answers.iter().map(|(code, answer)| ((*code).to_owned(), answer.clone())).collect();
        self.emit(Cause::Complete { id: id.to_owned(), answers })
    }

    /// Triggers an event on the platform, and notifies its subscribers. `false` if there is no such interview, member or
    /// survey.
    ///
    /// # Panics
    ///
    /// If it is a [`Cause::Complete`] with answers that the survey does not accept: [`try_emit`](Self::try_emit) returns an error.
    #[allow(clippy::must_use_candidate, clippy::panic)]
    pub fn emit(&self, cause: Cause) -> bool {
        self.try_emit(cause).unwrap_or_else(|why| panic!("{why}"))
    }

    /// As [`emit`](Self::emit), with an error that names every answer of a [`Cause::Complete`] that the survey does not accept; then
    /// nothing was changed. [`Profile::accepted_answers`] decides which are accepted.
    pub fn try_emit(&self, cause: Cause) -> io::Result<bool> {
        self.shared.emit(cause).map_err(|why| io::Error::new(io::ErrorKind::InvalidInput, why))
    }

    /// Writes a copy of the sandbox to a folder, which is created if it is missing; an earlier copy in it is replaced.
    /// [`restore`](Self::restore) goes back to it, and [`Builder::state`] continues with it.
    ///
    /// It has content, credentials and the clock, but no tokens, faults, settings or undelivered events.
    pub fn snapshot(&self, folder: impl AsRef<Path>) -> io::Result<()> {
        let clock = self.shared.clock.state();
        let kept = self.kept.as_ref().map(|kept| Path::new(&kept.folder));
        storage::write_copy(folder.as_ref(), &mut self.shared.world_mut(), &self.head, clock, kept)
    }

    /// Goes back to a copy that [`snapshot`](Self::snapshot) wrote, of this sandbox or of one with the same accounts and surveys at its
    /// start. Content and clock are those of the copy; credentials, addresses and tokens stay. Undelivered events are dropped.
    ///
    /// After an error nothing was changed.
    pub fn restore(&self, folder: impl AsRef<Path>) -> io::Result<()> {
        let stored = storage::read_copy(folder.as_ref())?;
        if (&stored.head.seeded, &stored.head.added) != (&self.head.seeded, &self.head.added) {
            let why = "the copy is of a sandbox that was started with other content: start one with its folder as `state`. Nothing was \
                       changed";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        if let Some(name) = stored.head.difference(&self.head) {
            let why = format!(
                "the copy is of a sandbox that was started with another `{name}`: start one with its folder as `state`, or with the same \
                 settings. Nothing was changed"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        self.shared.replace_world(stored.world, stored.clock)?;
        self.shared.desk.drop_waiting();
        Ok(())
    }

    /// Goes back to the start: content, clock and settings are those of a new sandbox; ledger, faults and deliveries are empty.
    /// Credentials, addresses and tokens stay.
    ///
    /// A folder of [`Builder::state`] has its start; else it is made anew. After an error nothing was changed, for example if a file of
    /// [`Builder::data`] is not there any more.
    pub fn reset(&self) -> io::Result<()> {
        let world = match self.shared.stored_start()? {
            Some(start) => start.world,
            None => self.world_of_settings()?,
        };
        self.shared.replace_world(world, ClockState::default())?;
        self.shared.set_profile(self.builder.first_profile());
        self.shared.desk.drop_waiting();
        self.deliveries().clear_faults();
        self.deliveries().clear();
        self.clear_faults();
        self.ledger().clear();
        Ok(())
    }

    /// The world that the settings make, if they are those of the head.
    fn world_of_settings(&self) -> io::Result<PlatformState> {
        let settings = self.builder.content_settings()?;
        if settings == self.head.content {
            return self.builder.new_world().map(|(world, ..)| world);
        }
        let differs = |(name, value): &(&String, &String)| settings.get(*name) != Some(*value);
        let missing: Vec<&str> =
            self.head.content.iter().filter(differs).map(|(name, _)| name.as_str()).collect();
        let why = format!(
            "the state does not have its start, and was made with settings that this sandbox was not started with, or with files that \
             have changed since ({}): start it with the same ones. Nothing was changed",
            missing.join(", ")
        );
        Err(io::Error::new(io::ErrorKind::InvalidInput, why))
    }

    /// Deliveries to subscribers, made and pending.
    pub fn deliveries(&self) -> Deliveries {
        Deliveries(Arc::clone(&self.shared))
    }

    /// Stops it and waits until the ports are closed. Dropping it does the same.
    pub fn stop(self) {
        drop(self);
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.server.stop();
        self.shared.close_state();
    }
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sandbox").field("accounts", &self.accounts).finish_non_exhaustive()
    }
}
