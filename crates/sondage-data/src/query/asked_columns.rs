//! What to do after the service has refused a list with columns that a caller has named.

use sondage::internals::spelling::similar;
use sondage::model::{Paging, ReadInterviewListRequest};
use sondage::operation::Paged;
use sondage::{Client, Error};

use super::interviews::ID;
use super::reader::read;
use crate::decode::page::PayloadLayout;
use crate::meaning::CodePlan;
use crate::meaning::service::columns_of_interviews;

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
        let Some(fields) = request.fields_to_download.as_ref() else { return Self::default() };
        let mut head = ReadInterviewListRequest::new(request.survey_id);
        head.paging = Some(Paging::new(1, request.paging.as_ref().map_or(1, |paging| paging.page)));
        head.fields_to_download = Some(vec![ID.to_owned()]);
        head.load_code_plan = Some(true);
        let whose = format!("survey {}", request.survey_id);
        let Ok(page) = read::<O>(client, head, layout, None, whose).await else { return Self::default() };
        let Some(plan) = page.rows.code_plan() else { return Self::default() };
        let columns = plan.columns_of(fields);
        let advice = advice(&columns, plan);
        Self { columns: (columns != *fields).then_some(columns), advice }
    }

    /// The error with what was probably meant.
    pub fn explained(&self, error: Error) -> Error {
        match &self.advice {
            Some(advice) => error.with_hint(advice.clone()),
            None => error,
        }
    }
}

fn advice(asked: &[String], plan: &CodePlan) -> Option<String> {
    let mut known: Vec<&str> = plan.variables().map(|variable| variable.code.as_str()).collect();
    columns_of_interviews().for_each(|name| known.push(name));
    let is_known = |name: &&String| known.iter().any(|known| known.eq_ignore_ascii_case(name));
    let name = asked.iter().find(|name| !is_known(name))?;
    known.extend(plan.variables().filter_map(|variable| variable.question_code.as_deref()));
    let near = similar(name, &known);
    let meant = if near.is_empty() {
        let more = if known.len() > NAMED { ", .." } else { "" };
        format!("Its columns are {}{more}.", known[..known.len().min(NAMED)].join(", "))
    } else {
        format!("Did you mean {}?", near.join(" or "))
    };
    Some(format!("The survey has no question or column {name:?}. {meant}"))
}
