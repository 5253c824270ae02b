//! The public API: one handler for each row of the operation table.
//!
//! The router below is an expansion of the table, so a row without a [`Handler`] does not compile.

mod artifact;
mod authentication;
mod check;
mod columns;
mod console;
mod contact;
mod distribute;
mod download;
mod examples;
mod incentive;
mod interview;
mod interview_change;
mod invite;
mod links;
mod member_change;
mod members;
mod panel;
mod panel_change;
mod remind;
mod sampling;
mod send;
mod survey;
mod survey_design;
mod web_hook;
mod workflow;

pub(crate) use console::{interview_conditions, interviews_where, members_where, run_operation};
pub(crate) use examples::Examples;
pub(crate) use interview::code_plan;
pub(crate) use links::{follow, is_link};
pub(crate) use survey_design::contradictions;

use crate::account::DataCenter;
use crate::ledger::{Effect as Done, EffectKind};
use crate::profile::{CreateWebHookRoute, Profile};
use crate::refusal::Refusal;
use crate::state::ServerState;
use crate::tokens::TokenGrant;
use crate::validate::{self, KEEP_INTERVIEWS};
use crate::world::{IdCounters, Tenant};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use serde_json::Value;
use sondage::internals::readable::Readable;
use sondage::operation::{Effect, Operation, OperationInfo};
use sondage::operations as table;

/// The body of a successful response, with its envelope.
pub(crate) type ResponseText = Vec<u8>;

/// The implementation of one operation.
pub(crate) trait Handler: Operation {
    fn handle(call: &ApiCall<'_>, request: Self::Request) -> Result<ResponseText, Refusal>;
}

/// A row of the table with its handler.
#[derive(Clone, Copy)]
pub(crate) struct Route {
    pub(crate) info: &'static OperationInfo,
    run: fn(&ApiCall<'_>, &[u8]) -> Result<ResponseText, Refusal>,
}

macro_rules! routes {
    ($(
        $(#[$doc:meta])*
        $area:ident $Name:ident $method:ident($Request:ident) -> $Response:ident { $($row:tt)* }
    )*) => {
        static ROUTES: &[Route] = &[$(Route { info: <table::$Name as Operation>::INFO, run: run::<table::$Name> }),*];
    };
}
sondage::operations!(routes);

impl Route {
    /// The operation at a path.
    pub(crate) fn find(path: &str, profile: &Profile) -> Option<&'static Self> {
        let route = ROUTES
            .iter()
            .find(|route| route.info.path == path || route.info.fallback_paths.contains(&path))?;
        let at_first = route.info.path == path;
        let here = match profile.create_web_hook {
            _ if route.info.fallback_paths.is_empty() => true,
            CreateWebHookRoute::Both => true,
            CreateWebHookRoute::Spec => at_first,
            CreateWebHookRoute::Published => !at_first,
        };
        here.then_some(route)
    }

    /// The operation of this name.
    fn named(name: &str) -> Option<&'static Self> {
        ROUTES.iter().find(|route| route.info.name == name)
    }

    /// Whether a call must carry a token: all must, except the call that requests one.
    pub(crate) fn needs_token(&self) -> bool {
        self.info.effect != Effect::Token
    }

    pub(crate) fn run(&self, call: &ApiCall<'_>, body: &[u8]) -> Result<ResponseText, Refusal> {
        (self.run)(call, body)
    }
}

/// A call in progress.
pub(crate) struct ApiCall<'a> {
    pub(crate) shared: &'a ServerState,
    pub(crate) profile: &'a Profile,
    pub(crate) info: &'static OperationInfo,
    pub(crate) data_center: DataCenter,
    /// The data of the bearer token; none for the call that requests a token.
    pub(crate) pass: Option<TokenGrant>,
    pub(crate) now: DateTime<Utc>,
}

impl ApiCall<'_> {
    pub(crate) fn pass(&self) -> Result<&TokenGrant, Refusal> {
        let missing = || Refusal::unauthorized("TokenMissing", "This call needs a bearer token.");
        self.pass.as_ref().ok_or_else(missing)
    }

    /// The user who made the call, for `createdBy` and `updatedBy`.
    pub(crate) fn actor(&self) -> String {
        let pass = self.pass.as_ref();
        pass.map(|pass| pass.user.clone().unwrap_or_else(|| pass.client_id.clone())).unwrap_or_default()
    }

    /// Whether lists already show an object that was created at this time. Without a lag they always do: large demo panels have
    /// members with a date in the future.
    pub(crate) fn is_listed(&self, made: DateTime<Utc>) -> bool {
        let lag = TimeDelta::seconds(self.profile.list_lag_seconds.into());
        lag.is_zero() || made + lag <= self.now
    }

    /// Reads from the account of the bearer.
    pub(crate) fn read<T>(&self, look: impl FnOnce(&Tenant) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let world = self.shared.world();
        look(world.tenant(&self.pass()?.tenant).ok_or_else(gone)?)
    }

    /// Changes the account of the bearer.
    pub(crate) fn change<T>(
        &self,
        act: impl FnOnce(&mut Tenant, &mut IdCounters) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut world = self.shared.world_mut();
        let (tenant, ids) = world.change(&self.pass()?.tenant).ok_or_else(gone)?;
        act(tenant, ids)
    }

    /// Records an effect in the ledger.
    pub(crate) fn note(&self, kind: EffectKind, ids: Vec<String>) {
        if ids.is_empty() {
            return;
        }
        self.shared.ledger.note(Done {
            at: self.now,
            operation: self.info.name.to_owned(),
            tenant: self.pass.as_ref().map(|pass| pass.tenant.clone()).unwrap_or_default(),
            kind,
            count: ids.len() as u64,
            ids,
        });
    }
}

fn gone() -> Refusal {
    Refusal::unauthorized("TokenUnknown", "The account of this token does not exist.")
}

/// Passes a valid request to its handler.
fn run<O: Handler>(call: &ApiCall<'_>, body: &[u8]) -> Result<ResponseText, Refusal> {
    // A byte order mark stays, and is refused.
    let readable =
        if body.starts_with("\u{feff}".as_bytes()) { body.into() } else { Readable::of(body).text };
    let completed = check(O::INFO, call, &readable)?;
    let body = completed.as_deref().unwrap_or(&readable);
    let request = serde_json::from_slice(body).map_err(|why| Refusal::invalid(format!("{why}.")))?;
    let response = O::handle(call, request)?;
    if O::INFO.effect != Effect::Read {
        call.shared.check_stored().map_err(Refusal::not_stored)?;
    }
    Ok(response)
}

/// Validates a request against its model and its token. Returns it completed if it lacks a field without which the models
/// cannot be read.
#[inline(never)] // a type parameter here would be compiled once for each operation
fn check(info: &OperationInfo, call: &ApiCall<'_>, body: &[u8]) -> Result<Option<Vec<u8>>, Refusal> {
    let malformed = |why: serde_json::Error| {
        Refusal::new(http::StatusCode::BAD_REQUEST, "MalformedJson", format!("The body is not JSON: {why}."))
    };
    let mut value: Value = serde_json::from_slice(body).map_err(malformed)?;
    if let Some(pass) = &call.pass {
        may(call.info, pass, &value)?;
    }
    validate::request(info.request, &value, call.profile)?;
    if info.request.fields.iter().any(|field| field.wire == KEEP_INTERVIEWS)
        && value[KEEP_INTERVIEWS].is_null()
    {
        value[KEEP_INTERVIEWS] = false.into();
        return Ok(Some(value.to_string().into_bytes()));
    }
    Ok(None)
}

/// Whether the bearer has the permission for this.
fn may(info: &OperationInfo, pass: &TokenGrant, request: &Value) -> Result<(), Refusal> {
    if let Some(tenant) = request["tenant"].as_str()
        && tenant != pass.tenant
    {
        let why = format!("The token is of the account `{}`, the request of `{tenant}`.", pass.tenant);
        return Err(Refusal::forbidden("TenantMismatch", why));
    }
    if info.effect != Effect::Read && !pass.may_write {
        let user = pass.user.as_deref().unwrap_or("This client");
        return Err(Refusal::forbidden("PermissionDenied", format!("{user} may not call {}.", info.name)));
    }
    if let (Some(allowed), Some(asked)) = (pass.panel_id, request["panelId"].as_i64())
        && allowed != asked
    {
        let why = format!("The token is good for the panel {allowed} only.");
        return Err(Refusal::forbidden("PanelForbidden", why));
    }
    Ok(())
}

/// Writes a response, which is a JSON object, in the envelope.
// API 1.4
pub(crate) fn succeed(body: impl Serialize) -> Result<ResponseText, Refusal> {
    enveloped(serde_json::to_vec(&body))
}

fn enveloped(body: serde_json::Result<Vec<u8>>) -> Result<ResponseText, Refusal> {
    let mut text = body.map_err(|why| {
        Refusal::new(
            http::StatusCode::INTERNAL_SERVER_ERROR,
            "SandboxError",
            format!("The response cannot be serialised: {why}."),
        )
    })?;
    text.truncate(text.len().saturating_sub(1));
    if text.len() > 1 {
        text.push(b',');
    }
    text.extend_from_slice(br#""isSuccess":true,"errorMessage":null,"errorCode":null}"#);
    Ok(text)
}
