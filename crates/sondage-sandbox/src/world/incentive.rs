//! Credits, incentives and transactions.

use super::word::{self, Word};
use crate::refusal::Refusal;
use chrono::{DateTime, Utc};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// The credits and incentives of an account. Whose balance `ReadCreditBalance` shows is not published (assumed: the
/// account's).
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Incentives {
    pub(crate) balance: i64,
    pub(crate) offers: IndexMap<i64, Offer>,
    pub(crate) transactions: Vec<Transaction>,
}

/// An incentive that credits can buy.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Offer {
    pub(crate) id: i64,
    #[serde(deserialize_with = "word::read")]
    pub(crate) name: Word,
    pub(crate) price: i64,
    #[serde(deserialize_with = "word::read")]
    pub(crate) description: Word,
    /// The remaining voucher codes.
    pub(crate) vouchers: Vec<String>,
}

/// A change of the balance.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Transaction {
    pub(crate) id: i64,
    pub(crate) before: i64,
    pub(crate) after: i64,
    pub(crate) description: String,
    pub(crate) at: DateTime<Utc>,
    pub(crate) by: String,
    /// The interview that earned the credits.
    pub(crate) interview: Option<String>,
}

impl Incentives {
    /// Takes a voucher and pays for it, atomically.
    pub(crate) fn redeem(
        &mut self,
        id: i64,
        number: i64,
        at: DateTime<Utc>,
        by: String,
    ) -> Result<String, Refusal> {
        let missing = || Refusal::not_found("IncentiveNotFound", "incentive", id);
        let offer = self.offers.get_mut(&id).ok_or_else(missing)?;
        let sold_out = || Refusal::invalid(format!("The incentive {id} has no vouchers left."));
        let code = offer.vouchers.last().ok_or_else(|| sold_out().with_code("VouchersExhausted"))?.clone();
        if self.balance < offer.price {
            let why =
                format!("The incentive {id} costs {} credits, and {} are left.", offer.price, self.balance);
            return Err(Refusal::invalid(why).with_code("CreditsInsufficient"));
        }
        offer.vouchers.pop();
        let (before, after) = (self.balance, self.balance - offer.price);
        self.balance = after;
        let description = format!("Redeemed: {}", offer.name);
        self.transactions.push(Transaction {
            id: number,
            before,
            after,
            description,
            at,
            by,
            interview: None,
        });
        Ok(code)
    }
}
