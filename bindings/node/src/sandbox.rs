//! A sandbox inside the process. What can be done to it while it runs goes through its control endpoints.

use crate::error::{refused, thrown};
use crate::from_js::from_js;
use crate::to_js::to_js;
use napi::Env;
use napi::bindgen_prelude::Unknown;
use napi_derive::napi;
use serde::{Deserialize, Serialize};
use sondage::Error;
use sondage_sandbox::{Account, Profile, Sandbox};

/// What a sandbox begins with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Settings {
    profile: Option<Profile>,
    seed: Option<u64>,
    port: Option<u16>,
    first_member_id: Option<i64>,
    extra_members: Option<u64>,
    generated_interviews: Option<u64>,
    generated_questions: Option<usize>,
}

/// Where it is, and how to get in.
#[derive(Serialize)]
struct Place<'a> {
    account: &'a Account,
    control_key: &'a str,
    customer_panel_id: i64,
    feedback_survey_id: i64,
    generated_survey_id: Option<i64>,
}

/// A running sandbox.
#[napi]
pub struct NativeSandbox(Option<Sandbox>);

#[napi]
impl NativeSandbox {
    /// Starts one.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: &Env, settings: Unknown<'_>) -> napi::Result<Self> {
        let settings: Settings = from_js(settings, None).map_err(|fault| refused(env, &fault, None))?;
        let mut builder = Sandbox::builder();
        if let Some(profile) = settings.profile {
            builder = builder.profile(profile);
        }
        if let Some(seed) = settings.seed {
            builder = builder.seed(seed);
        }
        if let Some(port) = settings.port {
            builder = builder.port(port);
        }
        if let Some(id) = settings.first_member_id {
            builder = builder.first_member_id(id);
        }
        if let Some(members) = settings.extra_members {
            builder = builder.extra_members(members);
        }
        if let Some(interviews) = settings.generated_interviews {
            builder = builder.generated_survey(interviews, settings.generated_questions.unwrap_or(20));
        }
        let started = builder.start_blocking();
        let failed = |error: std::io::Error| {
            let what = format!("the sandbox cannot start ({error})");
            thrown(env, &Error::configuration(what).with_hint("Leave out `port` to get a free one."))
        };
        started.map(|sandbox| Self(Some(sandbox))).map_err(failed)
    }

    /// Addresses, credentials and ids of the demo account.
    #[napi(catch_unwind)]
    pub fn place<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        let Some(sandbox) = &self.0 else {
            return Err(thrown(env, &Error::invalid_argument("the sandbox has been stopped")));
        };
        let place = Place {
            account: sandbox.account(),
            control_key: sandbox.control_key(),
            customer_panel_id: sandbox.customer_panel_id(),
            feedback_survey_id: sandbox.feedback_survey_id(),
            generated_survey_id: sandbox.generated_survey_id(),
        };
        to_js(env, &place)
    }

    /// Stops it and waits until the ports are closed.
    #[napi(catch_unwind)]
    pub fn stop(&mut self) {
        self.0 = None;
    }
}
