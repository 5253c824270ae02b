//! What would be erased of a person, and the token that confirms it.

use super::files::{self, FileFinding, Identity};
use super::found::{Found, PersonMember};
use super::look::{WantedPerson, look};
use super::steps::{ErasureStep, Kept, StepOutcome, steps};
use crate::options::PlanErasePersonOptions;
use ring::digest::{SHA256, digest};
use sondage::Client;
use sondage::budget::Cost;
use sondage::error::{Error, Result};
use sondage::internals::runtime;
use sondage_macros::report;
use std::fmt::{self, Write as _};

/// A plan: what would be erased about a person.
#[report]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ErasePlan {
    /// The members who are this person.
    pub members: Vec<PersonMember>,
    /// Members whose key differs only in case or spaces. They count as other people, and none of their data are erased.
    pub similar: Vec<PersonMember>,
    /// What would be erased, in this order, and what would be left, with the reason.
    pub steps: Vec<ErasureStep>,
    /// The number of calls that the erasure makes. It is exact as long as the lists do not change.
    pub calls: u64,
    /// The cost of it: these calls, the bytes of the lists, and the minutes if each call takes as long as those of the plan did.
    pub cost: Cost,
    /// The token that `erase_person` requires. It begins with the number of objects that are erased.
    pub token: String,
    /// The plan in sentences without personal data.
    pub text: String,
}

/// A plan, and the data from which it was made.
pub(super) struct Planned {
    pub plan: ErasePlan,
    pub identity: Identity,
    pub found: Found,
}

pub(super) async fn plan(client: Client, options: PlanErasePersonOptions) -> Result<ErasePlan> {
    Ok(planned(&client, options).await?.plan)
}

pub(super) async fn planned(client: &Client, options: PlanErasePersonOptions) -> Result<Planned> {
    let PlanErasePersonOptions { panel_ids, key, value, keep_interviews, keep_opt_outs, files } = options;
    if files.as_ref().is_some_and(Vec::is_empty) {
        let hint = "Nothing was erased. Leave it out if there are no files.";
        return Err(Error::invalid_argument("`files` is an empty list").with_hint(hint));
    }
    let evidence = look(client, &WantedPerson { panels: &panel_ids, key: &key, value: &value }).await?;
    let identity = Identity::of(client, &evidence, &key, &value);
    let (identity, files) = runtime::blocking(move || {
        let findings = files::examine(&identity, files.unwrap_or_default())?;
        Ok((identity, findings))
    })
    .await?;
    let exceptions = Kept { interviews: keep_interviews, opt_outs: keep_opt_outs };
    let steps = steps(&evidence, &files, exceptions);
    // One call for each object that is not a file, and one for each member to check that it is deleted.
    let planned = steps.iter().filter(|step| step.outcome == StepOutcome::Planned);
    let deletions = planned.filter(|step| step.what != "file").count() + evidence.members.len();
    let calls = evidence.calls + u64::try_from(deletions).unwrap_or(u64::MAX);
    let token = token(client, &evidence, &files, &steps);
    let (members, similar, cost) = (evidence.people(), evidence.similar.clone(), evidence.cost(calls));
    let mut plan = ErasePlan { members, similar, steps, calls, cost, token, text: String::new() };
    plan.text = describe(&plan);
    Ok(Planned { plan, identity, found: evidence })
}

/// Equal as long as the same objects would be erased.
fn token(client: &Client, found: &Found, files: &[FileFinding], steps: &[ErasureStep]) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let config = client.config();
    let mut all = format!("{}\n{}\n", config.base_url, config.tenant);
    for (panel, member) in &found.members {
        let _ = writeln!(all, "{panel} {} {:?}", member.id, member.updated_at);
    }
    for file in files {
        let _ = writeln!(all, "{:?} {}", file.path, file.items);
    }
    for step in steps {
        let _ = writeln!(all, "{} {:?} {:?} {:?}", step.what, step.place, step.id, step.outcome);
    }
    let sum = digest(&SHA256, all.as_bytes());
    let letter = |byte: &u8| char::from(LETTERS[usize::from(byte % 32)]);
    let letters: String = sum.as_ref().iter().take(6).map(letter).collect();
    format!("{}-{letters}", steps.iter().filter(|step| step.outcome == StepOutcome::Planned).count())
}

fn describe(plan: &ErasePlan) -> String {
    let one = |it: &PersonMember| format!("{} of panel {}", it.member_id, it.panel_id);
    let members: Vec<String> = plan.members.iter().map(one).collect();
    let mut text = format!("member {}", members.join(", "));
    for step in &plan.steps {
        let _ = write!(text, "\n  {}", line(step));
    }
    if !plan.similar.is_empty() {
        let near: Vec<String> = plan.similar.iter().map(one).collect();
        let _ = write!(
            text,
            "\n  treated as other people, because their key differs by case or spaces: {}",
            near.join(", ")
        );
    }
    text + &format!("\n  erasing it makes {} calls\n  confirm with {}", plan.calls, plan.token)
}

/// `erased: interview ... of 12: ...`
pub(super) fn line(step: &ErasureStep) -> String {
    let ErasureStep { what, place, id, outcome, reason } = step;
    let id = id.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
    let suffix = if place.is_empty() { String::new() } else { format!(" ({place})") };
    format!("{}: {what}{id}{suffix}: {reason}", outcome.as_str())
}

impl fmt::Display for ErasePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
