//! A call that a plan sends, and its result.

use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use sondage::Client;
use sondage::error::{Error, Result};
use sondage::internals::call::sent_writes::SentWrite;
use sondage::model::{Secret, ValidationIssue};
use sondage::operation::Operation;

/// A call of any operation.
pub(crate) struct Request(Box<dyn SendRequest>);

impl Request {
    /// The call, and what its answer says.
    pub(crate) fn of<O: Operation>(request: O::Request, result: fn(O::Response) -> SendResult) -> Self {
        Self(Box::new(OperationRequest::<O> { request, result }))
    }

    /// The form in which it is sent.
    pub(super) fn written(&self) -> Result<String> {
        self.0.written()
    }

    /// The record that this process keeps of it once it was sent.
    pub(super) fn into_sent(self, client: &Client) -> Result<SentWrite> {
        self.0.into_sent(client)
    }

    /// Sends it.
    pub(super) async fn send(self, client: &Client) -> Result<SendResult> {
        self.0.send(client).await
    }
}

trait SendRequest: Send + Sync {
    fn written(&self) -> Result<String>;
    fn into_sent(self: Box<Self>, client: &Client) -> Result<SentWrite>;
    fn send(self: Box<Self>, client: &Client) -> BoxFuture<'_, Result<SendResult>>;
}

struct OperationRequest<O: Operation> {
    request: O::Request,
    result: fn(O::Response) -> SendResult,
}

impl<O: Operation> SendRequest for OperationRequest<O> {
    fn written(&self) -> Result<String> {
        serde_json::to_string(&self.request).map_err(|_| Error::internal("a request cannot be written"))
    }

    fn into_sent(self: Box<Self>, client: &Client) -> Result<SentWrite> {
        client.as_sent::<O>(self.request)
    }

    fn send(self: Box<Self>, client: &Client) -> BoxFuture<'_, Result<SendResult>> {
        Box::pin(async move { client.call::<O>(self.request).await.map(self.result) })
    }
}

/// The result of a call.
#[derive(Clone, Default)]
pub(crate) struct SendResult {
    pub sampling_project: Option<i64>,
    pub distributor: Option<i64>,
    pub reminder: Option<i64>,
    pub voucher: Option<Secret>,
    /// Why members were not created, if the call creates some.
    pub issues: Vec<ValidationIssue>,
    /// The part of the result that was lost, in words.
    pub lost: Option<&'static str>,
}

impl SendResult {
    /// The ids of the answer, which distinguish its effect from others.
    pub(super) fn written(&self) -> String {
        let Self { sampling_project, distributor, reminder, .. } = self;
        let ids = json!({ "samplingProjectId": sampling_project, "distributorId": distributor, "reminderId": reminder });
        ids.to_string()
    }

    /// What was read back, which never includes the code of a voucher.
    pub(super) fn read_back(answer: &Value) -> Self {
        let number = |name: &str| answer[name].as_i64();
        let (sampling_project, distributor) = (number("samplingProjectId"), number("distributorId"));
        Self { sampling_project, distributor, ..Self::default() }
    }
}
