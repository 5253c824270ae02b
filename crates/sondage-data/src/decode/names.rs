//! The columns of a response by name.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The position of a value within a row. A member has fields of its own in addition to the service's values, and both may
/// use the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum ValueLocation {
    /// In the row itself: an answer of an interview, or the service's value of a member.
    Own,
    /// Among the fields of a member; of an interview, the answer to a question that has the name of a column of the service.
    Field,
}

/// The properties of a column.
#[derive(Debug, Clone)]
pub(crate) struct ColumnName {
    pub(crate) place: ValueLocation,
    pub(crate) name: Arc<str>,
    /// The `fieldType` of a member's field; the first one, if they differ.
    pub(crate) field_type: Option<Arc<str>>,
    /// A different `fieldType` followed.
    pub(crate) field_type_varies: bool,
}

/// Column numbers by name, in the order of first appearance.
///
/// Rows have their keys in the same order, so the column that followed this one in the previous row is tried first.
#[derive(Debug, Default)]
pub(crate) struct ColumnNames {
    list: Vec<ColumnName>,
    own: HashMap<Arc<str>, usize>,
    fields: HashMap<Arc<str>, usize>,
    followers: Vec<usize>,
    last: Option<usize>,
}

impl ColumnNames {
    pub(crate) fn list(&self) -> &[ColumnName] {
        &self.list
    }

    pub(crate) fn list_mut(&mut self) -> &mut [ColumnName] {
        &mut self.list
    }

    /// Must be called before the keys of a row are looked up.
    pub(crate) fn start_row(&mut self) {
        self.last = None;
    }

    /// The number of a column, which is created if the name is new.
    pub(crate) fn number(&mut self, place: ValueLocation, name: &str) -> usize {
        let follower = match self.last {
            Some(last) => self.followers[last],
            None => 0,
        };
        let number = match self.list.get(follower) {
            Some(known) if known.place == place && &*known.name == name => follower,
            _ => self.look_up(place, name),
        };
        if let Some(last) = self.last.replace(number) {
            self.followers[last] = number;
        }
        number
    }

    /// Maps a column of another response to its number here, and merges its properties.
    pub(crate) fn adopt(&mut self, column: &ColumnName) -> usize {
        let number = self.number(column.place, &column.name);
        let own = &mut self.list[number];
        own.field_type_varies |= column.field_type_varies
            || own.field_type.is_some() && column.field_type.is_some() && own.field_type != column.field_type;
        own.field_type = own.field_type.take().or_else(|| column.field_type.clone());
        number
    }

    /// The number of an existing column.
    pub(crate) fn find(&self, place: ValueLocation, name: &str) -> Option<usize> {
        self.map(place).get(name).copied()
    }

    fn map(&self, place: ValueLocation) -> &HashMap<Arc<str>, usize> {
        match place {
            ValueLocation::Own => &self.own,
            ValueLocation::Field => &self.fields,
        }
    }

    fn look_up(&mut self, place: ValueLocation, name: &str) -> usize {
        if let Some(number) = self.find(place, name) {
            return number;
        }
        let number = self.list.len();
        let name: Arc<str> = name.into();
        self.list.push(ColumnName {
            place,
            name: Arc::clone(&name),
            field_type: None,
            field_type_varies: false,
        });
        self.followers.push(number + 1);
        match place {
            ValueLocation::Own => self.own.insert(name, number),
            ValueLocation::Field => self.fields.insert(name, number),
        };
        number
    }
}
