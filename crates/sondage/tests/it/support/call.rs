//! Calls of operations by their names.

use serde_json::Value;
use sondage::operation::Operation;
use sondage::{Client, operations};

macro_rules! dispatch {
    ($($(#[doc = $doc:literal])* $area:ident $Name:ident $method:ident($Request:ident) -> $Response:ident { $($row:tt)* })*) => {
        /// The response of an operation to a request in wire format.
        pub async fn call(client: &Client, operation: &str, request: &Value) -> Result<Value, sondage::Error> {
            match operation {
                $(stringify!($Name) => typed::<operations::$Name>(client, request).await,)*
                other => panic!("the table has no operation {other}"),
            }
        }
    };
}
sondage::operations!(dispatch);

async fn typed<O: Operation>(client: &Client, request: &Value) -> Result<Value, sondage::Error> {
    let request = serde_json::from_value(request.clone()).expect("a request of the operation");
    let response = client.call::<O>(request).await?;
    Ok(serde_json::from_str(&serde_json::to_string(&response).unwrap()).unwrap())
}
