//! Complete lists, page by page.

use crate::error::thrown;
use crate::queries::Asked;
use crate::to_js::to_js;
use crate::work::Work;
use napi::Env;
use napi_derive::napi;
use serde::Serialize;
use sondage::Result;
use sondage::paging::{Pager, Rows};
use sondage_data::{Batches, Table};
use std::sync::Arc;
use tokio::sync::Mutex;

/// The pages of a list, one after the other.
#[napi]
pub struct Pages(Box<dyn Fn() -> Work + Send + Sync>);

impl Pages {
    /// Pages of objects.
    pub fn new<T: Serialize + Send + 'static>(env: &Env, pager: Result<Pager<Vec<T>>>) -> napi::Result<Self>
    where
        Vec<T>: Rows,
    {
        let pager = Arc::new(Mutex::new(pager.map_err(|error| thrown(env, &error))?));
        Ok(Self(Box::new(move || {
            let pager = pager.clone();
            Work::new(async move { pager.lock().await.next().await })
        })))
    }

    /// Pages that are tables.
    pub fn tables(query: Asked) -> Self {
        let begun: Arc<Mutex<Option<Batches>>> = Arc::default();
        Self(Box::new(move || {
            let (query, begun) = (query.clone(), begun.clone());
            let next = async move {
                let mut begun = begun.lock().await;
                if begun.is_none() {
                    *begun = Some(match query {
                        Asked::Interviews(query) => query.batches()?,
                        Asked::Members(query) => query.batches().await?,
                    });
                }
                match begun.as_mut() {
                    Some(batches) => batches.next().await,
                    None => Ok(None),
                }
            };
            Work::with(next, |env, table: Option<Table>| match table {
                Some(table) => crate::table::handed_over(env, table),
                None => to_js(env, &()),
            })
        }))
    }
}

#[napi]
impl Pages {
    /// The next page; `null` when the list is complete.
    #[napi(catch_unwind)]
    pub fn next(&self) -> Work {
        self.0()
    }
}
