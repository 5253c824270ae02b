//! `sondage surveys`, `templates`, `distributors`, `panel` and `members`: the contents of an account.

use crate::account;
use crate::filters::{MemberFilter, of_panel};
use crate::look::Listing;
use crate::output::{Output, failed};
use crate::progress;
use crate::values;
use clap::Args;
use serde::Serialize;
use sondage::blocking::Client;
use sondage::model::{
    DistributionChannel, Member, ReadDistributorListRequest, ReadMessageTemplateListRequest,
    ReadPanelRequest, ReadSurveyListRequest, ReadWorkspaceListRequest, SurveyStatus,
};
use sondage::operations::{ReadDistributorList, ReadMessageTemplateList, ReadSurveyList, ReadWorkspaceList};
use sondage::{FieldValue, paging::Iter};
use std::io::{self, Write};

/// How many rows a list shows.
#[derive(Args)]
pub struct LimitArgs {
    /// At most this many rows, and no call for more. Default: all.
    #[arg(long, value_name = "ROWS", value_parser = values::count::<usize>)]
    limit: Option<usize>,
}

#[derive(Args)]
#[command(after_help = "Example: sondage surveys --workspace 3")]
pub struct SurveyArgs {
    /// Only the surveys of this workspace. Default: of all workspaces.
    #[arg(long, value_parser = values::id)]
    workspace: Option<i64>,
    #[command(flatten)]
    limit: LimitArgs,
}

#[derive(Args)]
#[command(after_help = "Example: sondage templates --language de")]
pub struct TemplateArgs {
    /// Only the templates of this workspace. Default: of all.
    #[arg(long, value_parser = values::id)]
    workspace: Option<i64>,
    /// The language in which the subjects are shown: two letters.
    #[arg(long, default_value = "en", value_parser = values::two_letters)]
    language: String,
    #[command(flatten)]
    limit: LimitArgs,
}

#[derive(Args)]
#[command(after_help = "Example: sondage distributors --survey 1004")]
#[group(required = true, multiple = true, args = ["survey", "panel"])]
pub struct DistributorArgs {
    /// Only the distributors of this survey.
    #[arg(long, value_parser = values::id)]
    survey: Option<i64>,
    /// Only the distributors of this panel or sample.
    #[arg(long, value_parser = values::id)]
    panel: Option<i64>,
    #[command(flatten)]
    limit: LimitArgs,
}

#[derive(Args)]
#[command(after_help = "Example: sondage panel 1002")]
pub struct PanelArgs {
    /// The id of the panel or sample.
    #[arg(value_parser = values::id)]
    panel: i64,
}

#[derive(Args)]
#[command(
    after_help = "Example: sondage members 1002 --fields Email,FirstName --where 'Division = Sales' --limit 20"
)]
pub struct MemberArgs {
    /// The id of the panel or sample.
    #[arg(value_parser = values::id)]
    panel: i64,
    /// Only these fields, separated by commas. Default: all.
    #[arg(long, value_delimiter = ',')]
    fields: Option<Vec<String>>,
    #[command(flatten)]
    filter: MemberFilter,
    #[command(flatten)]
    limit: LimitArgs,
}

impl LimitArgs {
    fn rows(&self) -> usize {
        self.limit.unwrap_or(usize::MAX)
    }

    /// The rows of a page, if fewer are wanted than a page usually has.
    fn page_size(&self) -> Option<i64> {
        self.limit.filter(|rows| *rows < SMALL).and_then(|rows| i64::try_from(rows).ok())
    }
}

/// Limits below this are the size of the page that is read.
const SMALL: usize = 200;

pub fn surveys(arguments: &SurveyArgs, output: Output) -> io::Result<()> {
    let client = connect()?;
    let workspaces = if let Some(id) = arguments.workspace {
        vec![id]
    } else {
        let all = client.pages::<ReadWorkspaceList>(ReadWorkspaceListRequest::new());
        let ids = all.into_iter().map(|found| found.map(|workspace| workspace.id));
        ids.collect::<Result<_, _>>().map_err(failed)?
    };
    let surveys =
        workspaces.into_iter().flat_map(|id| client.pages::<ReadSurveyList>(ReadSurveyListRequest::new(id)));
    list(surveys, &["Id", "Status", "Answers", "Name"], &arguments.limit, output, |survey| {
        vec![
            survey.id.to_string(),
            survey.status.as_ref().map(SurveyStatus::as_str).unwrap_or_default().to_owned(),
            shown_or_empty(survey.answers),
            survey.name.clone().unwrap_or_default(),
        ]
    })
}

pub fn templates(arguments: &TemplateArgs, output: Output) -> io::Result<()> {
    let mut request = ReadMessageTemplateListRequest::new(arguments.language.clone());
    request.workspace_id = arguments.workspace;
    let templates = connect()?.pages::<ReadMessageTemplateList>(request);
    list(templates, &["Id", "Languages", "Name", "Subject"], &arguments.limit, output, |template| {
        vec![
            template.id.to_string(),
            template.locales.join(","),
            template.name.clone().unwrap_or_default(),
            template.subject.clone().unwrap_or_default(),
        ]
    })
}

pub fn distributors(arguments: &DistributorArgs, output: Output) -> io::Result<()> {
    let mut request = ReadDistributorListRequest::new();
    (request.survey_id, request.panel_id) = (arguments.survey, arguments.panel);
    let distributors = connect()?.pages::<ReadDistributorList>(request);
    let columns = ["Id", "Channel", "State", "Survey", "Panel", "Scheduled", "Sent"];
    list(distributors, &columns, &arguments.limit, output, |distributor| {
        let channel = distributor.distribution_channel.as_ref().map(DistributionChannel::as_str);
        vec![
            distributor.distributor_id.to_string(),
            channel.unwrap_or_default().to_owned(),
            distributor.distribution_state.clone().unwrap_or_default(),
            shown_or_empty(distributor.survey_id),
            shown_or_empty(distributor.panel_id),
            shown_or_empty(distributor.scheduled_distribution),
            shown_or_empty(distributor.executed_distribution),
        ]
    })
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
    let filter = arguments.filter.expression()?;
    let client = connect()?;
    let mut members = client.members(arguments.panel);
    if let Some(fields) = &arguments.fields {
        members = members.fields(fields.iter().cloned());
    }
    if let Some(filter) = &filter {
        members = members.filter(filter.clone());
    }
    if let Some(rows) = arguments.limit.page_size() {
        members = members.page_size(rows);
    }
    let mut out = anstream::stdout().lock();
    let mut listing = None;
    let members: Iter<Member> = members.into_iter();
    for member in members.take(arguments.limit.rows()) {
        let fields = arguments.fields.as_deref();
        let member =
            member.map_err(|error| of_panel(error, &client, arguments.panel, fields, filter.as_ref()))?;
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

/// Shows rows: each as a line of a table, or as JSON.
fn list<T: Serialize>(
    rows: impl IntoIterator<Item = sondage::Result<T>>,
    columns: &[&str],
    limit: &LimitArgs,
    output: Output,
    cells: impl Fn(&T) -> Vec<String>,
) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let mut listing = Listing::new(columns);
    for row in rows.into_iter().take(limit.rows()) {
        let row = row.map_err(failed)?;
        if output.json {
            object(&mut out, &row)?;
            continue;
        }
        let cells = cells(&row);
        listing.row(&mut out, &cells.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    if output.json { Ok(()) } else { listing.end(&mut out) }
}

fn shown_or_empty(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
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
