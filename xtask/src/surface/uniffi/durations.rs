//! Methods of Kotlin with the durations of Kotlin: uniffi has those of Java. A member is preferred, so these are used only
//! where a duration of Kotlin is given.

use super::methods::{Job, jobs, parameters};
use crate::surface::prelude::*;
use types::KOTLIN;

const HEAD: &str = "package sondage

import kotlin.time.Duration
import kotlin.time.toJavaDuration
";

pub fn files() -> [Generated; 2] {
    [
        ("Client", "suspend ", "kotlin/src/main/kotlin/sondage/Durations.kt"),
        ("BlockingClient", "", "kotlin/src/server/kotlin/sondage/BlockingDurations.kt"),
    ]
    .map(|(client, suspends, path)| {
        let methods: String =
            jobs("Call").filter(takes_time).map(|job| method(job, client, suspends)).collect();
        generated(path, FROM_METHODS, &format!("{HEAD}{}{methods}", options(client)))
    })
}

fn takes_time((_, options): &Job) -> bool {
    options.fields.iter().any(|field| field.ty == ArgumentType::Time)
}

/// The options of calls, which no row describes.
fn options(client: &str) -> String {
    format!(
        "\n/** The same client with other call options, with durations of Kotlin. What is not given stays as it is. */\n\
         public fun {client}.withOptions(\n    deadline: Duration? = null,\n    attempts: Int? = null,\n    timeout: Duration? = null,\n    \
         headers: Map<String, String>? = null,\n    extra: Map<String, String> = mapOf(),\n): {client} =\n    \
         withOptions(deadline?.toJavaDuration(), attempts, timeout?.toJavaDuration(), headers, extra)\n"
    )
}

fn method((row, options): Job, client: &str, suspends: &str) -> String {
    let (parameters, names) = parameters((row, options), KOTLIN);
    let parameters = parameters.replace("java.time.Duration", "Duration");
    let given = names.iter().map(|name| {
        let field = options.fields.iter().find(|field| camel(field.name) == *name);
        match field {
            Some(field) if field.ty == ArgumentType::Time && field.required => {
                format!("{name}.toJavaDuration()")
            }
            Some(field) if field.ty == ArgumentType::Time => format!("{name}?.toJavaDuration()"),
            _ => name.clone(),
        }
    });
    // Arguments of the same name: their order differs from that of the table.
    let given = names.iter().zip(given).map(|(name, value)| format!("{name} = {value}"));
    let method = camel(row.name);
    format!(
        "\n/** [{client}.{method}] with durations of Kotlin. */\npublic {suspends}fun {client}.{method}(\n{parameters}): {} =\n    {method}({})\n",
        row.result,
        join(given, ", ")
    )
}
