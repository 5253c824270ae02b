//! The members of a panel or sample, as a table.

use std::sync::Arc;

use sondage::model::ReadMemberListRequest;
use sondage::operations::ReadMemberList;
use sondage::paging::{self, Progress};
use sondage::{Client, Result};

use super::batches::Batches;
use super::estimate::{self, Estimate};
use super::panel_fields::{self, PanelFields};
use super::reader::read;
use super::reading::{Reading, SurveyHead};
use super::watch::PageObserver;
use crate::decode::page::PayloadLayout;
use crate::meaning::{CodePlan, service};
use crate::table::{Table, TableBuilder};

/// Reads members into a table: complete, or an error.
#[derive(Clone)]
pub struct Members {
    client: Client,
    query: paging::Members,
    definition: Definition,
    watch: PageObserver,
}

/// The source of types and labels of the fields.
#[derive(Clone)]
enum Definition {
    /// The type that each field of a member declares: types only. If there are no members, the panel's definition.
    None,
    /// The panel's definition, by one more call.
    Download { language: Option<String> },
    /// From the caller.
    Given(CodePlan),
}

impl Members {
    pub(super) fn new(client: &Client, query: paging::Members) -> Self {
        Members {
            client: client.clone(),
            query,
            definition: Definition::None,
            watch: PageObserver::default(),
        }
    }

    /// Reads the definition of the panel first (`ReadPanel`, one more call): display names, value labels, and a type for
    /// every field. `language`: the language of the labels, if the panel has several (assumed to be under language
    /// codes).
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

    /// Calls `watch` with the progress, at the beginning and after each page.
    #[must_use]
    pub fn on_progress(mut self, watch: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.watch = PageObserver::new(watch);
        self
    }

    /// The cost of a whole download, estimated from one call for a few rows.
    pub async fn estimate(&self) -> Result<Estimate> {
        let size = self.query.rows_on_a_page();
        let besides = |rows| match &self.definition {
            Definition::Download { .. } => 1,
            Definition::None => i64::from(rows == 0),
            Definition::Given(_) => 0,
        };
        let sample = Members { definition: Definition::None, ..self.with_page_size(estimate::SAMPLE) };
        estimate::of(sample.read().await?.pager, size, besides).await
    }

    /// Starts reading page by page, each page a table of its own: for panels that are too large for memory.
    pub async fn batches(&self) -> Result<Batches> {
        Ok(Batches::of(self.read().await?))
    }

    /// The same query with pages of this size.
    pub(crate) fn with_page_size(&self, rows: i64) -> Self {
        Members { query: self.query.clone().page_size(rows), ..self.clone() }
    }

    /// The same query for these columns. Those of the service come without being named.
    pub(crate) fn of_fields(self, names: impl IntoIterator<Item = String>) -> Self {
        let is_of_service = |name: &String| service::MEMBER.iter().any(|(_, column, _)| name == column);
        let fields: Vec<String> = names.into_iter().filter(|name| !is_of_service(name)).collect();
        if fields.is_empty() { self } else { Members { query: self.query.fields(fields), ..self } }
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// The request, without its page.
    pub(crate) fn request(&self) -> Result<ReadMemberListRequest> {
        self.query.clone().request()
    }

    /// Starts reading.
    pub async fn read(&self) -> Result<Reading> {
        let head = SurveyHead::default();
        let about = Arc::clone(&head);
        let pager =
            self.query.clone().pages()?.pager_with(move |client, request: ReadMemberListRequest| {
                let whose = format!("panel {}", request.panel_id);
                let number = request.paging.as_ref().map(|paging| paging.page);
                let about = Arc::clone(&about);
                async move {
                    let form = PayloadLayout::Members;
                    let page = read::<ReadMemberList>(&client, request, form, number, whose).await?;
                    if page.rows.rows() == 0 {
                        about.get_or_init(|| page.rows.head());
                    }
                    Ok(page)
                }
            })?;
        let (builder, watch) = (self.builder().await?, self.watch.clone());
        let panel = match &self.definition {
            Definition::None => Some(PanelFields::new(&self.client, self.request()?.panel_id)),
            Definition::Given(_) | Definition::Download { .. } => None,
        };
        Ok(Reading { pager, builder, head, complete: false, watch, panel })
    }

    /// All members as a table. If there are none, the panel's definition is read (`ReadPanel`, one more call), so that the
    /// table has the columns and types of one with members.
    pub async fn table(&self) -> Result<Table> {
        self.read().await?.table().await
    }

    async fn builder(&self) -> Result<TableBuilder> {
        let request = self.query.clone().request()?;
        let builder = TableBuilder::new(PayloadLayout::Members)
            .complete()
            .interviews(request.interviews_required == Some(true))
            .growth(self.client.config().limits.table_growth);
        let builder = match request.fields_to_download {
            Some(fields) => builder.fields(fields),
            None => builder,
        };
        Ok(match &self.definition {
            Definition::None => builder,
            Definition::Given(plan) => builder.code_plan(plan.clone()),
            Definition::Download { language } => {
                let (plan, warnings) =
                    panel_fields::download(&self.client, request.panel_id, language.as_deref()).await?;
                let mut builder = builder.code_plan(plan);
                for warning in warnings {
                    builder.warn(warning);
                }
                builder
            }
        })
    }
}
