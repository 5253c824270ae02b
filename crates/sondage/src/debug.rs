//! `Debug` implementations for types that contain secrets, personal data or internals: they print the type's name and
//! harmless fields.

use crate::Client;
use crate::auth::Tokens;
use crate::error::{Redactor, TextArgument};
use crate::operation::Paged;
use crate::paging::{Members, Pager, Pages, Rows};
use std::fmt::{Debug, Formatter, Result};

impl Debug for Client {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let config = self.config();
        f.debug_struct("Client").field("tenant", &config.tenant).finish_non_exhaustive()
    }
}

#[cfg(feature = "blocking")]
impl Debug for crate::blocking::Client {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.as_async().fmt(f)
    }
}

#[cfg(feature = "blocking")]
impl<T: crate::model::Identified + serde::Serialize + Send + 'static> Debug for crate::paging::Iter<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("Iter").finish_non_exhaustive()
    }
}

impl<O: Paged> Debug for Pages<O> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("Pages").field("operation", &O::INFO.name).finish_non_exhaustive()
    }
}

impl<R: Rows> Debug for Pager<R> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("Pager").finish_non_exhaustive()
    }
}

impl<T: ?Sized> Debug for TextArgument<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("Given").finish_non_exhaustive()
    }
}

macro_rules! by_name {
    ($($Type:ident)*) => { $(
        impl Debug for $Type {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                f.debug_struct(stringify!($Type)).finish_non_exhaustive()
            }
        }
    )* };
}
by_name! { Members Redactor Tokens }
