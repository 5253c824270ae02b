//! Rows, and how a service divides them into pages.

use crate::service::answering::{RawReply, ReceivedRequest};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeSet;

/// The service's response for the page before its first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Before {
    Refused,
    Empty,
    First,
}

/// The value of `totalCount`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Count {
    Right,
    Nothing,
    Zero,
    /// The number of rows on the page.
    OfPage,
    /// At most the maximum page size.
    Capped,
}

impl Count {
    /// Whether a list with this count must be complete.
    pub fn is_useful(self) -> bool {
        self == Self::Right
    }
}

/// What changes while the list is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moving {
    Nothing,
    /// A row that was already read is deleted: later ones move up.
    Deleted,
    /// A row is inserted before those already read.
    Inserted,
    /// A row is appended.
    Added,
    /// The second page is empty, once.
    EmptyOnce,
    /// The second page lacks a row, once.
    ShortOnce,
    /// The service lowers its maximum page size.
    Smaller,
    /// The service gives its first page the other number.
    Renumbered,
    /// The count becomes the number of rows on the page.
    Recounted,
}

#[derive(Clone, Copy, Debug)]
pub struct ListCase {
    pub rows: i64,
    pub page_size: i64,
    pub base: i64,
    pub cap: i64,
    pub before: Before,
    pub count: Count,
    pub moving: Moving,
}

pub struct ListWorld {
    case: ListCase,
    /// The requests so far.
    pub requests: usize,
    rows: Vec<i64>,
    /// Rows that existed throughout.
    pub steady: BTreeSet<i64>,
    /// All rows that ever existed.
    pub ever: BTreeSet<i64>,
    moved: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListRequest {
    paging: RequestedPage,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestedPage {
    pub page_size: i64,
    pub page: i64,
}

impl ListWorld {
    pub fn new(case: ListCase) -> Self {
        // Even numbers, so that others can be inserted between them.
        let rows: Vec<i64> = (1..=case.rows).map(|number| number * 2).collect();
        let all: BTreeSet<i64> = rows.iter().copied().collect();
        Self { case, requests: 0, rows, steady: all.clone(), ever: all, moved: false }
    }

    pub fn answer(&mut self, arrived: &ReceivedRequest) -> RawReply {
        self.requests += 1;
        let Ok(ListRequest { paging }) = serde_json::from_str(&arrived.body) else {
            return RawReply(400, String::new(), Vec::new());
        };
        let mut index = paging.page - self.case.base;
        if index > 0 && !self.moved {
            self.moved = true;
            self.change();
            index = paging.page - self.case.base;
        }
        let case = self.case;
        if index < 0 {
            match case.before {
                Before::Refused => {
                    return RawReply::ok(json!({"isSuccess": false, "errorCode": "NoSuchPage"}).to_string());
                }
                Before::Empty => return self.page(&[], paging.page_size),
                Before::First => index = 0,
            }
        }
        let cap = if case.moving == Moving::Smaller && self.moved { (case.cap / 2).max(1) } else { case.cap };
        let size = paging.page_size.min(cap);
        let from = usize::try_from(index.saturating_mul(size)).unwrap_or(usize::MAX).min(self.rows.len());
        let most = usize::try_from(size).unwrap_or(usize::MAX);
        let to = from.saturating_add(most).min(self.rows.len());
        let mut rows = self.rows[from..to].to_vec();
        if index == 1 && matches!(case.moving, Moving::EmptyOnce | Moving::ShortOnce) {
            self.case.moving = Moving::Nothing;
            rows.truncate(if case.moving == Moving::EmptyOnce { 0 } else { rows.len().saturating_sub(1) });
        }
        self.page(&rows, size)
    }

    fn change(&mut self) {
        match self.case.moving {
            Moving::Deleted if !self.rows.is_empty() => {
                let gone = self.rows.remove(0);
                self.steady.remove(&gone);
            }
            Moving::Inserted => {
                self.rows.insert(0, 1);
                self.ever.insert(1);
            }
            Moving::Added => {
                let next = self.rows.last().unwrap_or(&0) + 2;
                self.rows.push(next);
                self.ever.insert(next);
            }
            Moving::Renumbered => self.case.base = 1 - self.case.base,
            Moving::Recounted => self.case.count = Count::OfPage,
            _ => {}
        }
    }

    fn page(&self, rows: &[i64], size: i64) -> RawReply {
        let whole = i64::try_from(self.rows.len()).unwrap_or(i64::MAX);
        let count = match self.case.count {
            Count::Right => Some(whole),
            Count::Nothing => None,
            Count::Zero => Some(0),
            Count::OfPage => i64::try_from(rows.len()).ok(),
            Count::Capped => Some(whole.min(size)),
        };
        let rows: Vec<_> = rows.iter().map(|id| json!({"id": id, "name": format!("s{id}")})).collect();
        RawReply::ok(json!({"isSuccess": true, "surveys": rows, "totalCount": count}).to_string())
    }
}
