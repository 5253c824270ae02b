//! Calls of any operation with its request as JSON.

use crate::mask;
use serde_json::{Map, Value};
use sondage::internals::call::typeless::{self, TypelessCall};
use sondage::operation::OperationInfo;
use sondage::{Client, Error};

/// The field of a request that the client fills in.
pub const TENANT: &str = "tenant";

/// Why a call has no response.
#[derive(Debug)]
pub enum CallFailure {
    /// The request is wrong: nothing was sent.
    Request(String),
    /// The call failed.
    Call(Box<Error>),
}

/// The request without the tenant, which is always the client's own.
pub fn own(
    row: &OperationInfo,
    request: &Map<String, Value>,
    tenant: &str,
) -> Result<Map<String, Value>, String> {
    let mut request = request.clone();
    if row.request.fields.iter().any(|field| field.wire == TENANT)
        && let Some(given) = request.remove(TENANT)
        && !given.is_null()
        && given != tenant
    {
        return Err(
            "`tenant` cannot be given: the server fills it in. Nothing was sent. Leave it out.".to_owned()
        );
    }
    Ok(request)
}

/// The request as it would be sent: with defaults and the tenant, and without what is absent.
pub fn as_sent(row: &OperationInfo, request: &Map<String, Value>, tenant: &str) -> Result<Value, String> {
    let body = prepared(row, request)?.body(tenant).map_err(|error| error.to_string())?;
    serde_json::from_slice(&body).map_err(|why| why.to_string())
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
    let names = row.request.fields.iter().map(|field| field.wire);
    let names: Vec<&str> = names.filter(|name| *name != TENANT).collect();
    match request.keys().find(|name| !names.contains(&name.as_str())) {
        Some(name) => Err(format!(
            "{} has no argument `{name}`; it has {}. Nothing was sent.",
            row.name,
            names.join(", ")
        )),
        None => Ok(()),
    }
}
