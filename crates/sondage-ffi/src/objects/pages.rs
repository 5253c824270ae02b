//! Complete lists, page by page.

use crate::call::reply::{Output, Work, valued};
use crate::language::{ArgResult, Language};
use crate::methods::core;
use serde::Serialize;
use sondage::paging::{Pager, Rows};
use sondage::{Error, Result};
use sondage_data::{Batches, Names, Query};
use std::sync::Arc;
use tokio::sync::Mutex;

/// The pages of a list, one after the other.
pub struct Pages<L: Language> {
    next: Next<L>,
    /// The list as a table, if its rows have fields of their own.
    table: Option<Whole<L>>,
}

type Next<L> = Box<dyn Fn() -> Work<L> + Send + Sync>;
type Whole<L> = Box<dyn Fn(Names) -> Work<L> + Send + Sync>;

impl<L: Language> Pages<L> {
    /// Pages of objects.
    pub fn new<T: Serialize + Send + 'static>(pager: Pager<Vec<T>>) -> Self
    where
        Vec<T>: Rows,
    {
        let pager = Arc::new(Mutex::new(pager));
        let next = Box::new(move || {
            let pager = pager.clone();
            valued(async move { pager.lock().await.next().await })
        });
        Self { next, table: None }
    }

    /// The same list, which can also be read as a table.
    pub fn or_table(self, table: impl Fn(Names) -> Work<L> + Send + Sync + 'static) -> Self {
        Self { table: Some(Box::new(table)), ..self }
    }

    /// Pages that are tables.
    pub fn tables(query: Query) -> Self {
        let begun: Arc<Mutex<Option<Batches>>> = Arc::default();
        let next: Next<L> = Box::new(move || {
            let (query, begun) = (query.clone(), begun.clone());
            Box::pin(async move {
                let mut begun = begun.lock().await;
                let batches = match &mut *begun {
                    Some(batches) => batches,
                    none => none.insert(query.batches().await?),
                };
                Ok(match batches.next().await? {
                    Some(table) => Output::handle(table),
                    None => Output::value(()),
                })
            })
        });
        Self { next, table: None }
    }
}

impl<L: Language> core::pages::Methods<L> for Pages<L> {
    fn next(&self) -> ArgResult<Work<L>, L> {
        Ok((self.next)())
    }

    fn table(&self, names: String) -> ArgResult<Work<L>, L> {
        let none = || Error::internal("this list has no table of its own");
        let table = self.table.as_ref().ok_or_else(none)?;
        Ok(table(self::names(&names)?))
    }
}

/// The spelling of a table's column names: `snake` or `wire`.
fn names(word: &str) -> Result<Names> {
    match word {
        "snake" => Ok(Names::Snake),
        "wire" => Ok(Names::Wire),
        other => Err(Error::internal(format!("columns have no names of the kind {other:?}"))),
    }
}
