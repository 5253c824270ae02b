//! What a confirmed plan runs: a call, or a job that determines exactly who gets a message.

use crate::McpOptions;
use crate::calls::{self, CallFailure};
use crate::mask;
use crate::plans::Done;
use crate::tools::Schemas;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use sondage::arguments::{
    CreateAndInviteOptions, InviteOptions, Options, OptionsSchema, RedeemOptions, RemindOptions,
    SendMailOptions, TransitionOptions,
};
use sondage::jobs::SendPlan;
use sondage::operation::OperationInfo;
use sondage::{Client, Delivery, Effect};

/// A write that was planned.
#[derive(Debug)]
pub enum Write {
    /// A call of an operation.
    Call(&'static OperationInfo, Map<String, Value>),
    /// A job with a plan of its own. It reads everything again before it sends.
    Job(Box<SendPlan>),
}

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

        /// Plans what an operation would do. Nothing is changed.
        pub async fn plan(
            client: &Client,
            row: &'static OperationInfo,
            arguments: &Map<String, Value>,
            server: &McpOptions,
        ) -> Result<Write, String> {
            match row.name {
                $($operation => {
                    let options = options::<$Options>(row.name, arguments)?;
                    let plan = client.$method(options).await.map_err(|error| server.text(&error))?;
                    Ok(Write::Job(Box::new(plan)))
                })*
                _ => {
                    calls::check(row, arguments)?;
                    Ok(Write::Call(row, arguments.clone()))
                }
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

fn options<T: DeserializeOwned>(name: &str, arguments: &Map<String, Value>) -> Result<T, String> {
    if let Some(refused) = REFUSED.iter().find(|refused| arguments.contains_key(**refused)) {
        return Err(format!("`{refused}` cannot be given here. Nothing was sent. Leave it out."));
    }
    if arguments.get("rows").is_some_and(|rows| rows.get("path").is_some() || rows.get("ipc").is_some()) {
        return Err(
            "`rows` cannot name a file here. Nothing was sent. Give the rows as `objects`.".to_owned()
        );
    }
    serde_json::from_value(Value::Object(arguments.clone())).map_err(|why| {
        format!(
            "The arguments do not fit {name}: {why}. Nothing was sent. Call the tool with `operation` alone to see them."
        )
    })
}

/// The arguments of an operation.
pub fn described(row: &OperationInfo) -> Value {
    let Some(schema) = options_of(row.name) else {
        return Value::Object(Schemas::new().input(row));
    };
    let fields = schema.fields.iter().filter(|field| !REFUSED.contains(&field.wire));
    let described = |field: &sondage::arguments::ArgumentSchema| {
        let docs = sondage_openapi::prose::line(field.docs);
        (field.wire.to_owned(), json!({ "required": field.required, "description": docs }))
    };
    Value::Object(fields.map(described).collect())
}

impl Write {
    /// The effects, in sentences.
    pub fn says(&self) -> String {
        match self {
            Self::Job(plan) => plan.facts().text,
            Self::Call(row, _) => {
                let docs = sondage_openapi::prose::line(row.docs);
                format!("{}: {docs} {}", row.name, consequence(row.effect))
            }
        }
    }

    /// Makes the write.
    pub async fn run(&self, client: &Client, options: &McpOptions) -> Done {
        match self {
            Self::Job(plan) => match plan.run(plan.token()).await {
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
