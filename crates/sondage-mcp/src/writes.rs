//! What a confirmed plan runs: a call, or a job that determines exactly who gets a message.

use crate::calls::{self, CallFailure};
use crate::plans::{Done, canonical, sort};
use crate::schemas::Schemas;
use crate::{McpOptions, mask, privacy, wording};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use sondage::arguments::{ArgumentType, Options, OptionsSchema};
use sondage::condition::Expression;
use sondage::internals::schema::Role;
use sondage::operation::OperationInfo;
use sondage::{Client, Delivery, Effect, operations};
use sondage_jobs::options::{
    CreateAndInviteOptions, InviteOptions, RedeemOptions, RemindOptions, SendMailOptions, TransitionOptions,
};
use sondage_jobs::{Jobs as _, SendPlan};
use std::fmt;
use std::pin::Pin;

/// A write that was planned.
#[derive(Debug)]
pub enum Write {
    /// A call of an operation.
    Call(&'static OperationInfo, Map<String, Value>),
    /// A job with a plan of its own, in sentences. It reads everything again before it sends.
    Job(Box<SendPlan>, String),
    /// A job that cannot be run, for a reason that reveals something about people: it is told when the plan is confirmed.
    Refused { plan: String, why: String },
}

/// A write whose arguments are valid, before it is planned.
#[derive(Debug)]
pub struct WriteRequest {
    /// What stands for the write, however its arguments are spelt.
    pub key: String,
    what: What,
}

#[derive(Debug)]
enum What {
    Call(&'static OperationInfo, Map<String, Value>),
    /// `chosen`: the arguments have chosen some of the people who get the message.
    Job {
        plan: MakePlan,
        chosen: bool,
    },
}

/// Plans a job.
struct MakePlan(Box<dyn FnOnce(Client) -> PlanFuture + Send + Sync>);
type PlanFuture = Pin<Box<dyn Future<Output = sondage::Result<SendPlan>> + Send>>;

impl fmt::Debug for MakePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MakePlan")
    }
}

/// Arguments that choose some of the people who could get a message.
const CHOOSERS: [&str; 3] = ["where", "memberIds", "rows"];

/// Options that name files of this machine, or weaken the plan's checks. A model must not choose them.
const REFUSED: [&str; 3] = ["journal", "maxAge", "quiet"];

macro_rules! jobs {
    ($($operation:literal $Options:ident $method:ident;)*) => {
        /// The operations that are planned by a job: their arguments are its options.
        pub fn planned_operations() -> impl Iterator<Item = &'static str> {
            [$($operation),*].into_iter()
        }

        /// The options of the job, if the operation has one.
        fn options_of(name: &str) -> Option<&'static OptionsSchema> {
            match name {
                $($operation => Some($Options::SCHEMA),)*
                _ => None,
            }
        }

        /// What plans the operation, and a text that is the same for the same arguments; nothing if it is planned as a call.
        fn job(name: &'static str, arguments: &Map<String, Value>) -> Option<Result<(MakePlan, String), String>> {
            match name {
                $($operation => Some(options::<$Options>(name, arguments).map(|options| {
                    let key = format!("{options:?}");
                    let plan = move |client: Client| -> PlanFuture {
                        Box::pin(async move { client.$method(options).await })
                    };
                    (MakePlan(Box::new(plan)), key)
                })),)*
                _ => None,
            }
        }
    };
}
jobs! {
    "InviteMembers" InviteOptions plan_invite;
    "CreateAndInviteMembers" CreateAndInviteOptions plan_create_and_invite;
    "RemindMembers" RemindOptions plan_remind;
    "ExecuteSendMail" SendMailOptions plan_send_mail;
    "RedeemIncentiveCode" RedeemOptions plan_redeem;
    "ExecuteWorkflowTransition" TransitionOptions plan_transition;
}

impl WriteRequest {
    /// Checks the arguments of a write. Nothing is sent.
    pub fn of(
        row: &'static OperationInfo,
        arguments: &Map<String, Value>,
        tenant: &str,
        server: &McpOptions,
    ) -> Result<Self, String> {
        let mut plain = object(canonical(&arguments.clone().into()));
        if options_of(row.name).is_none() {
            let request = calls::own(row, &plain, tenant)?;
            let mut sent = canonical(&calls::as_sent(row, &request, tenant)?);
            for field in row.request.fields.iter().filter(|field| field.role != Role::Plain) {
                sent.get_mut(field.wire).map(sort);
            }
            let key = format!("{} {sent}", row.name);
            return Ok(Self { key, what: What::Call(row, request) });
        }
        plain.get_mut("memberIds").map(sort);
        if let Some(filter) = plain.get_mut("where") {
            let conditions = conditions(filter).map_err(|why| unfit(row.name, &why))?;
            if !server.personal_data {
                let columns = operations::find("ReadMemberList").map(mask::shown_columns).unwrap_or_default();
                privacy::check_conditions(&conditions, &columns)?;
            }
            *filter = conditions.into();
        }
        let name = row.name;
        let Some(job) = job(name, &plain) else { return Err(unfit(name, "it has no plan")) };
        let (make, key) = job?;
        let chosen = name == "RemindMembers" || CHOOSERS.iter().any(|chooser| plain.contains_key(*chooser));
        Ok(Self { key: format!("{name} {key}"), what: What::Job { plan: make, chosen } })
    }

    /// Plans the write, and returns what stands for the calls that it would make, if that is known. Nothing is changed.
    pub async fn plan(self, client: &Client, server: &McpOptions) -> Result<(Write, Option<String>), String> {
        let (plan, chosen) = match self.what {
            What::Call(row, request) => return Ok((Write::Call(row, request), None)),
            What::Job { plan, chosen } => (plan, chosen),
        };
        let plan = match plan.0(client.clone()).await {
            Ok(plan) => plan,
            Err(error) => {
                let why = server.text(&error);
                return match error.audience() {
                    Some(people) if !server.personal_data => {
                        Ok((Write::Refused { plan: privacy::at_most(people), why }, None))
                    }
                    _ => Err(why),
                };
            }
        };
        // Vouchers and transitions have no people.
        let says = if server.personal_data || plan.matches() == 0 {
            plan.sentences()
        } else {
            privacy::sentences(&plan, chosen)
        };
        let sent = plan.identity().map_err(|error| server.text(&error))?;
        Ok((Write::Job(Box::new(plan), says), Some(sent)))
    }
}

/// A filter as the conditions that are sent: the same for every way to write it.
fn conditions(filter: &Value) -> Result<Vec<Value>, String> {
    let filter: Expression = match filter {
        Value::String(text) => {
            Expression::of_members(text).map_err(|error| error.told(wording::of_errors()).message)?
        }
        filter => serde_json::from_value(filter.clone()).map_err(|why| why.to_string())?,
    };
    let conditions = filter.compile().map_err(|error| error.told(wording::of_errors()).message)?;
    match serde_json::to_value(conditions).map(|value| canonical(&value)) {
        Ok(Value::Array(conditions)) => Ok(conditions),
        _ => Err("`where` is no list of conditions".to_owned()),
    }
}

fn unfit(name: &str, why: &str) -> String {
    format!(
        "The arguments do not fit {name}: {why}. Nothing was sent. Call `plan` with `operation` alone to see them."
    )
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn options<T: DeserializeOwned>(name: &str, arguments: &Map<String, Value>) -> Result<T, String> {
    if let Some(refused) = REFUSED.iter().find(|refused| arguments.contains_key(**refused)) {
        return Err(format!("`{refused}` cannot be given here. Nothing was sent. Leave it out."));
    }
    if arguments.get("rows").is_some_and(|rows| rows.get("path").is_some() || rows.get("ipc").is_some()) {
        return Err(
            "`rows` cannot name a file here. Nothing was sent. Give the rows as `objects`.".to_owned()
        );
    }
    serde_json::from_value(Value::Object(arguments.clone())).map_err(|why| unfit(name, &why.to_string()))
}

/// The arguments of an operation.
pub fn described(row: &OperationInfo) -> Value {
    let Some(schema) = options_of(row.name) else {
        return Value::Object(Schemas::new().input(row));
    };
    let fields = schema.fields.iter().filter(|field| !REFUSED.contains(&field.wire));
    let described = |field: &sondage::arguments::ArgumentSchema| {
        let docs = wording::of_docs(&sondage_openapi::prose::line(field.docs));
        let mut schema = type_of(&field.ty);
        schema["description"] = docs.into();
        schema["required"] = field.required.into();
        (field.wire.to_owned(), schema)
    };
    Value::Object(fields.map(described).collect())
}

/// The type of an argument, with an example where the type does not say how it is written.
fn type_of(ty: &ArgumentType) -> Value {
    match ty {
        ArgumentType::Bool => json!({ "type": "boolean" }),
        ArgumentType::Int | ArgumentType::Count => json!({ "type": "integer" }),
        ArgumentType::Ints => {
            json!({ "type": "array", "items": { "type": "integer" }, "example": [101, 102] })
        }
        ArgumentType::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        ArgumentType::Timestamp => json!({ "type": "string", "example": "2026-05-01T12:30:00Z" }),
        ArgumentType::Time => json!({ "type": "number", "unit": "milliseconds" }),
        ArgumentType::Filter => json!({ "type": "string", "example": "Division = Sales and Age >= 18" }),
        ArgumentType::Rows => {
            json!({ "type": "object", "example": { "objects": [{ "Email": "ada@example.com" }] } })
        }
        ArgumentType::Blocks => json!({ "type": "object", "example": { "greeting": { "en": "Hello" } } }),
        ArgumentType::Word(words) => json!({ "type": "string", "enum": words.texts }),
        ArgumentType::Open(schema) => json!({ "type": "string", "enum": schema.values }),
        _ => json!({ "type": "string" }),
    }
}

impl Write {
    /// The effects, in sentences.
    pub fn says(&self) -> String {
        match self {
            Self::Job(_, says) | Self::Refused { plan: says, .. } => says.clone(),
            Self::Call(row, _) => {
                let docs = wording::of_docs(&sondage_openapi::prose::line(row.docs));
                format!("{}: {docs} {}", row.name, consequence(row.effect))
            }
        }
    }

    /// Makes the write.
    pub async fn run(&self, client: &Client, options: &McpOptions) -> Done {
        match self {
            Self::Refused { why, .. } => {
                Done { changed_nothing: true, failed: true, value: json!({ "error": why }) }
            }
            Self::Job(plan, _) => match plan.run(plan.token()).await {
                Ok(report) => {
                    let text = match &report.stopped {
                        Some(error) if !options.personal_data => mask::error(&report.to_string(), error),
                        _ => report.to_string(),
                    };
                    Done {
                        changed_nothing: report.members.is_empty() && report.unknown == 0 && report.done == 0,
                        failed: report.stopped.is_some(),
                        value: json!({ "report": text, "complete": report.complete, "done": report.done,
                                   "refused": report.refused, "unknown": report.unknown, "notSent": report.not_sent }),
                    }
                }
                // A job that fails has sent nothing.
                Err(error) => Done {
                    changed_nothing: true,
                    failed: true,
                    value: json!({ "error": options.text(&error) }),
                },
            },
            Self::Call(row, request) => match calls::call(client, row, request).await {
                Ok(mut response) => {
                    if !options.personal_data {
                        mask::mask(&mut response, row.response, &mut mask::InWords);
                    }
                    Done { changed_nothing: false, failed: false, value: json!({ "response": response }) }
                }
                Err(CallFailure::Request(why)) => {
                    Done { changed_nothing: true, failed: true, value: json!({ "error": why }) }
                }
                Err(CallFailure::Call(error)) => Done {
                    changed_nothing: error.changed_nothing() || error.delivery() == Delivery::No,
                    failed: true,
                    value: json!({ "error": options.text(&error), "changedNothing": error.changed_nothing() }),
                },
            },
        }
    }
}

/// The meaning of an effect, for the person who decides.
fn consequence(effect: Effect) -> &'static str {
    match effect {
        Effect::Send => "This sends messages or spends money, and cannot be undone.",
        Effect::Create => "This creates something: making it twice creates it twice.",
        Effect::SchemaChange => "This changes the structure on which other data depend.",
        Effect::IdempotentWrite => "This changes or deletes what the arguments name.",
        Effect::Read | Effect::Token => "This changes nothing.",
    }
}
