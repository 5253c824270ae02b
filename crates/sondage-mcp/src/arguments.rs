//! The arguments of a tool: one table gives their schema and checks them.

use serde_json::{Map, Value, json};
use sondage::internals::spelling::similar;

/// An argument of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: Kind,
    pub is_required: bool,
    pub about: &'static str,
}

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The id of something.
    Id,
    /// How many.
    Count,
    Text,
    Texts,
    Flag,
    Object,
}

pub const fn required(name: &'static str, kind: Kind, about: &'static str) -> Parameter {
    Parameter { name, kind, is_required: true, about }
}

pub const fn optional(name: &'static str, kind: Kind, about: &'static str) -> Parameter {
    Parameter { name, kind, is_required: false, about }
}

impl Kind {
    fn schema(self) -> Value {
        match self {
            Self::Id | Self::Count => json!({ "type": "integer", "minimum": 1 }),
            Self::Text => json!({ "type": "string" }),
            Self::Texts => json!({ "type": "array", "items": { "type": "string" } }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Object => json!({ "type": "object" }),
        }
    }

    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Id | Self::Count => value.as_i64().is_some_and(|number| number > 0),
            Self::Text => value.is_string(),
            Self::Texts => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
            Self::Flag => value.is_boolean(),
            Self::Object => value.is_object(),
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Self::Id => "an id: a whole number, such as 1004",
            Self::Count => "a whole number of at least 1",
            Self::Text => "a text",
            Self::Texts => "a list of texts",
            Self::Flag => "true or false",
            Self::Object => "an object",
        }
    }
}

/// The JSON Schema of these arguments.
pub fn schema(parameters: &[Parameter]) -> Map<String, Value> {
    let mut properties = Map::new();
    for parameter in parameters {
        let mut schema = parameter.kind.schema();
        schema["description"] = parameter.about.into();
        properties.insert(parameter.name.to_owned(), schema);
    }
    let required: Vec<&str> =
        parameters.iter().filter(|parameter| parameter.is_required).map(|parameter| parameter.name).collect();
    let schema = json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    schema.as_object().cloned().unwrap_or_default()
}

/// Arguments that fit their table. Those that are null count as absent.
#[derive(Debug)]
pub struct Arguments<'a>(&'a Map<String, Value>);

impl<'a> Arguments<'a> {
    pub fn of(tool: &str, parameters: &[Parameter], given: &'a Map<String, Value>) -> Result<Self, String> {
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
        for (name, value) in given {
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
                return Err(unknown(tool, name, &names));
            };
            if !value.is_null() && !parameter.kind.fits(value) {
                return Err(format!(
                    "`{name}` of {tool} must be {}, and is {}. Nothing was sent.",
                    parameter.kind.expected(),
                    kind_of(value)
                ));
            }
        }
        let is_absent = |parameter: &&Parameter| given.get(parameter.name).is_none_or(Value::is_null);
        match parameters.iter().find(|parameter| parameter.is_required && is_absent(parameter)) {
            Some(parameter) => Err(format!(
                "{tool} needs `{}`: {}. Nothing was sent.",
                parameter.name,
                parameter.kind.expected()
            )),
            None => Ok(Self(given)),
        }
    }

    pub fn id(&self, name: &str) -> Option<i64> {
        self.0.get(name)?.as_i64()
    }

    pub fn count(&self, name: &str) -> Option<usize> {
        usize::try_from(self.id(name)?).ok()
    }

    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.0.get(name)?.as_str().map(str::trim).filter(|text| !text.is_empty())
    }

    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        let items = self.0.get(name)?.as_array()?;
        Some(items.iter().filter_map(Value::as_str).map(str::to_owned).collect())
    }

    pub fn flag(&self, name: &str) -> bool {
        self.0.get(name) == Some(&Value::Bool(true))
    }

    pub fn object(&self, name: &str) -> Option<&'a Map<String, Value>> {
        self.0.get(name)?.as_object()
    }
}

fn unknown(tool: &str, name: &str, names: &[&str]) -> String {
    let has = match (similar(name, names).first(), names) {
        (Some(near), _) => format!("Did you mean `{near}`?"),
        (None, []) => "It takes none.".to_owned(),
        (None, names) => format!("It takes `{}`.", names.join("`, `")),
    };
    format!("{tool} has no argument `{name}`. {has} Nothing was sent.")
}

/// A value is not repeated: it may be personal data.
fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "another number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list of other values",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: &[Parameter] =
        &[required("survey_id", Kind::Id, "The survey."), optional("where", Kind::Text, "A filter.")];

    fn why(given: &Value) -> String {
        Arguments::of("survey_results", PARAMETERS, given.as_object().unwrap()).unwrap_err()
    }

    #[test]
    fn an_argument_that_does_not_fit_is_named_with_what_is_possible() {
        for (given, expected) in [
            (json!({ "surveyId": 7 }), "has no argument `surveyId`. Did you mean `survey_id`?"),
            (json!({ "limit": 7 }), "has no argument `limit`. It takes `survey_id`, `where`."),
            (
                json!({ "survey_id": "7" }),
                "`survey_id` of survey_results must be an id: a whole number, such as 1004, and is a text",
            ),
            (json!({ "survey_id": -7 }), "and is another number"),
            (
                json!({ "survey_id": 7, "where": { "State": "Completed" } }),
                "must be a text, and is an object",
            ),
            (json!({ "where": "a = 1" }), "survey_results needs `survey_id`: an id"),
        ] {
            assert!(why(&given).contains(expected), "{}", why(&given));
        }
        let given = json!({ "survey_id": 7, "where": null });
        let given =
            Arguments::of("survey_results", PARAMETERS, given.as_object().unwrap()).unwrap().id("survey_id");
        assert_eq!(given, Some(7));
    }
}
