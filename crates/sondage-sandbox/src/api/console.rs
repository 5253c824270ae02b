//! What the console does through the API: the operations of a program, and the filters of lists.

use super::columns::SurveyInterviews;
use super::{ApiCall, ResponseText, Route};
use crate::account::DataCenter;
use crate::profile::Profile;
use crate::refusal::Refusal;
use crate::select;
use crate::state::ServerState;
use crate::tokens::TokenGrant;
use crate::world::{Interview, Member, Panel, Survey, Tenant};
use serde_json::Value;
use sondage::condition::Expression;
use sondage::internals::spelling::did_you_mean;
use sondage::model::Condition;

/// Carries out an operation, as if a program had called it with every right. The ledger has its effects, but no request.
pub(crate) fn run_operation(
    shared: &ServerState,
    data_center: DataCenter,
    tenant: &str,
    operation: &str,
    request: &Value,
) -> Result<ResponseText, Refusal> {
    let pass = TokenGrant {
        data_center,
        tenant: tenant.to_owned(),
        client_id: "console".to_owned(),
        user: None,
        may_write: true,
        panel_id: None,
        family: 0,
    };
    let profile = shared.profile();
    let route = Route::named(operation).ok_or_else(|| Refusal::invalid("There is no such operation."))?;
    let now = shared.clock.now();
    let mut request = request.clone();
    if route.info.request.fields.iter().any(|field| field.wire == "tenant") {
        request["tenant"] = tenant.into();
    }
    let call = ApiCall { shared, profile: &profile, info: route.info, data_center, pass: Some(pass), now };
    route.run(&call, request.to_string().as_bytes())
}

/// The interviews for which a text such as `State=Completed and age>=18` is true; all if it is empty.
pub(crate) fn interviews_where<'t>(
    tenant: &Tenant,
    survey: &'t Survey,
    text: &str,
    profile: &Profile,
) -> Result<Vec<&'t Interview>, Refusal> {
    let conditions = interview_conditions(text)?;
    let table = SurveyInterviews::looked_at(tenant, survey, profile);
    let found = select::filter(&table, survey.interviews.values(), conditions.as_deref(), profile);
    found.map_err(|refusal| in_words(refusal, survey.variables.iter().map(|variable| variable.code.as_str())))
}

/// The members for whom a text such as `Division=Sales` is true; all if it is empty.
pub(crate) fn members_where<'p>(
    panel: &'p Panel,
    text: &str,
    profile: &Profile,
) -> Result<Vec<&'p Member>, Refusal> {
    let conditions = conditions(text, Expression::of_members)?;
    let found = select::filter(panel, panel.members.values(), conditions.as_deref(), profile);
    found.map_err(|refusal| in_words(refusal, panel.fields.iter().map(|field| field.name.as_str())))
}

/// A refusal for a person who wrote a filter and sees no conditions, with what was probably meant.
fn in_words<'a>(refusal: Refusal, known: impl Iterator<Item = &'a str>) -> Refusal {
    let Some((_, why)) = refusal.message.split_once(".identifier: ") else { return refusal };
    let meant = why.split('`').nth(1).and_then(|name| did_you_mean(name, &known.collect::<Vec<_>>()));
    let meant = meant.map_or_else(String::new, |meant| format!(" {meant}"));
    Refusal { message: format!("The filter is not understood: {why}{meant}"), ..refusal }
}

/// A filter of interviews as conditions; none if it is empty.
pub(crate) fn interview_conditions(text: &str) -> Result<Option<Vec<Condition>>, Refusal> {
    conditions(text, Expression::of_interviews)
}

/// A filter that a person has written, as conditions of a list.
fn conditions(
    text: &str,
    read: impl Fn(&str) -> sondage::Result<Expression>,
) -> Result<Option<Vec<Condition>>, Refusal> {
    if text.is_empty() {
        return Ok(None);
    }
    let conditions = read(text).and_then(|expression| expression.compile());
    conditions
        .map(Some)
        .map_err(|error| Refusal::invalid(format!("The filter is not understood: {}.", error.what())))
}
