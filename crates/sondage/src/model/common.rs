//! What several areas share: conditions, paging, texts in several languages.

use super::{FieldValue, open_enum::open_enum};
use sondage_macros::{record, value};

open_enum! {
    /// How a condition is joined to the ones before it. There are no brackets: And binds closer than Or.
    #[source("API 11.2, published")]
    Conjunction { And, Or }

    /// What a condition looks at. `Panel` serves samples too; `SQL` means the service's own columns, such
    /// as `Id`, `State` or `UpdatedAt`.
    #[source("API 11.3, published")]
    ConditionType {
        Question, Panel, Device, UrlVariable, Calculation, Language, CustomVariable, Counters, RemoteList,
        RemoteIntegerRange, RemoteString, RemoteInteger, SQL,
    }

    /// How a condition compares. The `Any…` operators take a list separated by commas.
    #[source("API 11.5, published")]
    ConditionOperator {
        IsLessThan, IsLessThanOrEqualTo, IsGreaterThan, IsGreaterThanOrEqualTo, IsEqualTo, IsNotEqualTo, IsEmpty,
        IsNotEmpty, Contains, DoesNotContain, MatchRegex, DoesNotMatchRegex, AnyIsEqual, AnyIsNotEqual, AnyIsEmpty,
        AnyIsNotEmpty, AnyMatchRegex, AnyDoesNotMatchRegex,
    }

    /// The direction in which a list is ordered.
    #[source("API 12.2, published")]
    OrderDirection { Ascending, Descending }

    /// What kind of value a variable or a panel field holds. Fields of members usually hold `String` or `Number`.
    #[source("API 13.6, published")]
    VariableType { Number, Real, String, Date, JsonList, Json, MathJs, Matrix }

    /// How a message reaches people: `Email`, `Sms` and others.
    #[source("API 7.2, published")]
    DistributionChannel { Email, Sms, LinkList, ApiEndpoint, WhatsApp }
}

/// One test that members or interviews must pass. [`crate::condition`] builds lists of them.
#[value]
#[source("API 11.1, specified")]
pub struct Condition {
    /// How it is joined to the conditions before it.
    pub conjunction: Conjunction,
    /// What it looks at.
    pub condition_type: ConditionType,
    /// The name of the field, question or column to test.
    #[wire(pattern = r"^[a-zA-ZÀ-ž\u{0370}-\u{03FF}\u{0400}-\u{04FF}0-9_()+\-*/. %]*$")]
    pub identifier: String,
    /// How it compares.
    pub condition_operator: ConditionOperator,
    /// What it compares with, as text.
    pub value: String,
    /// The type of the variable, where the service cannot know it.
    #[source("API 11.1, published")]
    pub variable_type: Option<VariableType>,
    /// Whether the value is JSON.
    #[source("API 11.1, published")]
    pub json_value: Option<bool>,
    /// The path to the value inside a JSON variable.
    #[source("API 11.1, published")]
    pub json_path: Option<String>,
}

/// Which part of a list to read. The first page number and the largest size are not published.
#[value]
#[source("API 12.1, published")]
pub struct Paging {
    /// Rows on a page.
    pub page_size: i64,
    /// The number of the page.
    pub page: i64,
    /// The field by which the list is ordered.
    #[wire(pattern = r"^[a-zA-ZÀ-ž\u{0370}-\u{03FF}\u{0400}-\u{04FF}0-9_]*$")]
    pub order_field: Option<String>,
    /// The direction of the order.
    pub order_direction: Option<OrderDirection>,
}

/// A text in one language.
#[value]
#[source("API 13.5, specified")]
pub struct Translation {
    /// Language code, for example `de`.
    #[wire(max_length = 8)]
    pub language_code: String,
    /// The text.
    pub text: Option<String>,
}

/// A text that replaces a block of a message's layout.
#[value]
#[source("API 7.2, specified")]
pub struct TextBlock {
    /// GUID of the text block, taken from the message's layout.
    pub name: Option<String>,
    /// Kind of the block; `editarea` is the one that is known.
    pub r#type: Option<String>,
    /// The text in each language.
    pub text: Option<Vec<Translation>>,
}

/// One row or column that failed validation. It names neither the row nor the field.
#[record]
#[source("API 3.5, published")]
pub struct ValidationIssue {
    /// The service's word for what is wrong.
    pub error_code: Option<String>,
    /// What is wrong, as a sentence.
    pub error_message: Option<String>,
}

/// One of the values that a variable can take, and its label.
#[record]
#[source("API 6.2, published")]
pub struct ValueLabel {
    /// The value as it stands in the data.
    pub id: Option<String>,
    /// What it means.
    pub value: Option<FieldValue>,
}

open_enum! {
    /// What follows when the conditions hold.
    #[source("API 11.7, published")]
    ConditionAction { Passes, Fails }
}

/// Conditions as the service stores them.
#[value]
#[source("API 11.7, published")]
pub struct ConditionDefinition {
    /// What follows when they hold.
    pub condition_action: ConditionAction,
    /// The conditions.
    pub elements: Vec<Condition>,
}
