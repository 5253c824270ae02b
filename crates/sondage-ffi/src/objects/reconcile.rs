//! Finding out whether a write with an unknown outcome took effect.

use crate::language::{ArgResult, Language};
use crate::methods::kinds;
use serde::Serialize;
use sondage::Client;
use sondage::arguments::ReconcileOptions;
use sondage::jobs::{self, Job};

/// The verdict.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reconciled {
    operation: String,
    verdict: &'static str,
    ids: Vec<String>,
    candidates: Vec<String>,
    evidence: String,
    attributed: bool,
    missing: Vec<usize>,
    again_in: Option<f64>,
}

/// Finds out whether the write took effect.
pub fn reconcile<L: Language>(
    client: &Client,
    mut options: ReconcileOptions,
) -> ArgResult<kinds::Call<Reconciled>, L> {
    times::<L, _>([("quiet", &mut options.quiet), ("wait", &mut options.wait)])?;
    let work = options.run(client, (), None);
    Ok(Box::pin(async move { work.await.map(told::<L>) }))
}

/// Times in the unit of the language, as seconds.
pub fn times<L: Language, const N: usize>(given: [(&str, &mut Option<f64>); N]) -> ArgResult<(), L> {
    for (name, time) in given {
        let read = time.take().map(|time| L::TIME.read(&L::name(name), time)).transpose()?;
        *time = read.map(|time| time.as_secs_f64());
    }
    Ok(())
}

fn told<L: Language>(found: jobs::Reconciled) -> Reconciled {
    Reconciled {
        operation: found.operation,
        verdict: found.verdict.as_str(),
        ids: found.ids,
        candidates: found.candidates,
        evidence: found.evidence,
        attributed: found.attributed,
        missing: found.missing,
        again_in: found.again_in.map(|wait| L::TIME.count(wait)),
    }
}
