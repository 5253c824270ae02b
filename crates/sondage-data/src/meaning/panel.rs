//! A panel definition as a code plan of its members' fields.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::code_plan::{CodePlan, Variable, value_labels};
use super::language::spelled;
use super::loose::{Loose, elements};
use crate::error::Warning;

impl CodePlan {
    /// Reads the `panel` of a `ReadPanel` response, as JSON: a variable for each field, named as in the data, with its
    /// type, its display name and the labels of its values.
    ///
    /// The labels of a field are in `metadata` under keys that are not published; they are assumed to be language codes.
    /// The key `language` is used if it exists, otherwise the first one that has labels, with a warning.
    pub fn from_panel_json(
        json: &str,
        language: Option<&str>,
    ) -> Result<(Self, Vec<Warning>), serde_json::Error> {
        let definition: WirePanelDefinition<'_> = serde_json::from_str(json)?;
        let (mut variables, mut warnings, mut without) = (Vec::new(), Vec::new(), WithoutLanguage::default());
        for group in elements(definition.groups).unwrap_or_default() {
            let Ok(group) = serde_json::from_str::<Group<'_>>(group.get()) else { continue };
            let section = group.display_name.said().or_else(|| group.name.said());
            for field in elements(group.fields).unwrap_or_default() {
                let field = serde_json::from_str::<WirePanelField<'_>>(field.get()).ok();
                match field.and_then(|field| {
                    field.variable(language, section.as_deref(), &mut without, &mut warnings)
                }) {
                    Some(variable) => variables.push(variable),
                    None => warnings.push(Warning::general("a field of the panel has no name")),
                }
            }
        }
        warnings.extend(language.and_then(|language| without.warning(language)));
        Ok((CodePlan::new(variables), warnings))
    }
}

/// Fields whose labels are not in the language that was asked for.
#[derive(Default)]
struct WithoutLanguage {
    fields: Vec<String>,
    languages: BTreeSet<String>,
}

impl WithoutLanguage {
    fn warning(&self, language: &str) -> Option<Warning> {
        let count = self.fields.len();
        let more = if count > NAMED { format!(" and {} more", count - NAMED) } else { String::new() };
        let names = self.fields[..count.min(NAMED)].join(", ");
        let known = self.languages.iter().cloned().collect::<Vec<_>>().join(", ");
        (count > 0).then(|| {
            Warning::general(format!(
                "the labels of {count} field(s) are not in the language {language:?}, and another one is shown; there is {known} ({names}{more})"
            ))
        })
    }
}

/// Names of fields in a warning.
const NAMED: usize = 20;

/// `PanelDefinition`.
// API 3.10, published
#[derive(Deserialize)]
#[serde(expecting = "the definition of a panel, an object")]
struct WirePanelDefinition<'a> {
    #[serde(borrow, default = "null")]
    groups: &'a RawValue,
}

/// `VariableGroupElement`.
// API 3.10, published
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group<'a> {
    #[serde(default)]
    name: Loose,
    #[serde(default)]
    display_name: Loose,
    #[serde(borrow, default = "null")]
    fields: &'a RawValue,
}

/// `PanelFieldItem`.
// API 3.10, published
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WirePanelField<'a> {
    #[serde(default)]
    name: Loose,
    #[serde(default)]
    display_name: Loose,
    #[serde(default)]
    panel_field_type: Loose,
    #[serde(borrow, default = "null")]
    metadata: &'a RawValue,
}

/// `PanelFieldValue`.
// API 3.10, published
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct WireFieldValue {
    display_name: Loose,
    value: Loose,
}

fn null() -> &'static RawValue {
    RawValue::NULL
}

impl WirePanelField<'_> {
    fn variable(
        self,
        language: Option<&str>,
        section: Option<&str>,
        without: &mut WithoutLanguage,
        warnings: &mut Vec<Warning>,
    ) -> Option<Variable> {
        let code = self.name.said()?;
        let lists: BTreeMap<String, Vec<WireFieldValue>> =
            serde_json::from_str(self.metadata.get()).unwrap_or_default();
        let known: Vec<String> =
            lists.iter().filter(|(_, list)| !list.is_empty()).map(|(key, _)| key.clone()).collect();
        let list_ids = language.and_then(|language| spelled(language, &known).ok());
        if language.is_some() && list_ids.is_none() && !known.is_empty() {
            without.fields.push(code.clone());
            without.languages.extend(known);
        }
        let key =
            list_ids.or_else(|| lists.iter().find(|(_, list)| !list.is_empty()).map(|(key, _)| key.clone()));
        let list =
            key.and_then(|key| lists.into_iter().find(|(known, _)| *known == key)).map(|(_, list)| list);
        let pairs = list.unwrap_or_default().into_iter().map(|pair| (pair.value, pair.display_name));
        let values = value_labels(&code, pairs, warnings);
        Some(Variable {
            code,
            data_type: self.panel_field_type.said(),
            question: self.display_name.said(),
            section: section.map(str::to_owned),
            values,
            ..Variable::default()
        })
    }
}
