//! Creating, reading and changing surveys.

use super::{ApiCall, Handler, ResponseText, succeed};
use crate::clock::wire;
use crate::demo::empty_survey;
use crate::ledger::EffectKind;
use crate::own_survey::not_carried_out;
use crate::random;
use crate::refusal::Refusal;
use serde_json::json;
use sondage::model::{
    CreateSurveyRequest, ElementType, ReadSurveyRequest, SurveyDefinition, SurveyElement, UpdateSurveyRequest,
};
use sondage::operations::{CreateSurvey, ReadSurvey, UpdateSurvey};
use std::collections::HashSet;

impl Handler for CreateSurvey {
    fn handle(call: &ApiCall<'_>, request: CreateSurveyRequest) -> Result<ResponseText, Refusal> {
        let id = call.change(|tenant, ids| {
            let workspace = tenant.workspace(request.workspace_id)?.id;
            check(&request.survey_definition)?;
            let id = ids.next();
            let mut survey = empty_survey(id, workspace, &request.name, call.now);
            survey.set_state("Draft", call.now);
            survey.public_id = random::guid();
            survey.created = (call.now, call.actor());
            survey.configuration = request.survey_configuration;
            survey.not_carried_out = not_carried_out(&request.survey_definition);
            survey.set_questionnaire(request.survey_definition);
            tenant.surveys.insert(id, survey);
            Ok(id)
        })?;
        call.note(EffectKind::SurveyCreated, vec![id.to_string()]);
        succeed(json!({ "surveyId": id }))
    }
}

impl Handler for ReadSurvey {
    fn handle(call: &ApiCall<'_>, request: ReadSurveyRequest) -> Result<ResponseText, Refusal> {
        call.read(|tenant| {
            let survey = tenant.survey(request.survey_id)?;
            succeed(json!({
                "surveyName": survey.name,
                "surveyVersion": survey.version,
                "surveyState": survey.state,
                "createdAt": wire(survey.created.0),
                "createdBy": survey.created.1,
                "survey": survey.published_questionnaire(),
                "surveyConfiguration": survey.configuration,
            }))
        })
    }
}

impl Handler for UpdateSurvey {
    fn handle(call: &ApiCall<'_>, request: UpdateSurveyRequest) -> Result<ResponseText, Refusal> {
        let id = request.survey_id;
        call.change(|tenant, _| {
            let survey = tenant.survey_mut(id)?;
            if !matches!(survey.status, "Inactive" | "Revision") {
                let why = format!("The survey {id} is {}; take it to Revision to change it.", survey.state);
                return Err(Refusal::invalid(why).with_code("SurveyNotEditable"));
            }
            check(&request.survey_definition)?;
            survey.name = request.survey_name.unwrap_or_else(|| survey.name.clone());
            survey.configuration = request.survey_configuration.or_else(|| survey.configuration.take());
            survey.modified = call.now;
            survey.not_carried_out = not_carried_out(&request.survey_definition);
            survey.set_questionnaire(request.survey_definition);
            Ok(())
        })?;
        call.note(EffectKind::SurveyUpdated, vec![id.to_string()]);
        succeed(json!({}))
    }
}

/// Refuses a questionnaire that contradicts itself.
fn check(definition: &SurveyDefinition) -> Result<(), Refusal> {
    let mistakes = contradictions(definition);
    match mistakes.as_slice() {
        [] => Ok(()),
        mistakes => {
            let named: Vec<String> = mistakes.iter().take(NAMED).map(|mistake| prefixed(mistake)).collect();
            Err(Refusal::invalid(named.join(" ")).with_code("SurveyDefinitionInvalid"))
        }
    }
}

/// The most mistakes that a refusal names.
const NAMED: usize = 5;

fn prefixed(mistake: &str) -> String {
    if mistake.starts_with("sections") { format!("surveyDefinition.{mistake}") } else { mistake.to_owned() }
}

/// Rules that the models cannot express: unique names, required languages, questions that need choices.
pub(crate) fn contradictions(definition: &SurveyDefinition) -> Vec<String> {
    let mut mistakes = Vec::new();
    let is_default = |language: &String| language.eq_ignore_ascii_case(&definition.default_language);
    if !definition.languages.iter().any(is_default) {
        mistakes.push(format!("languages lacks the defaultLanguage `{}`.", definition.default_language));
    }
    let (mut ids, mut codes) = (HashSet::new(), HashSet::new());
    for (at, section) in definition.sections.iter().enumerate() {
        for (index, element) in section.elements.iter().enumerate() {
            let path = format!("sections[{at}].elements[{index}]");
            if !ids.insert(element.id) {
                mistakes.push(format!("{path}.id: another element has the number {}.", element.id));
            }
            if let Some(code) = element.code.as_ref().filter(|code| !codes.insert((*code).clone())) {
                mistakes.push(format!("{path}.code: another element is called `{code}`."));
            }
            if let Some(why) = lacks(element) {
                mistakes.push(format!("{path}: {why}"));
            }
        }
    }
    mistakes
}

fn lacks(element: &SurveyElement) -> Option<&'static str> {
    use ElementType::{Dropdown, Matrix, MultipleChoice, RankOrder, SemanticDifferential, SingleChoice};
    let choices = element.choices.as_deref().unwrap_or_default();
    let mut codes = HashSet::new();
    if !choices.iter().all(|choice| codes.insert(choice.code.as_str())) {
        return Some("two of its choices have the same code.");
    }
    match &element.element_type {
        SingleChoice | MultipleChoice | Dropdown | RankOrder if choices.is_empty() => {
            Some("it has no choices.")
        }
        Matrix if choices.is_empty() || element.column_groups.as_ref().is_none_or(Vec::is_empty) => {
            Some("a matrix has rows (choices) and columnGroups.")
        }
        SemanticDifferential if element.rows.as_ref().is_none_or(Vec::is_empty) => Some("it has no rows."),
        _ => None,
    }
}
