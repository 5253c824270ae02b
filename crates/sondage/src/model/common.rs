//! Types that several areas share: conditions, paging, texts in several languages.

use super::{FieldValue, open_enum::open_enum};
use sondage_macros::{record, value};

open_enum! {
    /// How a condition is joined to the ones before it. There are no brackets: And binds closer than Or.
    #[source("API 11.2, published")]
    Conjunction { And, Or }

    /// What a condition tests. `Panel` is also used for samples; `SQL` means the service's system columns, such as `Id`,
    /// `State` or `UpdatedAt`.
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

    /// The sort direction of a list.
    #[source("API 12.2, published")]
    OrderDirection { Ascending, Descending }

    /// The data type of a variable or a panel field. Fields of members usually are `String` or `Number`.
    #[source("API 13.6, published")]
    VariableType { Number, Real, String, Date, JsonList, Json, MathJs, Matrix }

    /// The channel of a message: `Email`, `Sms` and others.
    #[source("API 7.2, published")]
    DistributionChannel { Email, Sms, LinkList, ApiEndpoint, WhatsApp }
}

/// One test that members or interviews must pass. [`crate::condition`] builds lists of them.
#[value]
#[source("API 11.1, specified")]
pub struct Condition {
    /// How it is joined to the conditions before it.
    pub conjunction: Conjunction,
    /// What is tested: a panel field, a question, a system column and others.
    pub condition_type: ConditionType,
    /// The name of the field, question or column to test.
    #[wire(pattern = r"^[a-zA-ZÀ-ž\u{0370}-\u{03FF}\u{0400}-\u{04FF}0-9_()+\-*/. %]*$")]
    pub identifier: String,
    /// How it compares.
    pub condition_operator: ConditionOperator,
    /// The value to compare with, as text.
    pub value: String,
    /// The data type of the variable, where the service cannot know it.
    #[source("API 11.1, published")]
    pub variable_type: Option<VariableType>,
    /// Whether the value is JSON.
    #[source("API 11.1, published")]
    pub json_value: Option<bool>,
    /// The path to the value inside a JSON variable.
    #[source("API 11.1, published")]
    pub json_path: Option<String>,
}

/// Which page of a list to read. The first page number and the maximum page size are not published.
#[value]
#[source("API 12.1, published")]
pub struct Paging {
    /// Rows per page.
    pub page_size: i64,
    /// The number of the page.
    pub page: i64,
    /// The field to sort by.
    #[wire(pattern = r"^[a-zA-ZÀ-ž\u{0370}-\u{03FF}\u{0400}-\u{04FF}0-9_]*$")]
    pub order_field: Option<String>,
    /// The sort direction.
    pub order_direction: Option<OrderDirection>,
}

/// A text in one language.
#[value]
#[source("API 13.5, specified")]
pub struct Translation {
    /// Language code, for example `"de"`.
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
    /// The type of the block; only `"editarea"` is known.
    pub r#type: Option<String>,
    /// The text in each language.
    pub text: Option<Vec<Translation>>,
}

/// One row or column that failed validation. The service names neither the row nor the field.
#[record]
#[source("API 3.5, published")]
pub struct ValidationIssue {
    /// The error code.
    pub error_code: Option<String>,
    /// The error message.
    pub error_message: Option<String>,
}

/// One of the values of a variable, and its label.
#[record]
#[source("API 6.2, published")]
pub struct ValueLabel {
    /// The value as it occurs in the data.
    pub id: Option<String>,
    /// The label.
    pub value: Option<FieldValue>,
}

open_enum! {
    /// An action, and the conditions under which it happens.
    #[source("API 11.7, published")]
    ConditionAction { Passes, Fails }
}

/// Conditions in the form in which the service stores them.
#[value]
#[source("API 11.7, published")]
pub struct ConditionDefinition {
    /// The action when they hold.
    pub condition_action: ConditionAction,
    /// The conditions.
    pub elements: Vec<Condition>,
}
