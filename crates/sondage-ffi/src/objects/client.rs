//! The client, and its methods that are not operations.

use crate::call::args::Attachment;
use crate::call::reply::Work;
use crate::handle::Handle;
use crate::language::{ArgContext, ArgResult, Language};
use crate::methods::{core, data, kinds};
use crate::objects::answer::typed;
use crate::objects::create;
use crate::objects::import::{self, ImportReport};
use crate::objects::operations::Row;
use crate::objects::pages::Pages;
use crate::objects::settings::{self, Explanation};
use crate::objects::store::{Keeper, TextStore};
use crate::objects::update::{self, Plan};
use crate::objects::webhook::{self, EventToConfirm};
use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::IgnoredAny;
use sondage::arguments::{
    CreateMemberOptions, DoctorOptions, EnsureWebHookOptions, InterviewsOptions, MembersOptions,
    MissedOptions, TraceOptions,
};
use sondage::auth::TokenProvider;
use sondage::config::ClientBuilder;
use sondage::job::Job as _;
use sondage::reports::{
    BudgetReport, Confirmation, Diagnosis, EnsuredWebHook, FactsReport, MissedEvents, PendingCall,
    PendingWrite, Trace, WriteOutcomes,
};
use sondage::{CallOptions, Effect, Error, Json, RawCall, Secret};
use sondage_data::{Query, member_list};
use sondage_jobs::options::{CreateOptions, ImportOptions, UpdateOptions};

/// A client of the core with the options of its calls.
#[derive(Clone)]
pub struct Client {
    pub(crate) core: sondage::Client,
    options: CallOptions,
    /// Whether calls return the whole response.
    pub(crate) whole: bool,
}

/// The options of a call, as the languages pass them.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientOptions {
    deadline: Option<f64>,
    attempts: Option<u32>,
    timeout: Option<f64>,
    headers: Option<IndexMap<String, Secret>>,
    extra: Option<IndexMap<String, Json>>,
    /// The binding has already removed it. It is listed here so that it is a known option.
    #[serde(rename = "signal")]
    _signal: Option<IgnoredAny>,
}

/// A call to an operation that is not in the table.
#[derive(Deserialize)]
pub struct RawOptions {
    path: String,
    body: Json,
    effect: String,
}

impl Client {
    /// A client. Nothing is sent before its first call.
    pub fn new<L: Language>(
        given: L::Args<'_>,
        provider: Option<impl TokenProvider + 'static>,
    ) -> ArgResult<Self, L> {
        Self::of(settings::read::<L>(given)?, provider)
    }

    /// The same with a token store of the program.
    pub fn with_store<L: Language>(
        given: L::Args<'_>,
        provider: Option<impl TokenProvider + 'static>,
        store: impl TextStore + 'static,
    ) -> ArgResult<Self, L> {
        Self::of(settings::read::<L>(given)?.token_store(Keeper(store)), provider)
    }

    fn of<E: From<Error>>(
        builder: ClientBuilder,
        provider: Option<impl TokenProvider + 'static>,
    ) -> Result<Self, E> {
        let client = match provider {
            Some(provider) => builder.token_provider(provider).build(),
            None => builder.build(),
        };
        Ok(client?.into())
    }

    /// A call to an operation, by the shortest path.
    pub fn call<L: Language>(&self, row: &Row<L>, given: L::Args<'_>) -> ArgResult<Work<L>, L> {
        (row.make)(self, given)
    }

    /// The same client with this span as the parent of its calls.
    #[must_use]
    pub fn under(&self, parent: String) -> Self {
        let mut client = self.clone();
        client.options.parent = Some(parent.into());
        client.core = self.core.with(client.options.clone());
        client
    }

    /// A client of the core that was made from this one, with the same form of responses.
    pub(crate) fn over(&self, core: sondage::Client) -> Self {
        Self { options: core.call_options().clone(), core, whole: self.whole }
    }

    /// The same client with other call options. `name`: the argument's name.
    pub fn with_options<L: Language>(&self, given: L::Args<'_>, name: &str) -> ArgResult<Self, L> {
        let context = ArgContext { call: "", argument: name, request: None };
        self.with::<L>(L::read(given, &context)?, name)
    }

    fn with<L: Language>(&self, chosen: Option<ClientOptions>, name: &str) -> ArgResult<Self, L> {
        let Some(chosen) = chosen else { return Ok(self.clone()) };
        let mut client = self.clone();
        let mut options = CallOptions::new();
        for (option, given, chosen) in [
            ("deadline", chosen.deadline, &mut options.deadline),
            ("timeout", chosen.timeout, &mut options.timeout),
        ] {
            let Some(time) = given else { continue };
            let path = if name.is_empty() { option.to_owned() } else { format!("{name}.{option}") };
            *chosen = Some(L::TIME.read_positive(&path, time)?);
        }
        options.attempts = chosen.attempts;
        options.headers = chosen.headers.unwrap_or_default();
        options.extra = chosen.extra.unwrap_or_default();
        client.options = self.options.and(options)?;
        client.core = self.core.with(client.options.clone());
        Ok(client)
    }
}

impl From<sondage::Client> for Client {
    fn from(core: sondage::Client) -> Self {
        Self { core, options: CallOptions::new(), whole: false }
    }
}

impl<L: Language> core::client::Methods<L> for Client {
    fn with_options(&self, options: Option<ClientOptions>) -> ArgResult<Self, L> {
        self.with::<L>(options, "")
    }

    fn whole(&self) -> ArgResult<Self, L> {
        Ok(Self { whole: true, ..self.clone() })
    }

    fn members(&self, options: MembersOptions) -> ArgResult<Pages<L>, L> {
        Ok(Pages::new(member_list(&self.core, options).pager()?))
    }

    fn trace(&self, options: TraceOptions) -> ArgResult<kinds::Call<Trace>, L> {
        Ok(options.run(&self.core, (), None))
    }

    fn doctor(&self, options: DoctorOptions) -> ArgResult<kinds::Call<Diagnosis>, L> {
        Ok(options.run(&self.core, (), None))
    }

    fn create_member(&self, options: CreateMemberOptions) -> ArgResult<kinds::Call<i64>, L> {
        Ok(options.run(&self.core, (), None))
    }

    fn confirm_event(&self, event: EventToConfirm) -> ArgResult<kinds::Call<Confirmation>, L> {
        Ok(webhook::confirm(&self.core, event))
    }

    fn missed_events(
        &self,
        options: MissedOptions,
        guard: Attachment<'_, L>,
    ) -> ArgResult<kinds::Call<MissedEvents>, L> {
        let guard = match guard {
            Attachment::Handle(Handle::Guard(guard)) => Some(guard),
            _ => None,
        };
        Ok(webhook::missed(&self.core, options, guard))
    }

    fn ensure_web_hook(
        &self,
        options: EnsureWebHookOptions,
        hook: Attachment<'_, L>,
    ) -> ArgResult<kinds::Call<EnsuredWebHook>, L> {
        let Attachment::Handle(Handle::Hook(hook)) = hook else {
            return Err(Error::invalid_argument("`hook` is not a webhook").into());
        };
        Ok(options.run(&self.core, hook.clone(), None))
    }

    fn raw(&self, options: RawOptions) -> ArgResult<Work<L>, L> {
        let RawOptions { path, body, effect } = options;
        let effects =
            [Effect::Read, Effect::IdempotentWrite, Effect::Create, Effect::SchemaChange, Effect::Send];
        let Some(effect) = effects.into_iter().find(|known| known.as_str() == effect) else {
            let what = format!(
                "effect must be read, idempotent_write, create, schema_change or send, not {effect:?}"
            );
            return Err(Error::invalid_argument(what).into());
        };
        let (core, call, whole) = (self.core.clone(), RawCall::new(path, body, effect), self.whole);
        Ok(Box::pin(async move { Ok(typed(core.raw(call).await?, whole)) }))
    }

    fn pending_calls(&self) -> ArgResult<Vec<PendingCall>, L> {
        Ok(self.core.pending_calls())
    }

    fn pending_writes(&self) -> ArgResult<Vec<PendingWrite>, L> {
        Ok(self.core.pending_writes())
    }

    fn write_outcomes(&self) -> ArgResult<kinds::Call<WriteOutcomes>, L> {
        let core = self.core.clone();
        Ok(Box::pin(async move { core.write_outcomes().await }))
    }

    fn service_facts(&self) -> ArgResult<FactsReport, L> {
        Ok(self.core.service_facts())
    }

    fn budget(&self) -> ArgResult<BudgetReport, L> {
        Ok(self.core.budget())
    }

    fn close(&self, timeout: f64) -> ArgResult<kinds::Call<Vec<PendingWrite>>, L> {
        let (core, timeout) = (self.core.clone(), L::TIME.read("timeout", timeout)?);
        Ok(Box::pin(async move { Ok(core.close(timeout).await) }))
    }

    fn logout(&self) -> ArgResult<kinds::Call<()>, L> {
        let core = self.core.clone();
        Ok(Box::pin(async move { core.logout().await }))
    }

    fn explain(&self) -> ArgResult<Explanation, L> {
        Ok(settings::explain::<L>(self.core.config()))
    }
}

impl<L: Language> data::client::Methods<L> for Client {
    fn member_table(&self, options: MembersOptions) -> ArgResult<Query, L> {
        Ok(Query::members(&self.core, options))
    }

    fn interviews(&self, options: InterviewsOptions) -> ArgResult<Query, L> {
        Ok(Query::interviews(&self.core, options))
    }

    fn create_members_from(
        &self,
        options: CreateOptions,
        rows: Attachment<'_, L>,
    ) -> ArgResult<kinds::Call<ImportReport>, L> {
        create::create(&self.core, options, rows)
    }

    fn import_members(
        &self,
        options: ImportOptions,
        rows: Attachment<'_, L>,
    ) -> ArgResult<kinds::Call<ImportReport>, L> {
        import::import::<L>(&self.core, options, rows)
    }

    fn plan_update(
        &self,
        options: UpdateOptions,
        rows: Attachment<'_, L>,
    ) -> ArgResult<kinds::Call<Plan>, L> {
        update::plan(&self.core, options, rows)
    }
}
