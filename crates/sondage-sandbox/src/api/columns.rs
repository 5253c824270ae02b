//! The columns of interviews: the service's own, the answers, and what conditions can reach beside them.

use super::links;
use crate::clock::wire;
use crate::filter::{Cell, Identifier, Kind, Source};
use crate::refusal::Refusal;
use crate::select::Table;
use crate::world::{Interview, Survey, Tenant};
use chrono::{DateTime, Utc};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::collections::HashSet;

/// The service's own columns.
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

    fn kind(self) -> Kind {
        match self {
            Self::DistributorId | Self::SamplingProjectId | Self::PanelId | Self::PanelMemberId => {
                Kind::Number
            }
            Self::StartDate | Self::EndDate | Self::ExpiryDate | Self::CreatedAt | Self::UpdatedAt => {
                Kind::Time
            }
            _ => Kind::Text,
        }
    }

    fn value(self, row: &Interview) -> Field<'_> {
        let text =
            |text: Option<&'_ str>| text.map_or(Field::Null, |text| Field::Text(text.to_owned().into()));
        let origin = |number: Option<i64>| number.map_or(Field::Null, Field::Int);
        let time = |time: Option<DateTime<Utc>>| time.map_or(Field::Null, Field::Time);
        match self {
            Self::Id => Field::Text(row.id.as_str().into()),
            Self::DistributorId => origin(row.origin.map(|o| o.distributor_id)),
            Self::SamplingProjectId => origin(row.origin.map(|o| o.sampling_project_id)),
            Self::PanelId => origin(row.origin.map(|o| o.panel_id)),
            Self::PanelMemberId => origin(row.origin.map(|o| o.member_id)),
            Self::Language => text(row.language.as_deref()),
            Self::StartDate => time(row.start),
            Self::EndDate => time(row.end),
            // Written by `Column::Link`, which knows the address.
            Self::Link => Field::Null,
            Self::State => Field::Text(row.state.into()),
            Self::Mode => Field::Text(row.mode.into()),
            Self::ExpiryDate => time(row.expiry),
            Self::CreatedAt => Field::Time(row.created_at),
            Self::CreatedBy => Field::Text(row.created_by.as_str().into()),
            Self::UpdatedAt => time(row.updated_at),
            Self::UpdatedBy => text(row.updated_by.as_deref()),
        }
    }
}

/// A column of one survey's interviews.
#[derive(Clone, Debug)]
pub(super) enum Column {
    Own(Own),
    /// Where the interview is answered, at this base address.
    Link(String),
    /// One variable, by its place.
    Answer(usize),
    /// A question of several variables: a multiple choice, a matrix.
    Answers(Vec<usize>),
    /// A field of the member who was invited.
    Member(String),
    Custom(String),
    Url(String),
}

impl Column {
    pub(super) fn value<'r>(&self, row: &'r Interview) -> Field<'r> {
        let text =
            |text: Option<&'r String>| text.map_or(Field::Null, |text| Field::Text(text.as_str().into()));
        match self {
            Self::Own(own) => own.value(row),
            Self::Link(base_url) => Field::Text(links::interview(base_url, &row.id).into()),
            Self::Answer(at) => row.answers.get(*at).map_or(Field::Null, Field::Json),
            Self::Custom(name) => text(row.custom.get(name)),
            Self::Url(name) => text(row.url.get(name)),
            // These two are for conditions only.
            Self::Answers(_) | Self::Member(_) => Field::Null,
        }
    }
}

/// A value as the answer writes it.
pub(super) enum Field<'r> {
    Null,
    Int(i64),
    Text(std::borrow::Cow<'r, str>),
    Time(DateTime<Utc>),
    Json(&'r Value),
}

impl Serialize for Field<'_> {
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
pub(super) struct Interviews<'a> {
    pub(super) tenant: &'a Tenant,
    pub(super) survey: &'a Survey,
    /// The address of the API, for links.
    pub(super) base_url: &'a str,
}

impl Interviews<'_> {
    /// The columns to return: those asked for, or the service's own and every answer.
    pub(super) fn columns(&self, wanted: Option<&[String]>) -> Result<Vec<(String, Column)>, Refusal> {
        let Some(wanted) = wanted.filter(|names| !names.is_empty()) else {
            let own = Own::ALL.iter().map(|(name, own)| ((*name).to_owned(), self.own(*own)));
            let answers = self.survey.variables.iter().enumerate();
            let answers = answers.map(|(at, variable)| (variable.code.clone(), Column::Answer(at)));
            return Ok(own.chain(answers).collect());
        };
        let find = |(index, name): (usize, &String)| {
            let column = self.survey.position(name).map(Column::Answer);
            let column = column.or_else(|| Own::find(name).map(|own| self.own(own)));
            let column = column.or_else(|| self.custom(name.strip_prefix("custom.")?));
            column.map(|column| (name.clone(), column)).ok_or_else(|| {
                let survey = self.survey.id;
                let why = format!(
                    "fieldsToDownload[{index}]: the survey {survey} has no question or column `{name}`."
                );
                Refusal::invalid(why).with_code("FieldNotFound")
            })
        };
        // A name that is said twice is meant once: an object has no two fields of one name.
        let mut once = HashSet::new();
        wanted.iter().enumerate().filter(|(_, name)| once.insert(*name)).map(find).collect()
    }

    fn own(&self, own: Own) -> Column {
        if own == Own::Link { Column::Link(self.base_url.to_owned()) } else { Column::Own(own) }
    }

    fn custom(&self, name: &str) -> Option<Column> {
        let known = self.survey.interviews.values().any(|interview| interview.custom.contains_key(name));
        known.then(|| Column::Custom(name.to_owned()))
    }

    fn url(&self, name: &str) -> Option<Column> {
        let known = self.survey.interviews.values().any(|interview| interview.url.contains_key(name));
        known.then(|| Column::Url(name.to_owned()))
    }

    /// A variable by its code, or all the variables of a question by the question's code.
    fn question(&self, name: &str) -> Option<(Column, Kind)> {
        let kind = |at: usize| {
            let data_type = self.survey.variables.get(at).map_or("String", |variable| variable.data_type);
            Kind::of_variable(data_type).unwrap_or(Kind::Text)
        };
        if let Some(at) = self.survey.position(name) {
            return Some((Column::Answer(at), kind(at)));
        }
        let variables = self.survey.variables.iter().enumerate();
        let places: Vec<usize> =
            variables.filter(|(_, variable)| variable.question_code == name).map(|(at, _)| at).collect();
        let first = *places.first()?;
        Some((Column::Answers(places), kind(first)))
    }

    fn member_field(&self, name: &str) -> Option<(Column, Kind)> {
        let field =
            self.tenant.panels.values().flat_map(|panel| &panel.fields).find(|field| field.name == name)?;
        Some((Column::Member(name.to_owned()), Kind::of_variable(field.kind).unwrap_or(Kind::Text)))
    }
}

impl Table for Interviews<'_> {
    type Row = Interview;
    type Column = Column;

    fn resolve(&self, identifier: Identifier<'_>) -> Option<(Column, Kind)> {
        let name = identifier.name;
        match identifier.source {
            Source::Sql => Own::find(name).map(|own| (self.own(own), own.kind())),
            Source::Question => self.question(name),
            Source::Panel => self.member_field(name),
            Source::CustomVariable => self.custom(name).map(|column| (column, Kind::Text)),
            Source::UrlVariable => self.url(name).map(|column| (column, Kind::Text)),
        }
    }

    fn order_column(&self, name: &str) -> Option<Column> {
        self.survey.position(name).map(Column::Answer).or_else(|| Own::find(name).map(|own| self.own(own)))
    }

    fn cell<'r>(&'r self, row: &'r Interview, column: &Column) -> Cell<'r> {
        match column {
            Column::Answers(places) => {
                Cell::List(places.iter().filter_map(|at| row.answers.get(*at)).map(Cell::json).collect())
            }
            Column::Member(name) => {
                let found = row.origin.and_then(|origin| {
                    let panel = self.tenant.panels.get(&origin.panel_id)?;
                    Some(panel.value(panel.members.get(&origin.member_id)?, name))
                });
                found.map_or(Cell::Null, Cell::json)
            }
            _ => match column.value(row) {
                Field::Null => Cell::Null,
                Field::Int(number) => Cell::int(number),
                Field::Text(text) => Cell::Text(text),
                Field::Time(time) => Cell::Time(time),
                Field::Json(value) => Cell::json(value),
            },
        }
    }
}
