//! What to do after the service has refused a list with columns or conditions that a caller has named.

use sondage::internals::spelling::did_you_mean;
use sondage::model::{Condition, ConditionType, Paging, ReadInterviewListRequest};
use sondage::operation::Paged;
use sondage::{Client, Error};

use super::interviews::ID;
use super::reader::read;
use crate::decode::page::PayloadLayout;
use crate::meaning::service::columns_of_interviews;
use crate::meaning::{CodePlan, ValueLabel, Variable};

/// The most columns that an error names.
const NAMED: usize = 20;

/// What the code plan says about columns that were refused.
#[derive(Default)]
pub(super) struct AskedColumns {
    /// The columns of a question in place of its code: a multiple choice or a matrix has one for each choice or row, and the
    /// service knows only those. `None` if no such code was requested.
    pub columns: Option<Vec<String>>,
    /// What was probably meant by a column that does not exist.
    advice: Option<String>,
}

impl AskedColumns {
    pub async fn read<O: Paged<Request = ReadInterviewListRequest>>(
        client: &Client,
        request: &ReadInterviewListRequest,
        layout: PayloadLayout,
    ) -> Self {
        let (fields, conditions) =
            (request.fields_to_download.as_ref(), request.conditions.as_deref().unwrap_or_default());
        let tests: Vec<&Condition> = conditions
            .iter()
            .filter(|condition| condition.condition_type == ConditionType::Question)
            .collect();
        if fields.is_none() && tests.is_empty() {
            return Self::default();
        }
        let mut head = ReadInterviewListRequest::new(request.survey_id);
        head.paging = Some(Paging::new(1, request.paging.as_ref().map_or(1, |paging| paging.page)));
        head.fields_to_download = Some(vec![ID.to_owned()]);
        head.load_code_plan = Some(true);
        let whose = format!("survey {}", request.survey_id);
        let Ok(page) = read::<O>(client, head, layout, None, whose).await else { return Self::default() };
        let Some(plan) = page.rows.code_plan() else { return Self::default() };
        let columns = fields.map(|fields| plan.columns_of(fields));
        let advice = columns
            .as_ref()
            .and_then(|columns| about_columns(columns, plan))
            .or_else(|| tests.into_iter().find_map(|test| about_test(test, plan)));
        Self { columns: columns.filter(|columns| Some(columns) != fields), advice }
    }

    /// The error with what was probably meant.
    pub fn explained(&self, error: Error) -> Error {
        match &self.advice {
            Some(advice) => error.with_hint(advice.clone()),
            None => error,
        }
    }
}

fn about_columns(asked: &[String], plan: &CodePlan) -> Option<String> {
    let names = plan.names();
    let mut known: Vec<&str> = names.iter().map(String::as_str).collect();
    columns_of_interviews().for_each(|name| known.push(name));
    // How the service spells its own columns is not published.
    let is_column = |name: &&String| {
        plan.get(name).is_some() || columns_of_interviews().any(|known| known.eq_ignore_ascii_case(name))
    };
    let unknown: Vec<&String> = asked.iter().filter(|name| !is_column(name)).collect();
    let columns = || format!("Its columns are {}.", some(&known));
    match unknown[..] {
        [] => None,
        [name] => {
            let meant = did_you_mean(name, &known).unwrap_or_else(columns);
            Some(format!("The survey has no question or column {name:?}. {meant}"))
        }
        _ => {
            let meant = |name: &&String| Some(format!("{name:?}: {}", did_you_mean(name, &known)?));
            let meant: Vec<String> = unknown.iter().filter_map(meant).take(NAMED).collect();
            let meant = if meant.is_empty() { columns() } else { meant.join(" ") };
            let quoted: Vec<String> = unknown.iter().map(|name| format!("{name:?}")).collect();
            let names = some(&quoted.iter().map(String::as_str).collect::<Vec<_>>());
            Some(format!("The survey has no questions or columns {names}. {meant}"))
        }
    }
}

/// What is wrong with the test of a question: its name, or the label of an answer in place of its code.
fn about_test(test: &Condition, plan: &CodePlan) -> Option<String> {
    let name = &test.identifier;
    let asks = |variable: &&Variable| {
        variable.code.eq_ignore_ascii_case(name)
            || variable.question_code.as_ref().is_some_and(|code| code.eq_ignore_ascii_case(name))
    };
    let Some(variable) = plan.variables().find(asks) else {
        let mut known: Vec<&str> = Vec::new();
        for variable in plan.variables() {
            for code in [Some(&variable.code), variable.question_code.as_ref()].into_iter().flatten() {
                if !known.contains(&code.as_str()) {
                    known.push(code);
                }
            }
        }
        let meant =
            did_you_mean(name, &known).unwrap_or_else(|| format!("Its questions are {}.", some(&known)));
        return Some(format!("The survey has no question {name:?}. {meant}"));
    };
    let is_meant = |value: &&ValueLabel| value.label.to_lowercase() == test.value.to_lowercase();
    let value = variable.values.iter().find(is_meant).filter(|value| value.code != test.value)?;
    Some(format!(
        "An answer is compared by its code, not by its label: {:?} is {} in the question {name:?}.",
        value.label, value.code
    ))
}

/// The first names of many.
fn some(known: &[&str]) -> String {
    let more = if known.len() > NAMED { ", .." } else { "" };
    format!("{}{more}", known[..known.len().min(NAMED)].join(", "))
}
