//! Incentives: what people get for their answers, the vouchers for it, and the credits that pay for them.

use super::{Condition, Paging, Secret};
use sondage_macros::{record, request, response};

/// Asks for the balance of credits. The request has no fields.
#[request]
#[source("API 8.2, published")]
pub struct ReadCreditBalanceRequest {}

/// The balance of credits.
#[response]
pub struct ReadCreditBalanceResponse {
    /// Credits that can be spent.
    pub balance: Option<i64>,
}

/// Asks for the incentives that credits can buy.
#[request]
#[source("API 8.3, published")]
pub struct ReadIncentiveListRequest {
    /// Which incentives.
    pub conditions: Option<Vec<Condition>>,
    /// Which part of the list.
    pub paging: Option<Paging>,
}

/// Incentives.
#[response]
pub struct ReadIncentiveListResponse {
    /// The incentives.
    pub panel_incentives: Vec<PanelIncentive>,
    /// How many there are, as the service counts.
    pub total_count: Option<i64>,
}

/// Something that credits can buy, such as a voucher of a shop.
#[record]
#[source("API 8.3, published")]
pub struct PanelIncentive {
    /// Number of the incentive.
    #[wire(id)]
    pub id: i64,
    /// Its name.
    pub name: Option<String>,
    /// What one voucher costs, in credits.
    pub price_in_credits: Option<i64>,
    /// What one gets.
    pub description: Option<String>,
    /// How many vouchers are left.
    pub available_vouchers_count: Option<i64>,
}

/// Asks for what was earned and spent.
#[request]
#[source("API 8.4, published")]
pub struct ReadIncentiveTransactionListRequest {
    /// Which transactions.
    pub conditions: Option<Vec<Condition>>,
    /// Which part of the list.
    pub paging: Option<Paging>,
}

/// Transactions.
#[response]
pub struct ReadIncentiveTransactionListResponse {
    /// The transactions.
    pub incentive_transactions: Vec<IncentiveTransaction>,
    /// How many there are, as the service counts.
    pub total_count: Option<i64>,
}

/// A change of a balance of credits. Its values and its date are kept as the texts that came: their form
/// is not published.
#[record]
#[source("API 8.4, published")]
pub struct IncentiveTransaction {
    /// Number of the transaction.
    #[wire(id)]
    pub id: i64,
    /// The balance before.
    pub old_value: Option<String>,
    /// The balance after.
    pub new_value: Option<String>,
    /// What happened.
    pub description: Option<String>,
    /// When it happened.
    pub modified_date: Option<String>,
    /// Who did it.
    pub modified_by: Option<String>,
    /// GUID of the interview that earned the credits, if one did.
    pub response_id: Option<String>,
    /// Where that interview is answered. Not permanent, and shown nowhere: whoever has it can answer.
    pub interview_link: Option<Secret>,
}

/// Buys a voucher.
#[request]
#[source("API 8.5, published")]
pub struct RedeemIncentiveCodeRequest {
    /// The incentive.
    pub incentive_id: i64,
}

/// A voucher. Whoever knows its code can use it: store it, and show it to nobody else.
#[response]
pub struct RedeemIncentiveCodeResponse {
    /// The code of the voucher.
    pub voucher_code: Option<Secret>,
}
