//! `sondage call`: any operation of the API, with its request as JSON.

use crate::account;
use crate::output::{Output, failed, refused};
use crate::progress;
use crate::values;
use clap::Args;
use serde_json::{Map, Value, json};
use sondage::internals::call::typeless::{self, TypelessCall};
use sondage::operation::OperationInfo;
use sondage::{Effect, internals, operations};
use std::io::{self, Read as _, Write as _};

#[derive(Args)]
#[command(after_help = "Example: sondage call ReadPanel '{\"panelId\": 1002}'")]
pub struct CallArgs {
    /// The operation by the name of the API. `sondage call --list` lists all.
    #[arg(required_unless_present = "list", hide_possible_values = true, value_parser = values::operation())]
    operation: Option<String>,
    /// The request as JSON, by the names of the API: the JSON itself, @FILE, or - for standard input.
    #[arg(default_value = "{}")]
    request: String,
    /// Required for an operation that changes something.
    #[arg(long)]
    yes: bool,
    /// Lists the operations with their effects, and makes no call.
    #[arg(long)]
    list: bool,
}

fn typed(row: &OperationInfo, request: &Map<String, Value>) -> io::Result<TypelessCall> {
    typeless::of_json(row.name, &serde_json::to_vec(request)?).map_err(|why| {
        refused(&format!("the request does not fit: {}. Nothing was sent.", without_values(&why)))
    })
}

/// serde's message without quoted values, which may be personal data.
fn without_values(message: &str) -> String {
    let parts = message.split('"').enumerate();
    parts.map(|(at, part)| if at % 2 == 0 { part } else { "..." }).collect()
}

pub fn run(arguments: &CallArgs, output: Output) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let Some(operation) = &arguments.operation else {
        for row in operations::ALL {
            let (first, effect) = (row.docs.trim().lines().next().unwrap_or_default(), row.effect.as_str());
            if output.json {
                writeln!(out, "{}", json!({ "operation": row.name, "effect": effect, "docs": first }))?;
            } else {
                writeln!(out, "{:<34} {effect:<18} {first}", row.name)?;
            }
        }
        return Ok(());
    };
    let row = operations::find(operation).ok_or_else(|| io::Error::other("there is no such operation"))?;
    let request = read(&arguments.request)?;
    check(row, &request)?;
    if !matches!(row.effect, Effect::Read | Effect::Token) && !arguments.yes {
        return Err(refused(&format!(
            "{operation} changes the account (its effect: {}). Nothing was sent. Add --yes to send it.",
            row.effect.as_str()
        )));
    }
    let client = progress::connect_async(&account::builder())?;
    let call = typed(row, &request)?;
    let answer = internals::runtime::block_on(async move { client.answer_raw(call).await });
    let answer = answer.map_err(failed)?;
    progress::end();
    if output.json {
        return writeln!(out, "{}", one_line(answer.as_str()));
    }
    writeln!(out, "{}", indented(answer.as_str()))
}

/// JSON on one line: a raw line feed can only be between values.
fn one_line(json: &str) -> String {
    json.replace(['\r', '\n'], " ")
}

/// JSON with one value per line, in the order of the service.
fn indented(json: &str) -> String {
    let (mut lines, mut depth, mut is_text, mut is_escaped) = (String::new(), 0, false, false);
    let mut last = ' ';
    for c in json.chars() {
        if is_text {
            lines.push(c);
            is_text = c != '"' || is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            last = c;
            continue;
        }
        if c.is_ascii_whitespace() {
            continue;
        }
        let closes = matches!(c, '}' | ']');
        if closes {
            depth -= 1;
        }
        // An empty list or object stays on its line.
        if matches!(last, '{' | '[' | ',') && !(closes && last != ',') || closes && !matches!(last, '{' | '[')
        {
            lines.push('\n');
            lines.extend(std::iter::repeat_n("  ", depth));
        }
        lines.push(c);
        match c {
            '{' | '[' => depth += 1,
            ':' => lines.push(' '),
            '"' => is_text = true,
            _ => {}
        }
        last = c;
    }
    lines
}

fn read(given: &str) -> io::Result<Map<String, Value>> {
    let text = match given.strip_prefix('@') {
        Some(file) => std::fs::read_to_string(file)
            .map_err(|why| refused(&format!("{file} cannot be read ({why}). Nothing was sent.")))?,
        None if given == "-" => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text)?;
            text
        }
        None => given.to_owned(),
    };
    // The input may contain personal data, so no message quotes it.
    serde_json::from_str(&text).map_err(|_| refused("the request is not a JSON object. Nothing was sent."))
}

/// An unknown field is probably a typo: the service would ignore it.
fn check(row: &OperationInfo, request: &Map<String, Value>) -> io::Result<()> {
    let names: Vec<&str> = row.request.fields.iter().map(|field| field.wire).collect();
    match request.keys().find(|name| !names.contains(&name.as_str())) {
        Some(name) => Err(refused(&format!(
            "{} has no field `{name}`; it has {}. Nothing was sent.",
            row.name,
            names.join(", ")
        ))),
        None => Ok(()),
    }
}
