//! What can be chosen about members and interviews.

use serde::Deserialize;
use sondage::condition::Expression;
use sondage::model::OrderDirection;
use sondage::paging::{self, Order};
use sondage::{Client, Timestamp};
use sondage_data::{Interviews, Members, Tables};

/// Sets what was chosen, and leaves the rest as it is.
macro_rules! choose {
    ($query:ident: $($chosen:expr => $method:ident;)*) => {
        $(if let Some(value) = $chosen { $query = $query.$method(value); })*
    };
}

/// About the members of a panel.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MembersOptions {
    panel_id: i64,
    fields: Option<Vec<String>>,
    r#where: Option<Expression>,
    interviews: Option<bool>,
    page_size: Option<i64>,
    check_count: Option<bool>,
    /// For a table: whether types and labels come from the definition of the panel, by one more call.
    definition: Option<bool>,
    /// For a table: in which language they are.
    language: Option<String>,
}

impl MembersOptions {
    /// The members as objects.
    pub fn list(self, client: &Client) -> paging::Members {
        let mut query = client.members(self.panel_id);
        choose! { query:
            self.fields => fields;
            self.r#where => filter;
            self.page_size => page_size;
            self.check_count => check_count;
        }
        if self.interviews == Some(true) { query.interviews() } else { query }
    }

    /// The members as a table.
    pub fn table(mut self, client: &Client) -> Members {
        let (definition, language) = (self.definition, self.language.take());
        let query = client.member_table(self.list(client));
        if definition == Some(true) { query.with_definition(language.as_deref()) } else { query }
    }
}

/// About the interviews of a survey.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InterviewsOptions {
    survey_id: i64,
    fields: Option<Vec<String>>,
    r#where: Option<Expression>,
    state: Option<String>,
    updated_since: Option<Timestamp>,
    page_size: Option<i64>,
    first_page: Option<i64>,
    order_by: Option<String>,
    descending: Option<bool>,
    check_count: Option<bool>,
    structured: Option<bool>,
    code_plan: Option<bool>,
}

impl InterviewsOptions {
    /// The interviews.
    pub fn query(self, client: &Client) -> Interviews {
        let mut query = client.interviews(self.survey_id);
        let descending = self.descending == Some(true);
        let direction = if descending { OrderDirection::Descending } else { OrderDirection::Ascending };
        choose! { query:
            self.fields => fields;
            self.r#where => filter;
            self.state.as_deref() => state;
            self.updated_since => updated_since;
            self.page_size => page_size;
            self.first_page => first_page;
            self.order_by.map(|field| Order::By(field, direction)) => order;
            self.check_count => check_count;
        }
        if self.structured == Some(true) {
            query = query.structured();
        }
        if self.code_plan == Some(false) { query.without_code_plan() } else { query }
    }
}
