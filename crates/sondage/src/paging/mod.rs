//! Complete lists, page by page.
//!
//! The service takes a page number and a page size, and has published neither the number of its first page nor its
//! largest page. It moves rows between pages while one reads, and its `totalCount` has been seen to be wrong. A list that
//! is silently short is the worst that can happen here, so a [`Pager`] ends in one of two ways: everything that follows
//! from the answers says that the list is whole, or the error `Incomplete` says what is missing.
//!
//! What is known about a service is kept with its evidence ([`ListFacts`]). A reader goes on with what is known, and turns to requests
//! beyond both ends of the list as soon as an answer contradicts it:
//!
//! | what is known | what came | what is concluded | what stays unproven |
//! |---|---|---|---|
//! | the first page and that the count is of the whole list, proven within 7 days | a first page shorter than requested, whose count is its rows; not suspect, not drawn, not `thorough` | the list is whole (1 call) | two of first page, cap and meaning of the count changed since |
//! | | a page of a usual limit, if this list was not proven with that length or it has 500 rows or more, or longer than any list of one page before: *suspect* | the tail probe | |
//! | | the tail probe returns exactly the last rows, and every count is the number of rows | whole; first page and count are proven (2 calls for one page) | a count that is capped at the length of a page while the probe is damaged |
//! | | the same, without such a count | a second tail probe of another size; whole if it agrees too | rows that moved in a way that both miss |
//! | | a tail probe returns other rows, fewer, none, or is refused; a count is larger than the rows, or fell | what was known is forgotten; the reader confirms everything | |
//! | | rows that the tail probe has shown are on no page | the list is read again | |
//! | the tail probe has failed three times on whole lists within 7 days | | it is not tried | as in the next table |
//! | | many pages, the same count on each, which is what came and larger than every page; the last page is short | whole; first page and count are proven for nothing | a row deleted and another added between two pages |
//! | the first page, and that counts are right | an empty first page with count 0, and no first row | empty (2 calls) | |
//! | | the same, without that knowledge | the page before the first as well (3 calls) | that page was empty by mistake |
//!
//! The tail probe asks for the page after the last with a size at which it must begin with rows that the reader has: after 200 rows on
//! one page, page 2 of 199 rows, which is the last row. An empty page may be a failure; these rows cannot be one. Lists that decide
//! about people, and one list in 20 at random, are probed whatever is known.
//!
//! The reader that confirms everything, also with the setting `facts = "off"`:
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
//! | no new rows on the page before the first, or no such page, and no right count | asks for the first row again; if that is another one now, the pages were renumbered while it read: reads the list again | no page was left out |
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
mod early;
mod finish;
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
mod tail;
mod texts;
mod typed;

pub use crate::facts::ListFacts;
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
