//! Calls of any operation with its request as JSON.

use crate::mask;
use serde_json::{Map, Value};
use sondage::operation::{Operation, OperationInfo};
use sondage::{Client, Error, operations};

/// Why a call has no response.
#[derive(Debug)]
pub enum CallFailure {
    /// The request is wrong: nothing was sent.
    Request(String),
    /// The call failed.
    Call(Box<Error>),
}

macro_rules! dispatch {
    ($($(#[doc = $doc:literal])* $area:ident $Name:ident $method:ident($Request:ident) -> $Response:ident { $($row:tt)* })*) => {
        /// Checks a request without sending it.
        pub fn check(row: &OperationInfo, request: &Map<String, Value>) -> Result<(), String> {
            fields(row, request)?;
            match row.name {
                $(stringify!($Name) => typed::<operations::$Name>(request).map(drop),)*
                other => Err(format!("There is no operation {other}.")),
            }
        }

        /// Makes a call.
        pub async fn call(client: &Client, row: &OperationInfo, request: &Map<String, Value>) -> Result<Value, CallFailure> {
            fields(row, request).map_err(CallFailure::Request)?;
            match row.name {
                $(stringify!($Name) => answer::<operations::$Name>(client, request).await,)*
                other => Err(CallFailure::Request(format!("There is no operation {other}."))),
            }
        }
    };
}
sondage::operations!(dispatch);

fn typed<O: Operation>(request: &Map<String, Value>) -> Result<O::Request, String> {
    serde_json::from_value(Value::Object(request.clone())).map_err(|why| {
        format!(
            "The arguments do not fit {}: {why}. Nothing was sent. Compare them with its schema.",
            O::INFO.name
        )
    })
}

async fn answer<O: Operation>(client: &Client, request: &Map<String, Value>) -> Result<Value, CallFailure> {
    let request = typed::<O>(request).map_err(CallFailure::Request)?;
    let response = client.call::<O>(request).await.map_err(|error| CallFailure::Call(Box::new(error)))?;
    let mut value = serde_json::to_value(&response).map_err(|why| CallFailure::Request(why.to_string()))?;
    mask::secrets(&mut value);
    Ok(value)
}

/// A field that the operation does not have is a slip: the service would ignore it.
fn fields(row: &OperationInfo, request: &Map<String, Value>) -> Result<(), String> {
    let known: Vec<&str> = row.request.fields.iter().map(|field| field.wire).collect();
    match request.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(format!(
            "{} has no argument `{name}`; it has {}. Nothing was sent.",
            row.name,
            known.join(", ")
        )),
        None => Ok(()),
    }
}
