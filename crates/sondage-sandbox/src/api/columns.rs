//! The columns of interviews: the service's system columns, the answers, and columns that only conditions can use.

use super::{ApiCall, links};
use crate::clock::wire;
use crate::filter::{CellKind, CellValue, ConditionSource, Identifier};
use crate::profile::Profile;
use crate::refusal::Refusal;
use crate::select::Table;
use crate::world::{Interview, Survey, Tenant};
use chrono::{DateTime, Utc};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// The service's system columns.
// API 6.3, published
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    Id,
    DistributorId,
    SamplingProjectId,
    PanelId,
    PanelMemberId,
    Language,
    StartDate,
    EndDate,
    Link,
    State,
    Mode,
    ExpiryDate,
    CreatedAt,
    CreatedBy,
    UpdatedAt,
    UpdatedBy,
}

impl Own {
    const ALL: [(&'static str, Self); 16] = [
        ("Id", Self::Id),
        ("DistributorId", Self::DistributorId),
        ("SamplingProjectId", Self::SamplingProjectId),
        ("PanelId", Self::PanelId),
        ("PanelMemberId", Self::PanelMemberId),
        ("Language", Self::Language),
        ("StartDate", Self::StartDate),
        ("EndDate", Self::EndDate),
        ("Link", Self::Link),
        ("State", Self::State),
        ("Mode", Self::Mode),
        ("ExpiryDate", Self::ExpiryDate),
        ("CreatedAt", Self::CreatedAt),
        ("CreatedBy", Self::CreatedBy),
        ("UpdatedAt", Self::UpdatedAt),
        ("UpdatedBy", Self::UpdatedBy),
    ];

    fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, own)| *own)
    }

    fn kind(self) -> CellKind {
        match self {
            Self::DistributorId | Self::SamplingProjectId | Self::PanelId | Self::PanelMemberId => {
                CellKind::Number
            }
            Self::StartDate | Self::EndDate | Self::ExpiryDate | Self::CreatedAt | Self::UpdatedAt => {
                CellKind::Time
            }
            Self::Language => CellKind::Tag,
            _ => CellKind::Text,
        }
    }

    fn value(self, row: &Interview) -> ResponseValue<'_> {
        let text = |text: Option<&'_ str>| {
            text.map_or(ResponseValue::Null, |text| ResponseValue::Text(text.to_owned().into()))
        };
        let origin = |number: Option<i64>| number.map_or(ResponseValue::Null, ResponseValue::Int);
        let time = |time: Option<DateTime<Utc>>| time.map_or(ResponseValue::Null, ResponseValue::Time);
        match self {
            Self::Id => ResponseValue::Text(row.id.as_str().into()),
            Self::DistributorId => origin(row.origin.map(|o| o.distributor_id)),
            Self::SamplingProjectId => origin(row.origin.map(|o| o.sampling_project_id)),
            Self::PanelId => origin(row.origin.map(|o| o.panel_id)),
            Self::PanelMemberId => origin(row.origin.map(|o| o.member_id)),
            Self::Language => text(row.language.as_deref()),
            Self::StartDate => time(row.start),
            Self::EndDate => time(row.end),
            // Written by `InterviewColumn::Link`, which has the address.
            Self::Link => ResponseValue::Null,
            Self::State => ResponseValue::Text(row.state.into()),
            Self::Mode => ResponseValue::Text(row.mode.into()),
            Self::ExpiryDate => time(row.expiry),
            Self::CreatedAt => ResponseValue::Time(row.created_at),
            Self::CreatedBy => ResponseValue::Text(row.created_by.as_str().into()),
            Self::UpdatedAt => time(row.updated_at),
            Self::UpdatedBy => text(row.updated_by.as_deref()),
        }
    }
}

/// A column of one survey's interviews.
#[derive(Clone, Debug)]
pub(super) enum InterviewColumn {
    Own(Own),
    /// The URL of the interview, at this base address.
    Link(String),
    /// One variable, by its index.
    Answer(usize),
    /// A question of several variables: a multiple choice, a matrix.
    Answers(Vec<usize>),
    /// A field of the invited member.
    Member(String),
    Custom(String),
    Url(String),
}

impl InterviewColumn {
    pub(super) fn value<'r>(&self, row: &'r Interview) -> ResponseValue<'r> {
        let text = |text: Option<&'r String>| {
            text.map_or(ResponseValue::Null, |text| ResponseValue::Text(text.as_str().into()))
        };
        match self {
            Self::Own(own) => own.value(row),
            Self::Link(base_url) => ResponseValue::Text(links::interview(base_url, &row.id).into()),
            Self::Answer(at) => row.answers.get(*at).map_or(ResponseValue::Null, ResponseValue::Json),
            Self::Custom(name) => text(row.custom.get(name)),
            Self::Url(name) => text(row.url.get(name)),
            // Answers and members are available in conditions only.
            Self::Answers(_) | Self::Member(_) => ResponseValue::Null,
        }
    }
}

/// A value as a response contains it.
pub(super) enum ResponseValue<'r> {
    Null,
    Int(i64),
    Text(std::borrow::Cow<'r, str>),
    Time(DateTime<Utc>),
    Json(&'r Value),
}

impl Serialize for ResponseValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Int(number) => serializer.serialize_i64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Time(time) => serializer.serialize_str(&wire(*time)),
            Self::Json(value) => value.serialize(serializer),
        }
    }
}

/// The interviews of one survey.
pub(super) struct SurveyInterviews<'a> {
    pub(super) tenant: &'a Tenant,
    pub(super) survey: &'a Survey,
    profile: &'a Profile,
    /// The address of the API, for links.
    base_url: &'a str,
}

impl<'a> SurveyInterviews<'a> {
    pub(super) fn of(call: &'a ApiCall<'_>, tenant: &'a Tenant, survey: &'a Survey) -> Self {
        Self { tenant, survey, profile: call.profile, base_url: &call.shared.address(call.data_center).api }
    }

    /// For the console, which makes no call.
    pub(super) fn looked_at(tenant: &'a Tenant, survey: &'a Survey, profile: &'a Profile) -> Self {
        Self { tenant, survey, profile, base_url: "" }
    }

    /// The columns to return: the requested ones, or the system columns and every answer.
    pub(super) fn columns(
        &self,
        wanted: Option<&[String]>,
    ) -> Result<Vec<(String, InterviewColumn)>, Refusal> {
        let Some(wanted) = wanted.filter(|names| !names.is_empty()) else {
            let own = Own::ALL.iter().map(|(name, own)| ((*name).to_owned(), self.own(*own)));
            let answers = self.survey.variables.iter().enumerate();
            let answers = answers
                .filter(|(_, variable)| variable.is_listed(self.profile))
                .map(|(at, variable)| (variable.code.clone(), InterviewColumn::Answer(at)));
            return Ok(own.chain(answers).collect());
        };
        let variables = self.survey.variables.iter().enumerate().rev();
        let places: HashMap<&str, usize> =
            variables.map(|(at, variable)| (variable.code.as_str(), at)).collect();
        let find = |(index, name): (usize, &String)| {
            // A question may have the name of a system column: then both are meant, as without a selection.
            let own = Own::find(name).map(|own| self.own(own));
            let answer = places.get(name.as_str()).copied().map(InterviewColumn::Answer);
            let custom = name.strip_prefix("custom.").and_then(|name| self.custom(name));
            let cells: Vec<_> = match (own, answer) {
                (None, None) => custom.into_iter().collect(),
                (own, answer) => own.into_iter().chain(answer).collect(),
            };
            if cells.is_empty() {
                let survey = self.survey.id;
                let why = format!(
                    "fieldsToDownload[{index}]: the survey {survey} has no question or column `{name}`."
                );
                return Err(Refusal::invalid(why).with_code("FieldNotFound"));
            }
            Ok(cells.into_iter().map(|column| (name.clone(), column)).collect::<Vec<_>>())
        };
        // A duplicate name counts once: an object cannot have two fields with the same name.
        let mut once = HashSet::new();
        let columns: Result<Vec<_>, _> =
            wanted.iter().enumerate().filter(|(_, name)| once.insert(*name)).map(find).collect();
        Ok(columns?.into_iter().flatten().collect())
    }

    fn own(&self, own: Own) -> InterviewColumn {
        if own == Own::Link {
            InterviewColumn::Link(self.base_url.to_owned())
        } else {
            InterviewColumn::Own(own)
        }
    }

    fn custom(&self, name: &str) -> Option<InterviewColumn> {
        let is_custom = self.survey.interviews.values().any(|interview| interview.custom.contains_key(name));
        is_custom.then(|| InterviewColumn::Custom(name.to_owned()))
    }

    fn url(&self, name: &str) -> Option<InterviewColumn> {
        let is_url = self.survey.interviews.values().any(|interview| interview.url.contains_key(name));
        is_url.then(|| InterviewColumn::Url(name.to_owned()))
    }

    /// A variable by its code, or all the variables of a question by the question's code.
    fn question(&self, name: &str) -> Option<(InterviewColumn, CellKind)> {
        let kind = |at: usize| {
            let data_type = self.survey.variables.get(at).map_or("String", |variable| variable.data_type);
            CellKind::of_variable(data_type).unwrap_or(CellKind::Text)
        };
        if let Some(at) = self.survey.position(name) {
            return Some((InterviewColumn::Answer(at), kind(at)));
        }
        let variables = self.survey.variables.iter().enumerate();
        let positions: Vec<usize> =
            variables.filter(|(_, variable)| variable.question_code == name).map(|(at, _)| at).collect();
        let first = *positions.first()?;
        Some((InterviewColumn::Answers(positions), kind(first)))
    }

    fn member_field(&self, name: &str) -> Option<(InterviewColumn, CellKind)> {
        let field =
            self.tenant.panels.values().flat_map(|panel| &panel.fields).find(|field| field.name == name)?;
        Some((InterviewColumn::Member(name.to_owned()), super::members::kind_of_field(field)))
    }
}

impl Table for SurveyInterviews<'_> {
    type Row = Interview;
    type Column = InterviewColumn;

    fn resolve(&self, identifier: Identifier<'_>) -> Option<(InterviewColumn, CellKind)> {
        let name = identifier.name;
        match identifier.source {
            ConditionSource::Sql => Own::find(name).map(|own| (self.own(own), own.kind())),
            ConditionSource::Question => self.question(name),
            ConditionSource::Panel => self.member_field(name),
            ConditionSource::CustomVariable => self.custom(name).map(|column| (column, CellKind::Text)),
            ConditionSource::UrlVariable => self.url(name).map(|column| (column, CellKind::Text)),
        }
    }

    fn order_column(&self, name: &str) -> Option<InterviewColumn> {
        let answer = || self.survey.position(name).map(InterviewColumn::Answer);
        Own::find(name).map(|own| self.own(own)).or_else(answer)
    }

    fn cell<'r>(&'r self, row: &'r Interview, column: &InterviewColumn) -> CellValue<'r> {
        match column {
            InterviewColumn::Answers(places) => CellValue::List(
                places.iter().filter_map(|at| row.answers.get(*at)).map(CellValue::json).collect(),
            ),
            InterviewColumn::Member(name) => {
                let member = row.origin.and_then(|origin| {
                    let panel = self.tenant.panels.get(&origin.panel_id)?;
                    Some(panel.value(panel.members.get(&origin.member_id)?, name))
                });
                member.map_or(CellValue::Null, CellValue::json)
            }
            _ => match column.value(row) {
                ResponseValue::Null => CellValue::Null,
                ResponseValue::Int(number) => CellValue::int(number),
                ResponseValue::Text(text) => CellValue::Text(text),
                ResponseValue::Time(time) => CellValue::Time(time),
                ResponseValue::Json(value) => CellValue::json(value),
            },
        }
    }
}
