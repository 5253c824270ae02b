//! The number of calls for a list, before it is read.

/// What the number of calls for a list depends on, when it was read to its end.
#[derive(Clone, Copy, Debug)]
pub struct ListShape {
    /// Rows of the list.
    pub rows: i64,
    /// Whether the service's count is right, so that it proves the end.
    pub counted: bool,
    /// The number of the first page.
    pub first: i64,
    /// Whether that number is proven.
    pub proven: bool,
}

impl ListShape {
    /// The number of calls for the list if it had this many rows.
    pub fn calls(&self, rows: i64, page_size: i64) -> i64 {
        let size = page_size.max(1);
        let pages = rows / size + 1;
        if self.counted && rows > size {
            return pages;
        }
        // A list that ends with an empty page requests that page again, to confirm it; an empty list requests its first row.
        let ends_empty = rows > 0 && (rows < size || rows % size == 0);
        // The page before the first, or page 1 if page 0 is empty.
        let other_page = !self.proven && (self.first > 0 || rows == 0);
        pages + 1 + i64::from(ends_empty) + i64::from(other_page)
    }
}
