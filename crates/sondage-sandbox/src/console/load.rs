//! A survey from files: answers with their code plan, or a questionnaire.

use super::program::{self, Snippet};
use super::{ConsolePage, ConsoleStep, ConsoleVisit, nothing};
use crate::own_survey;
use crate::random;
use crate::refusal::Refusal;
use crate::uploads::Upload;
use maud::html;
use std::sync::Arc;

pub(super) fn show(visit: &ConsoleVisit<'_>) -> ConsolePage {
    let body = html! {
        form method="post" enctype="multipart/form-data" action=(visit.path("surveys/new")) {
            h2 { "Answers" }
            label for="data" { "CSV file with a row for each interview, such as an export" }
            input id="data" name="data" type="file" accept=".csv,.txt,.tsv";
            label for="plan" { "Its code plan as JSON, for labels (optional)" }
            input id="plan" name="plan" type="file" accept=".json";
            button name="do" value="data" { "Load the answers" }
        }
        form method="post" enctype="multipart/form-data" action=(visit.path("surveys/new")) {
            h2 { "A questionnaire" }
            label for="questionnaire" { "JSON file: the editor's export, or a response of " code { "ReadSurvey" } }
            input id="questionnaire" name="questionnaire" type="file" accept=".json";
            button name="do" value="questionnaire" { "Load the questionnaire" }
        }
        (program::same(&[
            Snippet::new("Command", "sondage sandbox --data answers.csv --codeplan plan.json\nsondage sandbox --survey questionnaire.json"),
            Snippet::new("Python", "sondage.Sandbox(data=\"answers.csv\", code_plan=\"plan.json\")"),
            Snippet::new("Node.js", "await Sandbox.demo({ data: 'answers.csv', codePlan: 'plan.json' });"),
        ]))
    };
    ConsolePage::new("Load a survey", "surveys", body)
}

pub(super) fn act(visit: &ConsoleVisit<'_>) -> Result<ConsoleStep, Refusal> {
    let file = |name: &str| visit.form.get(name).and_then(|id| visit.shared.uploads.find(id));
    let choose = || Refusal::invalid("Choose a file. Nothing was loaded.");
    let questionnaire = file("questionnaire");
    let (data, plan) = (file("data"), file("plan"));
    let main = questionnaire.as_ref().or(data.as_ref()).ok_or_else(choose)?;
    let (id, workspace) = {
        let mut world = visit.shared.world_mut();
        let (tenant, ids) = world.change(&visit.tenant).ok_or_else(nothing)?;
        let workspace = tenant.workspaces.values().next().map(|workspace| workspace.id).unwrap_or_default();
        (ids.next(), workspace)
    };
    let path = |upload: &Arc<Upload>| upload.path();
    let survey = match &questionnaire {
        Some(file) => own_survey::read_questionnaire((id, workspace), &file.path()),
        None => {
            own_survey::read((id, workspace), random::SEED, &main.path(), plan.as_ref().map(path).as_deref())
        }
    };
    let survey = survey.map_err(|why| {
        let files = [Some(main), plan.as_ref()].into_iter().flatten();
        let why = files.fold(why.to_string(), |why, file| file.without_folder(&why));
        Refusal::invalid(format!("{why}. Nothing was loaded."))
    })?;
    let mut world = visit.shared.world_mut();
    let (tenant, _) = world.change(&visit.tenant).ok_or_else(nothing)?;
    tenant.surveys.insert(id, survey);
    Ok(ConsoleStep::new(format!("surveys/{id}"), "loaded"))
}
