//! The purchase of vouchers with credits: how many, at what price, and for whom.

use super::plan::{CommonOptions, Detail, Reader, Request, Seen, SendKind, SendResult, TargetKind, wrong};
use crate::options::{JournalPlace, RedeemOptions};
use futures_util::future::BoxFuture;
use sondage::Client;
use sondage::error::{Error, Result};
use sondage::model::{ReadCreditBalanceRequest, ReadIncentiveListRequest, RedeemIncentiveCodeRequest};
use sondage::operations::{ReadIncentiveList, RedeemIncentiveCode};
use sondage::text;
use std::collections::BTreeSet;

fn check(options: &RedeemOptions) -> Result<()> {
    let hint = "Give either `count`, or a voucher for each of `member_ids`.";
    match (options.count, &options.member_ids) {
        (Some(0), None) => Err(wrong("`count` is 0, so nothing would be bought", hint)),
        (None, Some(members)) if members.is_empty() => {
            Err(wrong("`member_ids` is empty, so nothing would be bought", hint))
        }
        (None, Some(members)) if members.iter().collect::<BTreeSet<_>>().len() < members.len() => {
            Err(wrong("`member_ids` names a member twice", "Remove one of them."))
        }
        (Some(_), None) | (None, Some(_)) => Ok(()),
        (Some(_), Some(_)) => Err(wrong("there are both `count` and `member_ids`", hint)),
        (None, None) => Err(wrong(
            "`count` and `member_ids` are missing, so it is unknown how many vouchers to buy",
            hint,
        )),
    }
}

/// Reads the current price. An error if there are not enough credits or vouchers.
async fn read(client: &Client, options: &RedeemOptions) -> Result<Seen> {
    let mut reader = Reader::new(client);
    let mut matching = None;
    reader
        .list::<ReadIncentiveList>(ReadIncentiveListRequest::new(), |incentive| {
            if incentive.id == options.incentive_id {
                matching = Some(incentive);
            }
        })
        .await?;
    let incentive = matching.ok_or_else(|| {
        wrong(
            text!("there is no incentive {}", options.incentive_id),
            "`read_incentive_list` shows which ones exist.",
        )
    })?;
    let price = incentive
        .price_in_credits
        .ok_or_else(|| Error::unexpected_response("the service does not say what the incentive costs"))?;
    let balance = client.read_credit_balance(ReadCreditBalanceRequest::new()).await?.balance;
    reader.calls += 1;
    let balance = balance
        .ok_or_else(|| Error::unexpected_response("the service does not say how many credits there are"))?;
    let mut targets = match &options.member_ids {
        Some(members) => members.clone(),
        None => (1..=i64::try_from(options.count.unwrap_or_default()).unwrap_or(i64::MAX)).collect(),
    };
    targets.sort_unstable();
    Ok(Seen {
        kind: if options.member_ids.is_some() { TargetKind::Members } else { TargetKind::Other },
        targets,
        calls: reader.calls_again(),
        bytes: reader.bytes,
        detail: Detail::Stock(Stock {
            name: incentive.name.unwrap_or_default(),
            price,
            balance,
            left: incentive.available_vouchers_count,
        }),
        ..Seen::default()
    })
}

/// Whether the remaining vouchers can be bought.
fn settle(options: &RedeemOptions, seen: &mut Seen) -> Result<()> {
    if let Detail::Stock(stock) = &seen.detail {
        [seen.frozen_terms, seen.notes] = stock.buys(options, seen.targets.len())?;
    }
    Ok(())
}

/// The price and what is available.
pub(super) struct Stock {
    name: String,
    price: i64,
    balance: i64,
    /// The remaining vouchers, if the service shows them.
    left: Option<i64>,
}

impl Stock {
    /// The price of this many vouchers, as text; an error if they cannot be bought.
    fn buys(&self, options: &RedeemOptions, count: usize) -> Result<[String; 2]> {
        let Self { name, price, balance, left } = self;
        let quantity = i64::try_from(count).unwrap_or(i64::MAX);
        let cost = price.saturating_mul(quantity);
        if let Some(most) = options.max_credits.filter(|most| cost > *most) {
            return Err(wrong(
                text!("{count} vouchers cost {cost} credits, and `max_credits` is {most}"),
                "Buy fewer, or allow more.",
            ));
        }
        if cost > *balance {
            return Err(wrong(
                text!("{count} vouchers cost {cost} credits, and there are {balance}"),
                "Buy fewer, or add credits.",
            ));
        }
        if let Some(left) = left.filter(|left| quantity > *left) {
            return Err(wrong(
                text!("{count} vouchers are requested, and {left} are left"),
                "Buy fewer, or choose another incentive.",
            ));
        }
        let incentive = options.incentive_id;
        let frozen_terms = format!("incentive {incentive} ({name}): {count} vouchers at {price} credits");
        Ok([frozen_terms, format!(", {cost} of {balance}")])
    }
}

impl SendKind for RedeemOptions {
    fn name(&self) -> &'static str {
        "plan_redeem"
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

    fn settle(&self, _: &Client, seen: &mut Seen) -> Result<()> {
        settle(self, seen)
    }

    fn max_targets_per_call(&self) -> usize {
        1
    }

    fn request(&self, _: &Seen, _: &[i64]) -> Result<Request> {
        let request = RedeemIncentiveCodeRequest::new(self.incentive_id);
        Ok(Request::of::<RedeemIncentiveCode>(request, |answer| SendResult {
            voucher: answer.voucher_code,
            ..SendResult::default()
        }))
    }

    fn summary(&self, seen: &Seen) -> String {
        format!("{}{}", seen.frozen_terms, seen.notes)
    }

    fn continuation_hint(&self) -> &'static str {
        "Plan the vouchers that are `\"not_sent\"`: a plan of all would buy the others again. With a `journal` the \
         same plan resumes."
    }
}
