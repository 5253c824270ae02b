//! A workflow transition to another state.

use super::plan::{CommonOptions, Reader, Request, Seen, SendKind, SendResult, wrong};
use crate::options::{JournalPlace, TransitionOptions};
use futures_util::future::BoxFuture;
use sondage::Client;
use sondage::error::{Error, Result};
use sondage::model::{
    ExecuteWorkflowTransitionRequest, ReadDistributorListRequest, ReadSurveyRequest,
    ReadWorkflowTransitionsRequest, WorkflowType,
};
use sondage::operations::{ExecuteWorkflowTransition, ReadDistributorList};
use sondage::text;

/// The object of the transition.
#[derive(Clone, Copy)]
enum Thing {
    Survey(i64),
    Distributor(i64),
}

fn thing(options: &TransitionOptions) -> Result<Thing> {
    let TransitionOptions { workflow, survey_id, distributor_id, .. } = options;
    match (workflow, survey_id, distributor_id) {
        (WorkflowType::SurveyDesign, Some(id), None) => Ok(Thing::Survey(*id)),
        (WorkflowType::Distribution, None, Some(id)) => Ok(Thing::Distributor(*id)),
        (WorkflowType::SurveyDesign, ..) => Err(wrong(
            "the workflow `SurveyDesign` changes the state of a survey",
            "Give `survey_id`, and no other object.",
        )),
        (WorkflowType::Distribution, ..) => Err(wrong(
            "the workflow `Distribution` changes the state of a distributor",
            "Give `distributor_id`, and no other object.",
        )),
        _ => Err(wrong(
            text!(
                "`workflow` is {:?}, which cannot be planned, because the state of its object cannot be read",
                workflow.as_str()
            ),
            "`SurveyDesign` and `Distribution` can be. `execute_workflow_transition` makes a transition without a plan.",
        )),
    }
}

fn check(options: &TransitionOptions) -> Result<()> {
    thing(options).map(|_| ())
}

/// Reads the current state, and the transitions from it. An error if none leads to the requested state.
async fn read(client: &Client, options: &TransitionOptions) -> Result<Seen> {
    let mut reader = Reader::new(client);
    let subject = thing(options)?;
    let (id, what) = match subject {
        Thing::Survey(id) => (id, format!("survey {id}")),
        Thing::Distributor(id) => (id, format!("distributor {id}")),
    };
    let state = state(client, &mut reader, subject).await?;
    let target = &options.target_state;
    if state == *target {
        let frozen_terms = format!("{what} is {state} already");
        return Ok(Seen {
            calls: reader.calls_again(),
            bytes: reader.bytes,
            frozen_terms,
            ..Seen::default()
        });
    }
    let request = ReadWorkflowTransitionsRequest::new(options.workflow.clone(), state.as_str());
    let ways = client.read_workflow_transitions(request).await?.transitions;
    reader.calls += 1;
    let Some(way) = ways.iter().find(|way| way.new_state.as_deref() == Some(target)) else {
        let ways: Vec<&str> = ways.iter().filter_map(|way| way.new_state.as_deref()).collect();
        let ways = if ways.is_empty() { "nowhere".to_owned() } else { ways.join(", ") };
        return Err(wrong(
            text!("the {what} is {state}, from which it can change to {ways}, not to {target:?}"),
            "Choose one of these states.",
        ));
    };
    let mut frozen_terms = format!("{what}: from {state} to {target}");
    if let Some(name) = &way.name {
        frozen_terms = format!("{frozen_terms} by {name}");
    }
    if let Some(condition) = &way.condition {
        frozen_terms = format!("{frozen_terms}, if {condition}");
    }
    Ok(Seen {
        targets: vec![id],
        calls: reader.calls_again(),
        bytes: reader.bytes,
        frozen_terms,
        ..Seen::default()
    })
}

async fn state(client: &Client, reader: &mut Reader, thing: Thing) -> Result<String> {
    let state = match thing {
        Thing::Survey(id) => {
            let survey = client.read_survey(ReadSurveyRequest::new(id)).await?;
            reader.calls += 1;
            survey.survey_state
        }
        Thing::Distributor(id) => {
            let mut current_state = None;
            reader
                .list::<ReadDistributorList>(ReadDistributorListRequest::new(), |distributor| {
                    if distributor.distributor_id == id {
                        current_state = Some(distributor);
                    }
                })
                .await?;
            let current_state = current_state.ok_or_else(|| {
                wrong(
                    text!("there is no distributor {id}"),
                    "`read_distributor_list` shows which ones exist.",
                )
            })?;
            current_state.distribution_state
        }
    };
    state.ok_or_else(|| Error::unexpected_response("the service does not say which state it is in"))
}

/// The call that makes the transition.
fn request(options: &TransitionOptions) -> Result<ExecuteWorkflowTransitionRequest> {
    let mut request =
        ExecuteWorkflowTransitionRequest::new(options.workflow.clone(), options.target_state.as_str());
    match thing(options)? {
        Thing::Survey(id) => request.survey_id = Some(id),
        Thing::Distributor(id) => request.distributor_id = Some(id),
    }
    Ok(request)
}

impl SendKind for TransitionOptions {
    fn name(&self) -> &'static str {
        "plan_transition"
    }

    fn journal(&mut self) -> &mut Option<JournalPlace> {
        &mut self.journal
    }

    fn common(&self) -> CommonOptions {
        CommonOptions { max_age: self.max_age, quiet: self.quiet, ..CommonOptions::default() }
    }

    fn check_options(&self) -> Result<()> {
        check(self)
    }

    fn read<'a>(&'a self, client: &'a Client, _: Option<&'a Seen>) -> BoxFuture<'a, Result<Seen>> {
        Box::pin(read(client, self))
    }

    fn request(&self, _: &Seen, _: &[i64]) -> Result<Request> {
        Ok(Request::of::<ExecuteWorkflowTransition>(request(self)?, |_| SendResult::default()))
    }

    fn check_reach(&self, seen: &Seen) -> Result<()> {
        Err(wrong(text!("the {}", seen.frozen_terms), "There is nothing to do."))
    }

    fn summary(&self, seen: &Seen) -> String {
        format!("{}{}", seen.frozen_terms, seen.notes)
    }

    fn continuation_hint(&self) -> &'static str {
        "Plan again: the state is read first."
    }
}
