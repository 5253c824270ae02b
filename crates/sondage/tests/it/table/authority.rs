//! The statements of an authority, from its data file.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The specification or the published definition.
#[derive(Deserialize)]
pub struct Authority {
    #[serde(alias = "endpoints")]
    pub operations: Vec<Operation>,
    types: BTreeMap<String, BTreeMap<String, String>>,
    pub enums: BTreeMap<String, BTreeSet<String>>,
}

/// An operation. A field that the authority does not mention is `None`.
#[derive(Deserialize)]
pub struct Operation {
    pub name: String,
    pub path: Option<String>,
    #[serde(default)]
    pub also: Vec<String>,
    pub area: Option<String>,
    pub effect: Option<String>,
    pub paged: Option<String>,
    pub request: Option<String>,
    /// The fields of a request that travels in the query.
    pub query: Option<BTreeMap<String, String>>,
    pub response: Option<String>,
}

/// A field, read from a line such as `[Translation]! <=8`.
pub struct Field {
    pub shape: Shape,
    pub required: bool,
    pub nullable: bool,
    pub max_length: Option<usize>,
    pub pattern: Option<String>,
}

/// What a field holds.
#[derive(Debug)]
pub enum Shape {
    Named(String),
    List(Box<Shape>),
    Map(Box<Shape>),
}

impl Authority {
    pub fn read(text: &str) -> Self {
        serde_json::from_str(text).expect("an authority's data file")
    }

    pub fn operation(&self, name: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.name == name)
    }

    /// The fields of a type; `None` if the authority does not have the type.
    pub fn fields(&self, name: &str) -> Option<BTreeMap<&str, Field>> {
        self.types.get(name).map(fields)
    }
}

/// Fields from their lines.
pub fn fields(lines: &BTreeMap<String, String>) -> BTreeMap<&str, Field> {
    lines.iter().map(|(name, line)| (name.as_str(), Field::read(line))).collect()
}

impl Field {
    fn read(line: &str) -> Self {
        let (shape, limits) = line.split_once(' ').unwrap_or((line, ""));
        let pattern = limits.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        Self {
            shape: Shape::read(shape.trim_end_matches(['!', '?'])),
            required: shape.ends_with('!'),
            nullable: shape.ends_with('?'),
            max_length: limits.strip_prefix("<=").map(|number| number.parse().expect("a number")),
            pattern: pattern.map(str::to_owned),
        }
    }
}

impl Shape {
    fn read(text: &str) -> Self {
        let inside = |open, close| text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        if let Some(inner) = inside('[', ']') {
            Self::List(Box::new(Self::read(inner)))
        } else if let Some(inner) = inside('{', '}') {
            Self::Map(Box::new(Self::read(inner)))
        } else {
            Self::Named(text.to_owned())
        }
    }
}
