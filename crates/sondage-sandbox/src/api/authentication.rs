//! The deprecated token call.
// API 2.8

use super::{ApiCall, Handler, ResponseText};
use crate::ledger::TokenRequest;
use crate::profile::GetApiTokenAnswer;
use crate::refusal::Refusal;
use crate::tokens::{API_TOKEN_SECONDS, TokenGrant};
use serde_json::json;
use sondage::model::GetApiTokenRequest;
use sondage::operations::GetApiToken;

impl Handler for GetApiToken {
    fn handle(call: &ApiCall<'_>, request: GetApiTokenRequest) -> Result<ResponseText, Refusal> {
        let tenant = request.tenant.unwrap_or_default();
        let issued = issue(call, &tenant, &request.username, request.password.reveal());
        call.shared.ledger.note_token(TokenRequest {
            at: call.now,
            grant: "GetApiToken".to_owned(),
            client_id: tenant,
            error: issued.as_ref().err().map(|refusal| refusal.code.to_owned()),
        });
        let token = issued?;
        let answer = match call.profile.get_api_token {
            // The empty message is specified (API 2.8), a code is not.
            GetApiTokenAnswer::Object => {
                json!({ "accessToken": token, "isSuccess": true, "errorMessage": "" })
            }
            GetApiTokenAnswer::Text => json!(token),
            GetApiTokenAnswer::Off => return Err(ended()),
        };
        Ok(answer.to_string().into_bytes())
    }
}

fn ended() -> Refusal {
    let why = "GetApiToken is past the end of its support.";
    Refusal::new(http::StatusCode::NOT_FOUND, "OperationNotFound", why)
}

fn issue(call: &ApiCall<'_>, tenant: &str, username: &str, password: &str) -> Result<String, Refusal> {
    if call.profile.get_api_token == GetApiTokenAnswer::Off {
        return Err(ended());
    }
    let wrong =
        || Refusal::unauthorized("InvalidCredentials", "The tenant, the user name or the password is wrong.");
    let (client_id, may_write) = {
        let world = call.shared.world();
        let account =
            world.tenant(tenant).filter(|found| found.data_center == call.data_center).ok_or_else(wrong)?;
        let user = account.user(username, password).ok_or_else(wrong)?;
        (account.client_id(), user.may_write)
    };
    let mut tokens = call.shared.tokens();
    let pass = TokenGrant {
        data_center: call.data_center,
        tenant: tenant.to_owned(),
        client_id,
        user: Some(username.to_owned()),
        may_write,
        panel_id: None,
        family: tokens.new_family(),
    };
    Ok(tokens.issue_access(pass, call.now, API_TOKEN_SECONDS))
}
