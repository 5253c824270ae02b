//! Elements of a questionnaire: questions, texts, page breaks, and invisible steps.

use super::{ConditionDefinition, Secret, Translation, open_enum::open_enum};
use sondage_macros::value;

open_enum! {
    /// The kind of an element. The kinds from `Validation` to `QuotaCheck` are invisible steps.
    #[source("API 5.3, published")]
    ElementType { SingleChoice, MultipleChoice, Dropdown, Slider, OpenQuestion, Date, Email, TextBlock, PageBreak, Matrix, SemanticDifferential, RankOrder, ImplicitAssociation, Validation, UrlForwarding, SendEmail, ValueAssignment, ApiCall, Script, QuotaCheck, StarScale, Nps }

    /// Whether one or several columns can be selected.
    #[source("API 5.7, published")]
    ColumnType { Single, Multiple }

    /// How a group of columns is answered.
    #[source("API 5.7, published")]
    ChoiceType { Single, Multiple, Dropdown, Text, StarScale }

    /// The size of an input field.
    #[source("API 5.7, published")]
    TextFieldSize { Small, Medium, Large }

    /// The type of text that an input field accepts.
    #[source("API 5.7, published")]
    ContentValidationType { None, Number, Email, Date, List, Real }

    /// The arrangement of choices.
    #[source("API 5.7, published")]
    ArrangementMode { Cubic, Circular }

    /// What happens when an interview ends or the respondent is redirected.
    #[source("API 5.7, published")]
    ActionType { ShowEndOfSurveyText, ForwardToUrl }

    /// The kind of variable that is set.
    #[source("API 5.7, published")]
    ValueAssignmentType { Custom, Panel, Survey, Credit }

    /// When a step is executed.
    #[source("API 5.7, published")]
    ExecutionBehavior { AnyTime, FirstTime, EachTime, SurveyLoad }

    /// The HTTP method of a call.
    #[source("API 5.7, published")]
    ApiCallMethod { Get, Post }

    /// The language of a script.
    #[source("API 5.7, published")]
    ScriptType { JavaScript, Css }
}

/// A question, a text, a page break or an invisible step. Which fields apply depends on the kind; fields that do not
/// apply are absent. [`crate::questionnaire`] makes each kind with the fields that it needs.
#[value]
#[source("API 5.3, published")]
pub struct SurveyElement {
    /// Id of the element, unique in the survey.
    pub id: i64,
    /// The kind of element.
    pub element_type: ElementType,
    /// The name of its column in the data.
    pub code: Option<String>,
    /// Whether the code was chosen by a person instead of the service.
    pub code_manually_changed: Option<bool>,
    /// The question or text, in each language.
    pub text: Option<Vec<Translation>>,
    /// A hint below it, in each language.
    pub hint_text: Option<Vec<Translation>>,
    /// Whether the hint is shown.
    pub has_hint_text: Option<bool>,
    /// Whether respondents can decline to answer.
    pub has_not_available_choice: Option<bool>,
    /// The label of the option to decline, in each language.
    pub not_available_choice_text: Option<Vec<Translation>>,
    /// Whether it must be answered.
    pub force_response: Option<bool>,
    /// The choices that it offers.
    pub choices: Option<Vec<Choice>>,
    /// Whether the choices are shuffled.
    pub randomize_choices: Option<bool>,
    /// Matrix: whether one or several columns of a row can be selected.
    pub column_type: Option<ColumnType>,
    /// Dropdown: the prompt before anything is selected, in each language.
    pub prompt: Option<Vec<Translation>>,
    /// The smallest value of a scale.
    pub min_value: Option<i64>,
    /// The largest value of a scale.
    pub max_value: Option<i64>,
    /// Whether the middle of the scale has a label.
    pub show_center_label: Option<bool>,
    /// The label at the left end, in each language.
    pub left_label: Option<Vec<Translation>>,
    /// The label in the middle, in each language.
    pub center_label: Option<Vec<Translation>>,
    /// The label at the right end, in each language.
    pub right_label: Option<Vec<Translation>>,
    /// Slider: whether the value is shown.
    pub show_value: Option<bool>,
    /// Slider: the number of decimal places.
    pub max_decimals: Option<i64>,
    /// Open question: the size of the field.
    pub text_field_size: Option<TextFieldSize>,
    /// Whether text is autocompleted while it is typed.
    pub autocomplete: Option<bool>,
    /// The words for autocompletion, in each language.
    pub autocomplete_text: Option<Vec<Translation>>,
    /// How the text is validated.
    pub content_validation: Option<ContentValidation>,
    /// Whether the placeholder is shown.
    pub has_placeholder: Option<bool>,
    /// The placeholder of an empty field, in each language.
    pub placeholder: Option<Vec<Translation>>,
    /// Whether the text is masked while it is typed.
    pub is_password: Option<bool>,
    /// Whether the number of selected choices is limited.
    pub min_max_validation: Option<bool>,
    /// The minimum number of choices to select.
    pub minimum_checked_choices: Option<i64>,
    /// The maximum number of choices to select.
    pub maximum_checked_choices: Option<i64>,
    /// Matrix: the columns.
    pub column_groups: Option<Vec<ColumnGroup>>,
    /// Whether rows are shuffled.
    pub randomize_rows: Option<bool>,
    /// Semantic differential: the rows between their poles.
    pub rows: Option<Vec<ScaleRow>>,
    /// Rank order: the number of ranks.
    pub number_of_ranks: Option<i64>,
    /// Implicit association: the words for liking, in each language.
    pub like_text: Option<Vec<Translation>>,
    /// Implicit association: the words for disliking, in each language.
    pub dislike_text: Option<Vec<Translation>>,
    /// Implicit association: whether an introduction is shown first.
    pub has_start_text: Option<bool>,
    /// Implicit association: the introduction, in each language.
    pub start_text: Option<Vec<Translation>>,
    /// Implicit association: whether the time is measured.
    pub enable_measurement: Option<bool>,
    /// Implicit association: whether buttons are shown in addition to the keys.
    pub show_buttons: Option<bool>,
    /// Implicit association: the key for liking.
    pub like_key: Option<String>,
    /// Implicit association: the key for disliking.
    pub dislike_key: Option<String>,
    /// Validation, forwarding and quota check: the new state of the interview.
    pub interview_state: Option<String>,
    /// Validation, forwarding and quota check: the action.
    pub action: Option<EndAction>,
    /// Mail: the sender's address.
    pub from: Option<String>,
    /// Mail: the recipient's address.
    pub to: Option<String>,
    /// Mail: the subject, in each language.
    pub subject: Option<Vec<Translation>>,
    /// Mail: the text, in each language.
    pub message: Option<Vec<Translation>>,
    /// Value assignment: the kind of variable that is set.
    pub value_assignment_type: Option<ValueAssignmentType>,
    /// Value assignment and call: the variable that is set.
    pub variable_name: Option<String>,
    /// Value assignment: the value, as an expression, in each language.
    pub function_term: Option<Vec<Translation>>,
    /// Value assignment, call and script: when it is executed.
    pub execution_behavior: Option<ExecutionBehavior>,
    /// Call: the HTTP method.
    pub api_call_method: Option<ApiCallMethod>,
    /// Call and forwarding: the URL, in each language.
    pub url: Option<Vec<Translation>>,
    /// Call: the headers, one per line. Never displayed, because they may contain keys.
    pub headers: Option<Secret>,
    /// Call: the body, in each language.
    pub body: Option<Vec<Translation>>,
    /// Script: the URL from which it is loaded.
    pub external_uri: Option<String>,
    /// Script: its language.
    pub script_type: Option<ScriptType>,
    /// Script: its source text.
    pub content: Option<String>,
    /// Star scale and recommendation: whether the ends have labels.
    pub has_rating_labels: Option<bool>,
    /// Star scale and recommendation: the label at the left end, in each language.
    pub left_rating_label: Option<Vec<Translation>>,
    /// Star scale and recommendation: the label at the right end, in each language.
    pub right_rating_label: Option<Vec<Translation>>,
    /// The condition under which it is shown or executed. Default: always.
    pub condition: Option<ConditionDefinition>,
    /// Value assignment and call: whether the value is JSON.
    pub evaluate_as_json: Option<bool>,
    /// The variable that holds the words for autocompletion.
    pub autocomplete_list_variable: Option<String>,
    /// The arrangement of the choices.
    pub arrangement_mode: Option<ArrangementMode>,
    /// Whether it is animated.
    pub enable_animation: Option<bool>,
    /// Whether faces are shown instead of numbers.
    pub use_smiley: Option<bool>,
    /// Dropdown: whether the prompt is shown.
    pub has_prompt: Option<bool>,
}

/// One of the choices of a question.
#[value]
#[source("API 5.4, published")]
pub struct Choice {
    /// Id of the choice, unique in its question.
    pub id: i64,
    /// Its value in the data.
    pub code: String,
    /// Whether the code was chosen by a person instead of the service.
    pub code_manually_changed: Option<bool>,
    /// Its label, in each language.
    pub text: Vec<Translation>,
    /// Whether it has a text field.
    pub allow_text_entry: bool,
    /// Whether the text field is required.
    pub force_input: bool,
    /// Whether the text is autocompleted while it is typed.
    pub autocomplete: bool,
    /// The words for autocompletion, in each language.
    pub autocomplete_text: Option<Vec<Translation>>,
    /// Whether it excludes all other choices.
    pub exclusive: bool,
    /// Whether it keeps its position when the others are shuffled.
    pub exclude_from_randomization: Option<bool>,
    /// How its text field is validated.
    pub content_validation: Option<ContentValidation>,
    /// The condition under which it is offered. Default: always.
    pub condition: Option<ConditionDefinition>,
    /// The variable that holds the words for autocompletion.
    pub autocomplete_list_variable: Option<String>,
}

/// A group of columns of a matrix.
#[value]
#[source("API 5.4, published")]
pub struct ColumnGroup {
    /// Id of the group, unique in its matrix.
    pub id: i64,
    /// Its heading, in each language. Groups without a heading have an empty list, or none.
    pub text: Option<Vec<Translation>>,
    /// Whether there is a "no answer" column.
    pub has_not_available_choice: bool,
    /// The heading of the "no answer" column, in each language.
    pub not_available_choice_text: Option<Vec<Translation>>,
    /// Whether the columns are shuffled.
    pub randomize_columns: bool,
    /// The prompt of a dropdown before anything is selected, in each language.
    pub prompt: Option<Vec<Translation>>,
    /// How it is answered.
    pub choice_type: ChoiceType,
    /// The columns.
    pub choices: Vec<Choice>,
    /// The condition under which the group is shown. Default: always.
    pub condition: Option<ConditionDefinition>,
}

/// A row of a scale between two poles.
#[value]
#[source("API 5.4, published")]
pub struct ScaleRow {
    /// Id of the row, unique in its question.
    pub id: i64,
    /// The name of its column in the data.
    pub code: String,
    /// Whether the code was chosen by a person instead of the service.
    pub code_manually_changed: Option<bool>,
    /// The left pole, in each language.
    pub left_text: Vec<Translation>,
    /// The right pole, in each language.
    pub right_text: Vec<Translation>,
    /// Whether it keeps its position when the others are shuffled.
    pub exclude_from_randomization: bool,
    /// The condition under which it is shown. Default: always.
    pub condition: Option<ConditionDefinition>,
}

/// The validation of a text.
#[value]
#[source("API 5.5, published")]
pub struct ContentValidation {
    /// The type of text.
    pub validation_type: ContentValidationType,
    /// The earliest date. Its format is not published.
    pub earliest_date: Option<String>,
    /// The latest date. Its format is not published.
    pub latest_date: Option<String>,
    /// The smallest number.
    pub min_value: Option<f64>,
    /// The largest number.
    pub max_value: Option<f64>,
    /// The maximum number of decimal places.
    pub decimal_places: Option<i64>,
    /// Whether numbers are written without thousands separators.
    pub disable_thousand_separator: Option<bool>,
}

/// What happens when an interview ends or the respondent is redirected.
#[value]
#[source("API 5.3, published")]
pub struct EndAction {
    /// The action.
    pub action_type: ActionType,
    /// The text that ends the interview, for `ShowEndOfSurveyText`.
    pub end_of_survey_text: Option<Vec<Translation>>,
    /// The URL to which the browser is redirected, for `ForwardToUrl`.
    pub forward_url: Option<Vec<Translation>>,
}
