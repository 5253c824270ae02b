//! `Debug` implementations for jobs, which contain a client and the caller's data: they print the type's name.

use crate::{Archive, Update};
use std::fmt::{Debug, Formatter, Result};

macro_rules! by_name {
    ($($Type:ident)*) => { $(
        impl Debug for $Type {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                f.debug_struct(stringify!($Type)).finish_non_exhaustive()
            }
        }
    )* };
}
by_name! { Archive Update }
