//! The types that the table refers to: areas, models and enumerations, each once, in order of appearance.

use sondage::internals::schema::{EnumSchema, Kind, ModelSchema, Type};
use sondage::operation::OperationInfo;
use sondage::operations;

/// Everything that the generators need.
pub struct Catalogue {
    /// The areas, in the order of the table.
    pub areas: Vec<&'static str>,
    /// Models that callers hold: responses, their parts, and parts of requests.
    pub models: Vec<&'static ModelSchema>,
    /// Enumerations.
    pub enums: Vec<&'static EnumSchema>,
}

impl Catalogue {
    pub fn of_the_table() -> Self {
        let mut catalogue = Self { areas: Vec::new(), models: Vec::new(), enums: Vec::new() };
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
        if self.models.iter().any(|known| known.name == model.name) {
            return;
        }
        if model.kind != Kind::Request {
            self.models.push(model);
        }
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
    pub fn modules(&self) -> Vec<&'static str> {
        let mut modules: Vec<_> = self.models.iter().map(|model| module(model)).collect();
        modules.sort_unstable();
        modules.dedup();
        modules
    }

    /// The modules that hold models or enumerations, sorted.
    pub fn homes(&self) -> Vec<&'static str> {
        let mut modules = self.modules();
        modules.extend(self.enums.iter().map(|schema| last(schema.module)));
        modules.sort_unstable();
        modules.dedup();
        modules
    }

    /// The models of one module.
    pub fn models_of(&self, name: &str) -> impl Iterator<Item = &'static ModelSchema> {
        self.models.iter().copied().filter(move |model| module(model) == name)
    }
}

/// The rows of one area.
pub fn rows_of(area: &str) -> impl Iterator<Item = &'static OperationInfo> {
    operations::ALL.iter().copied().filter(move |row| row.area == area)
}

/// The last part of a model's Rust module.
pub fn module(model: &ModelSchema) -> &'static str {
    last(model.module)
}

/// The last part of a Rust module.
pub fn last(module: &'static str) -> &'static str {
    module.rsplit("::").next().unwrap_or(module)
}
