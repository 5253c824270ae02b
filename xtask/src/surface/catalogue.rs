//! The types that the table refers to: areas, models and enumerations, each once, in order of appearance.

use super::prelude::*;

pub struct Catalogue {
    /// The areas, in the order of the table.
    pub areas: Vec<&'static str>,
    pub requests: Vec<&'static ModelSchema>,
    /// Models that callers hold: responses, their parts, and parts of requests.
    pub models: Vec<&'static ModelSchema>,
    pub enums: Vec<&'static EnumSchema>,
}

impl Catalogue {
    pub fn of_the_table() -> Self {
        let mut catalogue = Self { areas: vec![], requests: vec![], models: vec![], enums: vec![] };
        for row in operations::ALL {
            if !catalogue.areas.contains(&row.area) {
                catalogue.areas.push(row.area);
            }
            catalogue.add(row.request);
            catalogue.add(row.response);
        }
        catalogue
    }

    fn add(&mut self, model: &'static ModelSchema) {
        let kind = if model.kind == Kind::Request { &mut self.requests } else { &mut self.models };
        if kind.iter().any(|known| known.name == model.name) {
            return;
        }
        kind.push(model);
        for field in model.fields {
            self.follow(field.ty);
        }
    }

    fn follow(&mut self, ty: &'static Type) {
        match ty {
            Type::Optional(inner) | Type::List(inner) | Type::Map(inner) => self.follow(inner),
            Type::Model(schema) => self.add(schema()),
            Type::Enum(schema) if !self.enums.iter().any(|known| known.name == schema.name) => {
                self.enums.push(schema);
            }
            _ => {}
        }
    }

    /// The modules that hold models, sorted.
    pub fn modules(&self) -> BTreeSet<&'static str> {
        self.models.iter().map(|model| last(model.module)).collect()
    }

    /// The modules that hold models or enumerations, sorted.
    pub fn homes(&self) -> BTreeSet<&'static str> {
        self.modules().into_iter().chain(self.enums.iter().map(|schema| last(schema.module))).collect()
    }

    pub fn models_of(&self, name: &str) -> impl Iterator<Item = &'static ModelSchema> {
        self.models.iter().copied().filter(move |model| last(model.module) == name)
    }

    /// The module of the model or enumeration of this name.
    pub fn home_of(&self, name: &str) -> Option<&'static str> {
        let models = self.requests.iter().chain(&self.models).map(|model| (model.name, model.module));
        let mut all = models.chain(self.enums.iter().map(|schema| (schema.name, schema.module)));
        all.find(|(known, _)| *known == name).map(|(_, module)| last(module))
    }
}

pub fn rows_of_area(area: &str) -> impl Iterator<Item = &'static OperationInfo> {
    operations::ALL.iter().copied().filter(move |row| row.area == area)
}

/// The last part of a Rust module.
pub fn last(module: &'static str) -> &'static str {
    module.rsplit("::").next().unwrap_or(module)
}

/// The list in the response of an operation that is read in pages.
pub fn pages(row: &OperationInfo) -> Option<&'static FieldSchema> {
    row.response.fields.iter().find(|field| Some(field.name) == row.pages)
}

/// What to do after an unknown outcome, for the documentation.
pub fn reconciled(row: &OperationInfo) -> Option<String> {
    row.reconcile.map(|how| format!("When the outcome is unknown: {how}"))
}

/// The authority that defines an operation, for the documentation.
pub fn source_of(row: &OperationInfo) -> &'static str {
    match row.source {
        Source::Spec => "the specification",
        Source::Published => "the published definition",
    }
}
