//! Complete lists, page by page.

use crate::given::Call;
use crate::language::Language;
use crate::outcome::{Done, Gift, Outcome, Work, valued};
use crate::query::Query;
use crate::thing::Verbs;
use serde::Serialize;
use sondage::paging::{Pager, Rows};
use sondage_data::Batches;
use std::sync::Arc;
use tokio::sync::Mutex;

/// The pages of a list, one after the other.
pub struct Pages<L: Language>(Box<dyn Fn() -> Work<L> + Send + Sync>);

impl<L: Language> Pages<L> {
    /// Pages of objects.
    pub fn new<T: Serialize + Send + 'static>(pager: Pager<Vec<T>>) -> Self
    where
        Vec<T>: Rows,
    {
        let pager = Arc::new(Mutex::new(pager));
        Self(Box::new(move || {
            let pager = pager.clone();
            valued(async move { pager.lock().await.next().await })
        }))
    }

    /// Pages that are tables.
    pub fn tables(query: Query) -> Self {
        let begun: Arc<Mutex<Option<Batches>>> = Arc::default();
        Self(Box::new(move || {
            let (query, begun) = (query.clone(), begun.clone());
            Box::pin(async move {
                let mut begun = begun.lock().await;
                let batches = match &mut *begun {
                    Some(batches) => batches,
                    none => none.insert(query.batches().await?),
                };
                Ok(match batches.next().await? {
                    Some(table) => Gift::thing(table),
                    None => Gift::value(()),
                })
            })
        }))
    }
}

impl<L: Language> Verbs<L> for Pages<L> {
    fn call(&self, call: Call<'_, L>) -> Done<L> {
        match call.verb {
            // Nothing when the list is complete.
            "next" => Ok(Outcome::Later(self.0())),
            _ => Err(call.unknown()),
        }
    }
}
