//! Validates members against the panel's definition, by the rules of the web user interface.
//!
//! A member that breaks a rule is not created and causes an issue; the call succeeds. The texts of the issues are
//! assumed.
// API 3.7

use crate::world::{FieldFormat, Member, Panel, PanelField};
use indexmap::IndexMap;
use serde_json::{Value, json};
use sondage::model::{MemberChange, MemberField, NewMember};
use std::collections::HashMap;

/// Why a member is not created. The message names neither its row nor its field, because the contract does not.
pub(super) struct Issue {
    code: &'static str,
    message: String,
}

impl Issue {
    fn new(code: &'static str, message: String) -> Self {
        Self { code, message }
    }

    pub(super) fn to_json(&self) -> Value {
        json!({ "errorCode": self.code, "errorMessage": self.message })
    }
}

/// Validates members one after the other, so that duplicates within one call are detected too.
pub(super) struct Checker<'p> {
    panel: &'p Panel,
    positions: HashMap<&'p str, usize>,
    /// Values in use and by which member, for each unique field by its position.
    taken: Vec<(usize, HashMap<String, Option<i64>>)>,
    /// The members after this call.
    changed: HashMap<i64, Vec<Value>>,
}

impl<'p> Checker<'p> {
    pub(super) fn new(panel: &'p Panel) -> Self {
        let positions =
            panel.fields.iter().enumerate().map(|(at, field)| (field.name.as_str(), at)).collect();
        let unique = panel.fields.iter().enumerate().filter(|(_, field)| field.unique);
        let holder = |at: usize| move |m: &Member| Some((key(m.values.get(at)?)?, Some(m.id)));
        let used =
            unique.map(|(at, _)| (at, panel.members.values().filter_map(holder(at)).collect())).collect();
        Self { panel, positions, taken: used, changed: HashMap::new() }
    }

    /// The member's values in the order of the panel's fields, or the first error.
    pub(super) fn check(&mut self, member: &NewMember) -> Result<Vec<Value>, Issue> {
        self.check_fields(&member.fields, vec![Value::Null; self.panel.fields.len()], None)
    }

    /// The same for an existing member, who keeps the values that are not given.
    pub(super) fn check_change(&mut self, change: &MemberChange) -> Result<Vec<Value>, Issue> {
        let Some(member) = self.panel.members.get(&change.id) else {
            let panel = &self.panel.name;
            let message = format!("The panel `{panel}` has no member {}.", change.id);
            return Err(Issue::new("MemberNotFound", message));
        };
        let values = self.changed.get(&change.id).unwrap_or(&member.values).clone();
        let values = self.check_fields(&change.fields, values, Some(change.id))?;
        self.changed.insert(change.id, values.clone());
        Ok(values)
    }

    fn check_fields(
        &mut self,
        fields: &IndexMap<String, MemberField>,
        mut values: Vec<Value>,
        own: Option<i64>,
    ) -> Result<Vec<Value>, Issue> {
        for (name, given) in fields {
            let at = self.positions.get(name.as_str()).copied();
            let field = at.and_then(|at| self.panel.fields.get(at));
            let (Some(at), Some(field)) = (at, field) else {
                let panel = &self.panel.name;
                return Err(Issue::new(
                    "UnknownField",
                    format!("The panel `{panel}` has no field `{name}`."),
                ));
            };
            let value = serde_json::to_value(&given.value).unwrap_or_default();
            check_value(field, given.field_type.as_str(), &value)?;
            values[at] = value;
        }
        for (field, value) in self.panel.fields.iter().zip(&values) {
            if field.mandatory && (value.is_null() || value.as_str() == Some("")) {
                return Err(Issue::new(
                    "MandatoryFieldMissing",
                    format!("The field `{}` needs a value.", field.name),
                ));
            }
        }
        self.check_unique(&values, own)?;
        Ok(values)
    }

    fn check_unique(&mut self, values: &[Value], own: Option<i64>) -> Result<(), Issue> {
        let repeats = |(at, taken): &&(usize, HashMap<String, Option<i64>>)| {
            let holder = values.get(*at).and_then(key).and_then(|key| taken.get(&key));
            holder.is_some_and(|holder| holder.is_none() || *holder != own)
        };
        if let Some((at, _)) = self.taken.iter().find(repeats) {
            let field = self.panel.fields.get(*at).map_or("", |field| field.name.as_str());
            return Err(Issue::new(
                "DuplicateValue",
                format!("Another member has the same value of `{field}`."),
            ));
        }
        for (at, taken) in &mut self.taken {
            if let Some(own) = own {
                taken.retain(|_, holder| *holder != Some(own));
            }
            taken.extend(values.get(*at).and_then(key).map(|key| (key, own)));
        }
        Ok(())
    }
}

/// Two addresses that differ only in case reach the same person.
fn key(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(text.to_lowercase()),
        other => Some(other.to_string()),
    }
}

pub(super) fn check_value(field: &PanelField, declared: &str, value: &Value) -> Result<(), Issue> {
    let name = &field.name;
    if declared != field.kind {
        let message = format!("The field `{name}` is of type {}, not {declared}.", field.kind);
        return Err(Issue::new("FieldTypeMismatch", message));
    }
    if value.is_null() {
        return Ok(());
    }
    let fits = match field.kind {
        "Number" => value.is_i64() || value.is_u64(),
        "Real" => value.is_number(),
        "Date" => value.as_str().is_some_and(is_date),
        "String" => value.is_string(),
        _ => true,
    };
    if !fits {
        let message = format!("The value of `{name}` is not a {}.", field.kind);
        return Err(Issue::new("InvalidValue", message));
    }
    let (fits, code) = match (field.form, value.as_str()) {
        (FieldFormat::Email, Some(text)) => (text.is_empty() || is_email(text), "InvalidEmail"),
        (FieldFormat::Language, Some(text)) => (text.is_empty() || is_language(text), "InvalidLanguage"),
        (FieldFormat::Phone, None) => (value.as_i64().is_some_and(is_phone), "InvalidPhoneNumber"),
        _ => (true, ""),
    };
    if fits { Ok(()) } else { Err(Issue::new(code, format!("The value of `{name}` is not valid: {value}."))) }
}

fn is_date(text: &str) -> bool {
    text.is_empty() || crate::filter::parse_time(text).is_some()
}

/// Something, one `@`, and a domain with a dot; no spaces and no empty parts.
pub(super) fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let word = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c))
    };
    let label = |part: &str| {
        let inner = |c: char| c.is_alphanumeric() || c == '-';
        !part.is_empty() && part.chars().all(inner) && !part.starts_with('-') && !part.ends_with('-')
    };
    text.len() <= 254
        && local.split('.').all(word)
        && domain.contains('.')
        && domain.split('.').all(label)
        && domain.rsplit('.').next().is_some_and(|top| top.chars().count() >= 2)
}

fn is_language(text: &str) -> bool {
    let (language, country) = text.split_once('-').map_or((text, None), |(l, c)| (l, Some(c)));
    let lower = language.len() == 2 && language.bytes().all(|b| b.is_ascii_lowercase());
    lower && country.is_none_or(|c| c.len() == 2 && c.bytes().all(|b| b.is_ascii_uppercase()))
}

fn is_phone(number: i64) -> bool {
    (1_000_000..1_000_000_000_000_000).contains(&number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for good in ["a@b.ch", "jürg.müller@beispiel.example", "a+b@x-y.co.uk", "o'neil@example.com"] {
            assert!(is_email(good), "{good}");
        }
        for bad in
            ["", "a", "@b.ch", "a@", "a@b", "a@@b.ch", "a b@c.ch", "a@b..ch", ".a@b.ch", "a@-b.ch", "a@b.c"]
        {
            assert!(!is_email(bad), "{bad}");
        }
    }

    #[test]
    fn languages_and_phones() {
        assert!(is_language("de") && is_language("de-CH"));
        assert!(!is_language("DE") && !is_language("deu") && !is_language("de-ch"));
        assert!(is_phone(41_791_234_567) && !is_phone(791) && !is_phone(-41_791_234_567));
    }
}
