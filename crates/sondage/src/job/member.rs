//! Creating one member: its id, or an error with the service's reasons.

use super::{Job, Observer};
use crate::arguments::CreateMemberOptions;
use crate::call::sent;
use crate::client::Client;
use crate::error::{Delivery, Error, Redactor, Result, Text, Untrusted};
use crate::model::{CreateMembersRequest, CreateMembersResponse, ValidationIssue};
use crate::operation::Operation as _;
use crate::operations::CreateMembers;
use crate::response::Response;
use crate::{runtime, text};
use bytes::Bytes;
use futures_util::future::BoxFuture;

async fn create(client: Client, options: CreateMemberOptions) -> Result<i64> {
    let CreateMemberOptions { panel_id, member, tenant, .. } = options;
    if member.fields.is_empty() {
        let hint = if member.extra.is_empty() {
            "Give at least one, for example `Email`."
        } else {
            "Its values belong below `fields`, as the API has them."
        };
        let error = Error::invalid_argument("`member` has no field").with_hint(hint);
        return Err(error.in_operation(CreateMembers::INFO.name));
    }
    let mut request = CreateMembersRequest::new(panel_id, [member]);
    request.tenant = tenant;
    // The service may repeat values of the member in its reasons, which an error must not hold.
    let sent = serde_json::to_vec(&request).map(Bytes::from).unwrap_or_default();
    let response = client.with_response::<CreateMembers>(request).await?;
    created(&response, &sent::redactor(&sent, None, std::iter::empty()))
}

/// The id of the only member. A missing id alone does not prove that nobody was created; with a reason of the service it does.
fn created(response: &Response<CreateMembersResponse>, redactor: &Redactor) -> Result<i64> {
    let CreateMembersResponse { members_ids, validation_issues, .. } = &response.value;
    if let [Some(id)] = members_ids[..]
        && id > 0
    {
        return Ok(id);
    }
    let nobody = members_ids.iter().all(Option::is_none) && !validation_issues.is_empty();
    let error = if nobody {
        let words =
            |text: &Option<String>| Untrusted::new(text.as_deref().unwrap_or_default()).sentence(redactor);
        let reasons: Vec<_> = validation_issues
            .iter()
            .filter_map(|issue| words(&issue.error_message).or_else(|| words(&issue.error_code)))
            .map(|words| words.to_string())
            .collect();
        let reasons = if reasons.is_empty() { "it gives no reason".to_owned() } else { reasons.join("; ") };
        let first = |text: fn(&ValidationIssue) -> &Option<String>| {
            validation_issues.iter().find_map(|issue| words(text(issue)))
        };
        Error::api(text!("the service refuses the member: {reasons}"))
            .with_hint("Nobody was created. Change what the service says, and call again.")
            .with_error_code(first(|issue| &issue.error_code))
            .with_error_message(first(|issue| &issue.error_message))
    } else {
        let advice = CreateMembers::INFO.reconcile.map(Text::from);
        Error::outcome_unknown("the service returned neither an id nor a reason").with_reconcile(advice)
    };
    Err(error
        .with_delivery(Delivery::Answered)
        .with_attempts(response.attempts)
        .with_status(response.status)
        .in_operation(CreateMembers::INFO.name))
}

impl Job for CreateMemberOptions {
    type With = ();
    type Progress = ();
    type Report = i64;

    fn run(self, client: &Client, (): (), _: Option<Observer<()>>) -> BoxFuture<'static, Result<i64>> {
        let client = client.clone();
        Box::pin(async move { runtime::here(create(client, self)).await })
    }
}

impl Client {
    /// Creates one member, and returns its id; an error with the service's reasons if it refuses the member.
    ///
    /// ```
    /// # use sondage::{arguments::CreateMemberOptions, model::NewMember};
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let sandbox = sondage_sandbox::Sandbox::demo().await?;
    /// let client = sandbox.client().build()?;
    /// let member = NewMember::of([("Email", "ada@example.com")]);
    /// let id = client.create_member(CreateMemberOptions::new(sandbox.panel_id(), member)).await?;
    /// # assert!(id > 0);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn create_member(&self, options: CreateMemberOptions) -> Result<i64> {
        options.run(self, (), None).await
    }
}

#[cfg(feature = "blocking")]
impl crate::blocking::Client {
    /// Creates one member: see [`Client::create_member`].
    pub fn create_member(&self, options: CreateMemberOptions) -> Result<i64> {
        runtime::block_on(options.run(self.as_async(), (), None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use serde_json::json;

    fn read(body: serde_json::Value) -> Result<i64> {
        let value = serde_json::from_value(body).unwrap();
        let response =
            Response { value, status: 200, headers: http::HeaderMap::new(), body: Bytes::new(), attempts: 2 };
        let sent = json!({ "members": [{ "fields": { "Email": { "value": "ada@example.org" } } }] });
        created(&response, &sent::redactor(&sent.to_string().into(), None, std::iter::empty()))
    }

    #[test]
    fn an_id_is_proof_and_so_is_a_reason() {
        let issue = json!({ "errorCode": "NotUnique", "errorMessage": "ada@example.org exists" });
        assert_eq!(read(json!({ "membersIds": [7], "validationIssues": [] })).unwrap(), 7);
        for ids in [json!([null]), json!([0]), json!([])] {
            let error = read(json!({ "membersIds": ids, "validationIssues": [issue] })).unwrap_err();
            assert_eq!((error.kind(), error.attempts(), error.status()), (ErrorKind::Api, 2, Some(200)));
            assert_eq!((error.error_code(), error.error_message()), (Some("NotUnique"), Some("*** exists")));
            let told = error.to_string();
            assert!(told.contains("refuses the member: *** exists. Nobody was created."), "{told}");
        }
    }

    #[test]
    fn without_an_id_and_a_reason_the_outcome_is_unknown() {
        let issue = json!({ "errorMessage": "one of them exists" });
        for body in [
            json!({ "membersIds": [null], "validationIssues": [] }),
            json!({ "membersIds": [0], "validationIssues": [] }),
            json!({ "membersIds": [], "validationIssues": [] }),
            json!({ "membersIds": [-1], "validationIssues": [issue] }),
            json!({ "membersIds": [7, 8], "validationIssues": [] }),
        ] {
            let error = read(body.clone()).unwrap_err();
            assert_eq!(
                (error.kind(), error.delivery()),
                (ErrorKind::OutcomeUnknown, Delivery::Answered),
                "{body}"
            );
            assert!(
                !error.safe_to_retry() && error.reconcile().unwrap().contains("read_member_list"),
                "{body}"
            );
        }
    }
}
