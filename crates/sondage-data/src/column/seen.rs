//! Which kinds of JSON values a column has held.

use super::cell::{Cell, EXACT_IN_F64};

/// The set of kinds of JSON values seen in a column. The set alone determines how a column is stored, so neither the
/// order of the rows nor the page boundaries can change the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SeenKinds(u8);

/// How the values of a column are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StorageKind {
    Null,
    Bool,
    Int,
    Float,
    Text,
}

impl SeenKinds {
    const BOOL: u8 = 1;
    const INT: u8 = 2;
    /// An integer that an `f64` cannot hold.
    const BIG: u8 = 4;
    pub(crate) const FLOAT: u8 = 8;
    const WIDE: u8 = 16;
    pub(crate) const TEXT: u8 = 32;
    pub(crate) const NESTED: u8 = 64;

    pub(crate) fn with(self, cell: &Cell<'_>) -> Self {
        SeenKinds(self.0 | Self::bit(cell))
    }

    fn bit(cell: &Cell<'_>) -> u8 {
        match cell {
            Cell::Null => 0,
            Cell::Bool(_) => Self::BOOL,
            Cell::Int(value) if value.unsigned_abs() > EXACT_IN_F64 => Self::INT | Self::BIG,
            Cell::Int(_) => Self::INT,
            Cell::Float(_) => Self::FLOAT,
            Cell::Wide(_) => Self::WIDE,
            Cell::Text(_) => Self::TEXT,
            Cell::Nested(_) => Self::NESTED,
        }
    }

    /// Whether a value of this kind was among them.
    #[inline]
    pub(crate) fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    pub(crate) fn union(self, other: SeenKinds) -> SeenKinds {
        SeenKinds(self.0 | other.0)
    }

    /// The narrowest storage that loses nothing.
    pub(crate) fn kind(self) -> StorageKind {
        const INT: u8 = SeenKinds::INT | SeenKinds::BIG;
        const FLOAT: u8 = SeenKinds::INT | SeenKinds::FLOAT;
        match self.0 {
            0 => StorageKind::Null,
            Self::BOOL => StorageKind::Bool,
            bits if bits & !INT == 0 => StorageKind::Int,
            bits if bits & !FLOAT == 0 => StorageKind::Float,
            _ => StorageKind::Text,
        }
    }

    /// Every value was a JSON string.
    pub(crate) fn only_text(self) -> bool {
        self.0 == Self::TEXT
    }

    /// Some value was an array or object.
    pub(crate) fn nested(self) -> bool {
        self.0 & Self::NESTED != 0
    }

    /// An integer beyond 2^53 was among the values.
    pub(crate) fn big(self) -> bool {
        self.0 & (Self::BIG | Self::WIDE) != 0
    }

    /// Every value was an array or object.
    pub(crate) fn only_nested(self) -> bool {
        self.0 == Self::NESTED
    }

    /// The set as a number, for storage in files.
    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    /// The inverse of [`SeenKinds::bits`].
    pub(crate) fn of_bits(bits: u8) -> SeenKinds {
        SeenKinds(bits & 0x7f)
    }

    /// The set of a column of texts.
    pub(crate) fn text() -> SeenKinds {
        SeenKinds(Self::TEXT)
    }

    /// The set of a column of fractions.
    pub(crate) fn float() -> SeenKinds {
        SeenKinds(Self::FLOAT)
    }

    /// The kinds as text, for a warning.
    pub(crate) fn words(self) -> Vec<&'static str> {
        let names = [
            (Self::INT | Self::FLOAT | Self::WIDE, "numbers"),
            (Self::TEXT, "texts"),
            (Self::BOOL, "true and false"),
            (Self::NESTED, "lists or objects"),
        ];
        names.iter().filter(|(bits, _)| self.0 & bits != 0).map(|(_, word)| *word).collect()
    }
}
