//! A column of labels in Parquet, with the dictionary of the questionnaire.
//!
//! The library's own writer builds a dictionary of the values that occur, in the order in which they occur. pandas and
//! pyarrow take the order of categories from that dictionary, and so would compare and sort labels wrongly, and not know
//! the choices that nobody chose. So these columns are encoded here: a dictionary page with all labels in their order, and
//! data pages with the positions of the answers in it.

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, PageType};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::page_store::{PageKey, PageStore};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, OffsetIndexBuilder};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use snap::raw::Encoder;
use std::io::Write;

/// Marks a missing answer among the positions.
const NONE: u32 = u32::MAX;

/// Encodes a column of labels in one row group.
pub(super) struct CategoryChunk {
    /// All labels, in their order.
    categories: ArrayRef,
    /// The bits of a position.
    width: u32,
    /// The positions of the page that is being filled.
    rows: Vec<u32>,
    page_rows: usize,
    pages: Box<dyn PageStore>,
    stored: Vec<StoredPage>,
    nulls: usize,
}

struct StoredPage {
    key: PageKey,
    rows: usize,
    /// With its header.
    size: usize,
    uncompressed: usize,
}

impl CategoryChunk {
    pub(super) fn new(categories: ArrayRef, page_rows: usize, pages: Box<dyn PageStore>) -> Self {
        let last = u32::try_from(categories.len().saturating_sub(1)).unwrap_or(u32::MAX);
        let width = (u32::BITS - last.leading_zeros()).max(1);
        CategoryChunk { categories, width, rows: Vec::new(), page_rows, pages, stored: Vec::new(), nulls: 0 }
    }

    /// The size of what was written so far, once it is encoded.
    pub(super) fn bytes(&self) -> usize {
        let stored: usize = self.stored.iter().map(|page| page.size).sum();
        stored + (self.rows.len() * (self.width as usize + 1)).div_ceil(8)
    }

    pub(super) fn write(&mut self, array: &ArrayRef) -> Result<()> {
        let labels = array.as_dictionary_opt::<Int32Type>();
        // A view of a table has one dictionary for all of its batches.
        let labels = labels.filter(|labels| **labels.values() == *self.categories);
        let labels = labels
            .ok_or_else(|| ParquetError::General("a column of labels has several dictionaries".to_owned()))?;
        for key in labels.keys() {
            let key = key.map(u32::try_from).transpose();
            let key = key.map_err(|error| ParquetError::External(Box::new(error)))?;
            self.nulls += usize::from(key.is_none());
            self.rows.push(key.unwrap_or(NONE));
            if self.rows.len() == self.page_rows {
                self.store()?;
            }
        }
        Ok(())
    }

    /// Encodes the page that is being filled.
    fn store(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let present = rows.iter().map(|key| u32::from(*key != NONE));
        let levels = bit_packed(present, rows.len(), 1);
        let keys = rows.iter().copied().filter(|key| *key != NONE);
        let mut page = u32::try_from(levels.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
        page.extend(levels);
        page.push(u8::try_from(self.width).unwrap_or(u8::MAX));
        page.extend(bit_packed(keys.clone(), keys.count(), self.width));
        let data = |buf| Page::DataPage {
            buf,
            num_values: u32::try_from(rows.len()).unwrap_or(u32::MAX),
            encoding: Encoding::RLE_DICTIONARY,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let (bytes, uncompressed) = encoded(&page, data)?;
        let size = bytes.len();
        let key = self.pages.put(bytes)?;
        self.stored.push(StoredPage { key, rows: rows.len(), size, uncompressed });
        self.rows = rows;
        self.rows.clear();
        Ok(())
    }

    /// Appends the column to a row group.
    pub(super) fn append<W: Write + Send>(
        mut self,
        descriptor: ColumnDescPtr,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<()> {
        if !self.rows.is_empty() {
            self.store()?;
        }
        let labels = self.categories.as_string::<i32>();
        let mut plain = Vec::new();
        for label in labels.iter().flatten() {
            plain.extend(u32::try_from(label.len()).unwrap_or(u32::MAX).to_le_bytes());
            plain.extend(label.as_bytes());
        }
        let num_values = u32::try_from(labels.len()).unwrap_or(u32::MAX);
        let dictionary =
            |buf| Page::DictionaryPage { buf, num_values, encoding: Encoding::PLAIN, is_sorted: false };
        let (bytes, mut uncompressed) = encoded(&plain, dictionary)?;
        let (mut chunk, mut index, mut rows) = (bytes.to_vec(), OffsetIndexBuilder::new(), 0);
        let data_offset = signed(chunk.len());
        for page in &self.stored {
            index.append_row_count(signed(page.rows));
            index.append_offset_and_size(signed(chunk.len()), i32::try_from(page.size).unwrap_or(i32::MAX));
            chunk.extend(self.pages.take(page.key)?);
            rows += page.rows;
            uncompressed += page.uncompressed;
        }
        // No minimum and maximum: readers disagree about whether those of an ordered type follow the alphabet.
        let statistics = Statistics::byte_array(None, None, None, Some(self.nulls as u64), false);
        let metadata = ColumnChunkMetaData::builder(descriptor)
            .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY])
            .set_compression(Compression::SNAPPY)
            .set_num_values(signed(rows))
            .set_total_compressed_size(signed(chunk.len()))
            .set_total_uncompressed_size(signed(uncompressed))
            .set_dictionary_page_offset(Some(0))
            .set_data_page_offset(data_offset)
            .set_statistics(statistics)
            .build()?;
        let chunk = Bytes::from(chunk);
        let close = ColumnCloseResult {
            bytes_written: chunk.len() as u64,
            rows_written: rows as u64,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: Some(index.build()),
        };
        group.append_column(&chunk, close)
    }
}

fn signed(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A compressed page with its header, and its size before compression.
fn encoded(content: &[u8], page: impl FnOnce(Bytes) -> Page) -> Result<(Bytes, usize)> {
    let compressed = Encoder::new().compress_vec(content);
    let compressed = compressed.map_err(|error| ParquetError::External(Box::new(error)))?;
    let mut bytes = TrackedWrite::new(Vec::new());
    let mut writer = SerializedPageWriter::new(&mut bytes);
    let spec = writer.write_page(CompressedPage::new(page(compressed.into()), content.len()))?;
    debug_assert!(matches!(spec.page_type, PageType::DATA_PAGE | PageType::DICTIONARY_PAGE));
    writer.close()?;
    Ok((bytes.into_inner()?.into(), spec.uncompressed_size))
}

/// Parquet's hybrid of run lengths and bit packing, as one packed run.
fn bit_packed(values: impl Iterator<Item = u32>, count: usize, width: u32) -> Vec<u8> {
    let groups = count.div_ceil(8);
    let mut out = Vec::with_capacity(groups * width as usize + 5);
    let mut header = (groups as u64) << 1 | 1;
    while header >= 0x80 {
        out.push((header & 0x7f) as u8 | 0x80);
        header >>= 7;
    }
    out.push((header & 0x7f) as u8);
    let (mut pending, mut bits) = (0_u64, 0);
    let padding = std::iter::repeat_n(0, groups * 8 - count);
    for value in values.chain(padding) {
        pending |= u64::from(value) << bits;
        bits += width;
        while bits >= 8 {
            out.push((pending & 0xff) as u8);
            pending >>= 8;
            bits -= 8;
        }
    }
    out
}
