//! Runs an erasure step by step. Each deletion is recorded before it is sent.

use super::erase::{Planned, planned};
use super::files::{self, Identity};
use super::found::{Found, OptedOut};
use super::receipt::{EraseReceipt, Receipt};
use super::refused;
use super::steps::{ErasureStep, StepOutcome};
use crate::options::{ErasePersonOptions, PlanErasePersonOptions};
use sondage::Client;
use sondage::condition::column;
use sondage::error::{Error, Result};
use sondage::internals::runtime;
use sondage::model::{
    CellPhoneItem, DeleteInterviewRequest, DeleteMembersRequest, EmailItem, OptOutOperation,
    WriteOptOutListRequest,
};
use sondage::operation::Operation;
use sondage::operations::{DeleteInterview, DeleteMembers};
use sondage::text;
use std::sync::Arc;
use std::time::Instant;

/// The data needed in addition to the steps, which are available only as long as the members exist.
struct Context {
    client: Client,
    /// What was found about the person. A run that resumes reads it again, unless no step needs it.
    known: Option<(Arc<Identity>, Found)>,
    keep_interviews: bool,
}

pub(super) async fn erase(client: Client, options: ErasePersonOptions) -> Result<EraseReceipt> {
    // The job continues if its caller is gone, so that what was sent is recorded.
    runtime::spawn(work(client, options)).await
}

async fn work(client: Client, options: ErasePersonOptions) -> Result<EraseReceipt> {
    let mut receipt = Receipt::open(&client, &options).await?;
    if let Some(finished) = receipt.finished() {
        return Ok(finished);
    }
    let mut context = Context { client, known: None, keep_interviews: options.keep_interviews };
    if let Some(content) = &receipt.content {
        context.keep_interviews = content.keep_interviews;
        let needed =
            |step: &ErasureStep| step.outcome.is_open() && matches!(step.what.as_str(), "file" | "opt_out");
        if content.steps.iter().any(needed) {
            let Planned { identity, found, .. } = planned(&context.client, plan_of(&options)).await?;
            context.known = Some((Arc::new(identity), found));
        }
    } else {
        let Planned { plan, identity, found } = planned(&context.client, plan_of(&options)).await?;
        if plan.token != options.confirm.trim() {
            let what =
                text!("{:?} does not confirm what would be erased now: {}", options.confirm, plan.text);
            return Err(refused(what, "Look at the plan again, and pass the `token` that it shows."));
        }
        receipt.begin(&context.client, &options, plan.steps).await?;
        context.known = Some((Arc::new(identity), found));
    }
    let steps = receipt.content.as_ref().map(|content| content.steps.clone()).unwrap_or_default();
    for (number, step) in steps.iter().enumerate().filter(|(_, step)| step.outcome.is_open()) {
        receipt.note(number, StepOutcome::Sent, None).await?;
        let begun = Instant::now();
        let erased = context.erase(step).await;
        context.client.tracer().step("erase_person", 1, erased.as_ref().err(), begun);
        let erased = erased.map_err(|error| goes_on(error, &options))?;
        let (outcome, reason) = match erased {
            StepOutcome::Left => (StepOutcome::Left, Some(STILL_THERE)),
            other => (other, None),
        };
        receipt.note(number, outcome, reason).await?;
    }
    receipt.end().await?;
    receipt.finished().ok_or_else(|| Error::internal("a receipt has not ended"))
}

const STILL_THERE: &str = "the service has accepted the deletion but still lists the member: look again later, or ask an \
                           administrator";

fn plan_of(options: &ErasePersonOptions) -> PlanErasePersonOptions {
    let ErasePersonOptions { panel_ids, key, value, keep_interviews, keep_opt_outs, files, .. } =
        options.clone();
    let mut plan =
        PlanErasePersonOptions::new(panel_ids, key, value, keep_interviews).keep_opt_outs(keep_opt_outs);
    plan.files = files;
    plan
}

fn goes_on(error: Error, options: &ErasePersonOptions) -> Error {
    let advice = error.hint().to_owned();
    error.with_hint(text!(
        "{advice} Something may have been erased: {} says what. The same call with the same token goes on from there.",
        options.receipt.0.display()
    ))
}

impl Context {
    async fn erase(&self, step: &ErasureStep) -> Result<StepOutcome> {
        match step.what.as_str() {
            "file" => self.file(&step.place).await,
            "interview" => self.interview(step).await,
            "opt_out" => self.opt_out(&step.place).await,
            _ => self.member(step).await,
        }
    }

    async fn file(&self, path: &str) -> Result<StepOutcome> {
        if let Some((identity, _)) = &self.known {
            let (identity, path) = (Arc::clone(identity), path.to_owned());
            runtime::blocking(move || files::erase(&identity, &path)).await?;
        }
        Ok(StepOutcome::Erased)
    }

    async fn interview(&self, step: &ErasureStep) -> Result<StepOutcome> {
        let survey: i64 = step.place.parse().map_err(|_| Error::internal("an interview has no survey"))?;
        let id = step.id.clone().unwrap_or_default();
        let outcome = self.client.delete_interview(DeleteInterviewRequest::new(survey, id)).await;
        gone::<DeleteInterview, _>(outcome)
    }

    async fn opt_out(&self, place: &str) -> Result<StepOutcome> {
        let Some((_, found)) = &self.known else { return Ok(StepOutcome::Gone) };
        let is_here = |it: &&OptedOut| match (it.panel_id, it.workspace_id) {
            (Some(panel), _) => place == format!("panel {panel}"),
            (None, workspace) => place == format!("workspace {}", workspace.unwrap_or_default()),
        };
        let Some(first) = found.opted_out.iter().find(is_here) else { return Ok(StepOutcome::Gone) };
        let (mut emails, mut phones) = (Vec::new(), Vec::new());
        for item in found.opted_out.iter().filter(is_here).map(|it| &it.item) {
            emails.extend(item.email.iter().map(|email| EmailItem::new(email, OptOutOperation::Delete)));
            phones.extend(item.phone.map(|phone| CellPhoneItem::new(phone, OptOutOperation::Delete)));
        }
        let mut request = WriteOptOutListRequest::new();
        (request.panel_id, request.workspace_id) = (first.panel_id, first.workspace_id);
        request.emails = (!emails.is_empty()).then_some(emails);
        request.cell_phones = (!phones.is_empty()).then_some(phones);
        self.client.write_opt_out_list(request).await?;
        Ok(StepOutcome::Erased)
    }

    /// Deletes a member, and checks that it no longer exists.
    async fn member(&self, step: &ErasureStep) -> Result<StepOutcome> {
        let number = |text: &str| text.parse::<i64>().map_err(|_| Error::internal("a member has no number"));
        let (panel, id) = (number(&step.place)?, number(step.id.as_deref().unwrap_or_default())?);
        let request = DeleteMembersRequest::new(panel, [id], self.keep_interviews);
        let outcome = gone::<DeleteMembers, _>(self.client.delete_members(request).await)?;
        let again = self.client.members(panel).filter(column("Id").is_equal_to(id)).request()?;
        let still = self.client.read_member_list(again).await?.members;
        Ok(if still.iter().any(|member| member.id == id) { StepOutcome::Left } else { outcome })
    }
}

/// An object that an earlier run or somebody else has deleted no longer exists.
fn gone<O: Operation, T>(done: Result<T>) -> Result<StepOutcome> {
    match done {
        Ok(_) => Ok(StepOutcome::Erased),
        Err(error)
            if error.error_code().is_some() && error.error_code() == O::INFO.gone.map(|gone| gone.code) =>
        {
            Ok(StepOutcome::Gone)
        }
        Err(error) => Err(error),
    }
}
