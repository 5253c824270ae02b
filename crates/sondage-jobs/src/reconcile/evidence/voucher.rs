//! A purchase is identified by a transaction at that time, with that amount and incentive, made by this login. The
//! voucher's code cannot be read again.

use super::{Inspection, loose};
use crate::reconcile::finding::{Candidate, Candidates, Finding};
use crate::reconcile::window::Place;
use serde::Deserialize;
use serde_json::json;
use sondage::error::Result;
use sondage::model::{IncentiveTransaction, ReadIncentiveListRequest, ReadIncentiveTransactionListRequest};
use sondage::operations::{ReadIncentiveList, ReadIncentiveTransactionList};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Redemption {
    incentive_id: i64,
}

pub(super) async fn find_evidence(inspection: &Inspection) -> Result<Finding> {
    let redemption: Redemption = inspection.request()?;
    let offers = inspection
        .client
        .pages::<ReadIncentiveList>(ReadIncentiveListRequest::new())
        .thorough(true)
        .collect_all()
        .await?;
    let offer = offers.into_iter().find(|offer| offer.id == redemption.incentive_id);
    let name = offer.as_ref().and_then(|offer| offer.name.as_deref()).map(loose);
    let price = offer.as_ref().and_then(|offer| offer.price_in_credits);
    let request = ReadIncentiveTransactionListRequest::new();
    let all =
        inspection.client.pages::<ReadIncentiveTransactionList>(request).thorough(true).collect_all().await?;
    let mut candidates = Candidates::default();
    for it in all {
        let timing = inspection.window.place_text(it.modified_date.as_deref());
        let earned = it.response_id.is_some() || spent(&it).is_some_and(|spent| spent <= 0);
        if matches!(timing, Place::Before | Place::After) || earned {
            continue;
        }
        let (id, description) = (it.id.to_string(), it.description.as_deref().map(loose).unwrap_or_default());
        let same = price.is_some()
            && spent(&it) == price
            && name.as_ref().is_some_and(|name| !name.is_empty() && description.contains(name));
        if timing == Place::Within && same && inspection.is_ours(it.modified_by.as_deref()) {
            candidates.ours.push(Candidate { ids: vec![id], answer: json!({ "voucherCode": null }) });
        } else {
            candidates.others.push(id);
        }
    }
    Ok(candidates.judge("transaction", inspection.name.as_deref(), inspection.ambiguous_with_own_call))
}

/// The decrease of the balance. Its format is not published.
fn spent(it: &IncentiveTransaction) -> Option<i64> {
    let number = |text: Option<&str>| text?.trim().parse::<i64>().ok();
    Some(number(it.old_value.as_deref())? - number(it.new_value.as_deref())?)
}
