//! The questionnaire of a survey, for its languages.

use sondage::model::{ReadSurveyRequest, SurveyDefinition};
use sondage::{Client, Error, Result};

use crate::meaning::{CodePlan, spelled};

/// A questionnaire and the language to show.
pub(super) struct Questionnaire {
    definition: SurveyDefinition,
    language: String,
}

impl Questionnaire {
    /// Reads it. A language that it does not have is an error.
    pub(super) async fn read(client: &Client, survey_id: i64, language: &str) -> Result<Self> {
        let answer = client.read_survey(ReadSurveyRequest::new(survey_id)).await?;
        let Some(definition) = answer.survey else {
            return Err(Error::invalid_argument(format!(
                "the service returned no questionnaire of survey {survey_id}, which has the texts of its languages: \
                 leave out `language`"
            )));
        };
        let language = spelled(language, &definition.languages)
            .map_err(|unknown| Error::invalid_argument(format!("survey {survey_id}: {unknown}")))?;
        Ok(Questionnaire { definition, language })
    }

    /// The code plan in the language, with all others.
    pub(super) fn translate(&self, plan: &CodePlan) -> CodePlan {
        plan.with_languages(&self.definition).in_language(&self.language)
    }
}
