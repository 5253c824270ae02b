//! `Debug` for queries and jobs: only their names are shown. A filter may contain personal data.

use crate::create::CreateFrom;
use crate::delta::Delta;
use crate::export::Export;
use crate::list::List;
use crate::options::Query;
use crate::query::{Batches, Interviews, Members, Reading};
use crate::sync::{ChangeSet, StoreSync};
use sondage::operation::Paged;
use std::fmt::{Debug, Formatter, Result};

macro_rules! by_name {
    ($($Type:ident),*) => { $(
        impl Debug for $Type {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                f.debug_struct(stringify!($Type)).finish_non_exhaustive()
            }
        }
    )* };
}
by_name! { Batches, ChangeSet, CreateFrom, Delta, Export, Interviews, Members, Query, Reading, StoreSync }

#[cfg(feature = "blocking")]
mod waiting {
    use super::{Debug, Formatter, Result};
    use crate::blocking::{Batches, Plan, Query};

    by_name! { Batches, Plan, Query }
}

impl<O: Paged> Debug for List<O> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("List").field("operation", &O::INFO.name).finish_non_exhaustive()
    }
}
