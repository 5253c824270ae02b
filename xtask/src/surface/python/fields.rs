//! Fields of the parts of a questionnaire, as keywords of its helpers (PEP 692), for type checkers only.

use super::super::Generated;
use super::super::catalogue::Catalogue;
use super::generated;
use super::names::{self, Imports};
use std::fmt::Write as _;

/// What only `element` takes: the other helpers have parameters of these names, or set them.
const OF_ELEMENTS: [&str; 6] = ["code", "text", "choices", "rows", "from", "to"];

/// The class, the one that it extends, the model, and which of its fields it has.
type Class = (&'static str, &'static str, &'static str, fn(&str) -> bool);
const CLASSES: [Class; 4] = [
    ("QuestionFields", "TypedDict", "SurveyElement", |field| {
        !["id", "element_type"].contains(&field) && !OF_ELEMENTS.contains(&field)
    }),
    ("ElementFields", "QuestionFields", "SurveyElement", |field| OF_ELEMENTS.contains(&field)),
    ("ChoiceFields", "TypedDict", "Choice", |field| !["id", "code", "text"].contains(&field)),
    ("DefinitionFields", "TypedDict", "SurveyDefinition", |field| {
        !["languages", "sections", "survey_end_text"].contains(&field)
    }),
];

/// `python/sondage/_models/_fields.py`.
pub fn file(catalogue: &Catalogue) -> Generated {
    let mut imports = Imports::default();
    imports.abc.insert("Mapping");
    imports.any = true;
    let mut classes = String::new();
    for (name, base, model, has) in CLASSES {
        let _ = write!(classes, "\n\nclass {name}({base}, total=False):\n");
        let mut models = catalogue.modules().into_iter().flat_map(|module| catalogue.models_of(module));
        let fields = models.find(|schema| schema.name == model).map_or(&[][..], |schema| schema.fields);
        for field in fields.iter().filter(|field| has(field.name)) {
            let _ = writeln!(classes, "    {}: {}", names::name(field.name), imports.taken(field.ty));
        }
        if base == "TypedDict" {
            classes.push_str("    extra: Mapping[str, Any] | None\n");
        }
    }
    let body = format!(
        "\"\"\"Keywords of the helpers for questionnaires, for type checkers.\"\"\"\n\nfrom __future__ import annotations\n\n\
         from typing import TypedDict\n\n{}{}{classes}",
        imports.block(Some("_fields")).trim_end(),
        "\n\n    from typing_extensions import Unpack as Unpack\n",
    );
    generated("python/sondage/_models/_fields.py", "crates/sondage/src/model/survey.rs", &body)
}
