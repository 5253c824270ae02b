//! A survey from its questionnaire to its links, on a survey platform in this process.

use sondage::condition::question;
use sondage::model::{
    CreateSurveyRequest, DeleteSurveyRequest, ExecuteWorkflowTransitionRequest, ReadSurveyLinksRequest,
    ReadSurveyListRequest, ReadSurveyRequest, UpdateSurveyRequest, WorkflowType,
};
use sondage::questionnaire::{self as ask, Questionnaire};
use sondage_sandbox::Sandbox;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let sandbox = Sandbox::demo_blocking()?;
    let client = sandbox.client().build_blocking()?;
    let workspace = sandbox.workspace_id();

    // The questionnaire, in two languages.
    let yes = ask::choice("1", [("en", "Yes"), ("de", "Ja")]);
    let no = ask::choice("2", [("en", "No"), ("de", "Nein")]);
    let back =
        ask::single_choice("back", [("en", "Will you come back?"), ("de", "Kommen Sie wieder?")], [yes, no]);
    let why = ask::open_question("why", [("en", "Why not?"), ("de", "Warum nicht?")]);
    let why = ask::show_when(why, &question("back").is_equal_to("2"))?;
    let definition = Questionnaire::new(["en", "de"])
        .section("Visit", [back, why])
        .end([("en", "Thank you!"), ("de", "Danke!")])
        .definition();
    let created = client.create_survey(CreateSurveyRequest::new(workspace, "Visitors", definition))?;
    let survey = created.survey_id.ok_or("the service did not say which survey it made")?;

    // Change it: read, modify, and send back all of it.
    let read = client.read_survey(ReadSurveyRequest::new(survey))?;
    let mut changed = read.survey.ok_or("the survey is gone")?;
    changed.sections[0].elements[1].force_response = Some(true);
    client.update_survey(UpdateSurveyRequest::new(survey, changed))?;

    // When it is published, it can be answered.
    let publish = ExecuteWorkflowTransitionRequest::new(WorkflowType::SurveyDesign, "Published");
    client.execute_workflow_transition(publish.survey_id(survey))?;
    for link in client.read_survey_links(ReadSurveyLinksRequest::new(survey))?.anonymous_list {
        println!("open to everybody: {}", link.language.unwrap_or_default());
    }
    for listed in client.read_survey_list(ReadSurveyListRequest::new(workspace))?.surveys {
        let (name, answers) = (listed.name.unwrap_or_default(), listed.answers.unwrap_or_default());
        println!(
            "{name}: {}, {answers} answers",
            listed.status.map(|status| status.to_string()).unwrap_or_default()
        );
    }

    client.delete_survey(DeleteSurveyRequest::new(survey))?;
    Ok(())
}
