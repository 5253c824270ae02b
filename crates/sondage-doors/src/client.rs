//! A client, and everything that it does beside the operations.

use crate::answer::answered;
use crate::choices::{OfInterviews, OfMembers};
use crate::create::create;
use crate::given::Call;
use crate::language::{About, Language, Taken};
use crate::operations::Row;
use crate::outcome::{Done, Outcome, Work};
use crate::pages::Pages;
use crate::query::Query;
use crate::thing::Verbs;
use crate::{archive, settings, update, webhook};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use sondage::auth::TokenProvider;
use sondage::transport::writes::PendingWrite;
use sondage::{CallOptions, Effect, Error, Json, RawCall};

/// A client of the core with the options of its calls.
#[derive(Clone)]
pub struct Client {
    pub(crate) core: sondage::Client,
    options: CallOptions,
    /// Whether calls give the whole answer.
    pub(crate) whole: bool,
}

/// What can be different for calls.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    deadline: Option<f64>,
    extra: Option<IndexMap<String, Json>>,
    whole: Option<bool>,
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
    age: f64,
}

impl Client {
    /// A client. Nothing is sent before its first call.
    pub fn new<L: Language>(
        given: L::Given<'_>,
        provider: Option<impl TokenProvider + 'static>,
    ) -> Taken<Self, L> {
        let builder = settings::read::<L>(given)?;
        let client = match provider {
            Some(provider) => builder.token_provider(provider).build(),
            None => builder.build(),
        };
        Ok(client?.into())
    }

    /// A call to an operation: the shortest way there is.
    pub fn call<L: Language>(&self, row: &Row<L>, given: L::Given<'_>) -> Taken<Work<L>, L> {
        (row.make)(self, given)
    }

    /// The same client with other options for its calls. `name`: of the argument.
    pub fn with_options<L: Language>(&self, given: L::Given<'_>, name: &str) -> Taken<Self, L> {
        let about = About { call: "", argument: name, request: None };
        let Some(chosen) = L::read::<Option<Options>>(given, &about)? else { return Ok(self.clone()) };
        let mut client = self.clone();
        client.whole = chosen.whole.unwrap_or(self.whole);
        if let Some(time) = chosen.deadline {
            let place = if name.is_empty() { "deadline".to_owned() } else { format!("{name}.deadline") };
            client.options.deadline = Some(L::TIME.read_positive(&place, time)?);
        } else if chosen.extra.is_none() {
            return Ok(client);
        }
        client.options.extra.extend(chosen.extra.unwrap_or_default());
        client.core = self.core.with(client.options.clone());
        Ok(client)
    }

    fn raw<L: Language>(&self, Raw { path, body, effect }: Raw) -> Done<L> {
        let effects = [Effect::Read, Effect::Set, Effect::Create, Effect::Structural, Effect::Send];
        let Some(effect) = effects.into_iter().find(|known| known.as_str() == effect) else {
            let what = format!("effect must be read, set, create, structural or send, not {effect:?}");
            return Err(Error::invalid_argument(what).into());
        };
        let (core, call) = (self.core.clone(), RawCall::new(path, body, effect));
        Ok(Outcome::Later(answered(async move { core.raw(call).await }, self.whole)))
    }
}

impl From<sondage::Client> for Client {
    fn from(core: sondage::Client) -> Self {
        Self { core, options: CallOptions::new(), whole: false }
    }
}

impl<L: Language> Verbs<L> for Client {
    fn call(&self, call: Call<'_, L>) -> Done<L> {
        match call.verb {
            "withOptions" => Outcome::thing(self.with_options::<L>(call.given, "")?),
            "members" => {
                let pager = call.read::<OfMembers>()?.list(&self.core).pager();
                Outcome::thing(Pages::<L>::new(pager?))
            }
            "memberTable" => {
                let choices: OfMembers = call.read_of("members", "")?;
                Outcome::thing(Query::Members(choices.table(&self.core)))
            }
            "interviews" => {
                let choices: OfInterviews = call.read()?;
                Outcome::thing(Query::Interviews(choices.query(&self.core)))
            }
            "createFrom" => create(&self.core, call),
            "planUpdate" => update::plan(&self.core, call),
            "archive" => archive::archive(&self.core, &call),
            "confirm" => webhook::confirm(&self.core, &call),
            "missed" => webhook::missed(&self.core, &call),
            "raw" => self.raw(call.read()?),
            "pendingWrites" => Outcome::value(pending::<L>(self.core.pending_writes())),
            "close" => {
                let patience = L::TIME.read("patience", call.read_as("patience")?)?;
                let core = self.core.clone();
                Outcome::later(async move { Ok(pending::<L>(core.close(patience).await)) })
            }
            "logout" => {
                let core = self.core.clone();
                Outcome::later(async move { core.logout().await })
            }
            "explain" => Outcome::value(settings::explain::<L>(self.core.config())),
            _ => Err(call.unknown()),
        }
    }
}

fn pending<L: Language>(writes: Vec<PendingWrite>) -> Vec<Pending> {
    let told = |write: PendingWrite| Pending { operation: write.operation, age: L::TIME.count(write.age) };
    writes.into_iter().map(told).collect()
}
