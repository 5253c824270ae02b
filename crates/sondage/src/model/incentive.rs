//! Incentives: rewards for answers, their vouchers, and the credits that pay for them.

use super::{Condition, Paging, Secret};
use sondage_macros::{record, request, response};

/// Requests the balance of credits. The request has no fields.
#[request]
#[source("API 8.2, published")]
pub struct ReadCreditBalanceRequest {}

/// The balance of credits.
#[response]
pub struct ReadCreditBalanceResponse {
    /// Credits that can be spent.
    pub balance: Option<i64>,
}

/// Lists the incentives that credits can buy.
#[request]
#[source("API 8.3, published")]
pub struct ReadIncentiveListRequest {
    /// Which incentives.
    pub conditions: Option<Vec<Condition>>,
    /// Which page of the list.
    pub paging: Option<Paging>,
}

/// Incentives.
#[response]
pub struct ReadIncentiveListResponse {
    /// The incentives.
    pub panel_incentives: Vec<PanelIncentive>,
    /// The total number, as counted by the service.
    pub total_count: Option<i64>,
}

/// An incentive that credits can buy, such as a voucher of a shop.
#[record]
#[source("API 8.3, published")]
pub struct PanelIncentive {
    /// Id of the incentive.
    #[wire(id)]
    pub id: i64,
    /// Its name.
    pub name: Option<String>,
    /// The price of one voucher, in credits.
    pub price_in_credits: Option<i64>,
    /// What the voucher is for.
    pub description: Option<String>,
    /// How many vouchers are left.
    pub available_vouchers_count: Option<i64>,
}

/// Lists the transactions: credits earned and spent.
#[request]
#[source("API 8.4, published")]
pub struct ReadIncentiveTransactionListRequest {
    /// Which transactions.
    pub conditions: Option<Vec<Condition>>,
    /// Which page of the list.
    pub paging: Option<Paging>,
}

/// Transactions.
#[response]
pub struct ReadIncentiveTransactionListResponse {
    /// The transactions.
    pub incentive_transactions: Vec<IncentiveTransaction>,
    /// The total number, as counted by the service.
    pub total_count: Option<i64>,
}

/// A change of the balance. Its values and date are kept as the service's text: their format is not published.
#[record]
#[source("API 8.4, published")]
pub struct IncentiveTransaction {
    /// Id of the transaction.
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
    /// The URL of that interview. It is not permanent, and never displayed: anyone who has it can answer.
    pub interview_link: Option<Secret>,
}

/// Buys a voucher.
#[request]
#[source("API 8.5, published")]
pub struct RedeemIncentiveCodeRequest {
    /// The incentive.
    pub incentive_id: i64,
}

/// A voucher. Anyone who knows its code can use it: store it, and do not show it to anybody else.
#[response]
pub struct RedeemIncentiveCodeResponse {
    /// The code of the voucher.
    pub voucher_code: Option<Secret>,
}
