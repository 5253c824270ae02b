//! Questionnaires: what a survey asks, in which order and languages, and how it looks.

use super::{
    Condition, ConditionDefinition, SurveyElement, TextBlock, Timestamp, Translation, VariableType,
    open_enum::open_enum,
};
use indexmap::IndexMap;
use sondage_macros::value;

open_enum! {
    /// What is asked for before a survey begins.
    #[source("API 5.7, published")]
    CodeAccessMode { None, StrongUsernamePassword, StrongAccessCode, WeakUsernamePassword, WeakAccessCode }

    /// What happens to people who are not in the panel.
    #[source("API 5.7, published")]
    PanelSyncBehaviour { Default, SignUp }

    /// For whom data are.
    #[source("API 5.7, published")]
    AccessType { Private, Conditional, Public }

    /// How wide the questions of a matrix are.
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
    /// Whether one can go back to earlier pages.
    pub allow_navigate_back: bool,
    /// Whether one can go on later.
    pub allow_save_progress: Option<bool>,
    /// Whether the sections are shuffled.
    pub randomize_sections: bool,
    /// Whether the page moves on to the next question by itself.
    pub enable_auto_scroll: Option<bool>,
    /// Whether a code is asked for at the beginning.
    pub enable_code_access: Option<bool>,
    /// Who may see the data.
    pub data_access_control: Option<DataAccessControl>,
    /// Panels whose fields the survey uses.
    pub associated_panels: Option<Vec<i64>>,
    /// What is asked for at the beginning.
    pub code_access_mode: CodeAccessMode,
    /// Whether answers are copied into the panel.
    pub enable_panel_sync: Option<bool>,
    /// What happens to people who are not in the panel.
    pub panel_sync_behaviour: Option<PanelSyncBehaviour>,
    /// Which answers are copied.
    pub panel_syncs: Option<Vec<PanelSync>>,
    /// The language that texts fall back to.
    #[wire(max_length = 8)]
    pub default_language: String,
    /// When it ends by itself.
    pub end_date: Option<Timestamp>,
    /// Its languages, by their codes.
    pub languages: Vec<String>,
    /// Its sections, in order.
    pub sections: Vec<Section>,
    /// Variables of its own.
    pub custom_variables: Vec<CustomVariable>,
    /// What is shown at the end, in each language.
    pub survey_end_text: Vec<Translation>,
    /// Texts of the service that it replaces, by their names, in each language.
    pub default_text_overrides: Option<IndexMap<String, Vec<Translation>>>,
}

/// A part of a questionnaire: its questions, texts and page breaks.
#[value]
#[source("API 5.2, published")]
pub struct Section {
    /// Number of the section.
    pub id: i64,
    /// Its name, which is not shown.
    pub name: String,
    /// Whether its pages are shuffled.
    pub randomize_pages: bool,
    /// Whether it keeps its place when sections are shuffled.
    pub exclude_from_randomization: bool,
    /// What it consists of, in order.
    pub elements: Vec<SurveyElement>,
    /// When it is shown; always, when left out.
    pub condition: Option<ConditionDefinition>,
}

/// A variable of the survey's own, beside its questions.
#[value]
#[source("API 5.1, published")]
pub struct CustomVariable {
    /// Number of the variable.
    pub id: i64,
    /// Its name.
    pub variable_name: String,
    /// What it holds.
    pub variable_type: VariableType,
}

/// Who may see the data.
#[value]
#[source("API 5.1, published")]
pub struct DataAccessControl {
    /// For whom they are.
    pub access_type: Option<AccessType>,
    /// What must hold, for `Conditional`.
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

/// How a survey looks and what it records.
#[value]
#[source("API 5.6, published")]
pub struct SurveyConfiguration {
    /// How it looks.
    pub design_configuration: Option<DesignConfiguration>,
    /// What it records about those who answer.
    pub anonymizing_configuration: Option<AnonymizingConfiguration>,
}

/// How the survey looks.
#[value]
#[source("API 5.6, published")]
pub struct DesignConfiguration {
    /// Number of the layout.
    pub survey_design_layout: Option<i64>,
    /// How wide the questions of a matrix are.
    pub matrix_sub_question_size: Option<MatrixSubQuestionSize>,
    /// Texts of the layout that the survey replaces.
    pub text_blocks: Option<Vec<TextBlock>>,
}

/// What is recorded about those who answer.
#[value]
#[source("API 5.6, published")]
pub struct AnonymizingConfiguration {
    /// Whether answers can be traced to people.
    pub anonymizing_mode: AnonymizingMode,
    /// Whether the IP address is recorded.
    pub log_ip: bool,
    /// Whether the browser's name for itself is recorded.
    pub log_user_agent: bool,
    /// Whether the page that led to the survey is recorded.
    pub log_referer: bool,
}
