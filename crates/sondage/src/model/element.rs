//! Elements of a questionnaire: questions, texts, page breaks, and steps that nobody sees.

use super::{ConditionDefinition, Secret, Translation, open_enum::open_enum};
use sondage_macros::value;

open_enum! {
    /// What an element of a questionnaire is. From `Validation` to `QuotaCheck` they are steps
    /// that nobody sees.
    #[source("API 5.3, published")]
    ElementType { SingleChoice, MultipleChoice, Dropdown, Slider, OpenQuestion, Date, Email, TextBlock, PageBreak, Matrix, SemanticDifferential, RankOrder, ImplicitAssociation, Validation, UrlForwarding, SendEmail, ValueAssignment, ApiCall, Script, QuotaCheck, StarScale, Nps }

    /// Whether one or several columns can be chosen.
    #[source("API 5.7, published")]
    ColumnType { Single, Multiple }

    /// How one answers in a group of columns.
    #[source("API 5.7, published")]
    ChoiceType { Single, Multiple, Dropdown, Text, StarScale }

    /// How large a field is.
    #[source("API 5.7, published")]
    TextFieldSize { Small, Medium, Large }

    /// What a text is to be.
    #[source("API 5.7, published")]
    ContentValidationType { None, Number, Email, Date, List, Real }

    /// How answers are arranged.
    #[source("API 5.7, published")]
    ArrangementMode { Cubic, Circular }

    /// What happens where an interview ends or leaves.
    #[source("API 5.7, published")]
    ActionType { ShowEndOfSurveyText, ForwardToUrl }

    /// What kind of variable is set.
    #[source("API 5.7, published")]
    ValueAssignmentType { Custom, Panel, Survey, Credit }

    /// When a step is carried out.
    #[source("API 5.7, published")]
    ExecutionBehavior { AnyTime, FirstTime, EachTime, SurveyLoad }

    /// How a call is made.
    #[source("API 5.7, published")]
    ApiCallMethod { Get, Post }

    /// The language of a script.
    #[source("API 5.7, published")]
    ScriptType { JavaScript, Css }
}

/// A question, a text, a page break or a step that nobody sees. Which fields mean something depends
/// on the kind; a field that does not belong to it is left out. [`crate::questionnaire`] makes each kind with
/// what it needs.
#[value]
#[source("API 5.3, published")]
pub struct SurveyElement {
    /// Number of the element, unique in the survey.
    pub id: i64,
    /// What it is.
    pub element_type: ElementType,
    /// What its column in the data is called.
    pub code: Option<String>,
    /// Whether somebody chose the code, rather than the service.
    pub code_manually_changed: Option<bool>,
    /// The question or text, in each language.
    pub text: Option<Vec<Translation>>,
    /// A hint below it, in each language.
    pub hint_text: Option<Vec<Translation>>,
    /// Whether the hint is shown.
    pub has_hint_text: Option<bool>,
    /// Whether one can decline to answer.
    pub has_not_available_choice: Option<bool>,
    /// The words for that, in each language.
    pub not_available_choice_text: Option<Vec<Translation>>,
    /// Whether it must be answered.
    pub force_response: Option<bool>,
    /// The answers it offers.
    pub choices: Option<Vec<Choice>>,
    /// Whether they are shuffled.
    pub randomize_choices: Option<bool>,
    /// Matrix: whether one or several columns of a row can be chosen.
    pub column_type: Option<ColumnType>,
    /// Dropdown: what it shows before anything is chosen, in each language.
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
    /// Slider: how many digits there are after the point.
    pub max_decimals: Option<i64>,
    /// Open question: how large the field is.
    pub text_field_size: Option<TextFieldSize>,
    /// Whether a text is completed while it is written.
    pub autocomplete: Option<bool>,
    /// The words to complete with, in each language.
    pub autocomplete_text: Option<Vec<Translation>>,
    /// What the text must look like.
    pub content_validation: Option<ContentValidation>,
    /// Whether the placeholder is shown.
    pub has_placeholder: Option<bool>,
    /// What an empty field shows, in each language.
    pub placeholder: Option<Vec<Translation>>,
    /// Whether the text is hidden while it is written.
    pub is_password: Option<bool>,
    /// Whether the number of chosen answers is limited.
    pub min_max_validation: Option<bool>,
    /// The fewest answers to choose.
    pub minimum_checked_choices: Option<i64>,
    /// The most answers to choose.
    pub maximum_checked_choices: Option<i64>,
    /// Matrix: the columns.
    pub column_groups: Option<Vec<ColumnGroup>>,
    /// Whether rows are shuffled.
    pub randomize_rows: Option<bool>,
    /// Semantic differential: the rows between their poles.
    pub rows: Option<Vec<ScaleRow>>,
    /// Rank order: how many places there are.
    pub number_of_ranks: Option<i64>,
    /// Implicit association: the words for liking, in each language.
    pub like_text: Option<Vec<Translation>>,
    /// Implicit association: the words for disliking, in each language.
    pub dislike_text: Option<Vec<Translation>>,
    /// Implicit association: whether a text comes first.
    pub has_start_text: Option<bool>,
    /// Implicit association: that text, in each language.
    pub start_text: Option<Vec<Translation>>,
    /// Implicit association: whether the time is measured.
    pub enable_measurement: Option<bool>,
    /// Implicit association: whether there are buttons beside the keys.
    pub show_buttons: Option<bool>,
    /// Implicit association: the key for liking.
    pub like_key: Option<String>,
    /// Implicit association: the key for disliking.
    pub dislike_key: Option<String>,
    /// Validation, forwarding and quota check: the state that the interview gets.
    pub interview_state: Option<String>,
    /// Validation, forwarding and quota check: what happens then.
    pub action: Option<EndAction>,
    /// Mail: the sender's address.
    pub from: Option<String>,
    /// Mail: the recipient's address.
    pub to: Option<String>,
    /// Mail: the subject, in each language.
    pub subject: Option<Vec<Translation>>,
    /// Mail: the text, in each language.
    pub message: Option<Vec<Translation>>,
    /// Value assignment: what kind of variable is set.
    pub value_assignment_type: Option<ValueAssignmentType>,
    /// Value assignment and call: the variable that is set.
    pub variable_name: Option<String>,
    /// Value assignment: the value, as a term, in each language.
    pub function_term: Option<Vec<Translation>>,
    /// Value assignment, call and script: when it is carried out.
    pub execution_behavior: Option<ExecutionBehavior>,
    /// Call: the HTTP method.
    pub api_call_method: Option<ApiCallMethod>,
    /// Call and forwarding: the address, in each language.
    pub url: Option<Vec<Translation>>,
    /// Call: the headers, one a line. Shown nowhere: they hold keys.
    pub headers: Option<Secret>,
    /// Call: the body, in each language.
    pub body: Option<Vec<Translation>>,
    /// Script: where it is loaded from.
    pub external_uri: Option<String>,
    /// Script: its language.
    pub script_type: Option<ScriptType>,
    /// Script: its text.
    pub content: Option<String>,
    /// Star scale and recommendation: whether the ends have labels.
    pub has_rating_labels: Option<bool>,
    /// Star scale and recommendation: the label at the left end, in each language.
    pub left_rating_label: Option<Vec<Translation>>,
    /// Star scale and recommendation: the label at the right end, in each language.
    pub right_rating_label: Option<Vec<Translation>>,
    /// When it is shown or carried out; always, when left out.
    pub condition: Option<ConditionDefinition>,
    /// Value assignment and call: whether the value is JSON.
    pub evaluate_as_json: Option<bool>,
    /// The variable that holds the words to complete with.
    pub autocomplete_list_variable: Option<String>,
    /// How the answers are arranged.
    pub arrangement_mode: Option<ArrangementMode>,
    /// Whether it moves.
    pub enable_animation: Option<bool>,
    /// Whether faces take the place of numbers.
    pub use_smiley: Option<bool>,
    /// Dropdown: whether the prompt is shown.
    pub has_prompt: Option<bool>,
}

/// One of the answers that a question offers.
#[value]
#[source("API 5.4, published")]
pub struct Choice {
    /// Number of the choice, unique in its question.
    pub id: i64,
    /// The value in the data.
    pub code: String,
    /// Whether somebody chose the code, rather than the service.
    pub code_manually_changed: Option<bool>,
    /// What is shown, in each language.
    pub text: Vec<Translation>,
    /// Whether a text can be written beside it.
    pub allow_text_entry: bool,
    /// Whether that text must be written.
    pub force_input: bool,
    /// Whether the text is completed while it is written.
    pub autocomplete: bool,
    /// The words to complete with, in each language.
    pub autocomplete_text: Option<Vec<Translation>>,
    /// Whether it cannot be combined with other choices.
    pub exclusive: bool,
    /// Whether it keeps its place when the others are shuffled.
    pub exclude_from_randomization: Option<bool>,
    /// What the text beside it must look like.
    pub content_validation: Option<ContentValidation>,
    /// When it is offered; always, when left out.
    pub condition: Option<ConditionDefinition>,
    /// The variable that holds the words to complete with.
    pub autocomplete_list_variable: Option<String>,
}

/// Columns of a matrix that belong together.
#[value]
#[source("API 5.4, published")]
pub struct ColumnGroup {
    /// Number of the group, unique in its matrix.
    pub id: i64,
    /// Its heading, in each language.
    pub text: Vec<Translation>,
    /// Whether there is a column for no answer.
    pub has_not_available_choice: bool,
    /// The heading of that column, in each language.
    pub not_available_choice_text: Option<Vec<Translation>>,
    /// Whether the columns are shuffled.
    pub randomize_columns: bool,
    /// What a list shows before anything is chosen, in each language.
    pub prompt: Option<Vec<Translation>>,
    /// How one answers.
    pub choice_type: ChoiceType,
    /// The columns.
    pub choices: Vec<Choice>,
    /// When the group is shown; always, when left out.
    pub condition: Option<ConditionDefinition>,
}

/// A row of a scale between two poles.
#[value]
#[source("API 5.4, published")]
pub struct ScaleRow {
    /// Number of the row, unique in its question.
    pub id: i64,
    /// What its column in the data is called.
    pub code: String,
    /// Whether somebody chose the code, rather than the service.
    pub code_manually_changed: Option<bool>,
    /// The left pole, in each language.
    pub left_text: Vec<Translation>,
    /// The right pole, in each language.
    pub right_text: Vec<Translation>,
    /// Whether it keeps its place when the others are shuffled.
    pub exclude_from_randomization: bool,
    /// When it is shown; always, when left out.
    pub condition: Option<ConditionDefinition>,
}

/// What a text must look like.
#[value]
#[source("API 5.5, published")]
pub struct ContentValidation {
    /// What it is to be.
    pub validation_type: ContentValidationType,
    /// The earliest date. Its form is not published.
    pub earliest_date: Option<String>,
    /// The latest date. Its form is not published.
    pub latest_date: Option<String>,
    /// The smallest number.
    pub min_value: Option<f64>,
    /// The largest number.
    pub max_value: Option<f64>,
    /// How many digits there may be after the point.
    pub decimal_places: Option<i64>,
    /// Whether thousands are written without separator.
    pub disable_thousand_separator: Option<bool>,
}

/// What happens where an interview ends or leaves.
#[value]
#[source("API 5.3, published")]
pub struct EndAction {
    /// What it does.
    pub action_type: ActionType,
    /// The text that ends the interview, for `ShowEndOfSurveyText`.
    pub end_of_survey_text: Option<Vec<Translation>>,
    /// Where the browser goes, for `ForwardToUrl`.
    pub forward_url: Option<Vec<Translation>>,
}
