//! Conditions: select the rows of a call.
//!
//! A list of conditions has no brackets. `And` binds more strongly than `Or`: the list is split before every `Or` into
//! groups, and a row passes if all conditions of any group hold. That is the meaning of "after an Or, the And conditions
//! are repeated". The conjunction of the first condition joins nothing and is ignored.
//!
//! Anything that is not understood is refused: if a condition were silently dropped, everybody would be invited.
// API 11.2, published

mod cell;
mod matcher;
mod operator;

pub(crate) use cell::{CellKind, CellValue, parse_time};
pub(crate) use operator::Operator;

use crate::profile::Profile;
use crate::refusal::Refusal;
use matcher::Matcher;
use sondage::model::Condition;

/// The identifier of a condition, parsed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identifier<'a> {
    /// `Panel`, `Question`, `SQL`, `CustomVariable` or `UrlVariable`.
    pub(crate) source: ConditionSource,
    /// The name without `member.` or `custom.`.
    pub(crate) name: &'a str,
}

/// The source of the value in a condition (contract: `ConditionType`; the others are known by name only).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConditionSource {
    Panel,
    Question,
    Sql,
    CustomVariable,
    UrlVariable,
}

/// Compiled conditions, for rows whose columns are identified by `C`.
pub(crate) struct Filter<C> {
    /// Empty: every row passes.
    groups: Vec<Vec<(C, Matcher)>>,
}

impl<C> Filter<C> {
    /// `resolve` returns the column of an identifier and its type; `None` is an unknown identifier.
    pub(crate) fn compile(
        conditions: &[Condition],
        profile: &Profile,
        resolve: impl Fn(Identifier<'_>) -> Option<(C, CellKind)>,
    ) -> Result<Self, Refusal> {
        let mut groups: Vec<Vec<(C, Matcher)>> = Vec::new();
        for (index, condition) in conditions.iter().enumerate() {
            let test = compile_one(condition, profile, &resolve)
                .map_err(|why| Refusal::invalid(format!("conditions[{index}].{why}")))?;
            let starts_group = match condition.conjunction.as_str() {
                "And" => groups.is_empty(),
                "Or" => true,
                other => {
                    let why = format!("conditions[{index}].conjunction: `{other}` is neither And nor Or.");
                    return Err(Refusal::invalid(why));
                }
            };
            match groups.last_mut() {
                Some(group) if !starts_group => group.push(test),
                _ => groups.push(vec![test]),
            }
        }
        Ok(Self { groups })
    }

    /// Whether a row passes; `get` reads one of its columns.
    pub(crate) fn matches<'r>(&self, get: impl Fn(&C) -> CellValue<'r>) -> bool {
        let holds = |(column, matcher): &(C, Matcher)| matcher.holds(&get(column));
        self.groups.is_empty() || self.groups.iter().any(|group| group.iter().all(holds))
    }
}

fn compile_one<C>(
    condition: &Condition,
    profile: &Profile,
    resolve: impl Fn(Identifier<'_>) -> Option<(C, CellKind)>,
) -> Result<(C, Matcher), String> {
    if condition.json_value == Some(true) || condition.json_path.is_some() {
        return Err(
            "jsonPath: conditions on JSON values are not documented, so they are refused here.".into()
        );
    }
    let identifier = identify(condition)?;
    let (column, mut kind) = resolve(identifier).ok_or_else(|| {
        let kind = condition.condition_type.as_str();
        format!("identifier: there is no {kind} variable `{}` here.", condition.identifier)
    })?;
    if let Some(variable_type) = &condition.variable_type {
        let compared_as = CellKind::of_variable(variable_type.as_str()).ok_or_else(|| {
            format!("variableType: `{}` is not a type to compare by.", variable_type.as_str())
        })?;
        kind = if (kind, compared_as) == (CellKind::Tag, CellKind::Text) { kind } else { compared_as };
    }
    let operator = Operator::parse(condition.condition_operator.as_str()).ok_or_else(|| {
        format!("conditionOperator: `{}` is not an operator.", condition.condition_operator.as_str())
    })?;
    Ok((column, Matcher::new(operator, kind, &condition.value, profile)?))
}

/// `member.Division` and `Division` name the same member variable, `custom.Source` and `ConditionSource` the same custom
/// variable (the specification has the short form, the vendor's pages the long one).
fn identify(condition: &Condition) -> Result<Identifier<'_>, String> {
    let name = condition.identifier.as_str();
    if name.is_empty() || !name.chars().all(allowed) {
        return Err(format!("identifier: `{name}` has a character that no identifier has, or none at all."));
    }
    let source = match condition.condition_type.as_str() {
        "Panel" => ConditionSource::Panel,
        "Question" => ConditionSource::Question,
        "SQL" => ConditionSource::Sql,
        "CustomVariable" => ConditionSource::CustomVariable,
        "UrlVariable" => ConditionSource::UrlVariable,
        other => {
            return Err(format!(
                "conditionType: `{other}` is not supported; use Panel, Question, SQL, CustomVariable or UrlVariable."
            ));
        }
    };
    let prefix = match source {
        ConditionSource::Panel => "member.",
        ConditionSource::CustomVariable => "custom.",
        _ => "",
    };
    Ok(Identifier { source, name: name.strip_prefix(prefix).unwrap_or(name) })
}

/// The pattern of the published definition.
fn allowed(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || "_()+-*/. %".contains(c)
        || ('\u{c0}'..='\u{17e}').contains(&c)
        || ('\u{370}'..='\u{4ff}').contains(&c)
}
