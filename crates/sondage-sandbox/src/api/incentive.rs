//! Incentives: credits, vouchers and purchases. A voucher can be used once.

use super::links;
use super::{ApiCall, Handler, ResponseText, succeed};
use crate::clock::wire;
use crate::ledger::EffectKind;
use crate::refusal::Refusal;
use crate::select;
use serde_json::{Value, json};
use sondage::model::{
    ReadCreditBalanceRequest, ReadIncentiveListRequest, ReadIncentiveTransactionListRequest,
    RedeemIncentiveCodeRequest,
};
use sondage::operations::{
    ReadCreditBalance, ReadIncentiveList, ReadIncentiveTransactionList, RedeemIncentiveCode,
};

impl Handler for ReadCreditBalance {
    fn handle(call: &ApiCall<'_>, _: ReadCreditBalanceRequest) -> Result<ResponseText, Refusal> {
        call.read(|tenant| succeed(json!({ "balance": tenant.incentives.balance })))
    }
}

impl Handler for ReadIncentiveList {
    fn handle(call: &ApiCall<'_>, request: ReadIncentiveListRequest) -> Result<ResponseText, Refusal> {
        const COLUMNS: &[&str] = &["id", "name", "priceInCredits", "description", "availableVouchersCount"];
        call.read(|tenant| {
            let offers = tenant.incentives.offers.values().map(|offer| {
                json!({
                    "id": offer.id,
                    "name": offer.name,
                    "priceInCredits": offer.price,
                    "description": offer.description,
                    "availableVouchersCount": offer.vouchers.len(),
                })
            });
            let (conditions, paging) = (request.conditions.as_deref(), request.paging.as_ref());
            let offers: Vec<Value> = offers.collect();
            let (page, total) = select::items(COLUMNS, &offers, conditions, paging, call.profile)?;
            succeed(json!({ "panelIncentives": page, "totalCount": total }))
        })
    }
}

impl Handler for ReadIncentiveTransactionList {
    fn handle(
        call: &ApiCall<'_>,
        request: ReadIncentiveTransactionListRequest,
    ) -> Result<ResponseText, Refusal> {
        const COLUMNS: &[&str] =
            &["id", "oldValue", "newValue", "description", "modifiedDate", "modifiedBy", "responseId"];
        let base = &call.shared.address(call.data_center).api;
        call.read(|tenant| {
            let listed = tenant.incentives.transactions.iter().filter(|it| call.is_listed(it.at));
            let transactions = listed.map(|it| {
                json!({
                    "id": it.id,
                    "oldValue": it.before.to_string(),
                    "newValue": it.after.to_string(),
                    "description": it.description,
                    "modifiedDate": wire(it.at),
                    "modifiedBy": it.by,
                    "responseId": it.interview,
                    "interviewLink": it.interview.as_ref().map(|id| links::interview(base, id)),
                })
            });
            let (conditions, paging) = (request.conditions.as_deref(), request.paging.as_ref());
            let transactions: Vec<Value> = transactions.collect();
            let (page, total) = select::items(COLUMNS, &transactions, conditions, paging, call.profile)?;
            succeed(json!({ "incentiveTransactions": page, "totalCount": total }))
        })
    }
}

impl Handler for RedeemIncentiveCode {
    fn handle(call: &ApiCall<'_>, request: RedeemIncentiveCodeRequest) -> Result<ResponseText, Refusal> {
        let code = call.change(|tenant, ids| {
            let number = ids.next();
            tenant.incentives.redeem(request.incentive_id, number, call.now, call.actor())
        })?;
        call.note(EffectKind::IncentiveRedeemed, vec![request.incentive_id.to_string()]);
        succeed(json!({ "voucherCode": code }))
    }
}
