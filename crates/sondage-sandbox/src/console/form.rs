//! The fields of a form or of a query.

/// In order; a name may occur more than once.
#[derive(Clone, Default)]
pub(super) struct ConsoleForm(Vec<(String, String)>);

impl ConsoleForm {
    pub(super) fn parse(text: &[u8]) -> Self {
        Self(url::form_urlencoded::parse(text).into_owned().collect())
    }

    /// The fields of a form with files; a file is text.
    pub(super) fn of(fields: Vec<(String, String)>) -> Self {
        Self(fields)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first value of a name; `None` if it is empty.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let field = self.0.iter().find(|(known, _)| known == name);
        field.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// A value as a number.
    pub(super) fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.get(name)?.parse().ok()
    }

    /// The fields that have a value, but for some.
    pub(super) fn without<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = (&'a str, &'a str)> {
        let all = self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        all.filter(|(name, value)| !value.is_empty() && !names.contains(name))
    }

    /// A query with some fields changed: `?sort=Name&page=2`. An empty value leaves a field out.
    pub(super) fn link(&self, changes: &[(&str, &str)]) -> String {
        let names: Vec<&str> = changes.iter().map(|(name, _)| *name).chain(["done"]).collect();
        let kept = self.without(&names);
        let new = changes.iter().copied().filter(|(_, value)| !value.is_empty());
        let mut query = url::form_urlencoded::Serializer::for_suffix(String::from("?"), 1);
        query.extend_pairs(kept.chain(new));
        query.finish()
    }
}
