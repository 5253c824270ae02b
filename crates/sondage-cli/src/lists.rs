//! `sondage surveys`, `sondage panel` and `sondage members`: the contents of an account.

use crate::account;
use crate::invite::{filter, test};
use crate::look::Listing;
use crate::output::{Output, failed};
use crate::progress;
use crate::values;
use clap::Args;
use serde::Serialize;
use sondage::blocking::Client;
use sondage::model::{
    Member, ReadPanelRequest, ReadSurveyListRequest, ReadWorkspaceListRequest, SurveyStatus,
};
use sondage::operations::{ReadSurveyList, ReadWorkspaceList};
use sondage::{FieldValue, paging::Iter};
use std::io::{self, Write};

#[derive(Args)]
#[command(after_help = "Example: sondage surveys --workspace 3")]
pub struct SurveyArgs {
    /// Only the surveys of this workspace. Default: of all workspaces.
    #[arg(long, value_parser = values::id)]
    workspace: Option<i64>,
}

#[derive(Args)]
#[command(after_help = "Example: sondage panel 1002")]
pub struct PanelArgs {
    /// The id of the panel or sample.
    #[arg(value_parser = values::id)]
    panel: i64,
}

#[derive(Args)]
#[command(after_help = "Example: sondage members 1002 --fields Email,FirstName --where Division=Sales")]
pub struct MemberArgs {
    /// The id of the panel or sample.
    #[arg(value_parser = values::id)]
    panel: i64,
    /// Only these fields, separated by commas. Default: all.
    #[arg(long, value_delimiter = ',')]
    fields: Option<Vec<String>>,
    /// Only members with this value in this field; if given several times, all must match.
    #[arg(long = "where", value_name = "FIELD=VALUE", value_parser = test)]
    tests: Vec<(String, String)>,
}

pub fn surveys(arguments: &SurveyArgs, output: Output) -> io::Result<()> {
    let client = connect()?;
    let workspaces = if let Some(id) = arguments.workspace {
        vec![id]
    } else {
        let all = client.pages::<ReadWorkspaceList>(ReadWorkspaceListRequest::new());
        let ids = all.into_iter().map(|found| found.map(|workspace| workspace.id));
        ids.collect::<Result<_, _>>().map_err(failed)?
    };
    let mut out = anstream::stdout().lock();
    let mut listing = Listing::new(&["Id", "Status", "Answers", "Name"]);
    for workspace in workspaces {
        for survey in client.pages::<ReadSurveyList>(ReadSurveyListRequest::new(workspace)) {
            let survey = survey.map_err(failed)?;
            if output.json {
                object(&mut out, &survey)?;
                continue;
            }
            let status = survey.status.as_ref().map(SurveyStatus::as_str).unwrap_or_default();
            let answers = survey.answers.map(|answers| answers.to_string()).unwrap_or_default();
            let name = survey.name.as_deref().unwrap_or_default();
            listing.row(&mut out, &[&survey.id.to_string(), status, &answers, name])?;
        }
    }
    if output.json { Ok(()) } else { listing.end(&mut out) }
}

pub fn panel(arguments: &PanelArgs, output: Output) -> io::Result<()> {
    let answer = connect()?.read_panel(ReadPanelRequest::new(arguments.panel)).map_err(failed)?;
    let mut out = anstream::stdout().lock();
    let mut listing = Listing::new(&["Name", "Type", "Group"]);
    for group in answer.panel.map(|panel| panel.groups).unwrap_or_default() {
        for field in &group.fields {
            if output.json {
                object(&mut out, field)?;
                continue;
            }
            listing.row(&mut out, &[&field.name, field.panel_field_type.as_str(), &group.name])?;
        }
    }
    if output.json { Ok(()) } else { listing.end(&mut out) }
}

pub fn members(arguments: &MemberArgs, output: Output) -> io::Result<()> {
    let mut members = connect()?.members(arguments.panel);
    if let Some(fields) = &arguments.fields {
        members = members.fields(fields.iter().cloned());
    }
    if let Some(filter) = filter(&arguments.tests) {
        members = members.filter(filter);
    }
    let mut out = anstream::stdout().lock();
    let mut listing = None;
    let members: Iter<Member> = members.into_iter();
    for member in members {
        let member = member.map_err(failed)?;
        if output.json {
            object(&mut out, &member)?;
            continue;
        }
        let values = member.fields.values().map(|field| shown(&field.value));
        let values: Vec<String> = std::iter::once(member.id.to_string()).chain(values).collect();
        let cells: Vec<&str> = values.iter().map(String::as_str).collect();
        let listing = if let Some(listing) = &mut listing {
            listing
        } else {
            let names = member.fields.keys().map(String::as_str);
            let names: Vec<&str> = std::iter::once("id").chain(names).collect();
            listing.insert(Listing::with_names(&mut out, &names)?)
        };
        listing.row(&mut out, &cells)?;
    }
    listing.map_or(Ok(()), |listing| listing.end(&mut out))
}

fn connect() -> io::Result<Client> {
    progress::connect(&account::builder())
}

fn shown(value: &FieldValue) -> String {
    match value {
        FieldValue::Bool(value) => value.to_string(),
        FieldValue::Int(value) => value.to_string(),
        FieldValue::Float(value) => value.to_string(),
        FieldValue::Text(value) => value.clone(),
        FieldValue::Json(value) => value.as_str().to_owned(),
        FieldValue::Null => String::new(),
    }
}

fn object(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    progress::end();
    writeln!(out, "{}", serde_json::to_string(value).map_err(io::Error::other)?)
}
