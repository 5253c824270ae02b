//! The end of a Parquet file, as every reader understands it.
//!
//! Since its version 60, the library that writes the files says of columns of fractions that their least and greatest values are in the
//! total order of IEEE 754. Readers that do not know this order refuse the whole file: polars 1.20 does. For numbers that are
//! never NaN, which is all that JSON has, it is the order that Parquet has always defined.

use std::io::{self, Write};

/// A union whose only field is an empty struct, in Thrift's compact protocol: the order that a type defines, and the total order.
const DEFINED_BY_TYPE: [u8; 3] = [0x1c, 0, 0];
const TOTAL: [u8; 3] = [0x2c, 0, 0];
/// A list of structs that is the field after the one before it.
const LIST: u8 = 0x19;
/// What is behind the metadata: their length, and `PAR1`.
const TRAILER: usize = 8;

/// Writes the rows of a file, and holds back its end until it is complete.
pub(super) struct FooterWriter<W> {
    to: W,
    held: Option<Vec<u8>>,
}

impl<W: Write> FooterWriter<W> {
    pub(super) fn new(to: W) -> Self {
        Self { to, held: None }
    }

    /// Holds back what is written from now on.
    pub(super) fn hold(&mut self) {
        self.held.get_or_insert_default();
    }

    /// Writes what was held back, the end of a file with this number of columns.
    pub(super) fn complete(&mut self, columns: usize) -> io::Result<()> {
        let mut held = self.held.take().unwrap_or_default();
        define_orders(&mut held, columns);
        self.to.write_all(&held)?;
        self.to.flush()
    }
}

impl<W: Write> Write for FooterWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.held {
            Some(held) => held.write(bytes),
            None => self.to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Changes the orders of all columns, the last field of the metadata. Nothing is changed unless the bytes are exactly those that are
/// expected.
fn define_orders(end: &mut [u8], columns: usize) {
    let size = TOTAL.len();
    let head = list_head(columns);
    let Some(last) = end.len().checked_sub(TRAILER + 1) else { return };
    let Some(first) = last.checked_sub(columns * size) else { return };
    let Some((before, rest)) = end.split_at_mut_checked(first) else { return };
    let orders = &mut rest[..columns * size];
    let is_known = |order: &[u8]| order == TOTAL || order == DEFINED_BY_TYPE;
    if before.ends_with(&head) && orders.chunks(size).all(is_known) {
        orders.chunks_mut(size).for_each(|order| order.copy_from_slice(&DEFINED_BY_TYPE));
    }
}

/// The beginning of a list of this many structs.
fn list_head(length: usize) -> Vec<u8> {
    const STRUCT: u8 = 0x0c;
    let (mut head, mut length) = (vec![LIST], length as u64);
    match u8::try_from(length) {
        Ok(short) if short < 15 => head.push(short << 4 | STRUCT),
        _ => {
            head.push(0xf0 | STRUCT);
            while length >= 0x80 {
                head.push((length & 0x7f) as u8 | 0x80);
                length >>= 7;
            }
            head.push((length & 0x7f) as u8);
        }
    }
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The end of a file whose columns have these orders.
    fn end(orders: &[[u8; 3]]) -> Vec<u8> {
        let metadata = [&b"0.1"[..], &list_head(orders.len()), &orders.concat(), &[0]].concat();
        [&metadata[..], &[9, 0, 0, 0], b"PAR1"].concat()
    }

    #[test]
    fn only_orders_are_changed() {
        for count in [1, 14, 15, 127, 128, 33_000] {
            let mut orders = vec![DEFINED_BY_TYPE; count];
            let expected = end(&orders);
            orders[count / 2] = TOTAL;
            let mut bytes = end(&orders);
            define_orders(&mut bytes, count);
            assert!(bytes == expected, "{count}");
            let mut other = end(&orders);
            define_orders(&mut other, count + 1);
            assert!(other == end(&orders), "{count}");
        }
        for mut short in [Vec::new(), b"PAR1".to_vec()] {
            define_orders(&mut short, 3);
        }
    }
}
