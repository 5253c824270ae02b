//! What shows that a list of interviews is whole.

use sondage::operation::Paged;
use sondage::paging::Pages;

/// What shows that the list of interviews is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListProof {
    /// What is known about the service, where that is enough.
    Facts,
    /// The same, and an empty answer.
    EmptySuffices,
    /// A request of its own.
    Thorough,
}

impl ListProof {
    pub fn of(thorough: bool) -> Self {
        if thorough { Self::Thorough } else { Self::Facts }
    }

    /// The same for a load that reads the same again if an empty answer was a failure.
    pub fn believing_empty_page(self) -> Self {
        if self == Self::Facts { Self::EmptySuffices } else { self }
    }

    pub fn demand<O: Paged>(self, pages: Pages<O>) -> Pages<O> {
        pages.thorough(self == Self::Thorough).believes_empty_page(self == Self::EmptySuffices)
    }
}
