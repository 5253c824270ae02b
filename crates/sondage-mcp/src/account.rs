//! The tools that look at an account: its surveys, their questions, its distributions and its members.

use crate::arguments::Arguments;
use crate::{McpOptions, wording};
use serde_json::{Map, Value, json};
use sondage::arguments::InterviewsOptions;
use sondage::condition::Expression;
use sondage::internals::spelling::did_you_mean;
use sondage::model::{
    Paging, ReadDistributorListRequest, ReadMemberListRequest, ReadSurveyListRequest,
    ReadWorkspaceListRequest, SurveyListItem,
};
use sondage::operations::{ReadDistributorList, ReadSurveyList, ReadWorkspaceList};
use sondage::{Client, Error, ErrorKind, FieldValue};
use sondage_data::Query;
use sondage_jobs::Jobs as _;
use sondage_jobs::options::DistributionOptions;
use std::collections::BTreeSet;

/// The most surveys in which panels are looked for, and the most distributors that are counted.
const MOST: usize = 10;

/// The interviews in which panels are looked for.
const INTERVIEWS: i64 = 100;

/// The members that are shown, unless another number is asked for, and at most.
const MEMBERS: usize = 20;
const MOST_MEMBERS: usize = 200;

/// What the numbers of invitations do not have.
const PUBLIC_LINK: &str = "Only those who were invited are counted, so no answers by the public link of a survey: `survey_results` has all.";

/// Why a tool has no result: an error of a call, or a sentence.
#[derive(Debug)]
pub enum Failure {
    Call(Box<Error>),
    Said(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Call(Box::new(error))
    }
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Self::Said(why)
    }
}

impl Failure {
    /// The sentence for the assistant.
    pub fn text(&self, options: &McpOptions) -> String {
        match self {
            Self::Call(error) => options.text(error),
            Self::Said(why) => why.clone(),
        }
    }
}

type Found = Result<Value, Failure>;

pub async fn overview(client: &Client, options: &McpOptions) -> Found {
    let (workspaces, surveys) = surveys(client).await?;
    let answers: i64 = surveys.iter().filter_map(|(_, survey)| survey.answers).sum();
    let mut newest: Vec<i64> = surveys.iter().map(|(_, survey)| survey.id).collect();
    newest.sort_unstable_by(|a, b| b.cmp(a));
    let mut panels = BTreeSet::new();
    for survey in newest.iter().take(MOST) {
        panels.extend(panels_of(client, *survey).await?);
    }
    let mut counted = Vec::new();
    for panel in panels {
        let mut request = ReadMemberListRequest::new(panel);
        request.paging = Some(Paging::new(1, 1));
        let members = match client.read_member_list(request).await {
            Ok(response) => response.total_count,
            // A panel of an old distributor may be gone.
            Err(error) if error.status() == Some(404) => continue,
            Err(error) => return Err(error.into()),
        };
        counted.push(json!({ "id": panel, "members": members }));
    }
    let mut notes = vec![
        "The service has no list of panels: these are the panels whose members were invited to surveys."
            .to_owned(),
    ];
    if newest.len() > MOST {
        notes.push(format!("The newest {MOST} of {} surveys were looked at.", newest.len()));
    }
    Ok(json!({
        "workspaces": workspaces,
        "surveys": surveys.len(),
        "answers": answers,
        "panels": counted,
        "personal_data": if options.personal_data { "shown" } else { "hidden" },
        "writes_allowed": options.writes,
        "notes": notes,
    }))
}

/// The panels whose members were invited to a survey: those of its distributors, or else of its first interviews.
async fn panels_of(client: &Client, survey: i64) -> Result<BTreeSet<i64>, Error> {
    let mut request = ReadDistributorListRequest::new();
    request.survey_id = Some(survey);
    let distributors = client.pages::<ReadDistributorList>(request).collect_all().await?;
    let panels: BTreeSet<i64> =
        distributors.into_iter().filter_map(|distributor| distributor.panel_id).collect();
    if !panels.is_empty() {
        return Ok(panels);
    }
    let options = InterviewsOptions::new(survey).fields(vec!["PanelId".to_owned()]);
    let table = Query::interviews(client, options).head(INTERVIEWS).await?;
    let Ok(answers) = table.answers("column", "PanelId") else { return Ok(panels) };
    #[allow(clippy::cast_possible_truncation)] // ids are far below 2^53
    let panels = answers.values.into_iter().flatten().filter_map(|value| match value {
        sondage_data::Value::Number(panel) => Some(panel as i64),
        _ => None,
    });
    Ok(panels.collect())
}

/// The workspaces, and all surveys with that of each.
async fn surveys(client: &Client) -> Result<(Vec<Value>, Vec<(i64, SurveyListItem)>), Error> {
    let workspaces = client.pages::<ReadWorkspaceList>(ReadWorkspaceListRequest::new()).collect_all().await?;
    let mut surveys = Vec::new();
    for workspace in &workspaces {
        let of_workspace =
            client.pages::<ReadSurveyList>(ReadSurveyListRequest::new(workspace.id)).collect_all().await?;
        surveys.extend(of_workspace.into_iter().map(|survey| (workspace.id, survey)));
    }
    let workspaces =
        workspaces.iter().map(|workspace| json!({ "id": workspace.id, "name": workspace.name })).collect();
    Ok((workspaces, surveys))
}

pub async fn list_surveys(client: &Client, arguments: &Arguments<'_>) -> Found {
    let (_, surveys) = surveys(client).await?;
    let search = arguments.text("search").map(str::to_lowercase);
    let matches = |survey: &SurveyListItem| {
        let name = survey.name.as_deref().unwrap_or_default().to_lowercase();
        search.as_ref().is_none_or(|search| name.contains(search))
    };
    let listed: Vec<Value> = surveys
        .iter()
        .filter(|(_, survey)| matches(survey))
        .map(|(workspace, survey)| {
            json!({ "id": survey.id, "name": survey.name, "status": survey.status, "answers": survey.answers, "workspace_id": workspace })
        })
        .collect();
    Ok(json!({ "count": listed.len(), "surveys": listed }))
}

/// The error of a survey that does not exist names those that were probably meant.
pub async fn no_such_survey(client: &Client, survey: i64, error: Error) -> Failure {
    if error.kind() == ErrorKind::InvalidArgument || error.status().is_none_or(|status| status >= 500) {
        return error.into();
    }
    let Ok((_, surveys)) = surveys(client).await else { return error.into() };
    if surveys.iter().any(|(_, known)| known.id == survey) {
        return error.into();
    }
    let ids: Vec<String> = surveys.iter().map(|(_, survey)| survey.id.to_string()).collect();
    let known: Vec<&str> = ids.iter().map(String::as_str).collect();
    let advice =
        did_you_mean(&survey.to_string(), &known).unwrap_or_else(|| "`list_surveys` lists them.".to_owned());
    Failure::Said(format!("The account has no survey {survey}. {advice}"))
}

pub async fn survey_questions(client: &Client, arguments: &Arguments<'_>) -> Found {
    let survey = arguments.id("survey_id").unwrap_or_default();
    // One interview at most: only its columns are used.
    let head = Query::interviews(client, InterviewsOptions::new(survey)).page(1, 1).await;
    let table = match head {
        Ok((table, ..)) => table,
        Err(error) => return Err(no_such_survey(client, survey, error).await),
    };
    let codebook = table.codebook();
    let search = arguments.text("search").map(str::to_lowercase);
    let mut questions = Vec::new();
    for column in codebook.columns().filter(|column| column.is_described) {
        let labels: Vec<&str> = column.values.iter().map(|(_, label)| *label).collect();
        let all = format!("{} {} {}", column.name, column.text, labels.join(" ")).to_lowercase();
        if search.as_ref().is_some_and(|search| !all.contains(search)) {
            continue;
        }
        let answers: Map<String, Value> =
            column.values.iter().map(|(code, label)| (code.to_string(), (*label).into())).collect();
        let mut question = json!({ "name": column.name, "text": column.text, "type": column.types });
        if !answers.is_empty() {
            question["answers"] = answers.into();
        }
        questions.push(question);
    }
    Ok(json!({ "survey_id": survey, "count": questions.len(), "questions": questions }))
}

pub async fn distribution_status(client: &Client, arguments: &Arguments<'_>) -> Found {
    let survey = arguments.id("survey_id");
    let mut ids = match (arguments.id("distributor_id"), survey) {
        (Some(distributor), _) => vec![distributor],
        (None, Some(survey)) => {
            let mut request = ReadDistributorListRequest::new();
            request.survey_id = Some(survey);
            let listed = client.pages::<ReadDistributorList>(request).collect_all().await;
            match listed {
                Ok(listed) => listed.into_iter().map(|distributor| distributor.distributor_id).collect(),
                Err(error) => return Err(no_such_survey(client, survey, error).await),
            }
        }
        (None, None) => {
            return Err("distribution_status needs `survey_id` or `distributor_id`. Nothing was sent."
                .to_owned()
                .into());
        }
    };
    ids.sort_unstable_by(|a, b| b.cmp(a));
    let mut notes = Vec::new();
    if ids.len() > MOST {
        notes.push(format!("The newest {MOST} of {} distributors are here.", ids.len()));
        ids.truncate(MOST);
    }
    notes.push(PUBLIC_LINK.to_owned());
    let (mut invited, mut started, mut completed, mut distributions) = (0, 0, 0, Vec::new());
    for id in ids {
        let mut options = DistributionOptions::new(id);
        options.survey_id = survey;
        let found = client.distribution(options).await?;
        invited += found.invited;
        started += found.started;
        completed += found.completed;
        distributions.push(json!({
            "distributor_id": found.distributor_id,
            "survey_id": found.survey_id,
            "panel_id": found.panel_id,
            "channel": found.channel,
            "state": found.state,
            "sent_at": found.sent_at,
            "invited": found.invited,
            "started": found.started,
            "completed": found.completed,
            "in_progress": found.in_progress,
            "not_responded": found.not_responded,
            "screened_out": found.screened_out,
            "quota_full": found.quota_full,
            "response_rate_1": found.rr1,
        }));
    }
    Ok(json!({
        "survey_id": survey,
        "invited": invited,
        "started": started,
        "completed": completed,
        "distributions": distributions,
        "notes": notes,
    }))
}

pub async fn find_members(client: &Client, arguments: &Arguments<'_>) -> Found {
    let mut members = client.members(arguments.id("panel_id").unwrap_or_default());
    if let Some(filter) = arguments.text("where") {
        let filter =
            Expression::of_members(filter).map_err(|error| error.told(wording::of_errors()).message)?;
        members = members.filter(filter);
    }
    if let Some(fields) = arguments.texts("fields") {
        members = members.fields(fields);
    }
    let limit = arguments.count("limit").unwrap_or(MEMBERS).min(MOST_MEMBERS);
    let mut pages = members.page_size(i64::try_from(limit).unwrap_or(1)).pager()?;
    let mut found: Vec<Value> = Vec::new();
    while found.len() < limit
        && let Some(page) = pages.next().await?
    {
        found.extend(page.into_iter().take(limit - found.len()).map(|member| {
            let fields = member.fields.iter().map(|(name, field)| (name.clone(), shown(&field.value)));
            json!({ "id": member.id, "fields": fields.collect::<Map<String, Value>>() })
        }));
    }
    let mut notes = Vec::new();
    if found.len() == limit {
        notes.push(format!(
            "These are the first {limit}: there may be more. `limit` is at most {MOST_MEMBERS}."
        ));
    }
    Ok(json!({ "count": found.len(), "members": found, "notes": notes }))
}

fn shown(value: &FieldValue) -> Value {
    match value {
        FieldValue::Bool(value) => (*value).into(),
        FieldValue::Int(value) => (*value).into(),
        FieldValue::Float(value) => (*value).into(),
        FieldValue::Text(value) => value.clone().into(),
        FieldValue::Json(value) => value.as_str().into(),
        FieldValue::Null => Value::Null,
    }
}
