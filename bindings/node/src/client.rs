//! The client behind `Client` and `BlockingClient`.

use crate::error::{refused, thrown};
use crate::from_js::from_js;
use crate::pages::Pages;
use crate::queries::{Asked, Query};
use crate::to_js::to_js;
use crate::tokens::Provider;
use crate::work::Work;
use crate::{operations, settings};
use indexmap::IndexMap;
use napi::Env;
use napi::bindgen_prelude::{Function, Promise, Unknown};
use napi_derive::napi;
use serde::{Deserialize, Serialize};
use sondage::condition::Expression;
use sondage::model::OrderDirection;
use sondage::paging::Order;
use sondage::transport::writes::PendingWrite;
use sondage::{CallOptions, Client, Effect, Error, Json, RawCall, Timestamp};
use sondage_data::Tables;
use std::time::Duration;

/// What can be different for a single call.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    /// Milliseconds.
    deadline: Option<f64>,
    extra: Option<IndexMap<String, Json>>,
    whole: Option<bool>,
}

/// What can be chosen about a list of members.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Members {
    panel_id: i64,
    fields: Option<Vec<String>>,
    r#where: Option<Expression>,
    interviews: Option<bool>,
    page_size: Option<i64>,
    check_count: Option<bool>,
    definition: Option<bool>,
    language: Option<String>,
}

/// What can be chosen about the interviews of a survey.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Interviews {
    survey_id: i64,
    fields: Option<Vec<String>>,
    r#where: Option<Expression>,
    state: Option<String>,
    updated_since: Option<Timestamp>,
    page_size: Option<i64>,
    first_page: Option<i64>,
    order_by: Option<String>,
    descending: Option<bool>,
    check_count: Option<bool>,
    structured: Option<bool>,
    code_plan: Option<bool>,
}

/// A call to an operation that the table does not know.
#[derive(Deserialize)]
struct Raw {
    path: String,
    body: Json,
    effect: String,
}

/// A write that is under way.
#[derive(Serialize)]
struct Pending {
    operation: String,
    /// Milliseconds.
    age: f64,
}

impl Pending {
    fn list(writes: Vec<PendingWrite>) -> Vec<Self> {
        let of =
            |write: PendingWrite| Self { operation: write.operation, age: write.age.as_secs_f64() * 1e3 };
        writes.into_iter().map(of).collect()
    }
}

/// Sets what was chosen, and leaves the rest as it is.
macro_rules! choose {
    ($query:ident: $($chosen:expr => $method:ident;)*) => {
        $(if let Some(value) = $chosen { $query = $query.$method(value); })*
    };
}

/// A client of the core.
#[napi]
pub struct NativeClient(Client);

impl NativeClient {
    /// A client that is there already.
    pub fn of(client: Client) -> Self {
        Self(client)
    }

    /// The core's client.
    pub fn core(&self) -> Client {
        self.0.clone()
    }

    /// The core's client with the options of one call.
    fn with(&self, env: &Env, options: Unknown<'_>) -> napi::Result<(Client, bool)> {
        let read: Option<Options> =
            from_js(options, None).map_err(|fault| refused(env, &fault.under("options"), None))?;
        let Some(read) = read else { return Ok((self.0.clone(), false)) };
        let whole = read.whole.unwrap_or_default();
        if read.deadline.is_none() && read.extra.is_none() {
            return Ok((self.0.clone(), whole));
        }
        let deadline = read.deadline.map(|millis| time(env, "options.deadline", millis)).transpose()?;
        let extra = read.extra.unwrap_or_default();
        Ok((self.0.with(CallOptions { deadline, extra }), whole))
    }

    fn query(&self, env: &Env, choices: Unknown<'_>) -> napi::Result<(sondage::paging::Members, Members)> {
        let mut choices: Members = from_js(choices, None).map_err(|fault| refused(env, &fault, None))?;
        let mut query = self.0.members(choices.panel_id);
        choose! { query:
            choices.fields.take() => fields;
            choices.r#where.take() => filter;
            choices.page_size => page_size;
            choices.check_count => check_count;
        }
        Ok((if choices.interviews == Some(true) { query.interviews() } else { query }, choices))
    }

    fn survey(&self, env: &Env, choices: Unknown<'_>) -> napi::Result<sondage_data::Interviews> {
        let choices: Interviews = from_js(choices, None).map_err(|fault| refused(env, &fault, None))?;
        let mut query = self.0.interviews(choices.survey_id);
        let descending = choices.descending == Some(true);
        let direction = if descending { OrderDirection::Descending } else { OrderDirection::Ascending };
        choose! { query:
            choices.fields => fields;
            choices.r#where => filter;
            choices.state.as_deref() => state;
            choices.updated_since => updated_since;
            choices.page_size => page_size;
            choices.first_page => first_page;
            choices.order_by.map(|field| Order::By(field, direction)) => order;
            choices.check_count => check_count;
        }
        if choices.structured == Some(true) {
            query = query.structured();
        }
        Ok(if choices.code_plan == Some(false) { query.without_code_plan() } else { query })
    }
}

#[napi]
impl NativeClient {
    /// A client. Nothing is sent before its first call.
    #[napi(constructor, catch_unwind)]
    pub fn new(
        env: &Env,
        settings: Unknown<'_>,
        provider: Option<Function<'_, (), Promise<String>>>,
    ) -> napi::Result<Self> {
        let mut builder = settings::read(settings).map_err(|error| thrown(env, &error))?;
        if let Some(function) = provider {
            builder = builder.token_provider(Provider::new(&function)?);
        }
        builder.build().map(Self).map_err(|error| thrown(env, &error))
    }

    /// A call to an operation of the table, by its place there.
    #[napi(catch_unwind)]
    pub fn call(
        &self,
        env: &Env,
        operation: u32,
        request: Unknown<'_>,
        options: Unknown<'_>,
    ) -> napi::Result<Work> {
        let (client, whole) = self.with(env, options)?;
        operations::work(env, &client, operation, request, whole)
    }

    /// A call to an operation that the table does not know.
    #[napi(catch_unwind)]
    pub fn raw(&self, env: &Env, call: Unknown<'_>, options: Unknown<'_>) -> napi::Result<Work> {
        let call: Raw = from_js(call, None).map_err(|fault| refused(env, &fault, None))?;
        let effects = [Effect::Read, Effect::Set, Effect::Create, Effect::Structural, Effect::Send];
        let Some(effect) = effects.into_iter().find(|effect| effect.as_str() == call.effect) else {
            let what = "effect must be read, set, create, structural or send";
            return Err(thrown(env, &Error::invalid_argument(what)));
        };
        let (client, whole) = self.with(env, options)?;
        let call = RawCall { path: call.path, body: call.body, effect };
        Ok(operations::answered(async move { client.raw(call).await }, whole))
    }

    /// The complete list of a paged operation.
    #[napi(catch_unwind)]
    pub fn pages(&self, env: &Env, operation: u32, request: Unknown<'_>) -> napi::Result<Pages> {
        operations::list(env, &self.0, operation, request)
    }

    /// The members of a panel, page by page.
    #[napi(catch_unwind)]
    pub fn members(&self, env: &Env, choices: Unknown<'_>) -> napi::Result<Pages> {
        Pages::new(env, self.query(env, choices)?.0.pager())
    }

    /// The members of a panel, for tables and files.
    #[napi(catch_unwind)]
    pub fn member_query(&self, env: &Env, choices: Unknown<'_>) -> napi::Result<Query> {
        let (query, choices) = self.query(env, choices)?;
        let mut query = self.0.member_table(query);
        if choices.definition == Some(true) {
            query = query.with_definition(choices.language.as_deref());
        }
        Ok(Query(Asked::Members(query)))
    }

    /// The interviews of a survey.
    #[napi(catch_unwind)]
    pub fn interview_query(&self, env: &Env, choices: Unknown<'_>) -> napi::Result<Query> {
        Ok(Query(Asked::Interviews(self.survey(env, choices)?)))
    }

    /// Writes that have been sent and not been answered.
    #[napi(catch_unwind)]
    pub fn pending_writes<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        to_js(env, &Pending::list(self.0.pending_writes()))
    }

    /// Takes no more calls and waits for writes that are under way. Gives those that still are.
    #[napi(catch_unwind)]
    pub fn close(&self, env: &Env, patience: f64) -> napi::Result<Work> {
        let patience = time(env, "patience", patience)?;
        let client = self.0.clone();
        Ok(Work::new(async move { Ok(Pending::list(client.close(patience).await)) }))
    }

    /// Every setting, and where it comes from.
    #[napi(catch_unwind)]
    pub fn explain<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        to_js(env, &settings::explain(self.0.config()))
    }
}

/// A time that was given in milliseconds.
fn time(env: &Env, name: &str, millis: f64) -> napi::Result<Duration> {
    Duration::try_from_secs_f64(millis / 1e3).map_err(|_| {
        let what = format!("{name} must be a number of milliseconds, not {millis}");
        thrown(env, &Error::invalid_argument(what))
    })
}
