//! What the failure of a page means for the list.

use crate::error::{Delivery, Error, ErrorKind};

/// There is no page with this number.
pub(super) fn is_refused(error: &Error) -> bool {
    error.kind() == ErrorKind::Api || error.status() == Some(500)
}

/// A smaller page may succeed where this one failed. A service that is down (503) fails for other reasons.
pub(super) fn takes_too_long(error: &Error) -> bool {
    let cut = error.kind() == ErrorKind::Network && error.delivery() != Delivery::No;
    cut && error.status() != Some(503) || error.is_too_large()
}
