//! The interviews of a survey.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sondage::arguments::{InterviewState, NotAvailable};
use sondage::condition::{ConditionTime, Expression, column};
use sondage::model::{OrderDirection, Paging, ReadInterviewListRequest};
use sondage::operation::Paged;
use sondage::operations::{ReadInterviewList, ReadInterviewListCompact};
use sondage::paging::{self, Order, Pager, Pages, Progress};
use sondage::{Client, Error, ErrorKind, Result};

use tokio::sync::OnceCell;

use super::asked_columns::AskedColumns;
use super::batches::Batches;
use super::estimate::{self, Estimate};
use super::list_proof::ListProof;
use super::panel_condition;
use super::questionnaire::Questionnaire;
use super::reader::read;
use super::reading::{Reading, SurveyHead};
use super::watch::PageObserver;
use crate::decode::page::{Page, PayloadLayout};
use crate::error::unexpected;
use crate::meaning::CodePlan;
use crate::table::{Table, TableBuilder};

/// The service's name for the id of an interview. It is published as a column for filters; that it can also be selected
/// is assumed.
// API 6.3, published
pub(crate) const ID: &str = "Id";

/// Reads the interviews of a survey into a table: complete, or an error.
#[derive(Clone)]
pub struct Interviews {
    client: Client,
    survey_id: i64,
    form: PayloadLayout,
    fields: Option<Vec<String>>,
    filter: Option<Expression>,
    page_size: Option<i64>,
    first_page: Option<i64>,
    order: Option<Order>,
    verify_total: bool,
    proof: ListProof,
    load_code_plan: bool,
    code_plan: Option<CodePlan>,
    language: Option<String>,
    not_available: NotAvailable,
    has_markup: bool,
    /// Columns that are requested for internal use, and left out of the table.
    beside: Vec<String>,
    watch: PageObserver,
}

impl Interviews {
    pub(super) fn new(client: &Client, survey_id: i64) -> Self {
        Interviews {
            client: client.clone(),
            survey_id,
            form: PayloadLayout::Compact,
            fields: None,
            filter: None,
            page_size: None,
            first_page: None,
            order: None,
            verify_total: true,
            proof: ListProof::Facts,
            load_code_plan: true,
            code_plan: None,
            language: None,
            not_available: NotAvailable::DEFAULT,
            has_markup: false,
            beside: Vec::new(),
            watch: PageObserver::default(),
        }
    }

    /// Only these questions and columns, in this order. The code of a multiple choice or a matrix stands for its columns;
    /// the first time, that costs two calls more. Always name them: it saves time and traffic. The column `Id` is requested as
    /// well, because it identifies interviews, but is in the table only if it is named here.
    // API 6.5
    #[must_use]
    pub fn fields<S: Into<String>>(mut self, fields: impl IntoIterator<Item = S>) -> Self {
        self.fields = Some(fields.into_iter().map(Into::into).collect());
        self
    }

    /// Only interviews that match this filter. A second filter is joined with And.
    #[must_use]
    pub fn filter(mut self, filter: Expression) -> Self {
        self.filter = Some(match self.filter.take() {
            Some(before) => before & filter,
            None => filter,
        });
        self
    }

    /// Only interviews in this state.
    // API 6.4, published
    #[must_use]
    pub fn state(self, state: InterviewState) -> Self {
        self.filter(column("State").is_equal_to(state.as_str()))
    }

    /// Only completed interviews.
    #[must_use]
    pub fn completed(self) -> Self {
        self.state(InterviewState::Completed)
    }

    /// Only interviews that changed at or after this time.
    #[must_use]
    pub fn updated_since(self, time: impl Into<ConditionTime>) -> Self {
        self.filter(column("UpdatedAt").is_since(time))
    }

    /// Interviews per call. The number of calls is limited to about 500 a day, so large pages are better; a page that
    /// times out is halved. Default: the client's setting.
    // API 15.1, published
    #[must_use]
    pub fn page_size(mut self, rows: i64) -> Self {
        self.page_size = Some(rows);
        self
    }

    /// The number of the first page. Default: the client's `first_page`, or the number that the client has detected.
    #[must_use]
    pub fn first_page(mut self, number: i64) -> Self {
        self.first_page = Some(number);
        self
    }

    /// The sort order. Default: by `Id`, if the service supports that.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = Some(order);
        self
    }

    /// Whether a mismatch with the service's count makes the list incomplete. Default: yes.
    #[must_use]
    pub fn verify_total(mut self, check: bool) -> Self {
        self.verify_total = check;
        self
    }

    /// Whether the list is proven whole by a request of its own, whatever is known about the service. Default: no.
    #[must_use]
    pub fn thorough(mut self, thorough: bool) -> Self {
        self.proof = ListProof::of(thorough);
        self
    }

    /// Believes an empty list after one call, if the facts about the service allow it: a later load reads the same again.
    pub(crate) fn believing_empty_page(mut self) -> Self {
        self.proof = self.proof.believing_empty_page();
        self
    }

    /// Reads the structured form instead of the compact one. The table is the same.
    #[must_use]
    pub fn structured(mut self) -> Self {
        self.form = PayloadLayout::Structured;
        self
    }

    /// Takes types and labels from this plan, without downloading one.
    #[must_use]
    pub fn code_plan(mut self, plan: CodePlan) -> Self {
        self.load_code_plan = false;
        self.code_plan = Some(plan);
        self
    }

    /// Downloads no code plan: types are derived from the data, and there are no labels. For recurring jobs.
    // API 6.5
    #[must_use]
    pub fn without_code_plan(mut self) -> Self {
        self.load_code_plan = false;
        self
    }

    /// Questions and labels in this language of the survey, and all others for [`Table::in_language`]. Reads the questionnaire
    /// first (`ReadSurvey`, one more call). Default: the language of the code plan, which is the survey's default language.
    #[must_use]
    pub fn language(mut self, language: &str) -> Self {
        self.language = Some(language.to_owned());
        self
    }

    /// The code by which closed questions and sliders say that a choice is not available: a missing answer in the table. `None`: it
    /// stays an answer. Default: 9999999. Open questions have no such code.
    #[must_use]
    pub fn not_available(mut self, code: Option<i64>) -> Self {
        self.not_available = code.into();
        self
    }

    /// Whether questions and labels keep the markup and the entities of the questionnaire. Default: they are plain texts, and the
    /// metadata of a column have the original ones.
    #[must_use]
    pub fn markup(mut self, has_markup: bool) -> Self {
        self.has_markup = has_markup;
        self
    }

    /// Calls `watch` with the progress, at the beginning and after each page.
    #[must_use]
    pub fn on_progress(mut self, watch: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.watch = PageObserver::new(watch);
        self
    }

    /// Requests another column, which is in the table only if it was selected.
    #[must_use]
    pub(crate) fn beside(mut self, column: &str) -> Self {
        let named = |fields: &Vec<String>| fields.iter().any(|field| field.eq_ignore_ascii_case(column));
        if self.fields.as_ref().is_some_and(|fields| !named(fields)) {
            self.beside.push(column.to_owned());
        }
        self
    }

    /// The same query for its rows alone, without a code plan.
    #[must_use]
    pub(crate) fn plain(mut self) -> Self {
        self.language = None;
        self.without_code_plan()
    }

    /// The same query without filters.
    #[must_use]
    pub(crate) fn unfiltered(mut self) -> Self {
        self.filter = None;
        self
    }

    /// The cost of a whole download, estimated from one call for a few rows. About 500 calls and 500 MB a day are
    /// allowed.
    // API 15.1, published
    pub async fn estimate(&self) -> Result<Estimate> {
        let pager = self.clone().page_size(estimate::SAMPLE).plain().read()?.pager;
        // The code plan comes with the first page, the questionnaire does not.
        let besides = i64::from(self.language.is_some());
        let size = self.page_size.unwrap_or(self.client.config().page_size);
        estimate::of(pager, size, |_| besides).await
    }

    /// Starts reading. The code plan comes with the first page.
    pub fn read(&self) -> Result<Reading> {
        self.read_from(true)
    }

    /// Starts reading, or continues if the code plan was already read.
    pub(crate) fn read_from(&self, start: bool) -> Result<Reading> {
        self.check_language()?;
        let head = SurveyHead::default();
        let with_plan = start && self.load_code_plan;
        let pager = match self.form {
            PayloadLayout::Structured => self.pager::<ReadInterviewList>(&head, with_plan),
            _ => self.pager::<ReadInterviewListCompact>(&head, with_plan),
        }?;
        let (builder, watch) = (self.builder(), self.watch.clone());
        Ok(Reading { pager, builder, head, complete: false, watch, panel: None })
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// The request, without its page.
    pub(crate) fn request(&self) -> Result<ReadInterviewListRequest> {
        let mut request = ReadInterviewListRequest::new(self.survey_id);
        request.conditions = self.filter.as_ref().map(Expression::compile).transpose()?;
        request.fields_to_download = self.asked();
        Ok(request)
    }

    /// The other parameters that affect the rows, as text.
    pub(crate) fn choices(&self) -> String {
        format!("{:?} {:?} {} {:?}", self.form, self.order, self.load_code_plan, self.language)
    }

    /// All interviews as a table.
    pub async fn table(&self) -> Result<Table> {
        self.read()?.table().await
    }

    /// Starts reading page by page, each page a table of its own: for surveys that are too large for memory.
    pub fn batches(&self) -> Result<Batches> {
        Ok(Batches::of(self.read()?))
    }

    /// A single page, sorted by id unless an order was chosen, and the service's count of the whole list. It is for readers that divide a list among
    /// machines, and must check themselves that it is complete.
    pub async fn page(&self, number: i64, size: i64) -> Result<(Table, Option<i64>)> {
        self.check_language()?;
        let mut request = self.request()?;
        let paging = Paging::new(size, number);
        let (field, direction) = match &self.order {
            Some(Order::By(field, direction)) => (field.as_str(), direction.clone()),
            _ => (ID, OrderDirection::Ascending),
        };
        request.paging = Some(paging.order_field(field).order_direction(direction));
        let source = self.source(&SurveyHead::default(), self.load_code_plan);
        let page = match self.form {
            PayloadLayout::Structured => source.page::<ReadInterviewList>(&self.client, request).await,
            _ => source.page::<ReadInterviewListCompact>(&self.client, request).await,
        }?;
        let mut builder = self.builder();
        builder.append(page.rows).map_err(|error| unexpected(&error))?;
        Ok((builder.finish().map_err(|error| unexpected(&error))?, page.count))
    }

    fn check_language(&self) -> Result<()> {
        if self.language.is_some() && !self.load_code_plan {
            return Err(Error::invalid_argument(
                "`language` needs the code plan of the survey, which this query does not download",
            ));
        }
        Ok(())
    }

    fn source(&self, head: &SurveyHead, with_plan: bool) -> ReadingContext {
        ReadingContext {
            form: self.form,
            head: Arc::clone(head),
            with_id: AtomicBool::new(self.adds_id()),
            with_plan: AtomicBool::new(with_plan),
            language: self.language.clone(),
            questionnaire: OnceCell::new(),
            answered: AtomicBool::new(false),
            columns: OnceCell::new(),
        }
    }

    fn pager<O: Paged<Request = ReadInterviewListRequest>>(
        &self,
        head: &SurveyHead,
        with_plan: bool,
    ) -> Result<Pager<Page>> {
        let request = self.request()?;
        let source = Arc::new(self.source(head, with_plan));
        self.settled(self.client.pages::<O>(request)).pager_with(move |client, request| {
            let source = Arc::clone(&source);
            async move { source.page::<O>(&client, request).await }
        })
    }

    fn settled<O: Paged>(&self, mut pages: Pages<O>) -> Pages<O> {
        pages = self.proof.demand(pages.verify_total(self.verify_total));
        if let Some(rows) = self.page_size {
            pages = pages.page_size(rows);
        }
        if let Some(number) = self.first_page {
            pages = pages.first_page(number);
        }
        match &self.order {
            Some(order) => pages.order(order.clone()),
            None => pages,
        }
    }

    pub(super) fn builder(&self) -> TableBuilder {
        let mut builder = TableBuilder::new(self.form)
            .complete()
            .not_available(self.not_available.0)
            .markup(self.has_markup)
            .growth(self.client.config().limits.table_growth);
        if let Some(plan) = &self.code_plan {
            builder = builder.code_plan(plan.clone());
        }
        if let Some(fields) = &self.fields {
            builder = builder.fields(fields.iter().cloned());
        }
        let builder = self.beside.iter().fold(builder, |builder, column| builder.without(column));
        if self.adds_id() { builder.without(ID) } else { builder }
    }

    /// The columns to request, unless all are.
    fn asked(&self) -> Option<Vec<String>> {
        self.fields.as_ref().map(|fields| fields.iter().chain(&self.beside).cloned().collect())
    }

    fn adds_id(&self) -> bool {
        self.asked().is_some_and(|fields| !fields.iter().any(|field| field.eq_ignore_ascii_case(ID)))
    }
}

/// State shared by the pages of one reading.
struct ReadingContext {
    form: PayloadLayout,
    head: SurveyHead,
    /// Whether `Id` is requested although the caller did not select it.
    with_id: AtomicBool,
    /// Whether the code plan is still needed.
    with_plan: AtomicBool,
    answered: AtomicBool,
    /// The language of the code plan's texts, if it is not the survey's own.
    language: Option<String>,
    questionnaire: OnceCell<Questionnaire>,
    /// After a refusal: the columns to request, if codes of questions were replaced by those of their columns.
    columns: OnceCell<AskedColumns>,
}

impl ReadingContext {
    async fn page<O: Paged<Request = ReadInterviewListRequest>>(
        &self,
        client: &Client,
        request: ReadInterviewListRequest,
    ) -> Result<paging::Page<Page>> {
        // Before the rows, so that a language that does not exist costs one call.
        let questionnaire = self.questionnaire(client, request.survey_id).await?;
        let mut page = self.call::<O>(client, &request).await;
        if let Err(error) = &page
            && self.may_drop_id(error)
        {
            // That `Id` can be selected is an assumption: the query must not fail if the service does not support it.
            match self.call::<O>(client, &request).await {
                Ok(without) => page = Ok(without),
                Err(_) => self.with_id.store(true, Ordering::Relaxed),
            }
        }
        if let Err(error) = &page
            && error.status() == Some(400)
            && !self.answered.load(Ordering::Relaxed)
        {
            let read = || AskedColumns::read::<O>(client, &request, self.form);
            let asked = self.columns.get_or_init(read).await;
            if asked.columns.is_some() {
                page = self.call::<O>(client, &request).await;
            }
            page = page.map_err(|error| asked.explained(error));
        }
        let mut page = page.map_err(|error| panel_condition::explained(error, &request))?;
        if let (Some(questionnaire), Some(plan)) = (questionnaire, page.rows.code_plan()) {
            page.rows.set_code_plan(questionnaire.translate(plan));
        }
        if page.rows.rows() == 0 {
            self.head.get_or_init(|| page.rows.head());
        }
        self.answered.store(true, Ordering::Relaxed);
        self.with_plan.store(false, Ordering::Relaxed);
        Ok(page)
    }

    /// The questionnaire, if a language was requested and the code plan has not been read.
    async fn questionnaire(&self, client: &Client, survey_id: i64) -> Result<Option<&Questionnaire>> {
        match &self.language {
            Some(language) if self.with_plan.load(Ordering::Relaxed) => {
                let read = || Questionnaire::read(client, survey_id, language);
                self.questionnaire.get_or_try_init(read).await.map(Some)
            }
            _ => Ok(None),
        }
    }

    fn may_drop_id(&self, error: &Error) -> bool {
        error.kind() == ErrorKind::Api
            && !self.answered.load(Ordering::Relaxed)
            && self.with_id.swap(false, Ordering::Relaxed)
    }

    async fn call<O: Paged<Request = ReadInterviewListRequest>>(
        &self,
        client: &Client,
        request: &ReadInterviewListRequest,
    ) -> Result<paging::Page<Page>> {
        let mut request = request.clone();
        request.load_code_plan = Some(self.with_plan.load(Ordering::Relaxed));
        if let Some(columns) = self.columns.get().and_then(|asked| asked.columns.as_ref()) {
            request.fields_to_download = Some(columns.clone());
        }
        if self.with_id.load(Ordering::Relaxed)
            && let Some(fields) = &mut request.fields_to_download
        {
            fields.push(ID.to_owned());
        }
        let whose = format!("survey {}", request.survey_id);
        let number = request.paging.as_ref().map(|paging| paging.page);
        read::<O>(client, request, self.form, number, whose).await
    }
}
