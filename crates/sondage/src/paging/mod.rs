//! Complete lists, page by page.
//!
//! The service takes a page number and a page size, and has published neither the number of its first page nor its
//! largest page. It moves rows between pages while one reads, and its `totalCount` has been seen to be wrong. A list that
//! is silently short is the worst that can happen here, so a [`Pager`] ends in one of two ways: everything that follows
//! from the answers says that the list is whole, or the error `Incomplete` says what is missing.
//!
//! | what it sees | what it does | what that proves |
//! |---|---|---|
//! | an empty page, or a short one once that size has been seen full | ends, when `totalCount` is what came and larger than every page | nothing comes after |
//! | a short page without such a count | asks for the page after it; reads on if that has rows | nothing comes after, where it has none |
//! | an empty first page | asks for its first row alone; reads the page again if there is one | the list is empty, where there is none |
//! | an empty page later, without such a count | asks for it once more, and after a full page also for the one after it; reads on if rows come | nothing comes after, where none do |
//! | rows after a page without any | reads the list again: a page was lost | |
//! | a short page before that | reads on, and takes its length for the service's own page size when more comes | nothing was skipped |
//! | a row it has had | drops it, by its id; reads the list again at the end: something moved | |
//! | `totalCount` fell while it read | reads the list again: what moved up was not seen | |
//! | `totalCount` is larger than what came | reads the list again | |
//! | `totalCount` is the same on every page, is what came, and larger than every page | ends | the list is whole, even if rows came twice |
//! | `totalCount` says nothing useful, or no more than one page holds: it may be that of the page | asks, once for each client and operation, whether there is a page before the first | the first page is the first |
//! | rows on the page before the first | reads from there; in this list they come last | later lists begin there |
//! | an empty first page 0, also without its first row | starts at page 1, if that has rows | |
//! | a first row, but only empty pages | asks for the page before the first; without rows there, reads the list again, then `Incomplete` | |
//! | a whole page that it has had | asks once more, then `Incomplete` | |
//! | the same short page twice, or more rows than it asked for and those twice | ends | the service ignores paging and gives everything |
//! | a cut, or a call that takes too long | halves the page and goes on from the same row, within the deadline of the page | |
//! | the second reading still in doubt | `Incomplete` | |
//!
//! Not provable from outside: that no row was deleted and another added between two pages of a list that is not ordered,
//! or of a service that gives no `totalCount`. Without a `totalCount` that is larger than every page, nothing shows that a row left
//! a page which had been read, or that a page lacks a row. Rows without ids (interviews without the column `Id`) cannot be told
//! apart: for them only the page as a whole and `totalCount` are checked. An empty page where the first row of the list should be is
//! believed if the request for that row alone is empty too; so is an empty page before the first.

mod ahead;
mod bookmark;
mod cursor;
#[cfg(feature = "blocking")]
mod iter;
mod list;
mod members;
mod pager;
mod proof;
mod refusal;
mod rows;
mod seen;
mod settings;
mod shape;
mod spans;
mod texts;
mod typed;

pub use crate::call::first_page::FirstPage;
pub use bookmark::Bookmark;
#[cfg(feature = "blocking")]
pub use iter::Iter;
pub use list::Pages;
pub use members::Members;
pub use pager::{Page, Progress};
pub use rows::Rows;
pub use settings::{Order, PagerSettings};
#[doc(hidden)] // for sondage-jobs
pub use shape::ListShape;
pub use typed::Pager;
