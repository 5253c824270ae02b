//! Collections that know which of their objects were changed since they were last stored, so that a change is stored without
//! storing the whole world.

use indexmap::{IndexMap, IndexSet};
use std::fmt;
use std::hash::Hash;
use std::ops::{Deref, DerefMut};

/// Objects by their ids, in order of creation. Reading is that of an [`IndexMap`]; whatever can change an object marks it.
pub(crate) struct Entities<K, V> {
    map: IndexMap<K, V>,
    /// `None` until they are stored for the first time: then all of them are, and nothing needs a mark.
    marks: Option<Marks<K>>,
}

/// What was changed since the last time.
pub(crate) struct Marks<K> {
    pub(crate) removed: Vec<K>,
    /// New and changed ones.
    pub(crate) changed: IndexSet<K>,
}

impl<K> Default for Marks<K> {
    fn default() -> Self {
        Self { removed: Vec::new(), changed: IndexSet::new() }
    }
}

impl<K: Hash + Eq + Clone, V> Entities<K, V> {
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        mark(&mut self.marks, &key);
        self.map.insert(key, value)
    }

    pub(crate) fn reserve(&mut self, count: usize) {
        self.map.reserve(count);
    }

    pub(crate) fn extend(&mut self, entries: impl IntoIterator<Item = (K, V)>) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }

    /// Adds an object unless there is one with this id.
    pub(crate) fn insert_new(&mut self, key: K, value: V) {
        if !self.map.contains_key(&key) {
            self.insert(key, value);
        }
    }

    pub(crate) fn get_mut<Q>(&mut self, key: &Q) -> Option<&mut V>
    where
        Q: ?Sized + Hash + Eq + ToOwned<Owned = K>,
        K: std::borrow::Borrow<Q>,
    {
        let value = self.map.get_mut(key)?;
        if let Some(marks) = &mut self.marks {
            marks.changed.insert(key.to_owned());
        }
        Some(value)
    }

    /// Those that need a change. The others are not marked.
    pub(crate) fn values_mut_if(
        &mut self,
        needs_change: impl Fn(&V) -> bool,
    ) -> impl Iterator<Item = &mut V> {
        let marks = &mut self.marks;
        let affected = self.map.iter_mut().filter(move |(_, value)| needs_change(value));
        affected.map(|(key, value)| {
            mark(marks, key);
            value
        })
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.values_mut_if(|_| true)
    }

    pub(crate) fn shift_remove<Q>(&mut self, key: &Q) -> Option<V>
    where
        Q: ?Sized + Hash + Eq + ToOwned<Owned = K>,
        K: std::borrow::Borrow<Q>,
    {
        let value = self.map.shift_remove(key)?;
        mark_removed(&mut self.marks, &key.to_owned());
        Some(value)
    }

    pub(crate) fn retain(&mut self, mut stays: impl FnMut(&K, &V) -> bool) {
        let marks = &mut self.marks;
        self.map.retain(|key, value| {
            let stays = stays(key, value);
            if !stays {
                mark_removed(marks, key);
            }
            stays
        });
    }

    /// Takes the marks, and begins new ones. `None`: all objects have to be stored.
    pub(crate) fn take_marks(&mut self) -> Option<Marks<K>> {
        self.marks.replace(Marks::default())
    }

    /// The objects without marks, for what is read from where it is stored, and for parts that have marks of their own.
    pub(crate) fn unmarked(&mut self) -> &mut IndexMap<K, V> {
        &mut self.map
    }
}

fn mark<K: Hash + Eq + Clone>(marks: &mut Option<Marks<K>>, key: &K) {
    if let Some(marks) = marks {
        marks.changed.insert(key.clone());
    }
}

fn mark_removed<K: Hash + Eq + Clone>(marks: &mut Option<Marks<K>>, key: &K) {
    if let Some(marks) = marks {
        marks.changed.shift_remove(key);
        marks.removed.push(key.clone());
    }
}

impl<K, V> Default for Entities<K, V> {
    fn default() -> Self {
        Self { map: IndexMap::new(), marks: None }
    }
}

impl<K: Hash + Eq + Clone, V> FromIterator<(K, V)> for Entities<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self { map: entries.into_iter().collect(), marks: None }
    }
}

impl<K, V> Deref for Entities<K, V> {
    type Target = IndexMap<K, V>;

    fn deref(&self) -> &IndexMap<K, V> {
        &self.map
    }
}

impl<'a, K, V> IntoIterator for &'a Entities<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = indexmap::map::Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.map.iter()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Entities<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.map.fmt(f)
    }
}

/// A list that mostly grows. Reading is that of a [`Vec`].
pub(crate) struct GrowingList<T> {
    items: Vec<T>,
    /// How many of the first items are stored as they are.
    unchanged: usize,
    /// How many items the stored list has.
    stored: usize,
}

impl<T> GrowingList<T> {
    pub(crate) fn push(&mut self, item: T) {
        self.items.push(item);
    }

    pub(crate) fn extend(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
    }

    pub(crate) fn remove(&mut self, at: usize) -> T {
        self.unchanged = self.unchanged.min(at);
        self.items.remove(at)
    }

    pub(crate) fn retain(&mut self, stays: impl FnMut(&T) -> bool) {
        let before = self.items.len();
        self.items.retain(stays);
        if self.items.len() != before {
            self.unchanged = 0;
        }
    }

    /// The index of the first item that is not stored as it is, and begins new marks. `None`: all are.
    pub(crate) fn take_first_change(&mut self) -> Option<usize> {
        let (first, count) = (self.unchanged, self.items.len());
        let is_changed = first != count || self.stored != count;
        (self.unchanged, self.stored) = (count, count);
        is_changed.then_some(first)
    }

    /// Replaces the items from this one on.
    pub(crate) fn replace_from(&mut self, first: usize, items: Vec<T>) {
        self.unchanged = self.unchanged.min(first);
        self.items.truncate(first);
        self.items.extend(items);
    }
}

impl<T> Default for GrowingList<T> {
    fn default() -> Self {
        Self { items: Vec::new(), unchanged: 0, stored: 0 }
    }
}

impl<T> Deref for GrowingList<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.items
    }
}

impl<T: fmt::Debug> fmt::Debug for GrowingList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}

/// A value that is stored as a whole.
pub(crate) struct Tracked<T> {
    value: T,
    is_changed: bool,
}

impl<T> Tracked<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { value, is_changed: true }
    }

    /// Whether it was changed since the last time.
    pub(crate) fn take_mark(&mut self) -> bool {
        std::mem::replace(&mut self.is_changed, false)
    }
}

impl<T: Default> Default for Tracked<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> Deref for Tracked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Tracked<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.is_changed = true;
        &mut self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Tracked<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_marked() {
        let mut numbers = Entities::default();
        numbers.extend([(1, 10), (2, 20), (3, 30)]);
        assert!(numbers.take_marks().is_none(), "nothing is stored yet");
        assert_eq!(numbers.get(&1), Some(&10));
        assert!(numbers.get_mut(&4).is_none());
        numbers.values_mut_if(|number| *number > 25).for_each(|number| *number += 1);
        numbers.retain(|key, _| *key != 1);
        numbers.insert_new(2, 0);
        let marks = numbers.take_marks().unwrap();
        assert_eq!((marks.removed, marks.changed), (vec![1], IndexSet::from([3])));
        numbers.insert(1, 11);
        numbers.shift_remove(&1);
        let marks = numbers.take_marks().unwrap();
        assert_eq!((marks.removed, marks.changed), (vec![1], IndexSet::new()));
    }

    #[test]
    fn a_list_knows_its_new_end() {
        let mut list = GrowingList::default();
        assert_eq!(list.take_first_change(), None);
        list.extend([1, 2, 3]);
        assert_eq!(list.take_first_change(), Some(0));
        list.push(4);
        assert_eq!(list.take_first_change(), Some(3));
        list.remove(3);
        assert_eq!(list.take_first_change(), Some(3), "it is shorter than the stored one");
        list.remove(1);
        assert_eq!((list.take_first_change(), list.take_first_change()), (Some(1), None));
        list.retain(|item| *item != 1);
        assert_eq!((list.take_first_change(), list.as_slice()), (Some(0), [3].as_slice()));
    }
}
