//! Compares the table with an authority. Every difference is a line such as `Condition.value: missing`.

use super::authority::{self, Authority, Field, Operation, Shape};
use sondage::internals::schema::{EnumSchema, FieldSchema, Kind, ModelSchema, Type};
use sondage::operation::{OperationInfo, RequestLocation};
use sondage::operations;
use std::collections::{BTreeMap, BTreeSet};

/// All differences. For operations that `other` has too, `other` decides about fields that `authority` does not mention.
pub fn differences(authority: &Authority, other: Option<&Authority>) -> BTreeSet<String> {
    let mut comparison =
        Comparison { authority, silent: false, found: BTreeSet::new(), compared: BTreeSet::new() };
    for operation in &authority.operations {
        comparison.silent = other.is_some_and(|other| other.operation(&operation.name).is_some());
        match operations::find(&operation.name) {
            Some(row) => comparison.row(row, operation),
            None => comparison.note(format!("{}: not in the table", operation.name)),
        }
    }
    comparison.found
}

struct Comparison<'a> {
    authority: &'a Authority,
    /// If the authority does not say something, the other one decides.
    silent: bool,
    found: BTreeSet<String>,
    /// Models that have already been compared with a type, to end the recursion.
    compared: BTreeSet<(&'static str, String)>,
}

impl Comparison<'_> {
    fn note(&mut self, difference: String) {
        self.found.insert(difference);
    }

    fn row(&mut self, row: &'static OperationInfo, theirs: &Operation) {
        let name = row.name;
        if let Some(path) = &theirs.path
            && row.path != path
        {
            self.note(format!("{name}: path {} instead of {path}", row.path));
        }
        for path in &theirs.also {
            if !row.fallback_paths.contains(&path.as_str()) {
                self.note(format!("{name}: path {path} missing"));
            }
        }
        if let Some(effect) = &theirs.effect
            && row.effect.as_str() != class(effect)
        {
            self.note(format!("{name}: effect {} instead of {}", row.effect.as_str(), class(effect)));
        }
        if let Some(area) = &theirs.area {
            if row.area != snake(area) {
                self.note(format!("{name}: area {} instead of {}", row.area, snake(area)));
            }
            let paged = theirs.paged.as_deref().map(snake);
            if row.pages != paged.as_deref() {
                self.note(format!("{name}: pages {:?} instead of {paged:?}", row.pages));
            }
        }
        let place = if theirs.query.is_some() { RequestLocation::Query } else { RequestLocation::Body };
        if row.location != place {
            self.note(format!("{name}: request in the {:?} instead of the {place:?}", row.location));
        }
        if let Some(query) = &theirs.query {
            self.fields(row.request, &authority::fields(query));
        }
        for (ours, theirs) in [(row.request, &theirs.request), (row.response, &theirs.response)] {
            if let Some(theirs) = theirs {
                self.model(ours, theirs);
            }
        }
    }

    fn model(&mut self, ours: &'static ModelSchema, theirs: &str) {
        if !self.compared.insert((ours.name, theirs.to_owned())) {
            return;
        }
        let Some(fields) = self.authority.fields(theirs) else {
            return self.note(format!("{}: an object instead of {theirs}", ours.name));
        };
        self.fields(ours, &fields);
    }

    fn fields(&mut self, ours: &'static ModelSchema, fields: &BTreeMap<&str, Field>) {
        for (name, field) in fields {
            match ours.fields.iter().find(|ours| ours.wire == *name) {
                Some(field_of_ours) => self.field(ours, field_of_ours, field),
                None => self.note(format!("{}.{name}: missing", ours.name)),
            }
        }
        let unknown = |field: &&FieldSchema| !fields.contains_key(field.wire) && !self.silent;
        for field in ours.fields.iter().filter(unknown).collect::<Vec<_>>() {
            self.note(format!("{}.{}: not known there", ours.name, field.wire));
        }
    }

    fn field(&mut self, model: &ModelSchema, ours: &'static FieldSchema, theirs: &Field) {
        let at = format!("{}.{}", model.name, ours.wire);
        let sent = matches!(model.kind, Kind::Request | Kind::Value);
        // Requests follow the authority exactly. Responses are read with more tolerance: a promised field may be absent
        // nevertheless.
        if ours.required && !theirs.required {
            self.note(format!("{at}: required, there it is not"));
        } else if sent && theirs.required && !ours.required {
            self.note(format!("{at}: not required, there it is"));
        }
        if ours.required && theirs.nullable {
            self.note(format!("{at}: never null, there it may be"));
        }
        self.shape(&at, ours.ty, &theirs.shape);
        if self.silent {
            return;
        }
        if ours.max_length != theirs.max_length {
            self.note(format!("{at}: longest text {:?} instead of {:?}", ours.max_length, theirs.max_length));
        }
        if ours.pattern.map(unescape) != theirs.pattern.as_deref().map(unescape) {
            self.note(format!("{at}: pattern {:?} instead of {:?}", ours.pattern, theirs.pattern));
        }
    }

    fn shape(&mut self, at: &str, ours: &'static Type, theirs: &Shape) {
        match (ours, theirs) {
            (Type::Optional(inner), _) => self.shape(at, inner, theirs),
            (Type::List(ours), Shape::List(theirs)) | (Type::Map(ours), Shape::Map(theirs)) => {
                self.shape(at, ours, theirs);
            }
            (Type::Model(ours), Shape::Named(name)) if self.authority.fields(name).is_some() => {
                self.model(ours(), name);
            }
            (Type::Enum(ours), Shape::Named(name)) if self.authority.enums.contains_key(name) => {
                self.values(ours, name);
            }
            (_, Shape::Named(name)) if name_of(ours).contains(&name.as_str()) => {}
            _ => self.note(format!("{at}: {} instead of {theirs:?}", describe(ours))),
        }
    }

    fn values(&mut self, ours: &'static EnumSchema, theirs: &str) {
        let Some(values) = self.authority.enums.get(theirs) else { return };
        // The zero value of the service's own enumerations: it is read, but not offered.
        for value in values.iter().filter(|value| *value != "Invalid") {
            if !ours.values.contains(&value.as_str()) {
                self.found.insert(format!("{}: the value {value} is missing", ours.name));
            }
        }
        for value in ours.values.iter().filter(|value| !values.contains(**value)) {
            self.found.insert(format!("{}: the value {value} is not known there", ours.name));
        }
    }
}

/// The authority's names for our type. `word` is text of an open set.
fn name_of(ours: &Type) -> &'static [&'static str] {
    match ours {
        Type::Bool => &["bool", "boolean"],
        Type::Int => &["int32", "int64", "integer"],
        Type::Float => &["double", "float64"],
        Type::Text => &["string", "uuid"],
        Type::Secret => &["string"],
        Type::Timestamp => &["timestamp"],
        Type::FieldValue | Type::Json => &["any"],
        Type::Enum(_) => &["word"],
        _ => &[],
    }
}

fn describe(ours: &Type) -> String {
    match ours {
        Type::Optional(inner) => describe(inner),
        Type::List(inner) => format!("[{}]", describe(inner)),
        Type::Map(inner) => format!("{{{}}}", describe(inner)),
        Type::Enum(schema) => schema.name.to_owned(),
        Type::Model(schema) => schema().name.to_owned(),
        Type::FieldValue => "a field's value".to_owned(),
        Type::Json => "any JSON".to_owned(),
        Type::Timestamp => "timestamp".to_owned(),
        other => name_of(other).first().copied().unwrap_or("?").to_owned(),
    }
}

/// The effect class according to the published definition: a deletion by id, like an update, may be retried.
fn class(effect: &str) -> &str {
    match effect {
        "delete" | "update" => "idempotent_write",
        "spend" | "transition" => "send",
        other => other,
    }
}

/// `\u0370` and `\u{0370}` are the same.
fn unescape(pattern: &str) -> String {
    let (mut plain, mut rest) = (String::new(), pattern);
    while let Some(at) = rest.find("\\u") {
        plain.push_str(&rest[..at]);
        let digits: String = rest[at + 2..].trim_start_matches('{').chars().take(4).collect();
        plain.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
        let end = rest[at..].find(&digits).unwrap_or(2) + at + digits.len();
        rest = rest[end..].strip_prefix('}').unwrap_or(&rest[end..]);
    }
    plain + rest
}

fn snake(camel: &str) -> String {
    let mut out = String::new();
    for c in camel.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Every name that a model introduces, with its documentation.
pub fn visit(model: &'static ModelSchema, seen: &mut BTreeMap<String, &'static str>) {
    if seen.insert(model.name.to_owned(), model.docs).is_some() {
        return;
    }
    for field in model.fields {
        seen.insert(format!("{}.{}", model.name, field.name), field.docs);
        visit_type(field.ty, seen);
    }
}

fn visit_type(ty: &'static Type, seen: &mut BTreeMap<String, &'static str>) {
    match ty {
        Type::Optional(inner) | Type::List(inner) | Type::Map(inner) => visit_type(inner, seen),
        Type::Model(model) => visit(model(), seen),
        Type::Enum(schema) => {
            seen.insert(schema.name.to_owned(), schema.docs);
        }
        _ => {}
    }
}
