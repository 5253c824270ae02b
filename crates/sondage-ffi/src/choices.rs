//! What can be chosen about members and interviews.

use sondage::Client;
use sondage::arguments::{InterviewsOptions, MembersOptions};
use sondage::model::OrderDirection;
use sondage::paging::{self, Order};
use sondage_data::{Interviews, Members, Tables};

/// Sets what was chosen, and leaves the rest as it is.
macro_rules! choose {
    ($query:ident: $($chosen:expr => $method:ident;)*) => {
        $(if let Some(value) = $chosen { $query = $query.$method(value); })*
    };
}

/// The members as objects.
pub fn member_list(client: &Client, options: MembersOptions) -> paging::Members {
    let mut query = client.members(options.panel_id).check_count(options.check_count);
    choose! { query:
        options.fields => fields;
        options.r#where => filter;
        options.page_size => page_size;
    }
    if options.interviews { query.interviews() } else { query }
}

/// The members as a table.
pub fn member_table(client: &Client, mut options: MembersOptions) -> Members {
    let (definition, language) = (options.definition, options.language.take());
    let query = client.member_table(member_list(client, options));
    if definition { query.with_definition(language.as_deref()) } else { query }
}

/// The interviews.
pub fn interviews(client: &Client, options: InterviewsOptions) -> Interviews {
    let mut query = client.interviews(options.survey_id).check_count(options.check_count);
    let direction = if options.descending { OrderDirection::Descending } else { OrderDirection::Ascending };
    choose! { query:
        options.fields => fields;
        options.r#where => filter;
        options.state.as_deref() => state;
        options.updated_since => updated_since;
        options.page_size => page_size;
        options.first_page => first_page;
        options.order_by.map(|field| Order::By(field, direction)) => order;
    }
    if options.structured {
        query = query.structured();
    }
    if options.code_plan { query } else { query.without_code_plan() }
}
