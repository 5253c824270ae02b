//! Credits of the account, and three incentives: one of them is too expensive, another one nearly sold out.

use super::moment;
use crate::random::SeededRng;
use crate::world::{Incentives, Interview, Offer, Transaction};

const EARNED: i64 = 150;

/// `first` is the id of the first incentive.
pub(super) fn incentives<'a>(
    first: i64,
    seed: u64,
    interviews: impl Iterator<Item = &'a Interview>,
) -> Incentives {
    let offer =
        |(number, (name, price, count, description)): (i64, &(&'static str, i64, u64, &'static str))| {
            let code = |voucher| {
                let guid =
                    SeededRng::for_item(seed, 3_000_000 + 100 * number.unsigned_abs() + voucher).guid();
                format!("VOUCHER-{}", guid[..8].to_uppercase())
            };
            let vouchers = (0..*count).map(code).collect();
            (first + number, Offer { id: first + number, name, price: *price, description, vouchers })
        };
    let offers = [
        ("Bookshop voucher", 500, 20, "A voucher of 5 francs for the bookshop."),
        ("Cinema ticket", 1_000, 1, "One ticket for any film."),
        ("Weekend in the mountains", 100_000, 2, "Two nights for two people."),
    ];
    let completed = interviews.filter(|interview| interview.state == "Completed").take(12);
    let transaction = |(number, interview): (i64, &Interview)| Transaction {
        id: first * 100 + number,
        before: EARNED * number,
        after: EARNED * (number + 1),
        description: "Interview completed".to_owned(),
        at: interview.end.unwrap_or_else(|| moment(0)),
        by: "survey".to_owned(),
        interview: Some(interview.id.clone()),
    };
    let transactions: Vec<_> = (0..).zip(completed).map(transaction).collect();
    Incentives {
        balance: transactions.last().map_or(0, |last| last.after),
        offers: (0..).zip(&offers).map(offer).collect(),
        transactions,
    }
}
