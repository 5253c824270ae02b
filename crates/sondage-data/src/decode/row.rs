//! Reads one row into cells, straight from its bytes: serde visitors, no JSON value in between.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::names::{ColumnNames, ValueLocation};
use super::page::PayloadLayout;

/// The values of one row: the column's number and the JSON text, borrowed from the row.
///
/// If a key is repeated within a row, its last value counts, as in every common JSON reader.
#[derive(Debug, Default)]
pub(crate) struct RawRow<'de> {
    pub(crate) cells: Vec<(usize, &'de RawValue)>,
    /// The types that the fields of a member declare.
    pub(crate) field_types: Vec<(usize, &'de RawValue)>,
}

/// Reads a row of the given format.
pub(crate) struct RowSeed<'a, 'de> {
    pub(crate) form: PayloadLayout,
    pub(crate) names: &'a mut ColumnNames,
    /// The maximum number of columns. The column that exceeds it is still created, which the caller detects; nothing is
    /// read after it.
    pub(crate) most: usize,
    pub(crate) row: &'a mut RawRow<'de>,
    /// The column being read, for errors.
    pub(crate) current: &'a mut Option<usize>,
}

impl RowSeed<'_, '_> {
    fn number<E: Error>(&mut self, place: ValueLocation, name: &str) -> Result<usize, E> {
        let number = self.names.number(place, name);
        *self.current = Some(number);
        if number < self.most { Ok(number) } else { Err(E::custom("too many columns")) }
    }
}

impl<'de> DeserializeSeed<'de> for RowSeed<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RowSeed<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(BorrowedText)? {
            match (self.form, key.as_ref()) {
                (PayloadLayout::Structured, "columns") => map.next_value_seed(ColumnsSeed(&mut self))?,
                (PayloadLayout::Members, "fields") => map.next_value_seed(FieldsSeed(&mut self))?,
                (_, key) => {
                    let number = self.number(ValueLocation::Own, key)?;
                    self.row.cells.push((number, map.next_value()?));
                }
            }
            *self.current = None;
        }
        Ok(())
    }
}

/// The `columns` of a structured interview: `[{"id": "Q1", "value": 3}, ..]`.
struct ColumnsSeed<'s, 'a, 'de>(&'s mut RowSeed<'a, 'de>);

impl<'de> DeserializeSeed<'de> for ColumnsSeed<'_, '_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ColumnsSeed<'_, '_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`columns` as an array")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(IdAndValue(self.0))?.is_some() {
            *self.0.current = None;
        }
        Ok(())
    }
}

/// One element of `columns`.
struct IdAndValue<'s, 'a, 'de>(&'s mut RowSeed<'a, 'de>);

impl<'de> DeserializeSeed<'de> for IdAndValue<'_, '_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for IdAndValue<'_, '_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a column as an object of `id` and `value`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let (mut number, mut value) = (None, RawValue::NULL);
        while let Some(key) = map.next_key_seed(BorrowedText)? {
            match key.as_ref() {
                "id" => {
                    let id = map.next_value_seed(BorrowedText)?;
                    number = Some(self.0.number(ValueLocation::Own, &id)?);
                }
                "value" => value = map.next_value()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        let number = number.ok_or_else(|| A::Error::custom("a column without `id`"))?;
        self.0.row.cells.push((number, value));
        Ok(())
    }
}

/// The `fields` of a member: `{"Email": {"name": .., "fieldType": .., "value": ..}, ..}`.
struct FieldsSeed<'s, 'a, 'de>(&'s mut RowSeed<'a, 'de>);

impl<'de> DeserializeSeed<'de> for FieldsSeed<'_, '_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FieldsSeed<'_, '_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`fields` as an object")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(BorrowedText)? {
            let number = self.0.number(ValueLocation::Field, &key)?;
            map.next_value_seed(FieldSeed { number, row: self.0.row })?;
        }
        Ok(())
    }
}

/// One field of a member.
struct FieldSeed<'r, 'de> {
    number: usize,
    row: &'r mut RawRow<'de>,
}

impl<'de> DeserializeSeed<'de> for FieldSeed<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FieldSeed<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field as an object of `name`, `fieldType` and `value`")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut value = RawValue::NULL;
        while let Some(key) = map.next_key_seed(BorrowedText)? {
            match key.as_ref() {
                "value" => value = map.next_value()?,
                "fieldType" => self.row.field_types.push((self.number, map.next_value()?)),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        self.row.cells.push((self.number, value));
        Ok(())
    }
}

/// A string, borrowed unless it contains an escape. (`Cow` alone always copies with serde.)
struct BorrowedText;

impl<'de> DeserializeSeed<'de> for BorrowedText {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for BorrowedText {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}
