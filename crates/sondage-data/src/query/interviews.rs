//! The interviews of a survey.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sondage::condition::{ConditionTime, Expression, column};
use sondage::model::{Paging, ReadInterviewListRequest};
use sondage::operations::{ReadInterviewList, ReadInterviewListCompact};
use sondage::paging::{FirstPage, Order, Page as Read, Pager, PagerSettings};
use sondage::{Client, ErrorKind, Result};

use super::reader::PageReader;
use super::{and, internal};
use crate::decode::page::{Form, Page};
use crate::meaning::CodePlan;
use crate::table::{Table, TableBuilder};

/// The service's own word for the id of an interview (published as a column to filter by; that it can be asked for and
/// ordered by is assumed).
const ID: &str = "Id";

/// Asks for the interviews of a survey and makes a table of them: complete, or an error.
#[derive(Clone)]
pub struct Interviews {
    client: Client,
    survey_id: i64,
    form: Form,
    fields: Option<Vec<String>>,
    tests: Option<Expression>,
    page_size: i64,
    order: Order,
    check_count: bool,
    load_code_plan: bool,
    code_plan: Option<CodePlan>,
}

impl Interviews {
    pub(super) fn new(client: &Client, survey_id: i64) -> Self {
        Interviews {
            client: client.clone(),
            survey_id,
            form: Form::Compact,
            fields: None,
            tests: None,
            page_size: client.config().page_size,
            order: Order::ById(Some(ID.to_owned())),
            check_count: true,
            load_code_plan: true,
            code_plan: None,
        }
    }

    /// Only these questions and columns. Should always be given (spec 4.5): it saves time and volume. The column `Id` is
    /// asked for as well, because it tells interviews apart, but is in the table only when it is named here.
    #[must_use]
    pub fn fields<S: Into<String>>(mut self, fields: impl IntoIterator<Item = S>) -> Self {
        self.fields = Some(fields.into_iter().map(Into::into).collect());
        self
    }

    /// Only interviews that pass this test, and those before it.
    #[must_use]
    pub fn filter(mut self, test: Expression) -> Self {
        self.tests = Some(and(self.tests.take(), test));
        self
    }

    /// Only interviews in this state, for example `Completed` (published; the spelling of the others is assumed).
    #[must_use]
    pub fn state(self, state: &str) -> Self {
        self.filter(column("State").is_equal_to(state))
    }

    /// Only completed interviews.
    #[must_use]
    pub fn completed(self) -> Self {
        self.state("Completed")
    }

    /// Only interviews that changed at this time or later.
    #[must_use]
    pub fn updated_since(self, time: impl Into<ConditionTime>) -> Self {
        self.filter(column("UpdatedAt").is_since(time))
    }

    /// Interviews for each call. Calls are scarce (about 500 a day, published), so large pages are better; a page that takes
    /// the service too long is halved. Default: the client's setting.
    #[must_use]
    pub fn page_size(mut self, rows: i64) -> Self {
        self.page_size = rows;
        self
    }

    /// How pages are ordered. Default: by `Id`, where the service does that.
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

    /// Reads the structured form in the place of the compact one. The table is the same.
    #[must_use]
    pub fn structured(mut self) -> Self {
        self.form = Form::Structured;
        self
    }

    /// Takes types and labels from this plan, without downloading one.
    #[must_use]
    pub fn code_plan(mut self, plan: CodePlan) -> Self {
        self.load_code_plan = false;
        self.code_plan = Some(plan);
        self
    }

    /// Downloads no code plan: the types are those of the data, and there are no labels. For recurring jobs (spec 4.5).
    #[must_use]
    pub fn without_code_plan(mut self) -> Self {
        self.load_code_plan = false;
        self
    }

    /// The pages one by one, each interview once, until it is proven that none is missing. The code plan comes with the
    /// first page.
    pub fn pages(&self) -> Result<Pager<Page>> {
        let mut request = ReadInterviewListRequest::new(self.survey_id);
        request.conditions = self.tests.as_ref().map(Expression::compile).transpose()?;
        let source = Arc::new(Source {
            client: self.client.clone(),
            form: self.form,
            request,
            fields: self.fields.clone(),
            with_id: AtomicBool::new(self.adds_id()),
            with_plan: AtomicBool::new(self.load_code_plan),
            answered: AtomicBool::new(false),
        });
        let operation =
            if self.form == Form::Compact { "ReadInterviewListCompact" } else { "ReadInterviewList" };
        let settings = PagerSettings {
            first_page: FirstPage::assumed(self.client.config().first_page),
            order: self.order.clone(),
            check_count: self.check_count,
            ..PagerSettings::new(operation, self.page_size)
        };
        Ok(Pager::new(settings, move |paging| {
            let source = Arc::clone(&source);
            async move { source.page(paging).await }
        }))
    }

    /// A builder that expects this query's pages.
    pub fn builder(&self) -> TableBuilder {
        let mut builder = TableBuilder::new(self.form);
        if let Some(plan) = &self.code_plan {
            builder = builder.code_plan(plan.clone());
        }
        if let Some(fields) = &self.fields {
            builder = builder.fields(fields.iter().cloned());
        }
        if self.adds_id() { builder.without(ID) } else { builder }
    }

    /// All interviews as a table.
    pub async fn table(&self) -> Result<Table> {
        let (mut pages, mut builder) = (self.pages()?, self.builder());
        while let Some(page) = pages.next().await? {
            builder.append(page).map_err(|error| internal(&error))?;
        }
        builder.finish().map_err(|error| internal(&error))
    }

    fn adds_id(&self) -> bool {
        self.fields.as_ref().is_some_and(|fields| !fields.iter().any(|field| field.eq_ignore_ascii_case(ID)))
    }
}

/// What the pages of one reading share.
struct Source {
    client: Client,
    form: Form,
    request: ReadInterviewListRequest,
    fields: Option<Vec<String>>,
    /// Whether `Id` is asked for although the caller did not name it.
    with_id: AtomicBool,
    /// Whether the code plan is still wanted.
    with_plan: AtomicBool,
    answered: AtomicBool,
}

impl Source {
    async fn page(&self, paging: Paging) -> Result<Read<Page>> {
        let page = match self.call(paging.clone()).await {
            Err(error) if self.may_drop_id(&error) => {
                // That `Id` can be asked for is an assumption of ours, and no reason to fail.
                match self.call(paging).await {
                    Err(_) => return Err(error),
                    page => page,
                }
            }
            page => page,
        }?;
        self.answered.store(true, Ordering::Relaxed);
        self.with_plan.store(false, Ordering::Relaxed);
        Ok(Read { count: page.total_count(), rows: page })
    }

    fn may_drop_id(&self, error: &sondage::Error) -> bool {
        error.kind() == ErrorKind::Api
            && !self.answered.load(Ordering::Relaxed)
            && self.with_id.swap(false, Ordering::Relaxed)
    }

    async fn call(&self, paging: Paging) -> Result<Page> {
        let (form, number) = (self.form, paging.page);
        let whose = format!("survey {}", self.request.survey_id);
        let reader = move || PageReader::new(form, number, whose.clone());
        let mut request = self.request.clone();
        request.load_code_plan = Some(self.with_plan.load(Ordering::Relaxed));
        request.fields_to_download = self.fields.clone().map(|mut fields| {
            if self.with_id.load(Ordering::Relaxed) {
                fields.push(ID.to_owned());
            }
            fields
        });
        request.paging = Some(paging);
        let answer = match form {
            Form::Structured => self.client.exchange::<ReadInterviewList, _>(request, reader).await,
            _ => self.client.exchange::<ReadInterviewListCompact, _>(request, reader).await,
        };
        answer.map(|answer| answer.value)
    }
}
