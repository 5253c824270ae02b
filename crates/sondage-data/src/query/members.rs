//! The members of a panel or sample, as a table.

use sondage::condition::Expression;
use sondage::model::{Paging, ReadMemberListRequest, ReadPanelRequest};
use sondage::operations::ReadMemberList;
use sondage::paging::{FirstPage, Order, Page as Read, Pager, PagerSettings};
use sondage::{Client, Error, Result};

use super::reader::PageReader;
use super::{and, internal};
use crate::decode::page::{Form, Page};
use crate::meaning::CodePlan;
use crate::table::{Table, TableBuilder};

/// Asks for the members of a panel or sample and makes a table of them: complete, or an error.
#[derive(Clone)]
pub struct Members {
    client: Client,
    panel_id: i64,
    fields: Option<Vec<String>>,
    tests: Option<Expression>,
    interviews: bool,
    page_size: i64,
    order: Order,
    check_count: bool,
    definition: Definition,
}

/// Where types and labels of the fields come from.
#[derive(Clone)]
enum Definition {
    /// From what each field says about itself: types only.
    None,
    /// From the panel, by one more call.
    Download { language: Option<String> },
    /// From the caller.
    Given(CodePlan),
}

impl Members {
    pub(super) fn new(client: &Client, panel_id: i64) -> Self {
        Members {
            client: client.clone(),
            panel_id,
            fields: None,
            tests: None,
            interviews: false,
            page_size: client.config().page_size,
            order: Order::ById(Some("id".to_owned())),
            check_count: true,
            definition: Definition::None,
        }
    }

    /// Only these fields. Naming them makes broad panels much faster (spec 4.1).
    #[must_use]
    pub fn fields<S: Into<String>>(mut self, fields: impl IntoIterator<Item = S>) -> Self {
        self.fields = Some(fields.into_iter().map(Into::into).collect());
        self
    }

    /// Only members that pass this test, and those before it.
    #[must_use]
    pub fn filter(mut self, test: Expression) -> Self {
        self.tests = Some(and(self.tests.take(), test));
        self
    }

    /// With the interviews of each member, in a column of JSON.
    #[must_use]
    pub fn with_interviews(mut self) -> Self {
        self.interviews = true;
        self
    }

    /// Members for each call; the service gives up to 10,000 (spec 4.1). Default: the client's setting.
    #[must_use]
    pub fn page_size(mut self, rows: i64) -> Self {
        self.page_size = rows;
        self
    }

    /// How pages are ordered. Default: by `id`, where the service does that.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Whether a `totalCount` that contradicts the rows is an error. Default: yes.
    #[must_use]
    pub fn check_count(mut self, check: bool) -> Self {
        self.check_count = check;
        self
    }

    /// Reads the definition of the panel first (`ReadPanel`, one more call): display names, value labels, and a type for
    /// every field. `language`: which labels, where the panel has several (assumed to be under language codes).
    #[must_use]
    pub fn with_definition(mut self, language: Option<&str>) -> Self {
        self.definition = Definition::Download { language: language.map(str::to_owned) };
        self
    }

    /// Takes types and labels from this plan (see [`CodePlan::from_panel_json`]).
    #[must_use]
    pub fn definition(mut self, plan: CodePlan) -> Self {
        self.definition = Definition::Given(plan);
        self
    }

    /// The pages one by one, each member once, until it is proven that none is missing.
    pub fn pages(&self) -> Result<Pager<Page>> {
        let mut request = ReadMemberListRequest::new(self.panel_id);
        request.interviews_required = Some(self.interviews);
        request.fields_to_download.clone_from(&self.fields);
        request.conditions = self.tests.as_ref().map(Expression::compile).transpose()?;
        let settings = PagerSettings {
            first_page: FirstPage::assumed(self.client.config().first_page),
            order: self.order.clone(),
            check_count: self.check_count,
            ..PagerSettings::new("ReadMemberList", self.page_size)
        };
        let (client, whose) = (self.client.clone(), format!("panel {}", self.panel_id));
        Ok(Pager::new(settings, move |paging: Paging| {
            let (client, whose, number) = (client.clone(), whose.clone(), paging.page);
            let mut request = request.clone();
            request.paging = Some(paging);
            async move {
                let reader = move || PageReader::new(Form::Members, number, whose.clone());
                let page = client.exchange::<ReadMemberList, _>(request, reader).await?.value;
                Ok(Read { count: page.total_count(), rows: page })
            }
        }))
    }

    /// All members as a table.
    pub async fn table(&self) -> Result<Table> {
        let mut builder = TableBuilder::new(Form::Members);
        if let Some(fields) = &self.fields {
            builder = builder.fields(fields.iter().cloned());
        }
        match &self.definition {
            Definition::None => {}
            Definition::Given(plan) => builder = builder.code_plan(plan.clone()),
            Definition::Download { language } => {
                let (plan, warnings) = self.download_definition(language.as_deref()).await?;
                builder = builder.code_plan(plan);
                for warning in warnings {
                    builder.warn(warning);
                }
            }
        }
        let mut pages = self.pages()?;
        while let Some(page) = pages.next().await? {
            builder.append(page).map_err(|error| internal(&error))?;
        }
        builder.finish().map_err(|error| internal(&error))
    }

    async fn download_definition(&self, language: Option<&str>) -> Result<(CodePlan, Vec<crate::Warning>)> {
        let panel = self.client.read_panel(ReadPanelRequest::new(self.panel_id)).await?.panel;
        let json =
            serde_json::to_string(&panel).map_err(|error| Error::unexpected_response(error.to_string()))?;
        CodePlan::from_panel_json(&json, language)
            .map_err(|error| Error::unexpected_response(error.to_string()))
    }
}
