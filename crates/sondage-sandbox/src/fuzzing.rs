//! Entry points of the sandbox for the fuzzer. They are compiled for the fuzzer only.

use crate::account::DataCenter;
use crate::filter::{CellKind, CellValue, Filter};
use crate::profile::Profile;
use crate::server::BufferedRequest;
use crate::state::{Address, ServerState};
use crate::world::PlatformState;
use crate::{demo, oauth, random};
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method};
use serde_json::Value;
use sondage::model::Condition;
use std::sync::LazyLock;

static SHARED: LazyLock<ServerState> = LazyLock::new(|| {
    let mut world = PlatformState::new(1);
    demo::fill(&mut world, 7, random::secret);
    let here = || Address { api: "http://127.0.0.1:9".to_owned(), auth: "http://127.0.0.1:9".to_owned() };
    ServerState::new(Profile::default(), world, vec![(DataCenter::Swiss, here()), (DataCenter::Eu, here())])
});

/// A token request, with the content of its `Authorization` header: the status of the response.
pub fn token_request(form: &[u8], authorization: &[u8]) -> u16 {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    if let Some(value) = HeaderValue::from_bytes(authorization).ok().filter(|value| !value.is_empty()) {
        headers.insert(AUTHORIZATION, value);
    }
    let (path, query, body) = ("/openid/token".to_owned(), String::new(), Bytes::copy_from_slice(form));
    let received = BufferedRequest { method: Method::POST, path, query, headers, body };
    oauth::answer(&SHARED, DataCenter::Swiss, &received).map_or(404, |reply| reply.status.as_u16())
}

/// Conditions against one row in which every name has this value. `None`: they are refused.
pub fn filter(conditions: &[Condition], value: &Value) -> Option<bool> {
    let kind = if value.is_number() { CellKind::Number } else { CellKind::Text };
    let filter = Filter::compile(conditions, &Profile::default(), |_| Some(((), kind))).ok()?;
    Some(filter.matches(|()| CellValue::json(value)))
}
