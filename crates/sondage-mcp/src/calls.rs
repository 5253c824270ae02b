//! Calls of any operation with its request as JSON.

use crate::mask;
use serde_json::{Map, Value};
use sondage::internals::call::typeless::{self, TypelessCall};
use sondage::operation::OperationInfo;
use sondage::{Client, Error};

/// Why a call has no response.
#[derive(Debug)]
pub enum CallFailure {
    /// The request is wrong: nothing was sent.
    Request(String),
    /// The call failed.
    Call(Box<Error>),
}

/// Checks a request without sending it.
pub fn check(row: &OperationInfo, request: &Map<String, Value>) -> Result<(), String> {
    prepared(row, request).map(drop)
}

/// Makes a call.
pub async fn call(
    client: &Client,
    row: &OperationInfo,
    request: &Map<String, Value>,
) -> Result<Value, CallFailure> {
    let call = prepared(row, request).map_err(CallFailure::Request)?;
    let answer = client.answer_json(call).await.map_err(|error| CallFailure::Call(Box::new(error)))?;
    let mut value = serde_json::from_slice(&answer).map_err(|why| CallFailure::Request(why.to_string()))?;
    mask::secrets(&mut value, &mut mask::InWords);
    Ok(value)
}

fn prepared(row: &OperationInfo, request: &Map<String, Value>) -> Result<TypelessCall, String> {
    fields(row, request)?;
    let json = serde_json::to_vec(request).map_err(|why| why.to_string())?;
    typeless::of_json(row.name, &json).map_err(|why| {
        format!(
            "The arguments do not fit {}: {why}. Nothing was sent. Compare them with its schema.",
            row.name
        )
    })
}

/// An unknown field is probably a typo: the service would ignore it.
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
