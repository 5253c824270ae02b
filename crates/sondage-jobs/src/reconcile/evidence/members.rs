//! New members are identified by the values of all fields that were sent, by their time and author; invited ones also by the
//! distributor of their interviews.

use super::{Inspection, loose};
use crate::reconcile::finding::{Finding, not_by};
use crate::reconcile::window::Place;
use serde::Deserialize;
use serde_json::{Value, json};
use sondage::error::Result;
use sondage::model::{FieldValue, Member, NewMember};
use std::collections::{BTreeSet, HashMap, HashSet};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewMembers {
    panel_id: i64,
    survey_id: Option<i64>,
    members: Vec<NewMember>,
}

/// Fields and their values in a comparable form.
type Values = Vec<(String, String)>;

/// The rows of a request, by their values.
struct RequestRows {
    rows: HashMap<Values, Vec<usize>>,
    /// The sets of fields that rows have.
    shapes: BTreeSet<Vec<String>>,
    /// Every value of every row.
    values: HashSet<(String, String)>,
}

/// The existing members.
#[derive(Default)]
struct Found {
    /// For each row, the matching member that this login created.
    ours: HashMap<usize, Member>,
    /// Members that the call may have created.
    others: Vec<String>,
    /// Whether this login created more matching members than there are rows.
    several: bool,
}

pub(super) async fn created(inspection: &Inspection) -> Result<Finding> {
    let members: NewMembers = inspection.request()?;
    let candidates = read(inspection, &members).await?;
    if let Some(finding) = candidates.open(inspection) {
        return Ok(finding);
    }
    let (ids, missing) = candidates.by_rows(members.members.len());
    let answer: Vec<Value> = ids.iter().map(|id| json!(id)).collect();
    let ids_text = ids.into_iter().flatten().map(|id| id.to_string()).collect();
    let answer = json!({ "membersIds": answer, "validationIssues": [] });
    Ok(Finding { missing, ..Finding::happened(ids_text, candidates.sentence(), answer) })
}

pub(super) async fn invited(inspection: &Inspection) -> Result<Finding> {
    let new_members: NewMembers = inspection.request()?;
    let candidates = read(inspection, &new_members).await?;
    if let Some(finding) = candidates.open(inspection) {
        return Ok(finding);
    }
    let interviews = candidates.ours.values().flat_map(|member| &member.interviews);
    let carriers: BTreeSet<(Option<i64>, Option<i64>)> = interviews
        .filter(|it| it.survey_id == new_members.survey_id)
        .map(|it| (it.distributor_id, it.sampling_project_id))
        .collect();
    let (members, missing) = candidates.by_rows(new_members.members.len());
    let members = members.into_iter().flatten().map(|id| id.to_string());
    Ok(match carriers.iter().next() {
        Some((Some(distributor), project)) if carriers.len() == 1 => {
            let answer =
                json!({ "samplingProjectId": project, "distributorId": distributor, "validationIssues": [] });
            let ids = std::iter::once(distributor.to_string()).chain(project.map(|id| id.to_string()));
            Finding { missing, ..Finding::happened(ids.collect(), candidates.sentence(), answer) }
        }
        _ => Finding::unknown("the members are there, and not all of them were invited by one distributor")
            .among(members.collect()),
    })
}

async fn read(inspection: &Inspection, wanted: &NewMembers) -> Result<Found> {
    let rows = RequestRows::of(&wanted.members);
    let fields: BTreeSet<&String> = rows.shapes.iter().flatten().collect();
    let mut list = inspection.client.members(wanted.panel_id);
    if !fields.is_empty() {
        list = list.fields(fields.into_iter().cloned());
    }
    if wanted.survey_id.is_some() {
        list = list.interviews();
    }
    let mut pages = list.thorough(true).pager()?;
    let mut candidates = Found::default();
    while let Some(page) = pages.next().await? {
        for member in page {
            let carriers = member.interviews.iter().filter_map(|it| it.distributor_id);
            let is_known = carriers.chain([member.id]).any(|id| inspection.is_known(&id.to_string()));
            if !is_known {
                candidates.meet(inspection, &rows, member);
            }
        }
    }
    Ok(candidates)
}

impl RequestRows {
    fn of(members: &[NewMember]) -> Self {
        let mut request_rows = Self { rows: HashMap::new(), shapes: BTreeSet::new(), values: HashSet::new() };
        for (row, member) in members.iter().enumerate() {
            let mut values: Values =
                member.fields.iter().map(|(name, field)| (name.clone(), comparable(&field.value))).collect();
            values.sort();
            request_rows.shapes.insert(values.iter().map(|(name, _)| name.clone()).collect());
            request_rows.values.extend(values.iter().filter(|(_, value)| !value.is_empty()).cloned());
            request_rows.rows.entry(values).or_default().push(row);
        }
        request_rows
    }

    /// The rows that a member may have been created from.
    fn rows(&self, member: &Member) -> Vec<usize> {
        let of = |shape: &Vec<String>| {
            let values: Values = shape.iter().map(|name| (name.clone(), value(member, name))).collect();
            self.rows.get(&values).cloned().unwrap_or_default()
        };
        self.shapes.iter().flat_map(of).collect()
    }

    /// Whether a member has any value of any row.
    fn touches(&self, member: &Member) -> bool {
        member.fields.keys().any(|name| self.values.contains(&(name.clone(), value(member, name))))
    }
}

fn value(member: &Member, name: &str) -> String {
    member.value(name).map(comparable).unwrap_or_default()
}

/// Values that the service may have reformatted are equal.
fn comparable(value: &FieldValue) -> String {
    match value {
        FieldValue::Null => String::new(),
        FieldValue::Bool(truth) => truth.to_string(),
        FieldValue::Int(number) => number.to_string(),
        // A number without decimals is written as an integer.
        FieldValue::Float(number) => number.to_string(),
        FieldValue::Text(text) => loose(text),
        FieldValue::Json(json) => json.as_str().to_owned(),
    }
}

impl Found {
    fn meet(&mut self, inspection: &Inspection, wanted: &RequestRows, member: Member) {
        if inspection.window.place(Some(member.created_at.0)) != Place::Within {
            return;
        }
        let rows = wanted.rows(&member);
        if !rows.is_empty() && inspection.is_ours(member.created_by.as_deref()) {
            let free = rows.into_iter().find(|row| !self.ours.contains_key(row));
            if let Some(row) = free {
                self.ours.insert(row, member);
            } else {
                self.several = true;
                self.others.push(member.id.to_string());
            }
        } else if !rows.is_empty() || wanted.touches(&member) {
            self.others.push(member.id.to_string());
        }
    }

    /// The finding, unless it is certain that the call happened.
    fn open(&self, inspection: &Inspection) -> Option<Finding> {
        let ours = || self.ours.values().map(|member| member.id.to_string());
        let all = || ours().chain(self.others.iter().cloned()).collect();
        if self.several || (inspection.ambiguous_with_own_call && !self.ours.is_empty()) {
            let why =
                "this login created members like these at that time, but another call may have created them";
            return Some(Finding::unknown(why).among(all()));
        }
        if !self.ours.is_empty() {
            return None;
        }
        Some(if self.others.is_empty() {
            Finding::did_not("no member of that time has any of the values")
        } else {
            Finding::unknown(format!(
                "there are members of that time with these values, or some of them, and nothing shows that this call made them: {}",
                not_by(inspection.name.as_deref())
            ))
            .among(all())
        })
    }

    /// The members by row, and the rows without a member.
    fn by_rows(&self, rows: usize) -> (Vec<Option<i64>>, Vec<usize>) {
        let ids: Vec<Option<i64>> = (0..rows).map(|row| Some(self.ours.get(&row)?.id)).collect();
        let missing = (0..rows).filter(|row| ids[*row].is_none()).collect();
        (ids, missing)
    }

    fn sentence(&self) -> String {
        let count = self.ours.len();
        format!("the panel has members of that time with these values, made by this login: {count}")
    }
}
