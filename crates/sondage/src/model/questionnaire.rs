//! Questionnaires: the questions of a survey, their order and languages, and the layout.

use super::{
    Condition, ConditionDefinition, SurveyElement, TextBlock, Timestamp, Translation, VariableType,
    open_enum::open_enum,
};
use indexmap::IndexMap;
use sondage_macros::value;

open_enum! {
    /// What respondents must enter before a survey starts.
    #[source("API 5.7, published")]
    CodeAccessMode { None, StrongUsernamePassword, StrongAccessCode, WeakUsernamePassword, WeakAccessCode }

    /// How respondents who are not in the panel are treated.
    #[source("API 5.7, published")]
    PanelSyncBehaviour { Default, SignUp }

    /// Who can see the data.
    #[source("API 5.7, published")]
    AccessType { Private, Conditional, Public }

    /// The width of the questions of a matrix.
    #[source("API 5.7, published")]
    MatrixSubQuestionSize { M, S, L, Xl }

    /// Whether answers can be traced to people.
    #[source("API 5.7, published")]
    AnonymizingMode { Personalized, Anonymous }
}

/// A questionnaire: sections of questions, in one or several languages. [`crate::questionnaire`]
/// builds one.
#[value]
#[source("API 5.1, published")]
pub struct SurveyDefinition {
    /// Whether one person can answer more than once.
    pub allow_multiple_participation: bool,
    /// Whether respondents can go back to earlier pages.
    pub allow_navigate_back: bool,
    /// Whether respondents can continue later.
    pub allow_save_progress: Option<bool>,
    /// Whether the sections are shuffled.
    pub randomize_sections: bool,
    /// Whether the page moves on to the next question by itself.
    pub enable_auto_scroll: Option<bool>,
    /// Whether respondents must enter a code at the start.
    pub enable_code_access: Option<bool>,
    /// Who can see the data.
    pub data_access_control: Option<DataAccessControl>,
    /// Panels whose fields the survey uses.
    pub associated_panels: Option<Vec<i64>>,
    /// What respondents must enter at the start.
    pub code_access_mode: CodeAccessMode,
    /// Whether answers are copied into the panel.
    pub enable_panel_sync: Option<bool>,
    /// How respondents who are not in the panel are treated.
    pub panel_sync_behaviour: Option<PanelSyncBehaviour>,
    /// Which answers are copied.
    pub panel_syncs: Option<Vec<PanelSync>>,
    /// The fallback language of texts.
    #[wire(max_length = 8)]
    pub default_language: String,
    /// When it closes automatically.
    pub end_date: Option<Timestamp>,
    /// Its languages, by their codes.
    pub languages: Vec<String>,
    /// Its sections, in order.
    pub sections: Vec<Section>,
    /// Its own variables.
    pub custom_variables: Vec<CustomVariable>,
    /// The text at the end, in each language.
    pub survey_end_text: Vec<Translation>,
    /// Texts of the service that it overrides, by name and language.
    pub default_text_overrides: Option<IndexMap<String, Vec<Translation>>>,
}

/// A part of a questionnaire: its questions, texts and page breaks.
#[value]
#[source("API 5.2, published")]
pub struct Section {
    /// Id of the section.
    pub id: i64,
    /// Its name, which is not displayed.
    pub name: String,
    /// Whether its pages are shuffled.
    pub randomize_pages: bool,
    /// Whether it keeps its position when sections are shuffled.
    pub exclude_from_randomization: bool,
    /// Its elements, in order.
    pub elements: Vec<SurveyElement>,
    /// The condition under which it is shown. Default: always.
    pub condition: Option<ConditionDefinition>,
}

/// A variable of the survey that is not a question.
#[value]
#[source("API 5.1, published")]
pub struct CustomVariable {
    /// Id of the variable.
    pub id: i64,
    /// Its name.
    pub variable_name: String,
    /// Its data type.
    pub variable_type: VariableType,
}

/// Who can see the data.
#[value]
#[source("API 5.1, published")]
pub struct DataAccessControl {
    /// Who can see the data.
    pub access_type: Option<AccessType>,
    /// The condition, for `Conditional`.
    pub conditions: Option<Vec<Condition>>,
}

/// An answer that is copied into a field of the panel.
#[value]
#[source("API 5.1, published")]
pub struct PanelSync {
    /// The question or variable.
    pub identifier: Option<String>,
    /// The field.
    pub panel_field: Option<String>,
}

/// The layout of a survey and the data that it records about respondents.
#[value]
#[source("API 5.6, published")]
pub struct SurveyConfiguration {
    /// The layout.
    pub design_configuration: Option<DesignConfiguration>,
    /// The data that it records about respondents.
    pub anonymizing_configuration: Option<AnonymizingConfiguration>,
}

/// The layout of a survey.
#[value]
#[source("API 5.6, published")]
pub struct DesignConfiguration {
    /// Id of the layout.
    pub survey_design_layout: Option<i64>,
    /// The width of the questions of a matrix.
    pub matrix_sub_question_size: Option<MatrixSubQuestionSize>,
    /// Texts of the layout that the survey overrides.
    pub text_blocks: Option<Vec<TextBlock>>,
}

/// The data that are recorded about respondents.
#[value]
#[source("API 5.6, published")]
pub struct AnonymizingConfiguration {
    /// Whether answers can be traced to people.
    pub anonymizing_mode: AnonymizingMode,
    /// Whether the IP address is recorded.
    pub log_ip: bool,
    /// Whether the `User-Agent` of the browser is recorded.
    pub log_user_agent: bool,
    /// Whether the referring page is recorded.
    pub log_referer: bool,
}
